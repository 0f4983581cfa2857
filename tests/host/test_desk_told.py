"""What people are told where they look: the next step, where to play, and nothing to strangers."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from desk_web import Clock, running_web, token, users
from starlette.testclient import TestClient

from host_tools.box.assigning import _refused
from host_tools.box.link import BoxRefusal
from host_tools.cli import main
from host_tools.core.errors import in_words
from host_tools.store.heard import HeardBox
from host_tools.store.live import WriteBatch
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, jury, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command, utc_now
from host_tools.tournament.standings import StandingsRow
from host_tools.tournament.wording import explain
from host_tools.web.desk.app import make_app
from tests.support.hall_day import call_next, open_day, play_groups, play_knock_out
from tests.support.served import served


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    """Eight players, groups drawn, the first slot called."""
    opened = open_day(str(tmp_path / "day.db"), players=8, tables=4, ko_size=4)
    opened.do("Anna", "", command(entrants.change, ev.Changed(begins="2099-05-02T10:00:00+00:00")))
    yield opened
    opened.close()


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.partition("<main")[2]))


def step(client: TestClient) -> str:
    return words_of(client.get("/desk?lang=en").text)


def test_the_overview_says_how_the_day_goes_on(tmp_path: Path) -> None:
    service = TournamentService.create(
        str(tmp_path / "day.db"), "Anna", ev.Created(name="Cup", tables=2, ko_size=2)
    )
    with running_web(service, tmp_path) as web:
        client = web.visitor("jury")
        assert "Next: Nobody is entered yet. Players" in step(client)
        players = [Entrant(id=f"p{n}", name=f"P{n}") for n in range(3)]
        service.do("Anna", "", command(entrants.add_players, players))
        assert "Next: 3 players entered. When the doors open, check them in. Players" in step(
            client
        )
        service.do("Anna", "", command(entrants.draw, 3, 1, True))
        assert "Next: 1 match has a free table. Call 1 match" in step(client)
        for n, match in enumerate(list(service.state.matches)):
            service.do("Anna", "", command(matches.enter, match, (20 + n, 12 - n)))
        assert "Next: The groups are decided: draw the knock-out. Knock-out" in step(client)
    service.close()


def test_after_the_final_there_are_a_champion_and_what_is_given_to_people(
    service: TournamentService, tmp_path: Path
) -> None:
    with running_web(service, tmp_path) as web:
        client = web.visitor("jury")
        play_groups(service)
        play_knock_out(service, rounds=1)
        for _ in range(2):
            for match in service.state.ko_matches():
                if match.status == "open":
                    service.do("Anna", "", command(matches.enter, match.id, (20, 12)))
        bracket = service.state.bracket
        assert bracket
        champion = service.state.players[str(bracket.champion)].name
        assert f"Next: {champion} has won" in step(client)
        assert 'href="/desk/honours"' in client.get("/desk").text
        page = client.get("/desk/honours").text
        assert f"Champion: {champion}" in words_of(page)
        for leads in ("standings", "print/certificates.pdf", "print/honours.pdf", "export/site"):
            assert f'href="/desk/{leads}"' in page
            assert client.get(f"/desk/{leads}").status_code == 200
        for path in ("/ranking?lang=de", "/desk/standings?lang=de"):
            rows = client.get(path).text.partition(champion)[2].split("</tr>")
            assert ("Sieger" in rows[0], "Finale" in rows[0]) == (True, False)
            assert "Finale" in rows[1]
    service.close()


def test_a_lot_far_below_the_cut_is_no_task(tmp_path: Path) -> None:
    """Four players, the first two go on: 3 and 4 are level in all."""
    service = TournamentService.create(
        str(tmp_path / "day.db"), "Anna", ev.Created(name="Cup", tables=2, ko_size=2)
    )
    players = [Entrant(id=f"p{n}", name=f"P{n}") for n in range(1, 5)]
    service.do("Anna", "", command(entrants.add_players, players))
    service.do("Anna", "", command(entrants.draw, 4, 1, True))
    for match in list(service.state.matches.values()):
        a, b = int(match.a[1]), int(match.b[1])
        # p1 beats all, p2 beats p3 and p4 alike, p3 and p4 share theirs
        cards = (16, 16) if {a, b} == {3, 4} else (24, 8) if a < b else (8, 24)
        service.do("Anna", "", command(matches.enter, match.id, cards))
    with running_web(service, tmp_path) as web:
        client = web.visitor("jury")
        assert "draw the knock-out. Knock-out" in step(client)
        assert "P3" not in step(client)
        standings = client.get("/desk/standings").text
        assert 'name="players" value="p3"' in standings  # it may be drawn all the same
    service.close()


def test_who_asks_where_to_play_hears_when_against_whom_and_whether_it_is_called(
    service: TournamentService, tmp_path: Path
) -> None:
    with running_web(service, tmp_path) as web:
        client = web.visitor("viewer")
        later = next(m for m in service.state.matches.values() if m.slot == 2)
        call_next(service, 1)
        called = next(m for m in service.state.matches.values() if m.status == "called")
        client.get("/desk")  # the desk has caught up
        names = {who: player.name for who, player in service.state.players.items()}
        table = f"<small>Table</small> {called.table}</span>"
        for who, other in ((called.a, called.b), (called.b, called.a)):
            own = client.get(f"/player/{who}?lang=en").text
            assert table in own
            assert f"against {names[other]}" in words_of(own)
        page = client.get("/find?lang=en&q=a").text
        assert page.count("<small>Table</small>") == page.count(table)
        assert "not called yet, planned for table" in words_of(page)
        own = words_of(client.get(f"/player/{later.a}?lang=en").text)
        assert re.search(r"about (\d\d\.\d\d\. )?\d\d:\d\d · not called yet", own)


def test_the_calendar_names_only_an_address_of_this_machine(
    service: TournamentService, tmp_path: Path
) -> None:
    with running_web(service, tmp_path) as web:
        client = web.visitor()
        player = next(iter(service.state.players))
        page = client.get(f"/player/{player}.ics").text
        assert f"URL:http://testserver/player/{player}" in page
        foreign = client.get(f"/player/{player}.ics", headers={"host": "evil.example"}).text
        assert "evil" not in foreign
        assert "URL:" not in foreign
        assert foreign.count("BEGIN:VEVENT") == page.count("BEGIN:VEVENT") > 0


def test_strangers_do_not_hear_that_the_desk_writes(
    service: TournamentService, tmp_path: Path
) -> None:
    with running_web(service, tmp_path) as web:
        stranger = web.visitor()
        assert stranger.get("/live?page=desk").status_code == 404
        answer = stranger.get("/desk/live")
        assert (answer.status_code, urlsplit(answer.headers["location"]).path) == (
            303,
            "/desk/login",
        )


def test_the_boxes_fit_on_a_console_of_80_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a heading nor the id of a box is broken."""
    db = str(tmp_path / "day.db")
    service = open_day(db, players=8, ko_size=4)
    here = {"here": True, "name": "Box am Fenster", "table": 12}
    state = {"rssi": -81, "battery_mv": 3700, "heap": 90_000, "reader": "ok"}
    box = "e6616408432a2b3c"
    service.store.live.write(WriteBatch({box: HeardBox(box, utc_now(), here, state)}, []))
    service.close()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    for command_line in (["keys", "new", "league"], ["hall", "check", "--db", db]):
        with pytest.raises(SystemExit):
            main(command_line)
        told = capsys.readouterr().out
    lines = told.splitlines()
    assert max(map(len, lines)) <= 80
    whole = "\n".join(lines)
    for words in (box, "Box am Fenster", "Table", "Signal -81 dBm"):
        assert words in whole


