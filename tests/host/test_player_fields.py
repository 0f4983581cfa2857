"""A field of a player is declared once, and its text has one spelling: at every door."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from hardware.twin.node import ROOT
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.provision.items import badge_items, jury_items
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants
from host_tools.tournament.model import FORMAT, PLAYER_FIELDS, Entrant
from host_tools.tournament.players_csv import parse_pasted
from host_tools.tournament.service import TournamentService
from host_tools.tournament.state import TournamentState
from host_tools.web.desk.app import make_app
from tests.host.desk_web import Clock, Web, token, users

NAME, CLUB = "Zo\u00eb R\u00f6sch", "Caf\u00e9 Bern"
SPELLINGS = {
    "letters and accents apart": ("Zoe\u0308 Ro\u0308sch", "Cafe\u0301 Bern"),
    "two spaces": ("Zo\u00eb  R\u00f6sch", "Caf\u00e9   Bern"),
    "spaces around": ("  Zo\u00eb R\u00f6sch ", " Caf\u00e9 Bern  "),
    "a space that does not break": ("Zo\u00eb\u00a0R\u00f6sch", "Caf\u00e9\u00a0Bern\u00a0"),
    "a thin space": ("Zo\u00eb\u2009R\u00f6sch", "Caf\u00e9\u202fBern"),
    "a wide space": ("Zo\u00eb\u3000R\u00f6sch", "\u3000Caf\u00e9 Bern"),
}
Door = Callable[[Path, str, str], None]


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(schiri, ["tournament", *words, "--db", str(folder / "day.db")])
    assert done.exit_code == 0, done.output
    return done.stdout


def by_command(folder: Path, name: str, club: str) -> None:
    run(folder, "add", name, "--club", club)


def by_edit(folder: Path, name: str, club: str) -> None:
    run(folder, "add", "Somebody")
    run(folder, "edit", "Somebody", "--name", name, "--club", club)


def by_form(folder: Path, name: str, club: str, action: str = "add_player") -> None:
    service = TournamentService.open(str(folder / "day.db"), "cup")
    accounts = users(folder)
    app = make_app(service, accounts)
    with TestClient(app) as running:
        client = Web(app, running, accounts, Clock()).visitor("jury")
        csrf = token(client, "/desk/players")
        if action == "add_player":
            form = {"name": name, "club": club, "csrf": csrf}
            answer = client.post("/desk/do/add_player", data=form)
        else:
            file = {"file": ("list.csv", f"Name;Club\n{name};{club}\n".encode())}
            answer = client.post("/desk/do/import", data={"csrf": csrf}, files=file)
        assert answer.status_code == 303, answer.text
    service.close()


def by_upload(folder: Path, name: str, club: str) -> None:
    by_form(folder, name, club, "import")


def by_csv(folder: Path, name: str, club: str) -> None:
    (folder / "list.csv").write_text(f"Name;Verein\n{name};{club}\n", "utf8")
    run(folder, "import", str(folder / "list.csv"))


def by_json(folder: Path, name: str, club: str) -> None:
    players = [{"id": "p001", "name": name, "club": club}]
    file = {"format": FORMAT, "players": players, "groups": []}
    (folder / "cup.json").write_text(json.dumps(file), "utf8")
    run(folder, "import", str(folder / "cup.json"))


def by_guide(folder: Path, name: str, club: str) -> None:
    """What is pasted into the guided page."""
    players = parse_pasted(f"{name}\t{club}", "list")
    service = TournamentService.open(str(folder / "day.db"), "cup")
    service.do("Anna", "", lambda state: entrants.add_players(state, players))
    service.close()


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize(
    "door", [by_command, by_edit, by_form, by_upload, by_csv, by_json, by_guide]
)
def test_a_name_has_one_spelling_whichever_door_it_takes(
    tmp_path: Path, door: Door, spelling: tuple[str, str]
) -> None:
    TournamentService.create(
        str(tmp_path / "day.db"), "Anna", ev.Created(name="Cup"), "cup"
    ).close()
    door(tmp_path, *spelling)
    (player,) = json.loads(run(tmp_path, "players", "--json"))
    assert (player["name"], player["club"]) == (NAME, CLUB)


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_player_in_two_spellings_is_one(spelling: tuple[str, str]) -> None:
    name, club = spelling
    entered = TournamentState().after(
        entrants.add_players(TournamentState(), [Entrant(id="p1", name=NAME, club=CLUB)])
    )
    with pytest.raises(UserError, match="p1"):
        entrants.add_players(entered, [Entrant(id="p2", name=name, club=club)])
    with pytest.raises(UserError, match="line 2"):
        parse_pasted(f"Name;Club\n{NAME};{CLUB}\n{name};{club}\n", "list")


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_badges_and_jury_cards_have_that_spelling_too(
    tmp_path: Path, spelling: tuple[str, str]
) -> None:
    (tmp_path / "list.csv").write_text(f"id,name\np1,{spelling[0]}\n", "utf8")
    items = badge_items(tmp_path / "list.csv", "").items + jury_items(spelling[:1]).items
    assert [item.name for item in items] == [NAME, NAME]


@pytest.mark.parametrize("text", ["x", "0", "-1", "1_0", "٣", "9" * 5000])
def test_a_seed_that_is_no_number_is_a_fault_of_its_line(text: str) -> None:
    with pytest.raises(UserError, match=r"list, line 2, seed: .* is no number from 1"):
        parse_pasted(f"name;seed\nAnna;{text}", "list")


def test_a_field_that_is_not_public_is_on_no_public_page(monkeypatch: pytest.MonkeyPatch) -> None:
    state = TournamentState()
    anna = Entrant(id="p1", name="Anna Egli", country="CH", seed=3)
    state = state.after(entrants.add_players(state, [anna]))
    assert state.in_public().players["p1"] == anna
    for name in ("country", "seed"):
        monkeypatch.setitem(PLAYER_FIELDS, name, replace(PLAYER_FIELDS[name], public=False))  # type: ignore[arg-type]
    assert state.in_public().players["p1"] == Entrant(id="p1", name="Anna Egli")
    assert state.players["p1"] == anna


def test_the_field_of_the_page_reaches_every_door() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.support.added_field"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["command"] == "red"
    assert "Vereinsfarbe" in found["terminal"]
    assert "dark blue" in found["terminal"]
    assert '<label>Club colour <input name="club_colour"' in found["list"]
    assert '<th class="text">Club colour</th>' in found["list"]
    assert '<td class="text">dark blue</td>' in found["list"]
    assert '<input name="club_colour" value="red">' in found["page"]
    assert " · red" in found["page"]
    assert found["entries"] == {"Anna": "red", "Carl": "dark blue", "Berta": "white"}
    assert found["csv"][0].split(",").count("club colour") == 1
    assert ",red," in found["csv"][1]
    assert found["json"] == found["import"] == ["red", "dark blue", "white"]
    assert found["badge"].count("Bern · dark blue") == 1
    assert found["schema"] == {"type": "string", "default": ""}
