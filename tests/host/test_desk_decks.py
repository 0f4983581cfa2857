"""A deck goes to a table with the call of a match; it is ticked off when it is back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_web import TOKEN, running_web
from starlette.testclient import TestClient

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import fold


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    """Four players, two tables with a deck each: A-1 at table 1 and A-2 at table 2 come first."""
    setup = ev.Created(name="Cup", tables=2, ko_size=2, decks=["berge", "autos"])
    opened = TournamentService.create(str(tmp_path / "day.db"), "Anna", setup)
    players = [Entrant(id=f"p{n}", name=f"P{n}") for n in range(4)]
    opened.do("Anna", "", command(entrants.add_players, players))
    opened.do("Anna", "", command(entrants.draw, 4, 1, True))
    yield opened
    opened.close()


@pytest.fixture
def desk(service: TournamentService, tmp_path: Path) -> Iterator[TestClient]:
    with running_web(service, tmp_path) as web:
        yield web.visitor("desk")


def call(service: TournamentService, match: str) -> None:
    service.do("Anna", "", command(matches.call, match))


def enter(service: TournamentService, match: str) -> None:
    service.do("Anna", "", command(matches.enter, match, (20, 14)))


def page(desk: TestClient, where: str) -> str:
    return desk.get(f"/desk{where}", params={"lang": "en"}, follow_redirects=True).text


def forms(text: str) -> list[dict[str, str]]:
    """The fields of every form of a page that ticks off a deck."""
    found = re.findall(r'action="/desk/do/deck_back"(.*?)</form>', text, re.DOTALL)
    return [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in found]


def test_one_press_ticks_off_a_deck_and_one_takes_it_back(
    desk: TestClient, service: TournamentService
) -> None:
    assert forms(page(desk, "/match/A-1")) == []  # no deck is at its table yet
    call(service, "A-1")
    assert "Decks still out" not in page(desk, "")  # it is being played with
    assert len(forms(page(desk, "/calls"))) == 1
    enter(service, "A-1")
    home = page(desk, "")
    assert "Decks still out, match over" in home
    assert re.search(r"Table 1</td>\s*<td[^>]*>berge</td>\s*<td[^>]*><a [^>]*>A-1<", home)
    [form] = forms(home)
    back = desk.post("/desk/do/deck_back", data=form, follow_redirects=True)
    assert back.status_code == 200
    assert back.url.path == "/desk"
    assert "Decks still out" not in back.text
    assert "the deck is back" in page(desk, "/match/A-1").lower() + page(desk, "/log")
    [undo] = forms(page(desk, "/match/A-1"))
    desk.post("/desk/do/deck_back", data=undo)
    assert [line.id for line in view.decks_missed(service.state)] == ["A-1"]
    # in the grid the same form leads back to the grid
    [form] = forms(page(desk, "/grid?stage=1"))
    answer = desk.post("/desk/do/deck_back", data=form)
    assert answer.headers["location"] == "/desk/grid?stage=1"
    assert view.decks_missed(service.state) == []


def test_the_next_match_at_the_table_has_the_deck(service: TournamentService) -> None:
    """Where decks stay on their tables, a deck that nobody ticked off is with the match called
    last; it cannot be brought back for the one before.
    """
    service.do("Anna", "", command(matches.call, "A-1", 1))
    enter(service, "A-1")
    later = next(m.id for m in service.state.matches.values() if m.status == "open")
    service.do("Anna", "", command(matches.call, later, 1))
    assert [line.id for line in view.decks_out(service.state)] == [later]
    with pytest.raises(UserError, match="no deck is out for match A-1"):
        service.do("Anna", "", command(matches.deck_back, "A-1"))
    service.do("Anna", "", command(matches.deck_back, later))
    with pytest.raises(UserError, match="no deck is out for match A-1"):
        service.do("Anna", "", command(matches.deck_back, "A-1", True))  # it never came back
    service.do("Anna", "", command(matches.deck_back, later, True))
    assert [line.id for line in view.decks_out(service.state)] == [later]


def test_a_match_that_moves_takes_its_deck_of_the_new_table(service: TournamentService) -> None:
    service.do("Anna", "", command(matches.call, "A-1", 1))
    service.do("Anna", "", command(matches.call, "A-1", 2))
    [line] = view.decks_out(service.state)
    assert (line.id, line.table, line.deck) == ("A-1", 2, "autos")


def test_a_log_of_before_is_read_as_it_was(service: TournamentService) -> None:
    """The entry is new, and the digest of a tournament does not depend on it."""
    call(service, "A-1")
    enter(service, "A-1")
    before = service.state.digest()
    assert service.do("Anna", "", command(matches.deck_back, "A-1"))
    assert service.do("Anna", "", command(matches.deck_back, "A-1")) == []
    assert service.state.digest() == before
    assert view.decks_out(fold(service.events())) == []


def test_all_are_back_whose_matches_are_over(desk: TestClient, service: TournamentService) -> None:
    """And the others stay with those who play."""
    for match in ("A-1", "A-2"):
        call(service, match)
    enter(service, "A-1")
    calls = page(desk, "/calls")
    assert "Match over, back: 1 deck<" in calls
    token = TOKEN.search(calls)
    assert token
    desk.post("/desk/do/all_decks_back", data={"csrf": token[1]})
    assert [line.id for line in view.decks_out(service.state)] == ["A-2"]


def test_a_desk_without_a_list_of_decks_hears_nothing_of_them(tmp_path: Path) -> None:
    opened = TournamentService.create(
        str(tmp_path / "none.db"), "Anna", ev.Created(name="Cup", tables=2)
    )
    players = [Entrant(id=f"p{n}", name=f"P{n}") for n in range(2)]
    opened.do("Anna", "", command(entrants.add_players, players))
    opened.do("Anna", "", command(entrants.draw, 2, 1, True))
    call(opened, "A-1")
    enter(opened, "A-1")
    assert view.decks_out(opened.state) == []
    opened.close()
