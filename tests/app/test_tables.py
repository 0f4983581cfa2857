"""A desk with boxes at its cables: the match called to a table comes to its box, and what the
box says comes into the log.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from card_tags.deck_card import deck_number
from card_tags.kinds import BADGE, Badge
from host_tools.box.assigning import Assignment, Seat, ask, give, withdraw
from host_tools.box.link import BoxLink
from host_tools.cards.decks import load_deck
from host_tools.cards.public_keys import SigningKey
from host_tools.core.errors import UserError
from host_tools.sim.table.box_setup import set_up
from host_tools.tournament import events as ev
from host_tools.tournament.actions import boxes, corrections, entrants, matches
from host_tools.tournament.boxes import BoxConnection, BoxTables, SeenBox, notice, task
from host_tools.tournament.collecting import Collector
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import MatchState

from .fakes import Box

NAMES = {"p1": "Anna", "p2": "Ben", "p3": "Eva", "p4": "Zoe"}


class Clock:
    def __init__(self) -> None:
        self.now = datetime.now(UTC).replace(microsecond=0)

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Hall:
    """A tournament of two tables; table 1 has a box."""

    service: TournamentService
    clock: Clock
    box: Box

    def __post_init__(self) -> None:
        self.tables = BoxTables(self.service, list)
        self.plug_in()

    def plug_in(self) -> None:
        self.connection = BoxConnection(self.tables, "usb0", BoxLink(self.box))

    def do(self, function: object, *args: object) -> None:
        self.service.do("anna", "", command(function, *args))  # type: ignore[arg-type]

    def look(self) -> SeenBox:
        self.connection.look()
        return self.tables.rows()[0]

    def at(self, table: int) -> MatchState:
        """The match of the first slot that is planned for a table."""
        state = self.service.state
        return next(m for m in state.matches.values() if (m.slot, m.table) == (1, table))

    def call(self, table: int) -> str:
        match = self.at(table).id
        self.do(matches.call, match)
        return match

    def task(self) -> str:
        seen = self.look()
        found = task(self.service.state, self.service.id, seen, [seen])
        return getattr(found, "key", "")

    def badges(self, match: str) -> None:
        found = self.service.state.matches[match]
        for player in (found.a, found.b):
            self.box.lay_tag(BADGE, Badge(player, NAMES[player], "cup"))

    def play(self) -> None:
        """From who begins to the result, by a verdict of the jury; it counts."""
        self.box.press("OK", "JURY")
        self.box.choose("Forfeit")
        self.box.press("DOWN", "OK")
        self.box.choose("too late")
        self.box.press("OK", "OK")
        self.box.wait(9000)  # until the match is signed

    def play_and_collect(self, match: str) -> None:
        """The box is given the match, plays it, and the desk takes in its result."""
        self.look()
        self.badges(match)
        self.box.press("OK")
        self.play()
        self.look()
        Collector(self.service, "box", check=True).collect()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    set_up(tmp_path / "box", "en", "Red")
    box = Box(tmp_path / "box", "en", cable=True)
    box.settings.set({"table": 1})
    clock = Clock()
    setup = ev.Created(name="Cup", ko_size=2, tables=2, decks=["berge"])
    service = TournamentService.create(str(tmp_path / "schiri.db"), "desk", setup, clock=clock)
    players = [Entrant(id=player, name=name) for player, name in NAMES.items()]
    service.do("desk", "", command(entrants.add_players, players))
    service.do("desk", "", command(entrants.draw, 4, 1, True))
    service.store.enrolled.enrol("box1", box.give_key(service.store.enrolled.desk().public), "Ada")
    yield Hall(service, clock, box)
    service.close()


def test_from_the_call_to_the_result_nobody_types_anything(hall: Hall) -> None:
    match = hall.call(1)
    assert hall.look().given.state == "shown"
    assert "Group A, table 1" in hall.box.words()
    found = hall.service.state.matches[match]
    hall.box.lay_tag(BADGE, Badge(found.a, NAMES[found.a], "cup"))
    hall.look()
    assert hall.service.state.matches[match].here == [found.a]
    hall.clock.now += timedelta(seconds=121)
    assert matches.seconds_left(hall.service.state.matches[match], hall.clock()) == -1
    with pytest.raises(UserError, match="is at the table"):
        hall.do(matches.no_show, match, found.a, hall.clock())
    hall.box.press("OK")  # the other one is here too: the two minutes stop (SW-7)
    hall.look()
    assert matches.seconds_left(hall.service.state.matches[match], hall.clock()) is None
    hall.box.press("OK")
    hall.box.wait(40_000)
    hall.look()
    began = hall.clock() - timedelta(seconds=40)
    assert hall.service.state.matches[match].started_at == began.isoformat(timespec="seconds")
    hall.play()
    assert hall.look().given.state == "ended"
    (collected,) = Collector(hall.service, "box", check=True).collect()
    assert collected.match == match
    counted = hall.service.state.matches[match]
    assert (counted.status, counted.reports[0].trust) == ("checked", "verified")
    assert hall.look().waiting == 0


@pytest.mark.parametrize("anew", [False, True])
def test_a_result_that_came_before_the_box_was_enrolled_counts_then(
    hall: Hall, anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`anew`: the desk has been started again meanwhile."""
    store, collector = hall.service.store, Collector(hall.service, "box", check=True)
    match = hall.call(1)
    hall.look()
    hall.badges(match)
    hall.box.press("OK")
    with monkeypatch.context() as not_yet:
        not_yet.setattr(store.enrolled, "of", lambda _box: ())
        hall.play()
        hall.look()
        collector.collect()
        assert store.judge_again("box1") == 0
    (stored,) = store.matches()
    assert (stored.state, stored.reason) == (
        "unverified",
        "the box is not enrolled: `schiri box enrol`",
    )
    found = hall.service.state.matches[match]
    assert (found.status, [said.trust for said in found.reports]) == ("reported", ["unverified"])
    assert collector.collect() == []
    assert store.judge_again("box1") == 1
    if anew:
        collector = Collector(hall.service, "box", check=True)
    assert [one.match for one in collector.collect()] == [match]
    found = hall.service.state.matches[match]
    assert (found.status, [said.trust for said in found.reports]) == ("checked", ["verified"])
    assert collector.collect() == []


