"""The jury's book at the desk: protests, penalties, undercover reports, matches played later."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_web import Web, token
from pypdf import PdfReader
from starlette.testclient import TestClient

from host_tools.tournament import events as ev
from host_tools.tournament.actions import matches
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.verifying import verify
from tests.support.hall_day import open_day


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    made = open_day(str(tmp_path / "day.db"), players=8, ko_size=4)
    yield made
    made.close()


def visitor(web: Web, role: str) -> TestClient:
    client = web.visitor(role)
    client.follow_redirects = True
    client.get("/desk?lang=en")
    return client


def do(client: TestClient, action: str, **form: str) -> str:
    form["csrf"] = token(client, "/desk")
    return client.post(f"/desk/do/{action}", data=form).text


def test_a_protest_from_its_filing_to_the_replay(web: Web, service: TournamentService) -> None:
    match = service.state.matches["A-1"]
    service.do("desk", "", command(matches.enter, "A-1", (20, 12)))
    desk, jury = visitor(web, "desk"), visitor(web, "jury")
    who = service.state.label(match.b)
    outsider = next(p for p in service.state.players if p not in (match.a, match.b))
    wrong = do(desk, "protest", who=outsider, match="A-1", text="He counted twice", deposit="50")
    assert "He counted twice" in wrong  # what was typed is not lost
    page = do(desk, "protest", who=who, match="a-1", text="He counted\r\ntwice", deposit="50 CHF")
    assert "He counted twice" in page
    assert "50 CHF" in page
    filed = service.state.seq
    assert f"Event {filed} of the log" in page
    assert "Record the decision" not in page  # the jury's
    assert "Protests that wait" in jury.get("/desk").text
    assert "no open protest" in do(
        jury, "decide", protest=str(filed - 1), text="x", decision="upheld"
    )
    said = do(
        jury,
        "decide",
        protest=str(filed),
        decision="upheld",
        text="Right",
        effect="void",
        deposit_back="1",
    )
    assert "Upheld" in said
    assert "Deposit returned" in said
    assert service.state.matches["A-1"].status == "open"
    assert "no open protest" in do(
        jury, "decide", protest=str(filed), text="x", decision="rejected"
    )
    assert "He counted twice" in desk.get("/desk/match/A-1").text
    assert "He counted twice" in desk.get("/desk/log").text
    assert verify(service).events == service.state.seq


def test_only_the_jury_reads_what_undercover_referees_report(
    web: Web, service: TournamentService
) -> None:
    spy, desk, jury = (visitor(web, role) for role in ("viewer", "desk", "jury"))
    secret = "Cards under the table"
    player = next(iter(service.state.players))
    assert secret not in do(spy, "observe", text=secret, who=player, match="")
    for path in ("/desk/jury", "/desk/log", f"/desk/player/{player}", "/desk"):
        assert secret not in desk.get(path).text, path
    for path in ("/desk/jury", "/desk/log", f"/desk/player/{player}"):
        assert secret in jury.get(path).text, path
    assert desk.get("/desk/print/jury.pdf").status_code == 403
    pdf = PdfReader(io.BytesIO(jury.get("/desk/print/jury.pdf").content))
    text = "".join(page.extract_text() for page in pdf.pages)
    assert secret in text
    assert str(service.state.seq) in text  # its place in the log


def test_penalties_follow_a_player_over_matches(web: Web, service: TournamentService) -> None:
    jury = visitor(web, "jury")
    match = service.state.matches["A-1"]
    do(jury, "penalize", who=match.a, penalty="warning", text="dawdled", match="A-1")
    first = service.state.seq
    none = do(jury, "penalize", who=match.a, penalty="cards", text="again")
    assert "from 1 to 36" in none
    do(jury, "penalize", who=match.a, penalty="cards", text="again", cards="10")
    assert "2 noted" in jury.get("/desk/players").text
    noted = f"{service.state.label(match.a)}: 10 cards handed over, again"
    assert noted in jury.get("/desk/log").text
    page = jury.get(f"/desk/player/{match.a}").text
    assert "dawdled" in page
    assert "Cards handed over (SW-8): 10" in page
    do(jury, "lift", note=str(first), why="it was his opponent")
    assert [note.body.text for note in service.state.penalties(match.a)] == ["again"]
    assert "taken back" in jury.get("/desk/jury").text


def test_a_match_that_is_played_later_is_out_of_the_way_until_it_is_called(
    web: Web, service: TournamentService
) -> None:
    jury = visitor(web, "jury")
    known = jury.get("/desk/match/A-1").text
    seen = known.split('name="seen" value="')[1].split('"')[0]
    do(jury, "postpone", match="A-1", seen=seen, why="at the doctor's")
    assert "To be played later" in jury.get("/desk").text
    do(jury, "call_slot", slot="1")
    called = {m.id for m in service.state.matches.values() if m.status == "called"}
    assert called
    assert "A-1" not in called
    match = service.state.matches["A-1"]
    for other in list(service.state.matches.values()):
        if other.status == "called" and {match.a, match.b} & {other.a, other.b}:
            service.do("desk", "", command(matches.enter, other.id, (20, 12)))
    service.do("desk", "", command(matches.call, "A-1"))
    assert not service.state.matches["A-1"].postponed


def test_what_players_counted_stands_beside_what_the_box_computed(
    web: Web, service: TournamentService
) -> None:
    jury = visitor(web, "jury")
    for match in ("A-1", "B-1"):
        said = ev.Reported(match=match, cards=(20, 12), source="box", box="b", journal=match * 9)
        service.do("sync", "", command(matches.report, said))
        service.do("sync", "", command(matches.check, match))
    do(jury, "report", match="A-1", cards_a="20", cards_b="12", page="jury")
    page = do(jury, "report", match="B-1", cards_a="18", cards_b="14", page="jury")
    assert page.count(">agrees<") == 1
    assert page.count("differs: ask both players") == 1
    assert service.state.matches["B-1"].contradicted
