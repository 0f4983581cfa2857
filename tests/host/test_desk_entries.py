"""Who plays, as the desk keeps it: doubles, homonyms, arrivals, public names, unequal groups."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from card_tags import codec
from card_tags.kinds import Badge, Jury
from host_tools.cli import schiri
from host_tools.commands import tag as tag_commands
from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.incoming import find_match
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import TournamentState
from host_tools.tournament.verifying import verify
from tests.host.desk_web import running_web, token
from tests.host.tag_desk import fresh_213, open_desk

LIST = """Vorname;Nachname;Verein;Land
Anna;Egli;Bern;CH
Anna;Egli;Chur;CH
Anna;Egli;;AT
Berta;Ott;;
Otto;Berta;;
Carl;Meier;Bern;CH
"""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    setup = ev.Created(name="Zürich Cup", ko_size=2, tables=4)
    made = TournamentService.create(str(tmp_path / "day.db"), "desk", setup)
    yield made
    made.close()


@pytest.fixture
def jury(service: TournamentService, tmp_path: Path) -> Iterator[TestClient]:
    with running_web(service, tmp_path) as web:
        client = web.visitor("jury")
        client.get("/desk?lang=en")
        form = {"csrf": token(client, "/desk/players")}
        client.post("/desk/do/import", data=form, files={"file": ("l.csv", LIST.encode())})
        yield client


def do(client: TestClient, action: str, **form: str) -> str:
    """Send a form of the desk; the text of the page that follows."""
    client.follow_redirects = True
    answer = client.post(f"/desk/do/{action}", data={**form, "csrf": token(client, "/desk")})
    return answer.text


def players(service: TournamentService) -> dict[str, Entrant]:
    return service.state.players


def test_homonyms_are_told_apart_wherever_a_name_stands_alone(
    jury: TestClient, service: TournamentService
) -> None:
    called = [service.state.label(f"p00{n}") for n in range(1, 5)]
    assert called == ["Anna Egli (Bern)", "Anna Egli (Chur)", "Anna Egli (AT)", "Berta Ott"]
    service.do("desk", "", command(entrants.draw, 6, 1, True))
    for page in ("/desk/calls", "/desk/draw", "/desk/grid", "/"):
        assert "Anna Egli (Chur)" in jury.get(page).text, page
    ranking = jury.get("/ranking").text  # where the club stands beside it, it stands there once
    assert ranking.count("Chur") == 1


def test_people_arrive_by_code_by_name_ticked_and_all_at_once(
    jury: TestClient, service: TournamentService
) -> None:
    assert "Anna Egli (Bern) is here" in do(jury, "arrive", text="http://desk/x?player=p001&v=1")
    assert "Carl Meier is here" in do(jury, "arrive", text="carl MEIER")
    assert "several players are called" in do(jury, "arrive", text="Anna Egli")
    do(jury, "check_in_many", players=["p004", "p002"])
    assert service.state.present == {"p001", "p006", "p004", "p002"}
    asked = do(jury, "check_in_all")  # one press means many
    assert "this checks in 2 players at once" in asked
    assert 'name="sure" value="1"' in asked
    assert len(service.state.present) == 4
    assert "Undo the last check-in of 2 players" in do(jury, "check_in_all", sure="1")
    assert len(service.state.present) == 6
    do(jury, "undo_check_in")
    assert service.state.present == {"p001", "p006", "p004", "p002"}
    do(jury, "check_in_all", sure="1")


def test_a_badge_of_another_event_checks_nobody_in(service: TournamentService) -> None:
    entered = [Entrant(id="p001", name="Anna"), Entrant(id="p002", name="Bea")]
    service.do("desk", "", command(entrants.add_players, entered))
    with pytest.raises(UserError, match="p001"):
        service.do("desk", "", command(entrants.arrived_by_badge, "p001", "Bea"))
    assert not service.state.present
    service.do("desk", "", command(entrants.arrived_by_badge, "p001", "Anna"))
    assert service.state.present == {"p001"}


def test_badges_on_a_reader_check_people_in_once(
    service: TournamentService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the twin's reader: a badge that lies there, something else, and the next badge."""
    entered = [Entrant(id="p001", name="Anna"), Entrant(id="p002", name="Bea")]
    service.do("desk", "", command(entrants.add_players, entered))
    bench, port = open_desk()
    laid = [
        codec.unsealed("b", Badge("p001", "Anna", "")),
        codec.unsealed("j", Jury(1, "Jury")),
        codec.unsealed("b", Badge("p002", "Bea", "")),
    ]
    pauses = iter(range(3 * len(laid) + 1))

    def pause() -> None:  # every tag lies there for three looks
        look = next(pauses, None)
        if look is None or look // 3 >= len(laid):
            raise KeyboardInterrupt
        if look % 3 == 0:
            bench.field.clear()
            [tag] = fresh_213(1, first=look + 1)
            raw = codec.encode(laid[look // 3])
            tag.memory.bytes[16 : 16 + len(raw)] = raw
            bench.field.place(tag)

    monkeypatch.setattr(port, "pause", pause)
    monkeypatch.setattr(tag_commands, "open_reader", lambda *_: port)
    line = ["tournament", "checkin", "--badges", "--db", str(tmp_path / "day.db"), "--lang", "en"]
    said = CliRunner().invoke(schiri, line)
    assert said.output.count("Anna is here") == 1
    assert said.output.count("Bea is here") == 1
    assert service.state.present == {"p001", "p002"}


def test_a_double_is_found_shown_and_merged(jury: TestClient, service: TournamentService) -> None:
    page = jury.get("/desk/player/p004").text
    assert '<a href="?double=p005">Otto Berta</a>' in page  # the same words turned round
    shown = jury.get("/desk/player/p004?double=p005").text
    assert "Otto Berta: In no group, no matches." in shown
    assert "Otto Berta and Berta Ott are one person" in shown
    do(jury, "merge", player="p004", double="p005", why="twice")
    assert "p005" not in players(service)
    do(jury, "arrive", text="p005")  # the badge of the entry that is gone
    assert service.state.present == {"p004"}
    for ending in ("", ".ics"):  # the code on that badge, and a calendar that somebody has
        gone = jury.get(f"/player/p005{ending}?lang=de", follow_redirects=False)
        moved = (gone.status_code, gone.headers["location"])
        assert moved == (301, f"/player/p004{ending}?lang=de")
    service.do("desk", "", command(entrants.draw, 5, 1, True))
    seen = ev.Unplaced(
        source="box", label="b", box="b", journal="j", trust="verified", counts=(20, 12),
        ranking=[[0], [1]], reason="", names=["Otto Berta", "Carl Meier"],
        players=["p005", "p006"], tournament="", match="", stage="group", table=0,
        duration_s=None, received="",
    )  # fmt: skip
    found = find_match(service.state, seen)
    assert {found.a, found.b} == {"p004", "p006"}  # type: ignore[union-attr]
    assert verify(service).events == service.state.seq


def test_two_that_are_drawn_are_merged_while_one_has_not_begun(
    jury: TestClient, service: TournamentService
) -> None:
    service.do("desk", "", command(entrants.draw, 3, 1, True))
    state = service.state
    one, two = (group.players for group in state.groups)
    keep, double = one[0], two[0]
    theirs = [m for m in state.matches.values() if keep in (m.a, m.b)]
    service.do("desk", "", command(matches.call, theirs[0].id, 1))
    page = jury.get(f"/desk/player/{double}?double={keep}").text
    assert "2 matches, 1 of them begun, 0 played." in page
    do(jury, "merge", player=double, double=keep, why="twice")  # who has begun keeps the id
    assert players(service)[keep].name == state.players[double].name
    assert service.state.aliases == {double: keep}
    assert double not in str([group.players for group in service.state.groups])
    assert len(service.state.matches) == 4  # three of the one group, one of the other
    assert "merge" not in jury.get("/desk/draw").text
    assert "Groups differ in size: 1 of 3, 1 of 2." in jury.get("/desk/draw").text
    do(jury, "mode", compare="per-match")
    assert service.state.setup.compare == "per-match"
    assert "compared per match" in jury.get("/desk/standings").text
    late = do(jury, "add_player", first="Zoé", surname="Roth", group=service.state.groups[0].id)
    assert "Saved." in late
    ids = list(service.state.matches)
    assert len(set(ids)) == len(ids)


def test_two_with_matches_that_have_begun_are_not_merged(
    jury: TestClient, service: TournamentService
) -> None:
    service.do("desk", "", command(entrants.draw, 3, 1, True))
    one, two = (group.players for group in service.state.groups)
    for player, table in ((one[0], 1), (two[0], 2)):
        match = next(m.id for m in service.state.matches.values() if player in (m.a, m.b))
        service.do("desk", "", command(matches.call, match, table))
    assert "both have matches" in jury.get(f"/desk/player/{one[0]}?double={two[0]}").text


def test_public_pages_have_short_names_if_the_organiser_wants(
    jury: TestClient, service: TournamentService
) -> None:
    service.do("desk", "", command(entrants.draw, 6, 1, True))
    do(jury, "public_names", names="short")
    for page in ("/", "/groups", "/ranking", "/?kiosk=1", "/player/p006"):
        text = jury.get(page).text
        assert "Carl M." in text, page
        assert "Meier" not in text, page
    assert "Anna E. (Chur)" in jury.get("/groups").text
    assert "Carl Meier" in jury.get("/desk/grid").text
    do(jury, "public_names", names="whole")
    assert "Carl Meier" in jury.get("/groups").text


def test_a_name_is_made_of_its_parts_and_follows_them(service: TournamentService) -> None:
    def edited(**texts: str) -> Entrant:
        service.do("desk", "", lambda state: entrants.edit_player(state, "x", **texts))
        return players(service)["x"]

    service.do("desk", "", command(entrants.add_players, [Entrant(id="x", name="Ada L")]))
    assert edited(first="Ada", surname="Lovelace").name == "Ada L"  # chosen for itself
    assert edited(name="").name == "Ada Lovelace"
    assert edited(surname="King").name == "Ada King"
    assert TournamentState().label("x") == "x"
