"""Random days: whatever people want, the tournament stays whole and the log tells it again."""

import random
from datetime import UTC, datetime
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.actions import corrections, entrants, knockout, matches
from host_tools.tournament.importing import take_over
from host_tools.tournament.model import Entrant, first_fault
from host_tools.tournament.state import TournamentState, fold

from .hall import MemoryHall

LATE = datetime(2027, 1, 1, tzinfo=UTC)


class Visitor:
    """Wishes at random, sensible and not."""

    def __init__(self, seed: int, hall: MemoryHall) -> None:
        self.chance = random.Random(seed)
        self.hall = hall
        self.granted = 0

    def command(self) -> None:
        """One command; a refusal must change nothing."""
        before = self.hall.state.digest()
        function, arguments = self.chance.choice(self.menu())()
        try:
            self.hall.do(function, *arguments)
            self.granted += 1
        except UserError:
            assert self.hall.state.digest() == before

    def menu(self):
        return [self.enter] * 6 + [
            self.call,
            self.report,
            self.correct,
            self.correct,
            self.void,
            self.lock,
            self.leave,
            self.late,
            self.forfeit,
            lambda: (knockout.draw_ko, ()),
            lambda: (knockout.draw_lots, ()),
            lambda: (matches.check_all, ()),
            lambda: (matches.lock_all, ()),
            lambda: (entrants.plan_again, ()),
            lambda: (entrants.draw, (self.chance.randint(2, 5), 1, True)),
        ]

    def match(self) -> str:
        return self.chance.choice([*self.hall.state.matches, "none"])

    def player(self) -> str:
        return self.chance.choice([*self.hall.state.players, "nobody"])

    def cards(self):
        left = self.chance.randint(0, 32)
        return (left, 32 - left)

    def kind(self):
        return self.chance.choice(["played"] * 8 + ["drawn"])

    def winner(self):
        return self.chance.choice([None, None, None, self.player()])

    def enter(self):
        return matches.enter, (self.match(), self.cards(), self.kind(), self.winner())

    def call(self):
        return matches.call, (self.match(), self.chance.choice([None, 1, 2, 9]))

    def report(self):
        return matches.report, (
            ev.Reported(
                match=self.match(), cards=self.cards(), journal=str(self.chance.randint(1, 20))
            ),
        )

    def correct(self):
        force = self.chance.random() < 0.7
        return corrections.correct, (self.match(), self.cards(), self.kind(), self.winner(), force)

    def void(self):
        return corrections.void, (self.match(), self.chance.random() < 0.5)

    def lock(self):
        return matches.lock, (self.match(),)

    def leave(self):
        function = self.chance.choice([entrants.withdraw, entrants.exclude, entrants.reinstate])
        return function, (self.player(),)

    def late(self):
        number = self.chance.randint(1, 40)
        return entrants.late_entry, (Entrant(id=f"z{number}", name=f"Z{number}"),)

    def forfeit(self):
        return matches.no_show, (self.match(), self.player(), LATE)


def busy_hall(seed: int, commands: int) -> MemoryHall:
    chance = random.Random(seed)
    hall = MemoryHall(ko_size=chance.choice([2, 4, 8]), tables=2)
    names = [f"p{n}" for n in range(chance.randint(4, 8))]
    hall.seat(*names, size=chance.randint(2, 4))
    visitor = Visitor(seed, hall)
    for number in range(commands):
        visitor.command()
        if number == commands // 2:
            finish_groups(visitor)
    return hall


def finish_groups(visitor: Visitor) -> None:
    """So that half of the commands meet a knock-out."""
    for match in list(visitor.hall.state.matches.values()):
        if match.group is not None and not match.counts:
            visitor.hall.do(matches.check, match.id, visitor.cards())
    while knockout.cut_ties(visitor.hall.state):
        visitor.hall.do(knockout.lot, knockout.cut_ties(visitor.hall.state)[0])
    try:
        visitor.hall.do(knockout.draw_ko)
    except UserError:
        return  # the tree has begun, or too many have left


