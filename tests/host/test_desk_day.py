"""A whole day by browser and command line mixed: afterwards the log verifies."""

import csv
import io
import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from desk_web import TOKEN, Web, result, running_web
from pypdf import PdfReader
from sqlalchemy import text
from starlette.testclient import TestClient

from host_tools.cards.public_keys import SigningKey
from host_tools.cli import main
from host_tools.core.errors import UserError
from host_tools.provision.items import badge_items
from host_tools.store.log_line import CHAIN_START, LogLine, link
from host_tools.tournament import events as ev
from host_tools.tournament.actions import matches as match_commands
from host_tools.tournament.export import FORMATS
from host_tools.tournament.log_file import proof_bytes
from host_tools.tournament.match_state import MatchState
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import DIGEST_EVERY, TournamentService
from tests.support.hall_day import StepClock, open_day

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> Run:
    """`schiri tournament …` on the day's database: exit code, output, errors."""
    monkeypatch.setenv("SCHIRI_DATABASE_URL", str(tmp_path / "day.db"))

    def run_it(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(["tournament", *arguments, *([] if "--lang" in arguments else ["--lang", "en"])])
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return run_it


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds days as they are before the tests that begin with them."""
    return tmp_path_factory.mktemp("begun")


def begin(begun: Path, folder: Path, name: str, make: Callable[[], None]) -> None:
    """The day's database: `make` makes it for the first of the tests that begin with it."""
    if not (begun / name).exists():
        make()
        shutil.copy(folder / "day.db", begun / name)
    else:
        shutil.copy(begun / name, folder / "day.db")


@pytest.fixture
def web(tmp_path: Path, begun: Path) -> Iterator[Web]:
    """Sixteen players in four groups, and the desk's app while it runs."""
    db = str(tmp_path / "day.db")
    begin(
        begun,
        tmp_path,
        "sixteen",
        lambda: open_day(db, players=16, ko_size=4, clock=StepClock()).close(),
    )
    service = TournamentService.open(db, clock=StepClock())
    with running_web(service, tmp_path) as made:
        yield made
    service.close()


def send(client: TestClient, action: str, page: str, **fields: str) -> None:
    """A form of a page other than a match's."""
    csrf = TOKEN.search(client.get(f"/desk/{page}").text)
    assert csrf
    answer = client.post(f"/desk/do/{action}", data={"csrf": csrf[1], **fields})
    assert answer.status_code == 303, answer.text


def whole_day(client: TestClient, run: Run) -> None:
    """Every second result in the browser, the others on the command line; then lots and tree."""
    chance = random.Random(4)
    rounds = 0
    while matches := open_ones(run):
        for number, match in enumerate(matches):
            cards = chance.choice((10, 12, 14, 18, 20, 22))
            enter(client, run, match["match"], cards, browser=number % 2 == 0)
        rounds += 1
        if rounds == 1:
            from_groups_to_the_tree(client, run)
    assert json.loads(run("ko", "--json")[1])["champion"]


def open_ones(run: Run) -> list[dict[str, str]]:
    return json.loads(run("matches", "--status", "open", "--json")[1])


def enter(client: TestClient, run: Run, match: str, cards: int, browser: bool) -> None:
    if not browser:
        assert run("enter", match, f"{cards}:{32 - cards}")[0] == 0
        return
    form = result(client, match, cards_a=str(cards), cards_b=str(32 - cards), kind="played")
    assert client.post("/desk/do/enter", data=form).status_code == 303
    form = result(client, match, cards_a="24", cards_b="8", kind="played", why="gezählt")
    assert client.post("/desk/do/correct", data=form).status_code == 303
    assert client.post("/desk/do/lock", data=result(client, match, "lock")).status_code == 303


def from_groups_to_the_tree(client: TestClient, run: Run) -> None:
    if json.loads(run("lot", "--json")[1]):
        send(client, "draw_lots", "standings")
    assert run("ko", "--draw")[0] == 0


def test_a_day_by_browser_and_command_line_verifies(web: Web, run: Run) -> None:
    whole_day(web.visitor("jury"), run)
    code, out, err = run("verify", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["digests"] == found["events"] // DIGEST_EVERY >= 2


def edit(service: TournamentService, sql: str) -> None:
    """Somebody with the database file in hand."""
    with service.store.engine.begin() as connection:
        assert connection.execute(text(sql)).rowcount > 0


def test_tampering_after_a_day_in_the_browser_is_found(web: Web, run: Run, tmp_path: Path) -> None:
    whole_day(web.visitor("jury"), run)
    service = TournamentService.open(str(tmp_path / "day.db"))
    marked = [line for line in service.lines() if line.state_before][-1]
    other = "0" * 64
    edit(
        service,
        f"UPDATE tournament_events SET state_before = '{other}' WHERE seq = {marked.seq}",
    )
    code, _out, err = run("verify")
    assert code == 1
    assert f"before event {marked.seq} the tournament stands otherwise" in err
    edit(service, f"UPDATE tournament_events SET line = line || ' ' WHERE seq = {marked.seq - 2}")
    code, _out, err = run("verify")
    assert code == 1
    assert f"event {marked.seq - 2} of the log was changed after it was written" in err
    edit(service, f"DELETE FROM tournament_events WHERE seq = {marked.seq - 1}")
    service.close()
    code, _out, err = run("verify")
    assert code == 1


# -- a correction after the draw of the knock-out -------------------------------------------------

NAMES = "Name\nAnna\nBerta\nCarla\nDora\n"


@pytest.fixture
def four(tmp_path: Path, begun: Path, run: Run) -> Iterator[Web]:
    """Anna beat all, Berta two, Carla one; all four are in the knock-out: 1 v 4, 2 v 3."""

    def make() -> None:
        (tmp_path / "four.csv").write_text(NAMES, encoding="utf8")
        assert run("new", "Cup", "--ko-size", "4", "--tables", "4")[0] == 0
        assert run("import", str(tmp_path / "four.csv"))[0] == 0
        assert run("draw", "--size", "4", "--everybody", "--seed", "1")[0] == 0
        for match in open_ones(run):
            won = match["a"] < match["b"]
            assert run("enter", match["match"], "20:12" if won else "12:20")[0] == 0
        assert run("ko", "--draw")[0] == 0

    begin(begun, tmp_path, "four", make)
    service = TournamentService.open(str(tmp_path / "day.db"))
    with running_web(service, tmp_path) as made:
        yield made
    service.close()


def between(run: Run, a: str, b: str) -> tuple[str, bool]:
    """The group match of two players, and whether they stand the other way round in it."""
    found = json.loads(run("matches", "--json")[1])
    match = next(m for m in found if m["group"] and {m["a"], m["b"]} == {a, b})
    return match["match"], match["a"] == b


def turned(run: Run, a: str, b: str) -> tuple[str, dict[str, str]]:
    """The form's fields of a correction after which b, who lost 12:20, wins 30:2."""
    match, swapped = between(run, a, b)
    cards = ("30", "2") if swapped else ("2", "30")
    return match, {"cards_a": cards[0], "cards_b": cards[1], "kind": "played"}


def seeds(run: Run) -> list[str]:
    return [seed["player"] for seed in json.loads(run("ko", "--json")[1])["seeds"]]


LANGUAGES = {
    "de": ("Anna: Setzplatz 1 → 2", "Das K.-o. hat begonnen: Die ausgeloste Setzliste bleibt"),
    "en": ("Anna: seed 1 → 2", "The knock-out has begun: the drawn seeds stay"),
}


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_desk_is_told_that_a_correction_moves_the_seeds(
    four: Web, run: Run, lang: str
) -> None:
    """Everybody stays in, but Berta turns out to have beaten Anna: 2 v 1 in the seeds."""
    jury = four.visitor("jury")
    match, fields = turned(run, "p001", "p002")
    moved, stays = LANGUAGES[lang]
    page = jury.get(f"/desk/match/{match}", params={**fields, "preview": "1", "lang": lang}).text
    assert moved in page
    assert 'name="redraw"' in page
    assert stays not in page
    form = result(jury, match, **fields, why="nachgezählt")
    refused = jury.post("/desk/do/correct", data=form)
    assert refused.status_code == 409
    assert {"de": "neu auslosen", "en": "draw the tree anew"}[lang] in refused.text
    assert run("call", "K2-1")[0] == 0
    page = jury.get(f"/desk/match/{match}", params={**fields, "preview": "1"}).text
    assert moved in page
    assert stays in page
    assert 'name="redraw"' not in page
    refused = jury.post(
        "/desk/do/correct", data=result(jury, match, **fields, why="x", redraw="1")
    )
    assert refused.status_code == 409
    assert seeds(run) == ["p001", "p002", "p003", "p004"]


def test_the_jury_draws_anew_with_the_correction(four: Web, run: Run) -> None:
    match, fields = turned(run, "p001", "p002")
    desk, jury = four.visitor("desk"), four.visitor("jury")
    form = result(desk, match, **fields, why="nachgezählt", redraw="1")
    assert desk.post("/desk/do/correct", data=form).status_code == 403  # the jury decides
    form = result(jury, match, **fields, why="nachgezählt", redraw="1")
    assert jury.post("/desk/do/correct", data=form).status_code == 303
    assert seeds(run) == ["p002", "p001", "p003", "p004"]
    assert [event["body"]["is"] for event in json.loads(run("log", "--json")[1])][-2:] == [
        "corrected",
        "ko_drawn",
    ]
    assert "seeds_differ" not in jury.get("/desk/ko?lang=en").text


def test_the_jury_lets_the_seeds_stay_and_the_log_says_so(four: Web, run: Run) -> None:
    assert run("call", "K2-1")[0] == 0
    match, fields = turned(run, "p001", "p002")
    cards = f"{fields['cards_a']}:{fields['cards_b']}"
    code, _out, err = run("correct", match, cards, "--yes", "--by", "Jury", "--why", "gezählt")
    assert code != 0
    assert "K2-1 of the knock-out is called already" in err
    assert "the drawn seeds stay" in err
    assert "Anna: seed 1 → 2" in run("correct", match, cards)[1]
    jury = four.visitor("jury")
    form = result(jury, match, **fields, why="gezählt", force="1")
    assert jury.post("/desk/do/correct", data=form).status_code == 303
    assert seeds(run) == ["p001", "p002", "p003", "p004"]
    assert "die ausgeloste Setzliste bleibt" in jury.get("/desk/log?lang=de").text
    assert "the drawn seeds stay" in run("log", "--match", match)[1]
    assert 'aria-label="K.-o.-Baum"' in jury.get("/desk/ko?lang=de").text
    page = jury.get("/desk/ko?lang=en").text
    assert 'aria-label="Knock-out tree"' in page
    assert "By the tables the seeds would be others now than those drawn" in page
    assert "Anna: seed 1 → 2" in page
    assert "Anna: seed 1 → 2" in run("ko")[1]


def test_on_the_command_line_the_tree_is_drawn_anew_with_the_correction(
    four: Web, run: Run
) -> None:
    match, fields = turned(run, "p001", "p002")
    cards = f"{fields['cards_a']}:{fields['cards_b']}"
    preview = run("correct", match, cards)[1]
    assert "Anna: seed 1 → 2" in preview
    assert "--redraw" in preview
    assert run("correct", match, cards, "--yes")[0] != 0
    assert run("correct", match, cards, "--yes", "--redraw")[0] == 0
    assert seeds(run) == ["p002", "p001", "p003", "p004"]
    assert run("mode", "--compare", "per-match")[0] != 0  # it would move the seeds without a word


def test_a_correction_that_makes_level_asks_for_the_lot_first(four: Web, run: Run) -> None:
    match, _ = between(run, "p003", "p004")  # a draw: Carla and Dora 1 point each, all level
    code, _out, err = run("correct", match, "16:16", "--yes", "--redraw")
    assert code != 0
    assert "level in everything" in err
    assert run("correct", match, "16:16", "--yes", "--force")[0] == 0
    assert run("lot", "p004", "p003")[0] == 0
    assert run("ko", "--draw")[0] == 0
    assert seeds(run) == ["p001", "p002", "p004", "p003"]


# -- the final ranking ----------------------------------------------------------------------------


def play_all(run: Run, wins: dict[str, str]) -> None:
    """The knock-out: who wins each match. The match for third place is played too."""
    while matches := open_ones(run):
        for match in matches:
            first = wins[match["match"]] == match["a"]
            assert run("enter", match["match"], "20:12" if first else "12:20")[0] == 0


UPSETS = {"K2-1": "p004", "K2-2": "p003", "K3": "p002", "KF": "p004"}
"""Dora beats Anna, Carla Berta; Berta is third, Dora the champion."""
FINAL_ORDER = [(1, "p004"), (2, "p003"), (3, "p002"), (4, "p001")]


def names_in_order(page: str) -> list[str]:
    return re.findall(r'<th scope="row" class="text">(\w+)', page)


@pytest.mark.parametrize("lang", ["de", "en"])
def test_board_desk_and_files_show_the_final_ranking(
    four: Web, run: Run, tmp_path: Path, lang: str
) -> None:
    viewer, title = four.visitor("viewer"), {"de": "Schlussrangliste", "en": "Final ranking"}[lang]
    assert title not in viewer.get(f"/ranking?lang={lang}").text
    play_all(run, UPSETS)
    words = {"de": ("Finale", "Spiel um Platz 3"), "en": ("Final", "Match for third place")}[lang]
    viewer.get("/desk")  # the hall takes in what the command line wrote
    for path in (f"/ranking?lang={lang}", f"/?lang={lang}", f"/desk/standings?lang={lang}"):
        page = viewer.get(path).text
        assert title in page, path
        assert all(word in page for word in words)
        assert names_in_order(page.partition(title)[2])[:4] == ["Dora", "Carla", "Berta", "Anna"]
    final = json.loads(run("standings", "--json")[1])["final"]
    assert [(line["place"], line["player"]) for line in final] == FINAL_ORDER
    printed = run("standings", "--lang", lang)[1].partition(title)[2]
    assert re.findall(r"(\d)\W+(Anna|Berta|Carla|Dora)", printed) == [
        ("1", "Dora"),
        ("2", "Carla"),
        ("3", "Berta"),
        ("4", "Anna"),
    ]
    for kind, file in (("standings", "standings"), ("site", "site/ranking.html")):
        assert run("export", "--format", kind, "-o", str(tmp_path / kind), "--lang", lang)[0] == 0
        text = (tmp_path / file).read_text(encoding="utf-8-sig").rpartition(title)[2]
        assert re.findall(r"Anna|Berta|Carla|Dora", text)[:4] == [
            "Dora",
            "Carla",
            "Berta",
            "Anna",
        ]
    file = tmp_path / "cup.json"
    assert run("export", "--format", "json", "-o", str(file))[0] == 0
    final = json.loads(run("standings", str(file), "--json")[1])["final"]
    assert [(line["place"], line["player"]) for line in final] == FINAL_ORDER


def test_certificates_for_everybody_and_for_one(four: Web, run: Run, tmp_path: Path) -> None:
    viewer = four.visitor("viewer")
    assert viewer.get("/desk/print/certificates_all.pdf").status_code == 409
    play_all(run, UPSETS)
    found = [text_of(viewer.get("/desk/print/certificates_all.pdf").content)]
    found.append(text_of(viewer.get("/desk/print/certificates.pdf?player=p002").content))
    paper = str(tmp_path / "one.pdf")
    assert run("print", "certificates", "--player", "Berta", "-o", paper)[0] == 0
    found.append(text_of(Path(paper).read_bytes()))
    assert [[("Dora" in page, "Berta" in page) for page in pages] for pages in found] == [
        [(True, False), (False, False), (False, True), (False, False)],
        [(False, True)],
        [(False, True)],
    ]
    assert viewer.get("/desk/print/certificates.pdf?player=p999").status_code == 409


def text_of(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def test_the_excluded_have_no_place_and_others_move_up(four: Web, run: Run) -> None:
    play_all(run, UPSETS)
    assert run("withdraw", "p003", "--exclude", "--by", "Jury")[0] == 0
    final = json.loads(run("standings", "--json")[1])["final"]
    assert [(line["place"], line["player"], line["reached"]) for line in final] == [
        (1, "p004", "final"),
        (2, "p002", "third"),
        (3, "p001", "third"),
        (None, "p003", "excluded"),
    ]


# -- who has not played yet -----------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["de", "en"])
def test_nobody_is_level_before_playing_and_no_cut_is_drawn_through_them(
    tmp_path: Path, run: Run, lang: str
) -> None:
    service = open_day(str(tmp_path / "day.db"), players=8, ko_size=4, clock=StepClock())
    level = {"de": ("gleichauf", "gleich in allem", "Los nötig"), "en": ("level", "Lot needed")}
    with running_web(service, tmp_path) as web:
        page = web.running.get(f"/ranking?lang={lang}").text
        main = page.partition('<main id="main"')[2]
        assert "Ayşe Aeschbacher" in main
        assert not any(word in main for word in level[lang])
        assert 'class="cut"' not in main
        assert 'class="out"' not in main
        printed = run("standings", "--lang", lang)[1]
        assert not any(word in printed for word in level[lang])
        assert "gleich" not in service_csv(service)
    service.close()


def service_csv(service: TournamentService) -> str:
    return FORMATS["standings"](service, "de").decode()


# -- players who are corrected --------------------------------------------------------------------


def names(run: Run) -> dict[str, tuple[str, str]]:
    return {p["id"]: (p["name"], p["club"]) for p in json.loads(run("players", "--json")[1])}


@pytest.fixture
def entered(tmp_path: Path, begun: Path, run: Run) -> Iterator[Web]:
    """Anna, Berta, Carla and Dora are entered; nothing is drawn."""

    def make() -> None:
        (tmp_path / "four.csv").write_text(NAMES, encoding="utf8")
        assert run("new", "Cup", "--ko-size", "2", "--tables", "2")[0] == 0
        assert run("import", str(tmp_path / "four.csv"))[0] == 0
        assert run("checkin", "--all")[0] == 0

    begin(begun, tmp_path, "entered", make)
    service = TournamentService.open(str(tmp_path / "day.db"))
    with running_web(service, tmp_path) as made:
        yield made
    service.close()


def test_the_desk_corrects_a_name_and_removes_a_double(entered: Web, run: Run) -> None:
    desk = entered.visitor("desk")
    send(desk, "edit_player", "players", player="p001", name="Anna Egli", club="Bern", seed="1")
    assert names(run)["p001"] == ("Anna Egli", "Bern")
    send(desk, "remove_player", "players", player="p004", why="doppelt")
    assert "p004" not in names(run)
    page = desk.get("/desk/players?lang=de").text
    assert "Gelöschte Einträge" in page
    assert "Dora gelöscht" in desk.get("/desk/log?lang=de").text
    send(desk, "enter_again", "players", removed="p004")
    assert names(run)["p004"] == ("Dora", "")
    assert "Removed entries" not in desk.get("/desk/players?lang=en").text
    assert run("verify")[0] == 0


def test_the_command_line_corrects_and_removes_players_too(entered: Web, run: Run) -> None:
    assert run("edit", "Berta", "--name", "Bertha", "--club", "Chur")[0] == 0
    assert names(run)["p002"] == ("Bertha", "Chur")
    assert run("edit", "Bertha", "--name", "Berta", "--club", "")[0] == 0  # and back
    assert names(run)["p002"] == ("Berta", "")
    assert "Carla is entered already" in run("edit", "p002", "--name", "Carla")[2]
    assert run("remove", "Dora", "--why", "entered twice")[0] == 0
    assert "p004" not in names(run)
    assert run("remove", "p004", "--undo")[0] == 0
    assert names(run)["p004"] == ("Dora", "")
    assert "was not removed" in run("remove", "p004", "--undo")[2]
    assert run("edit", "p003", "--seed", "1")[0] == 0
    assert "Carla has seed 1 already" in run("edit", "p002", "--seed", "1")[2]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_after_the_draw_a_removal_says_what_hangs_on_it(entered: Web, run: Run, lang: str) -> None:
    desk = entered.visitor("desk")
    desk.get(f"/desk?lang={lang}")
    assert run("draw", "--size", "4")[0] == 0
    csrf = TOKEN.search(desk.get("/desk/players").text)
    assert csrf
    form = {"csrf": csrf[1], "player": "p001", "why": "doppelt"}
    before = desk.post("/desk/do/remove_player", data=form)
    match = next(m["match"] for m in open_ones(run) if "p001" in (m["a"], m["b"]))
    assert run("enter", match, "20:12")[0] == 0
    after = desk.post("/desk/do/remove_player", data=form)
    told = {
        "de": ("3 Partien, 0 davon gespielt. Bitte auschecken", "3 Partien, 1 davon gespielt"),
        "en": ("3 matches, 0 of them played; check them out", "3 matches, 1 of them played"),
    }[lang]
    assert [answer.status_code for answer in (before, after)] == [409, 409]
    assert told[0] in before.text
    assert told[1] in after.text
    assert "3 matches" in run("remove", "Anna")[2]
    # a name may be corrected at any time; what was played stays
    assert run("edit", "p001", "--name", "Anna Egli")[0] == 0
    assert "Anna Egli" in desk.get(f"/desk/match/{match}").text


# -- names that cannot be shown -------------------------------------------------------------------

BAD = {
    "an escape sequence": "Anna\x1b[2J",
    "a line break": "Anna\nBerta",
    "text turned round": "Anna \u202egro.live",
    "5000 letters": "A" * 5000,
}
UNSHOWN = "\x1b\u202e"


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_every_door_refuses_a_name_that_cannot_be_shown(
    entered: Web, run: Run, tmp_path: Path, bad: str
) -> None:
    desk = entered.visitor("desk")
    csrf = TOKEN.search(desk.get("/desk/players").text)
    assert csrf
    for action, lang, word in (
        ("add_player", "de", "Zeichen"),
        ("edit_player", "en", "character"),
    ):
        form = {"csrf": csrf[1], "name": bad}
        form |= {"player": "p001"} if action == "edit_player" else {}
        answer = desk.post(f"/desk/do/{action}?lang={lang}", data=form)
        assert answer.status_code == 409
        assert word in answer.text
    with (tmp_path / "bad.csv").open("w", encoding="utf8", newline="") as file:
        csv.writer(file).writerows([["Name"], [bad]])
    badges = tmp_path / "badges.csv"
    with badges.open("w", encoding="utf8", newline="") as file:
        csv.writer(file).writerows([["id", "name"], ["p1", bad]])
    event = {"format": "schiri-tournament/1", "players": [{"id": "x", "name": bad}], "groups": []}
    (tmp_path / "bad.json").write_text(json.dumps(event))
    assert run("new", "Empty", "--id", "empty")[0] == 0
    for command in (
        ("import", str(tmp_path / "bad.csv"), "-t", "cup"),
        ("import", str(tmp_path / "bad.json"), "-t", "empty"),
        ("edit", "p001", "--name", bad, "-t", "cup"),
        ("edit", "p001", "--club", bad, "-t", "cup"),
        ("new", bad, "--id", "other"),
        ("checkin", "p001", "--absent", "--by", bad, "-t", "cup"),
    ):
        code, out, err = run(*command)
        assert code != 0, command
        assert "character" in err or "is no text file" in err, command
        assert not any(char in out + err for char in UNSHOWN)
    with pytest.raises(UserError, match=r"character|bytes|is no text file"):
        badge_items(badges, "Cup")


def test_a_name_of_before_is_shown_safely_everywhere(tmp_path: Path, run: Run) -> None:
    """A log that was restored may hold anything."""
    bad = [BAD["an escape sequence"], BAD["text turned round"], BAD["5000 letters"], "Dora"]
    bodies: list[ev.AnyBody] = [ev.Created(name="Cup \x1b]0;x\x07", ko_size=2)]
    bodies += [ev.PlayerAdded(player=Entrant(id=f"p{n}", name=name)) for n, name in enumerate(bad)]
    log = tmp_path / "old.ndjson"
    events = [
        ev.LogEntry(seq=n, at="2026-03-07T10:00:00+00:00", actor="Anna\x1b[2J", body=body)
        for n, body in enumerate(bodies, 1)
    ]
    lines, chain = [], CHAIN_START
    for event in events:
        text = ev.encode(event)
        chain = link(chain, text)
        lines.append(LogLine(event.seq, text, chain))
    log.write_bytes(proof_bytes(lines, {}, SigningKey(bytes(31) + b"\1")))
    assert run("restore", str(log), "--id", "old")[0] == 0
    assert run("draw", "--size", "4", "--everybody")[0] == 0
    printed = "".join(
        run(*command)[1]
        for command in (("players",), ("log",), ("matches",), ("standings",), ("plan",))
    )
    printed += run("export", "--format", "site", "-o", str(tmp_path / "site"))[1]
    pages = (path.read_text(encoding="utf8") for path in (tmp_path / "site").glob("*.html"))
    printed += "".join(pages)
    service = TournamentService.open(str(tmp_path / "day.db"))
    with running_web(service, tmp_path) as web:
        viewer = web.visitor("viewer")
        for path in ("/", "/groups", "/ranking", "/desk/players", "/desk/log", "/desk/draw"):
            printed += viewer.get(path).text
    service.close()
    assert "Anna\ufffd" in printed
    assert not any(char in printed for char in UNSHOWN)
    assert "A" * 100 not in printed
    assert run("verify")[0] == 0


# -- results that cannot be, or are odd -----------------------------------------------------------


@pytest.fixture
def berge(entered: Web, run: Run) -> Web:
    """Four players with the deck `berge`: 34 cards, 17 each."""
    assert run("plan", "--deck", "berge")[0] == 0
    assert run("draw", "--size", "4")[0] == 0
    return entered


@pytest.mark.parametrize("lang", ["de", "en"])
def test_more_cards_than_the_deck_has_are_refused(berge: Web, run: Run, lang: str) -> None:
    desk = berge.visitor("desk")
    desk.get(f"/desk?lang={lang}")
    word = {"de": "gespielt wird mit 34", "en": "34 are played with"}[lang]
    for cards in (("40", "12"), ("24", "12"), ("34", "1")):
        for action in ("enter", "report"):
            form = result(desk, "A-1", cards_a=cards[0], cards_b=cards[1], sure="1")
            answer = desk.post(f"/desk/do/{action}", data=form)
            assert answer.status_code == 409
            assert word in answer.text
        assert "34 are played with" in run("enter", "A-1", ":".join(cards), "--sure")[2]
    assert run("enter", "A-1", "22:12")[0] == 0
    assert "34 are played with" in run("correct", "A-1", "24:12", "--yes")[2]


def test_a_deck_that_is_not_ours_may_have_as_many_as_the_rules_allow(
    entered: Web, run: Run
) -> None:
    assert run("draw", "--size", "4")[0] == 0
    assert "36 are played with" in run("enter", "A-1", "20:18")[2]
    assert run("enter", "A-1", "18:18")[0] == 0


@pytest.mark.parametrize(
    ("lang", "what"), [("de", "20:11 ergibt 31 Karten"), ("en", "20:11 makes")]
)
def test_an_odd_result_is_asked_about(berge: Web, run: Run, lang: str, what: str) -> None:
    desk = berge.visitor("desk")
    desk.get(f"/desk?lang={lang}")
    form = result(desk, "A-1", cards_a="20", cards_b="11")
    answer = desk.post("/desk/do/enter", data=form)
    assert answer.status_code == 409
    assert what in answer.text
    assert 'name="sure"' in answer.text
    assert desk.post("/desk/do/enter", data={**form, "sure": "1"}).status_code == 303
    code, _out, err = run("enter", "A-2", "3:1")
    assert code != 0
    assert "3:1 makes only 4 cards" in err
    assert run("enter", "A-2", "3:1", "--sure")[0] == 0


def test_a_mistyped_report_is_taken_back(berge: Web, run: Run) -> None:
    desk = berge.visitor("desk")
    form = result(desk, "A-1", cards_a="12", cards_b="22")
    assert desk.post("/desk/do/report", data=form).status_code == 303
    back = {**result(desk, "A-1", "take_back"), "report": "1", "why": "falsche Partie"}
    assert desk.post("/desk/do/take_back", data=back).status_code == 303
    found = next(m for m in json.loads(run("matches", "--json")[1]) if m["match"] == "A-1")
    assert (found["status"], found["reports"]) == ("open", [])
    assert "Meldung 12:22 (Papier) zurückgenommen" in desk.get("/desk/log?lang=de").text
    # a late report that contradicts what counts, typed for the wrong match
    assert run("enter", "a-2", "22:12")[0] == 0  # ids in any case
    form = result(desk, "A-2", cards_a="12", cards_b="22")
    assert desk.post("/desk/do/report", data=form).status_code == 303
    assert [m["match"] for m in json.loads(run("matches", "--doubtful", "--json")[1])] == ["A-2"]
    assert run("take-back", "a-2", "--why", "wrong match")[0] == 0
    assert json.loads(run("matches", "--doubtful", "--json")[1]) == []
    assert "report 12:22 (paper) taken back" in run("log", "--match", "a-2")[1]
    assert run("verify")[0] == 0


def test_what_a_box_said_is_not_taken_back(berge: Web, run: Run, tmp_path: Path) -> None:
    service = TournamentService.open(str(tmp_path / "day.db"))
    said = ev.Reported(match="A-1", cards=(20, 14), source="box", box="b1", journal="j1")
    service.do("box", "", lambda state: match_commands.report(state, said))
    service.close()
    assert "what a box or a slip tag says stays" in run("take-back", "A-1")[2]
    assert "has no such report" in run("take-back", "A-2")[2]
    assert run("check", "a-1")[0] == 0
    assert run("lock", "a-1")[0] == 0
    assert "is locked" in run("take-back", "A-1")[2]


# -- called, begun, late --------------------------------------------------------------------------


def test_a_match_that_began_is_not_late(berge: Web, run: Run) -> None:
    desk = berge.visitor("desk")
    assert "only a called one can begin" in run("start", "A-1")[2]
    assert run("call", "a-1")[0] == 0
    found = json.loads(run("matches", "--status", "called", "--json")[1])[0]
    assert found["called_at"]
    assert found["started_at"] is None
    assert 0 < found["late_in_s"] <= 120
    assert desk.post("/desk/do/start", data=result(desk, "A-1", "start")).status_code == 303
    found = json.loads(run("matches", "--status", "called", "--json")[1])[0]
    # a start is written in whole seconds, a call in milliseconds (SW-7)
    started, called = (datetime.fromisoformat(found[name]) for name in ("started_at", "called_at"))
    assert started >= called.replace(microsecond=0)
    assert found["late_in_s"] is None
    assert "both are there" in run("forfeit", "A-1", found["a"])[2]
    assert run("call", "A-1")[0] == 0  # called again: they had gone
    assert json.loads(run("matches", "--status", "called", "--json")[1])[0]["started_at"] is None


def test_a_clock_that_jumped_gives_nobody_more_than_two_minutes() -> None:
    match = MatchState("A-1", "a", "b", status="called", called_at="2026-03-07T10:00:00+00:00")
    an_hour_before = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)
    assert match_commands.seconds_left(match, an_hour_before) == 120
    assert match_commands.seconds_left(match, datetime(2026, 3, 7, 10, 1, tzinfo=UTC)) == 60


# -- a mistyped database --------------------------------------------------------------------------

READING = [
    ("tournament", "matches"),
    ("tournament", "list"),
    ("tournament", "standings"),
    ("tournament", "ko"),
    ("tournament", "verify"),
    ("tournament", "enter", "A-1", "20:12"),
    ("tournament", "print", "slips", "-o", "x.pdf"),
    ("results",),
    ("slip", "--booked"),
    ("desk", "--port", "8999"),
]


@pytest.mark.parametrize("command", READING, ids=lambda command: " ".join(command))
def test_a_mistyped_database_is_refused_and_not_made(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = tmp_path / "mistpyed.db"
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--db", str(wrong)])
    assert stopped.value.code == 3
    assert "mistpyed.db" in capsys.readouterr().err
    assert not wrong.exists()