def test_the_signal_to_begin_is_shown_read_and_never_in_a_match(hall: Hall) -> None:
    with pytest.raises(UserError, match="no match is called"):
        hall.do(matches.signal_start)
    match = hall.call(1)
    hall.look()
    hall.do(matches.signal_start)
    assert hall.look().given.notice_state == "shown"
    assert hall.box.words() == "Jury | Please begin your | match now."
    hall.box.press("OK")
    seen = hall.look().given
    assert (seen.notice, seen.notice_state, seen.state) == (
        notice(hall.service.state, "box1", 1, "en")[0],
        "acknowledged",
        "shown",
    )
    hall.badges(match)
    hall.box.press("OK")  # the match begins
    hall.look()
    with pytest.raises(UserError, match="no match is called"):
        hall.do(matches.signal_start)
    hall.do(matches.announce, "Round 2 at 14:30")
    assert hall.look().given.notice_state == "waiting"
    assert "Round 2" not in hall.box.words()


def test_a_box_that_was_unplugged_tells_afterwards_since_when_it_plays(hall: Hall) -> None:
    match = hall.call(1)
    hall.look()
    hall.badges(match)
    hall.box.press("OK")
    began = hall.clock()
    hall.box.wait(200_000)  # nobody asks meanwhile
    hall.clock.now += timedelta(seconds=200)
    hall.plug_in()
    hall.look()
    assert hall.service.state.matches[match].started_at == began.isoformat(timespec="seconds")


def test_the_end_of_the_ten_minutes_is_said_once(hall: Hall) -> None:
    match = hall.call(1)
    hall.look()
    hall.badges(match)
    hall.box.press("OK", "OK")
    hall.box.lay_card(deck_number("berge"), "A1", load_deck("berge")["cards"][0]["values"])
    hall.box.wait(600_000, 4_000)
    hall.look()
    hall.look()
    assert hall.service.state.matches[match].time_up
    assert [type(event.body) for event in hall.service.events()][-2:] == [ev.Started, ev.TimeUp]


def test_a_box_that_plays_something_else_is_a_task(hall: Hall) -> None:
    hall.box.set_choice(game="trumpf", preset="swiss", seats=2, deck="berge")
    hall.box.press("OK+")
    assert hall.task() == ""  # the table is free
    match = hall.call(1)
    assert hall.task() == "box_plays_other"
    assert hall.tables.rows()[0].given.state == "waiting"
    hall.do(boxes.give, match)  # no box shall have it
    assert hall.task() == ""
    hall.play()
    assert hall.look().given.state == "none"


def test_a_match_that_is_taken_away_and_given_to_another_box(hall: Hall) -> None:
    here, there = hall.call(1), hall.call(2)
    assert hall.look().given.assigned == f"cup/{here}"
    hall.do(boxes.give, there, "box1")
    assert hall.look().given.assigned == f"cup/{there}"
    hall.do(boxes.give, there)
    assert hall.look().given.assigned == f"cup/{here}"
    hall.badges(here)
    hall.box.press("OK")
    hall.look()
    with pytest.raises(UserError, match="runs since"):
        hall.do(boxes.give, here)


def test_what_a_box_does_not_take_is_said_once_and_not_asked_for_ever(hall: Hall) -> None:
    hall.do(entrants.change, ev.Changed(decks=["cars"]))
    match = hall.call(1)
    assert hall.task() == "assign_no_deck"
    asked = hall.box.journal.flash.names()
    assert hall.task() == "assign_no_deck"
    assert hall.box.journal.flash.names() == asked
    hall.do(boxes.give, match, "box1", True)  # the players lay a card
    assert hall.task() == ""
    assert hall.tables.rows()[0].given.state == "shown"