def check_whole(state: TournamentState) -> None:
    """What must hold at any time."""
    assert first_fault(state.as_tournament()) is None
    for group in state.groups:
        met = sorted(sorted((m.a, m.b)) for m in state.matches.values() if m.group == group.id)
        assert met == sorted(sorted(pair) for pair in combinations(group.players, 2))
        rows = state.group_rows(group.id)
        assert sum(row.difference for row in rows) == 0
        played = [m.result for m in state.matches.values() if m.group == group.id and m.result]
        shared = [result for result in played if result.kind != "absent"]  # SW-7b: none
        assert sum(row.points for row in rows) == 2 * len(shared)
    check_tree(state)
    for match in state.matches.values():
        assert (match.result is not None) == match.counts
        if match.status == "open":
            assert not match.reports
        left = {match.a, match.b} & state.out
        assert not left or match.status not in ("open", "called")


def check_tree(state: TournamentState) -> None:
    """Every player of a later match won the earlier one (or lost it, for third place)."""
    if state.bracket is None:
        assert not state.ko_matches()
        return
    for stage, following in zip(state.bracket.rounds, state.bracket.rounds[1:], strict=False):
        for place, match in enumerate(following):
            feeders = stage[2 * place : 2 * place + 2]
            assert [match.a.player, match.b.player] == [feeder.winner for feeder in feeders]
    if state.bracket.third:
        losers = [match.loser for match in state.bracket.rounds[-2]]
        assert [state.bracket.third.a.player, state.bracket.third.b.player] == losers
    entered = {(m.round, frozenset((m.a, m.b))) for m in state.ko_matches()}
    known = {
        (m.round, frozenset((m.a.player, m.b.player)))
        for m in state.bracket.matches()
        if m.a.player and m.b.player
    }
    assert entered == known
    for match in state.bracket.matches():
        if match.winner is not None and not match.bye:
            assert match.result is not None
            assert {match.result.a, match.result.b} == {match.a.player, match.b.player}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_random_commands_never_break_the_tournament(seed: int) -> None:
    hall = busy_hall(seed, 60)
    check_whole(hall.state)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_the_log_told_again_gives_the_same_tournament(seed: int) -> None:
    hall = busy_hall(seed, 60)
    lines = [ev.encode(event) for event in hall.log]
    again = fold(ev.decode(line) for line in lines)
    assert again.digest() == hall.state.digest()
    assert again.overall_rows() == hall.state.overall_rows()
    assert again.bracket == hall.state.bracket
    assert again.journals == hall.state.journals


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_an_export_read_back_stands_the_same(seed: int) -> None:
    hall = busy_hall(seed, 50)
    file = hall.state.as_tournament()
    copy = MemoryHall(ko_size=2)
    copy.do(take_over, file)
    new = copy.state.as_tournament()
    assert (new.players, new.groups, new.ko_size) == (file.players, file.groups, file.ko_size)
    if not hall.state.out:  # else the copy closes what players who left still owe
        assert copy.state.overall_rows() == hall.state.overall_rows()
        assert {as_set(result) for result in new.results if result.group} == {
            as_set(result) for result in file.results if result.group
        }


def as_set(result):
    sides = frozenset(zip((result.a, result.b), result.cards, strict=True))
    return sides, result.kind, result.group, result.round, result.winner


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5, 8, 13, 16]))
def test_random_corrections_carry_through_the_tree(seed: int, count: int) -> None:
    """Play a whole tree and correct at random by force: winners must always fit."""
    chance = random.Random(seed)
    hall = MemoryHall(ko_size=16, tables=1)
    hall.seat(*(f"p{n:02}" for n in range(count)), size=count)
    hall.play_groups(lambda a, b: (20, 12) if a < b else (12, 20))
    while knockout.cut_ties(hall.state):
        hall.do(knockout.lot, knockout.cut_ties(hall.state)[0])
    hall.do(knockout.draw_ko)
    for _ in range(40):
        waiting = [m for m in hall.state.ko_matches() if not m.counts]
        played = [m for m in hall.state.ko_matches() if m.counts]
        left = chance.choice([n for n in range(33) if n != 16])
        if waiting and (not played or chance.random() < 0.7):
            hall.do(matches.enter, chance.choice(waiting).id, (left, 32 - left))
        else:
            match = chance.choice(played)
            assert match.result is not None
            if match.result.cards != (left, 32 - left):
                hall.do(corrections.correct, match.id, (left, 32 - left), force=True)
        check_tree(hall.state)
