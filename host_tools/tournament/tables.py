"""Tables of several players (mode `tables`), seated round by round (docs/decisions/pairings.md).

First as few people as possible meet again, then neighbours of the standings sit together. The
search is a descent: whoever meets somebody again changes places with the one who makes it best. It
begins in the order of the standings and, while somebody still meets again, anew from a few
shuffled orders. The same state and
random seed give the same tables, so `verify` seats a round again.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from host_tools.box.assigning import games_of_several
from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options, swiss
from host_tools.tournament.draw import snake
from host_tools.tournament.model import MOST_POINTS, PlayerId, are_points
from host_tools.tournament.state import TournamentState

ENGINE = "tables 1"
"""Another number whenever the same state gives other tables."""
FEWEST_SEATS, MOST_SEATS = 3, 8
TRIES = 6
"""So many shuffled orders."""
_DIGITS = 9

Met = Counter[frozenset[PlayerId]]
SeatedTables = list[list[PlayerId]]


def sizes(players: int, seats: int) -> list[int]:
    """As few tables as `seats` allow, as even as possible, the larger ones first."""
    tables = -(-players // seats)
    least, larger = divmod(players, tables)
    return [least + (number < larger) for number in range(tables)]


def seat(state: TournamentState, random_seed: int) -> ev.RoundPaired:
    """The next round."""
    return ev.RoundPaired(
        round=len(state.rounds) + 1,
        pairs=[],
        bye_points=0,
        engine=ENGINE,
        trf="",
        paused=sorted(state.paused),
        tables=seated(_in_order(state), state.setup.seats, met_before(state), random_seed),
        random_seed=random_seed,
    )


def met_before(state: TournamentState) -> Met:
    """How often each two were at a table."""
    tables = (match.players for match in state.matches.values())
    return Counter(frozenset(pair) for players in tables for pair in combinations(players, 2))


def _in_order(state: TournamentState) -> list[PlayerId]:
    """Who is to be seated, by the standings; before the first round as they were drawn."""
    here = swiss.in_round(state)
    # before the first round all stand at zero, and the draw decides
    rank = {row.player: place for place, row in enumerate(state.overall_rows())}
    return sorted(here, key=rank.__getitem__) if state.rounds else here


def seated(players: Sequence[PlayerId], seats: int, met: Met, random_seed: int) -> SeatedTables:
    """Tables of `players`, the best first: in a snake as long as nobody has met."""
    wanted = sizes(len(players), seats)
    if not met:
        tables = zip(*snake(players, len(wanted)), strict=True)
        return [[player for player in table if player is not None] for table in tables]
    search = _Search(players, met)
    best = search.settled(_dealt(players, wanted))
    # its own generator: `verify` seats the round again from the same number
    chance = random.Random(random_seed)
    for _ in range(TRIES):
        if not search.cost(best)[0]:
            break
        other = search.settled(_dealt(chance.sample(players, len(players)), wanted))
        # the first of equals is kept, so the order of the standings wins a tie
        best = min(best, other, key=search.cost)
    return sorted(best, key=search.strength)


def _dealt(players: Sequence[PlayerId], wanted: Sequence[int]) -> SeatedTables:
    left = iter(players)
    return [[next(left) for _ in range(size)] for size in wanted]


class _Search:
    """Costs of a seating, and the way down from it."""

    def __init__(self, players: Sequence[PlayerId], met: Met) -> None:
        self._rank = {player: place for place, player in enumerate(players)}
        self._again: dict[PlayerId, dict[PlayerId, int]] = {player: {} for player in players}
        """What it costs to meet again; each later time is dearer."""
        for pair, count in met.items():
            one, other = pair
            for player, met_one in ((one, other), (other, one)):
                # squared, so that a third meeting of two costs more than second ones of others
                self._again.setdefault(player, {})[met_one] = count**2

    def settled(self, tables: SeatedTables) -> SeatedTables:
        """No swap of somebody who meets again is better; `tables` is changed."""
        # a list: with a generator `any` would begin anew behind every single move
        while any([self._moved(tables, one, i) for one, i in _seats(tables)]):
            pass
        return [sorted(table, key=self._rank.__getitem__) for table in tables]

    def _moved(self, tables: SeatedTables, one: int, i: int) -> bool:
        """Whether who sits there meets somebody again, and changed places for the better."""
        player = tables[one][i]
        mine = [other for other in tables[one] if other != player]
        # who meets nobody again stays: distance in the standings only chooses among swaps that
        # part two
        if not self._of(player, mine)[0]:
            return False
        best, found = (0, 0), (one, i)
        for other, j in _seats(tables):
            if other != one:
                gain = self._gain(player, mine, tables[other], tables[other][j])
                # less than (0, 0): repeats first, then distance in the standings
                if gain < best:
                    best, found = gain, (other, j)
        other, j = found
        tables[one][i], tables[other][j] = tables[other][j], player
        return found != (one, i)

    def _gain(
        self,
        leaves: PlayerId,
        mine: Sequence[PlayerId],
        there: Sequence[PlayerId],
        comes: PlayerId,
    ) -> tuple[int, int]:
        """What the swap adds to the costs; less than nothing is better."""
        theirs = [player for player in there if player != comes]
        new = self._of(comes, mine), self._of(leaves, theirs)
        old = self._of(leaves, mine), self._of(comes, theirs)
        again, apart = (a + b - c - d for a, b, c, d in zip(*new, *old, strict=True))
        return again, apart

    def _of(self, player: PlayerId, others: Sequence[PlayerId]) -> tuple[int, int]:
        """Meetings again, and how far apart in the standings."""
        again, rank = self._again[player], self._rank
        place = rank[player]
        return (
            sum(again.get(other, 0) for other in others),
            sum(abs(place - rank[other]) for other in others),
        )

    def cost(self, tables: SeatedTables) -> tuple[int, int]:
        """First who meets again, then how far apart in the standings the players are."""
        each = [self._of(player, table[:i]) for table in tables for i, player in enumerate(table)]
        return sum(again for again, _ in each), sum(apart for _, apart in each)

    def strength(self, table: Sequence[PlayerId]) -> int:
        """The place of the best one."""
        return min(self._rank[player] for player in table)


def _seats(tables: SeatedTables) -> list[tuple[int, int]]:
    return [(number, i) for number, table in enumerate(tables) for i in range(len(table))]


def first_fault(state: TournamentState, made: ev.RoundPaired) -> str:
    """Why the round cannot have been seated so in `state`, "" if it can."""
    here = swiss.in_round(state)
    if sorted(player for table in made.tables for player in table) != sorted(here):
        return "not everybody once"
    if sorted(map(len, made.tables)) != sizes(len(here), state.setup.seats)[::-1]:
        return "sizes"
    # an older search gave other tables, and was right then
    again = made.engine != ENGINE or seat(state, made.random_seed).tables == made.tables
    return "" if again else ENGINE


def check(state: TournamentState, made: ev.RoundPaired, event: int) -> None:
    """Raises UserError if the round cannot have been seated so in `state`."""
    swiss.refuse(made, event, first_fault(state, made))


def check_setup(setup: ev.Created) -> None:
    """Raises UserError for a game that no box knows, for a number of seats that no table has, or
    not in that game, and for points that do not fit them.
    """
    known = games_of_several() if setup.game else {}
    if setup.game and setup.game not in known:
        raise UserError("no_game", game=setup.game, games=", ".join(known))
    most = known[setup.game].most if setup.game else MOST_SEATS
    if not FEWEST_SEATS <= setup.seats <= most:
        raise UserError("no_seats", seats=setup.seats, least=FEWEST_SEATS, most=most)
    rule_options.check(setup)
    if not are_points(setup.points, setup.seats):
        raise UserError("no_points", seats=setup.seats, most=MOST_POINTS)


def points_of(text: str, seats: int) -> list[int]:
    """`5,3,2,1`, or nothing. Raises UserError."""
    numbers = re.split(r"[\s,;]+", text.strip()) if text.strip() else []
    if not all(number.isascii() and number.isdecimal() for number in numbers):
        raise UserError("no_points", seats=seats, most=MOST_POINTS)
    # `int` raises ValueError beyond 4300 digits
    return [int(number[:_DIGITS]) for number in numbers]