def test_a_box_of_another_desk_and_two_boxes_of_one_table(hall: Hall) -> None:
    hall.box.give_key(SigningKey(bytes(31) + b"\x07").public)
    hall.plug_in()
    hall.call(1)
    assert hall.task() == "assign_bad_signature"

    hall.box.give_key(hall.service.store.enrolled.desk().public)
    hall.do(boxes.give, hall.at(1).id, "box1")
    hall.plug_in()
    assert hall.task() == ""
    hall.tables.see(SeenBox("usb1", "box2", "Blue", 1, connected=True))
    seen, other = hall.look(), hall.tables.rows()[1]
    found = task(hall.service.state, "cup", seen, [seen, other])
    assert getattr(found, "key", "") == "box_table_twice"


def test_a_voided_match_that_is_called_again_is_given_again(hall: Hall) -> None:
    match = hall.call(1)
    hall.play_and_collect(match)
    hall.do(corrections.void, match)
    hall.clock.now += timedelta(minutes=5)
    hall.do(matches.call, match)
    assert hall.look().given.state == "shown"


def test_a_hall_that_knows_less_than_another_gives_no_match_a_second_time(
    hall: Hall, tmp_path: Path
) -> None:
    """Two halls look after the boxes; one was away while a match ended and the next began."""
    match = hall.call(1)
    behind = TournamentService.open(str(tmp_path / "schiri.db"), "cup", clock=hall.clock)
    assert behind.state.matches[match].status == "called"
    tables = BoxTables(behind, list)
    other = BoxConnection(tables, "air", BoxLink(hall.box), "en", by_air=True)
    hall.play_and_collect(match)
    planned = hall.service.state.matches.values()
    following = next(m.id for m in planned if (m.slot, m.table) == (2, 1))
    hall.clock.now += timedelta(minutes=5)
    hall.do(matches.call, following)
    assert hall.look().given.assigned == f"cup/{following}"
    assert behind.known.matches[match].status == "called"
    hall.clock.now += timedelta(seconds=1)
    assert other.look().given.assigned == f"cup/{following}"
    assert other.look().given.state == "shown"
    behind.close()


def test_what_another_desk_has_given_meanwhile_stays(hall: Hall) -> None:
    """Both ask the box, and both decide; the second one finds another number than it has seen."""
    link = BoxLink(hall.box)
    seen = ask(link)
    match = hall.call(1)
    hall.look()
    made = Assignment(id="cup/old", title="Old", seats=(Seat("p1", "A"), Seat("p2", "B")))
    now = hall.clock.now.timestamp() + 9
    assert give(link, "box1", made, now, seen).assigned == f"cup/{match}"
    assert withdraw(link, "box1", now, seen).assigned == f"cup/{match}"
    assert give(link, "box1", made, now, ask(link)).assigned == "cup/old"


def youth(hall: Hall, folder: Path) -> tuple[TournamentService, str]:
    """Another tournament of the hall, and its first match at table 1."""
    setup = ev.Created(name="Youth", ko_size=2, tables=2, decks=["berge"])
    other = TournamentService.create(str(folder / "schiri.db"), "desk", setup, clock=hall.clock)
    players = [Entrant(id=player, name=name) for player, name in NAMES.items()]
    other.do("desk", "", command(entrants.add_players, players))
    other.do("desk", "", command(entrants.draw, 4, 1, True))
    hall.tables.services.append(other)
    match = next(m.id for m in other.state.matches.values() if (m.slot, m.table) == (1, 1))
    return other, match


def test_what_is_said_last_is_shown_whichever_tournament_says_it(
    hall: Hall, tmp_path: Path
) -> None:
    """The log of the first one is longer: its numbers are higher."""
    other, match = youth(hall, tmp_path)
    for _ in range(5):
        hall.do(matches.announce, "Soup")
        hall.do(matches.end_announcement)
    hall.do(matches.announce, "Round 2 at 14:30")
    assert hall.look().given.notice_state == "shown"
    assert "Round 2 at 14:30" in hall.box.words()
    hall.box.press("OK")
    hall.clock.now += timedelta(seconds=1)
    other.do("desk", "", command(matches.call, match))
    other.do("desk", "", command(matches.announce, "The youth plays on"))
    assert hall.look().given.notice_state == "shown"
    assert "The youth plays on" in hall.box.words()
    other.close()


def test_a_box_serves_every_tournament_of_the_hall(hall: Hall, tmp_path: Path) -> None:
    """One calls a match to its table when the other's is played; each gets its own result."""
    other, match = youth(hall, tmp_path)
    assert hall.look().given.assigned is None
    other.do("desk", "", command(matches.call, match))
    assert hall.look().given.state == "shown"
    assert hall.look().given.assigned == f"youth/{match}"
    hall.box.press("OK", "OK", "OK")  # both are here, and begin
    hall.look()
    assert other.state.matches[match].started_at
    assert not hall.at(1).started_at
    ours = hall.call(1)  # too early: the box still plays
    assert hall.look().given.plays == f"youth/{match}"
    hall.play()
    hall.look()
    other.do("desk", "", command(matches.enter, match, (20, 12)))
    hall.look()
    assert hall.look().given.assigned == f"cup/{ours}"
    other.close()