def test_a_difference_below_zero_has_the_minus_of_the_tables() -> None:
    upper, lower = (
        StandingsRow(1, "a", 2, 4, 20, 1, None),
        StandingsRow(2, "b", 2, -10, 12, 1, "difference"),
    )
    assert explain(upper, lower, "raw", "de").endswith(", +4 zu −10")


def test_a_box_without_any_deck_is_told_as_one() -> None:
    refusal = BoxRefusal("no_deck", "")
    for lang, text in (("de", "auch kein anderes"), ("en", "no other one either")):
        assert text in in_words(_refused(refusal).sentence, lang)
    assert "auf ihr sind: berge" in in_words(
        _refused(BoxRefusal("no_deck", "berge")).sentence, "de"
    )


def test_the_login_speaks_the_language_that_was_asked_for(
    service: TournamentService, tmp_path: Path
) -> None:
    with running_web(service, tmp_path) as web:
        client = web.visitor()
        client.headers["accept-language"] = "de"
        led = client.get("/desk?lang=en").headers["location"]
        assert '<html lang="en"' in client.get(led).text


def test_who_hangs_up_in_the_middle_leaves_no_trace_in_the_log(
    service: TournamentService, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    accounts, clock = users(tmp_path), Clock()
    app = make_app(service, accounts, monotonic=clock, now=clock)
    with served(app) as base:
        place = urlsplit(base)
        for _ in range(40):
            with socket.create_connection((str(place.hostname), place.port or 80)) as line:
                line.sendall(
                    b"POST /desk/login HTTP/1.1\r\nHost: hall\r\nContent-Length: 500\r\n"
                    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nuser=a"
                )
        with socket.create_connection((str(place.hostname), place.port or 80)) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n")
            while line.recv(65536):
                pass
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    assert "ClientDisconnect" not in out + err


def test_one_button_calls_a_match_to_every_free_table(
    service: TournamentService, tmp_path: Path
) -> None:
    """Four tables, two groups of four: the two of the first slot, and what else has its table."""
    service.do("Anna", "", command(matches.call, "B-1", 4))
    with running_web(service, tmp_path) as web:
        client = web.visitor("desk")
        said = re.search(r"Call (\d) match", step(client))
        assert said
        form = {"csrf": token(client, "/desk"), "page": "home"}
        assert client.post("/desk/do/call_free", data=form).headers["location"] == "/desk"
        called = [m for m in service.state.matches.values() if m.status == "called"]
        assert len(called) == 1 + int(said[1]) > 2
        assert len({match.table for match in called}) == len(called)
        players = [player for match in called for player in (match.a, match.b)]
        assert len(set(players)) == len(players)
        assert client.post("/desk/do/call_free", data=form).status_code == 409
        assert f"{len(called)} matches are being played" in step(client)
    service.close()


def test_a_protest_holds_up_the_call_of_a_match_built_on_it(
    service: TournamentService, tmp_path: Path
) -> None:
    play_groups(service)
    play_knock_out(service, rounds=0)
    player = service.state.ko_matches()[0].a
    own = next(m.id for m in service.state.matches.values() if player in (m.a, m.b))
    service.do("Anna", "", command(jury.protest, player, "he looked", own, "-"))
    with running_web(service, tmp_path) as web:
        client = web.visitor("desk")
        form = {"csrf": token(client, "/desk")}
        refused = client.post("/desk/do/call_free", data=form)
        assert refused.status_code == 409
        assert 'name="anyway"' in refused.text
        form |= {"anyway": "1", "why": "the jury is on its way"}
        assert client.post("/desk/do/call_free", data=form).status_code == 303
    service.close()
