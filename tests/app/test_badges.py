"""A badge's player goes from the badge into the journal's header, and from there to the match."""

from pathlib import Path
from typing import Any

import pytest

from card_tags.kinds import BADGE, Badge
from host_tools.store import open_store
from host_tools.store.journal.reading import read_journal
from host_tools.tournament.actions import entrants
from host_tools.tournament.collecting import of_box
from host_tools.tournament.incoming import as_report, find_match
from host_tools.tournament.model import Entrant
from host_tools.tournament.state import MatchState
from tests.host.tournament.hall import MemoryHall

from .fakes import Box
from .pictures import stock

ANNA = Badge("p1", "Anna", "cup")
OTHER_ANNA = Badge("p2", "Anna", "cup")
BEN = Badge("p3", "Ben", "cup")


@pytest.fixture
def box(tmp_path: Path) -> Box:
    stock(tmp_path)
    found = Box(tmp_path, "en")
    found.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    return found


def seat(box: Box, *badges: Badge) -> None:
    for badge in badges:
        box.lay_tag(BADGE, badge)


def header(box: Box) -> dict[str, Any]:
    """Of the match that is started now."""
    box.press("OK+")
    return dict(read_journal((box.folder / "m000001.run").read_bytes()).header)


def test_the_ids_of_the_badges_stand_in_the_header(box: Box) -> None:
    seat(box, OTHER_ANNA, BEN)
    found = header(box)
    assert (found["names"], found["players"]) == (["Anna", "Ben"], ["p2", "p3"])


def test_whose_the_ids_are_stands_beside_them(box: Box) -> None:
    seat(box, ANNA, Badge("p3", "Ben", "Aarau 2026"))
    assert header(box)["events"] == ["cup", "Aarau 2026"]


def test_badges_without_an_event_leave_none(box: Box) -> None:
    seat(box, Badge("p1", "Anna", ""), Badge("p3", "Ben", ""))
    assert "events" not in header(box)


def test_a_badge_without_id_leaves_null(box: Box) -> None:
    seat(box, Badge("", "Guest", ""), BEN)
    found = header(box)
    assert (found["names"], found["players"]) == (["Guest", "Ben"], [None, "p3"])


def test_badges_laid_anew_leave_no_old_id(box: Box) -> None:
    seat(box, ANNA, BEN, OTHER_ANNA, Badge("", "Ben", ""))
    found = header(box)
    assert (found["names"], found["players"]) == (["Anna", "Ben"], ["p2", None])


def test_a_badge_for_one_of_two_seats_names_nobody(box: Box) -> None:
    seat(box, ANNA)
    found = header(box)
    assert "names" not in found
    assert "players" not in found


def test_a_match_without_badges_names_nobody(box: Box) -> None:
    assert "players" not in header(box)


def test_two_players_of_one_name_are_told_apart_from_badge_to_match(
    box: Box, tmp_path: Path
) -> None:
    """Box, journal, store, desk: seat 2 comes too late, so the other Anna wins 12:0 (SW-7)."""
    seat(box, OTHER_ANNA, BEN)
    box.press("OK+")
    box.wait(120_000)
    box.press("OK", "JURY")
    box.choose("Forfeit")
    box.press("DOWN", "OK")
    box.choose("too late")
    box.press("OK", "OK")
    store = open_store(str(tmp_path / "schiri.db"))
    store.add((tmp_path / "m000001.end").read_bytes())
    seen = of_box(store.matches()[0])
    store.close()
    assert seen is not None

    hall = MemoryHall(name="Cup")
    hall.do(
        entrants.add_players,
        [Entrant(id=b.player, name=b.name, club=b.player) for b in (ANNA, OTHER_ANNA, BEN)],
    )
    hall.do(entrants.draw, 3, 1, True)
    match = find_match(hall.state, seen)
    assert isinstance(match, MatchState)
    assert {match.a, match.b} == {"p2", "p3"}
    said = as_report(match, seen, hall.state)
    assert said.cards == ((12, 0) if match.a == "p2" else (0, 12))


def test_players_whose_names_look_alike_on_a_screen_carry_their_seat(box: Box) -> None:
    """Twelve letters fit; two Annas, and two that begin alike for longer than that."""
    box.set_choice(game="trumpf", preset="gastro", seats=4, deck="gipfel")
    long = ("Maximilian-Alexander von Hohen", "Maximilian-Alfred", "Anna", "Anna")
    seat(box, *[Badge("", name, "") for name in long])
    box.press("OK+")
    names = [box.app.seat_name(number) for number in range(4)]
    assert names == ["Maximilian 1", "Maximilian 2", "Anna 3", "Anna 4"]
    assert all(name in box.words() for name in names)
