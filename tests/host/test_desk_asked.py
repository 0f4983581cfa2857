"""What the desk asks before it goes on, and what it says beside what was done."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_web import Web, token
from starlette.testclient import TestClient

from host_tools.tournament.actions import entrants, jury, knockout, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from tests.support.hall_day import open_day, play_groups


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    """Two groups of four."""
    made = open_day(str(tmp_path / "day.db"), players=8, ko_size=4)
    yield made
    made.close()


def visitor(web: Web, role: str) -> TestClient:
    client = web.visitor(role)
    client.headers["accept-language"] = "en"
    client.follow_redirects = True
    return client


def do(client: TestClient, action: str, **form: str) -> str:
    """The text of the page that follows."""
    form["csrf"] = token(client, "/desk")
    return client.post(f"/desk/do/{action}", data=form).text


def drawn(service: TournamentService) -> None:
    play_groups(service)
    if knockout.ties(service.state):
        service.do("Anna", "", knockout.draw_lots)


def test_who_came_after_the_draw_is_a_task_and_enters_late(
    web: Web, service: TournamentService
) -> None:
    service.do("Anna", "", command(entrants.add_players, [Entrant(id="jo", name="Jo Late")]))
    desk = visitor(web, "desk")
    assert "Came after the draw" not in desk.get("/desk").text
    assert "Jo Late came after the draw" in do(desk, "arrive", text="Jo Late")
    for page in ("/desk", "/desk/players"):
        shown = desk.get(page).text
        assert "Came after the draw" in shown
        assert '<input type="hidden" name="name" value="jo">' in shown
    do(desk, "late", name="jo", group="B")
    mine = [m for m in service.state.matches.values() if "jo" in (m.a, m.b)]
    assert [match.group for match in mine] == ["B"] * 4
    assert "Came after the draw" not in desk.get("/desk").text


def test_a_round_of_the_knock_out_is_called_by_one_button(
    web: Web, service: TournamentService
) -> None:
    drawn(service)
    service.do("Anna", "", knockout.draw_ko)
    desk = visitor(web, "desk")
    assert '<input type="hidden" name="round" value="1/2">' in desk.get("/desk/calls").text
    do(desk, "call_round", round="1/2")
    assert [service.state.matches[f"K2-{n}"].status for n in (1, 2)] == ["called"] * 2
    assert "no match of the knock-out is known in round 1/4" in do(desk, "call_round", round="1/4")


def test_an_open_protest_is_asked_about_before_lock_draw_and_call(
    web: Web, service: TournamentService
) -> None:
    drawn(service)
    player = service.state.overall_rows()[0].player  # qualifies
    about, other = (
        next(m.id for m in service.state.matches.values() if (player in (m.a, m.b)) is plays)
        for plays in (True, False)
    )
    service.do("Anna", "", command(jury.protest, player, "he looked", about, "20 CHF"))
    desk, head = visitor(web, "desk"), visitor(web, "jury")
    asked = do(desk, "lock", match=about)
    assert "is open; decide it first" in asked
    assert 'action="/desk/do/lock"' in asked
    assert 'name="anyway" value="1"' in asked
    assert service.state.matches[about].status == "checked"
    assert "says why" in do(desk, "lock", match=about, anyway="1")
    assert service.state.matches[about].status == "checked"
    do(desk, "lock", match=other)  # no protest about that one
    assert service.state.matches[other].status == "locked"
    assert "is open; decide it first" in do(desk, "lock_all")
    assert "is open; decide it first" in do(head, "draw_ko")
    assert service.state.bracket is None
    do(head, "draw_ko", anyway="1", why="it changes no place")
    assert service.state.bracket is not None
    assert "it changes no place" in head.get("/desk/log").text
    semi = next(m for m in service.state.ko_matches() if player in (m.a, m.b))
    assert "is open; decide it first" in do(desk, "call", match=semi.id)
    number = next(iter(service.state.notes))
    do(head, "decide", protest=str(number), text="no", decision="rejected")
    do(desk, "call", match=semi.id)
    assert service.state.matches[semi.id].status == "called"


def test_the_word_of_the_jury_has_a_reason_that_is_seen(
    web: Web, service: TournamentService
) -> None:
    drawn(service)
    service.do("Anna", "", knockout.draw_ko)
    head = visitor(web, "jury")
    shown = head.get("/desk/match/K2-1").text
    assert 'name="why"' in shown
    seen = shown.partition('name="seen" value="')[2].partition('"')[0]
    form = {"match": "K2-1", "seen": seen, "cards_a": "16", "cards_b": "16", "winner": "b"}
    assert "please say why the jury" in do(head, "enter", **form)
    assert service.state.matches["K2-1"].status == "open"
    page = do(head, "enter", **form, why="the last pot was his")
    assert "Won by the jury" in page
    assert "the last pot was his" in page
    assert "won by the jury" in head.get("/desk/log").text


def test_of_homonyms_the_one_who_plays_there_is_meant(
    web: Web, service: TournamentService
) -> None:
    one = service.state.matches["A-1"].a
    other = service.state.matches["B-1"].a
    for player, club in ((one, "Bern"), (other, "Wien")):
        service.do(
            "Anna",
            "",
            lambda state, player=player, club=club: entrants.edit_player(
                state, player, name="Peter Müller", club=club, first="", surname=""
            ),
        )
    head = visitor(web, "jury")
    assert "several players are called" in do(head, "penalize", who="Peter Müller", text="slow")
    do(head, "penalize", who="Peter Müller", text="slow", match="b-1", cards="10")
    [note] = service.state.notes.values()
    assert (note.body.player, note.body.match) == (other, "B-1")  # type: ignore[union-attr]


def test_the_mode_is_changed_in_the_browser_by_the_jury(
    web: Web, service: TournamentService
) -> None:
    assert "/desk/do/mode" not in visitor(web, "desk").get("/desk/draw").text
    head = visitor(web, "jury")
    assert "/desk/do/plan" in head.get("/desk/draw").text
    do(head, "mode", ko_size="2", compare="per-match")
    do(head, "plan", tables="3", slot_minutes="15", decks="berge")
    setup = service.state.setup
    assert (setup.ko_size, setup.compare, setup.tables) == (2, "per-match", 3)
    assert (setup.slot_minutes, setup.decks) == (15, ["berge"])
    assert "2, 4, 8, 16" in do(head, "mode", ko_size="3")


def test_both_absent_is_a_button(web: Web, service: TournamentService) -> None:
    service.do("Anna", "", command(matches.call, "A-1"))
    desk, head = visitor(web, "desk"), visitor(web, "jury")
    page = desk.get("/desk/match/A-1").text
    assert "Both absent" in page
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    assert "seconds are left" in do(desk, "both_absent", match="A-1", seen=seen)
    assert "0:0*" in do(head, "both_absent", match="A-1", seen=seen, force="1")
