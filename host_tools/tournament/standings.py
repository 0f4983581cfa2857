"""Who stands where, and why: TO-2, one criterion after the other, each decision kept for people to
read.

The chain: points, card difference, cards taken, the direct matches, the lot. In a Swiss the points
of the opponents (Buchholz), and the same without the best and the worst of them, come behind the
points; at tables of several how often somebody was first. Criteria split a tied
set into smaller ones; a set that nothing splits shares its rank and is reported until a lot is
drawn.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from operator import attrgetter
from typing import Literal, get_args

from host_tools.tournament.model import Bye, PlayerId, Result, Tournament

WIN_POINTS = 2
DRAW_POINTS = 1
"""SW-6."""

Criterion = Literal[
    "points", "buchholz", "median", "firsts", "difference", "cards", "direct", "lot"
]
COUNTED: tuple[Criterion, ...] = get_args(Criterion)[:-2]
"""Those that are a number in a `Tally`, in their order; what a stage does not count stays 0."""
Compare = Literal["raw", "per-match"]
"""How players of unequal groups are compared across groups (TO-3): as counted, or divided by
matches played.
"""


@dataclass
class Tally:
    """What one player has: points, cards for and against, matches played."""

    player: PlayerId
    points: int = 0
    cards: int = 0
    against: int = 0
    played: int = 0
    buchholz: int = 0
    median: int = 0
    firsts: int = 0

    @property
    def difference(self) -> int:
        """Cards taken minus cards given."""
        return self.cards - self.against


@dataclass(frozen=True)
class StandingsRow:
    """One line of a table. `decided_by`: what put this player behind the one above (for the first:
    ahead of the one below); None where nothing decided, because the player is alone or the tie is
    open.
    """

    rank: int
    player: PlayerId
    points: int
    difference: int
    cards: int
    played: int
    decided_by: Criterion | None
    buchholz: int = 0
    median: int = 0
    firsts: int = 0


@dataclass
class Meetings:
    """The direct matches: points that each player took from each other one."""

    points: dict[tuple[PlayerId, PlayerId], int] = field(default_factory=dict)

    def add(self, a: PlayerId, b: PlayerId, points_a: int, points_b: int) -> None:
        """Count one match."""
        self.points[a, b] = self.points.get((a, b), 0) + points_a
        self.points[b, a] = self.points.get((b, a), 0) + points_b

    def all_met(self, players: Sequence[PlayerId]) -> bool:
        """True if every pair of `players` has played."""
        return all(pair in self.points for pair in combinations(players, 2))

    def circles(self, players: Sequence[PlayerId]) -> list[list[PlayerId]]:
        """`players` in circles: whoever met somebody belongs to their circle, as in a group."""
        found: list[list[PlayerId]] = []
        for player in players:
            # a player may join several circles into one
            mine = [one for one in found if any((player, other) in self.points for other in one)]
            found = [one for one in found if one not in mine]
            found.append([*(other for one in mine for other in one), player])
        return found

    def among(self, player: PlayerId, players: Iterable[PlayerId]) -> int:
        """Points of `player` in the matches inside `players`: the mini-table."""
        return sum(self.points.get((player, other), 0) for other in players if other != player)


def match_points(result: Result) -> tuple[int, int]:
    """SW-6: winner 2, loser 0, draw 1 each; SW-7b: nothing for two who did not play."""
    if result.kind == "absent":
        return 0, 0
    ahead = result.ahead()
    if ahead is None:
        return DRAW_POINTS, DRAW_POINTS
    return (WIN_POINTS, 0) if ahead == result.a else (0, WIN_POINTS)


def place_points(places: Sequence[int], seats: int, points: Sequence[int] = ()) -> list[int]:
    """What the places at a table are worth, seat by seat: as `points` say, and who shares places
    has the mean of theirs, rounded down.

    Else n - place for n players, in units that keep everything whole (twice the least common
    multiple up to `seats` - 1). So 12 8 4 0 at four seats; at a smaller table the first has as
    much and the last none: 12 6 0. Who did not come has nothing, and the others play a table of
    theirs.
    """
    shared = Counter(places)
    if points:
        return [sum(points[p - 1 : p - 1 + shared[p]]) // shared[p] if p else 0 for p in places]
    # the mean of shared places has halves, and a smaller table divides by each n - 1
    unit = 2 * lcm(*range(1, seats))
    count = max(sum(map(bool, places)), 2)  # who is alone is first of two
    # twice the mean of the places from p on that are shared
    twice = [2 * (count - p) - shared[p] + 1 if p else 0 for p in places]
    return [unit * one // (2 * (count - 1)) for one in twice]


def tally(players: Sequence[PlayerId], results: Iterable[Result]) -> dict[PlayerId, Tally]:
    """Add up results; players without one stand at zero."""
    sums = {player: Tally(player) for player in players}
    for result in results:
        points = match_points(result)
        for side, player in enumerate((result.a, result.b)):
            line = sums[player]
            line.points += points[side]
            line.cards += result.cards[side]
            line.against += result.cards[1 - side]
            line.played += 1
    return sums


def tally_swiss(
    players: Sequence[PlayerId], results: Sequence[Result], byes: Iterable[Bye]
) -> dict[PlayerId, Tally]:
    """The same of a Swiss, with what the opponents have. A bye counts as an opponent with as many
    points as the player; a round that somebody sat out as one who has none.
    """
    sums = tally(players, results)
    met: dict[PlayerId, list[PlayerId]] = {player: [] for player in players}
    for bye in byes:
        sums[bye.player].points += bye.points
        met[bye.player].append(bye.player)
    for result in results:
        met[result.a].append(result.b)
        met[result.b].append(result.a)
    for player, others in met.items():
        theirs = sorted(sums[other].points for other in others)
        # of the points that opponents have by now, not at the time of the match
        sums[player].buchholz, sums[player].median = sum(theirs), sum(theirs[1:-1])
    return sums


def tally_tables(
    players: Sequence[PlayerId], results: Iterable[Result], event: Tournament
) -> dict[PlayerId, Tally]:
    """The same of tables of several. The difference is to each of the others, added up."""
    sums = {player: Tally(player) for player in players}
    for result in results:
        places = places_of(result)
        points = place_points(places, event.seats, event.points)
        came = [own for own, place in zip(result.cards, places, strict=True) if place]
        for seat, player in enumerate(result.players):
            if not places[seat]:
                continue
            line, own = sums[player], result.cards[seat]
            line.points += points[seat]
            line.firsts += places[seat] == 1
            line.cards += own
            # the sum of the differences to each other player: n * own - sum(came)
            line.against += sum(came) - (len(came) - 1) * own
            line.played += 1
    return sums


def places_of(result: Result) -> list[int]:
    """Seat by seat; two who are left over at a table play an ordinary match."""
    if result.places:
        return result.places
    if result.kind == "absent":
        return [0, 0]
    ahead = result.ahead()
    return [1, 1] if ahead is None else [1, 2] if ahead == result.a else [2, 1]


def sums_of(
    tournament: Tournament, players: Sequence[PlayerId], results: Sequence[Result]
) -> dict[PlayerId, Tally]:
    """As the stage of `tournament` counts."""
    if tournament.mode == "tables":
        return tally_tables(players, results, tournament)
    if tournament.in_swiss:
        return tally_swiss(players, results, tournament.byes)
    return tally(players, results)


def meetings(results: Iterable[Result]) -> Meetings:
    """The direct matches of `results`."""
    found = Meetings()
    for result in results:
        if not result.places:
            found.add(result.a, result.b, *match_points(result))
        came = [seat for seat in zip(result.players, result.places, strict=False) if seat[1]]
        for (one, place), (other, behind) in combinations(came, 2):
            # 1, 0 or -1: a shared place is a draw between the two
            ahead = (place < behind) - (behind < place)
            found.add(one, other, DRAW_POINTS + ahead, DRAW_POINTS - ahead)
    return found


def group_table(tournament: Tournament, group_id: str) -> list[StandingsRow]:
    """The table of one group. Raises StopIteration for an unknown group."""
    stage, group = next(
        (stage, group)
        for stage in tournament.stages()
        for group in stage.groups
        if group.id == group_id
    )
    results = [result for result in tournament.results if result.group == group_id]
    sums = sums_of(stage, group.players, results)
    return table(sums, meetings(results), tournament.lots, "raw")


def overall_table(tournament: Tournament, compare: Compare = "raw") -> list[StandingsRow]:
    """All players of all groups in one table: the order of the cut (TO-3)."""
    players = [player for group in tournament.groups for player in group.players]
    results = tournament.stage_results()
    sums = sums_of(tournament, players, results)
    return table(sums, meetings(results), tournament.lots, compare)


def whole_table(tournament: Tournament, compare: Compare = "raw") -> list[StandingsRow]:
    """The same of all stages: behind a Swiss those who did not come into it."""
    return joined([overall_table(stage, compare) for stage in tournament.stages()])


def joined(tables: Iterable[Sequence[StandingsRow]]) -> list[StandingsRow]:
    """Behind each table those of the next one who are in none before."""
    found: list[StandingsRow] = []
    for rows in tables:
        # who went on from the groups stands in the table of the Swiss and is not told twice
        placed, behind = {row.player for row in found}, len(found)
        found += [replace(r, rank=behind + r.rank) for r in rows if r.player not in placed]
    return found


@dataclass(frozen=True)
class TeamRow:
    """A club as a team: what its best `counted` have together; teams that are level share a
    rank.
    """

    rank: int
    team: str
    points: int
    difference: int
    counted: list[PlayerId]


def team_table(tournament: Tournament, best: int = 0) -> list[TeamRow]:
    """The clubs by the match points of all matches and byes of their players, then by card
    difference. `best`: only so many of each count, 0: all.
    """
    teams = {player.id: player.club for player in tournament.players if player.club}
    everybody = [player.id for player in tournament.players]
    if tournament.mode == "tables":
        sums = tally_tables(everybody, tournament.results, tournament)
    else:
        sums = tally(everybody, tournament.results)
    for bye in tournament.byes:
        sums[bye.player].points += bye.points
    members: dict[str, list[Tally]] = {}
    # the best of each team come first: `best` of them count
    for line in sorted(sums.values(), key=attrgetter("points", "difference"), reverse=True):
        if line.player in teams:
            members.setdefault(teams[line.player], []).append(line)
    totals = {
        team: (sum(one.points for one in chosen), sum(one.difference for one in chosen), chosen)
        for team, lines in members.items()
        if (chosen := lines[: best or None])
    }
    order = sorted(totals.items(), key=lambda team: team[1][:2], reverse=True)
    # teams that are level share a rank: no lot is drawn for them
    ranks = [total[:2] for _, total in order]
    return [
        TeamRow(ranks.index(total[:2]) + 1, team, *total[:2], [one.player for one in total[2]])
        for team, total in order
    ]


def table(
    sums: dict[PlayerId, Tally],
    met: Meetings,
    lots: Sequence[Sequence[PlayerId]],
    compare: Compare,
) -> list[StandingsRow]:
    """Rank by TO-2."""
    ranker = _Ranker(sums, met, lots, compare)
    ranker.split(list(sums), COUNTED)
    return ranker.rows()


def value_of(line: Tally | StandingsRow, name: Criterion, compare: Compare) -> Fraction | int:
    """What is compared of a player: as counted, or a match (TO-3)."""
    number: int = getattr(line, name)
    # exact: floats that should be equal may differ, and would part a tie
    return Fraction(number, line.played) if compare == "per-match" and line.played else number


@dataclass
class _Ranker:
    """Splits sets of tied players; `placed` are the sets that nothing splits, best first."""

    sums: dict[PlayerId, Tally]
    met: Meetings
    lots: Sequence[Sequence[PlayerId]]
    compare: Compare
    placed: list[list[PlayerId]] = field(default_factory=list)
    borders: list[Criterion] = field(default_factory=list)
    """What separates placed[i] from placed[i + 1]."""

    def split(self, tied: list[PlayerId], numbers: Sequence[Criterion]) -> None:
        """Place `tied` by `numbers`, one after the other; then by direct match and lot."""
        if len(tied) < 2 or not numbers:
            self._split_by_meeting(tied)
            return
        first, *others = numbers
        classes = _classes(tied, lambda player: value_of(self.sums[player], first, self.compare))
        for place, members in enumerate(classes):
            if place:
                self.borders.append(first)
            self.split(members, others)

    def _split_by_meeting(self, tied: list[PlayerId]) -> None:
        """The direct matches: a mini-table if all have met; what it leaves together is looked at
        again, and then parted by the lot.
        """
        for place, members in enumerate(self._mini_table(tied)):
            if place:
                self.borders.append("direct")
            self._split_by_lot(members)

    def _split_by_lot(self, tied: list[PlayerId]) -> None:
        """The lot, obeyed in full where the direct matches say nothing, as in a circle.

        Across groups only some have met. Who is behind in a group's own mini-table waits until
        those ahead are placed, so that the lot never turns a direct match round.
        """
        # the latest lot wins; one over more players decides among fewer too
        drawn = next((lot for lot in reversed(self.lots) if set(tied) <= set(lot)), None)
        if len(tied) < 2 or drawn is None:
            self.placed.append(tied)
            return
        ahead = self._ahead_in(tied)
        left = sorted(tied, key=list(drawn).index)
        while left:
            # of those in the drawn order the first whom nobody left is ahead of
            first = next(player for player in left if not ahead[player] & set(left))
            if len(left) < len(tied):
                border: Criterion = "direct" if self.placed[-1][0] in ahead[first] else "lot"
                self.borders.append(border)
            self.placed.append([first])
            left.remove(first)

    def _ahead_in(self, tied: list[PlayerId]) -> dict[PlayerId, set[PlayerId]]:
        """Who of `tied` stands ahead of each by the matches of a set that has all met."""
        ahead: dict[PlayerId, set[PlayerId]] = {player: set() for player in tied}
        for met in self.met.circles(tied):
            for place, members in enumerate(classes := self._mini_table(met)):
                better = {player for earlier in classes[:place] for player in earlier}
                for player in members:
                    ahead[player] = better
        return ahead

    def _mini_table(self, tied: list[PlayerId]) -> list[list[PlayerId]]:
        """`tied` by their direct matches, best first; those who stay level together (TO-2)."""
        # a pair that has not met says nothing, and neither does a mini-table without it (TO-2)
        if len(tied) < 2 or not self.met.all_met(tied):
            return [tied]
        classes = _classes(tied, lambda player: self.met.among(player, tied))
        if len(classes) == 1:
            return classes
        # who stays level is compared again, by the matches among themselves only
        return [members for level in classes for members in self._mini_table(level)]

    def rows(self) -> list[StandingsRow]:
        """The table; a set that shares its place shares the rank."""
        rows: list[StandingsRow] = []
        for place, members in enumerate(self.placed):
            border = self.borders[place - 1] if place else None
            # the first has nobody above: what is told is why they are ahead of the second
            if place == 0 and self.borders and len(members) == 1:
                border = self.borders[0]
            rank = len(rows) + 1
            for player in members:
                rows.append(self._row(rank, player, border if len(members) == 1 else None))
        return rows

    def _row(self, rank: int, player: PlayerId, border: Criterion | None) -> StandingsRow:
        line = self.sums[player]
        numbers = (line.points, line.difference, line.cards, line.played)
        more = (line.buchholz, line.median, line.firsts)
        return StandingsRow(rank, player, *numbers, border, *more)


def _classes(
    players: Sequence[PlayerId], value: Callable[[PlayerId], Fraction | int]
) -> list[list[PlayerId]]:
    """Players of equal value together, the highest first, file order inside."""
    by_value: dict[Fraction | int, list[PlayerId]] = {}
    for player in players:
        by_value.setdefault(value(player), []).append(player)
    return [by_value[key] for key in sorted(by_value, reverse=True)]


def by_rank(rows: Iterable[StandingsRow]) -> list[list[PlayerId]]:
    """Players that share a rank together, in the order of the table."""
    ranks: dict[int, list[PlayerId]] = {}
    for row in rows:
        ranks.setdefault(row.rank, []).append(row.player)
    return list(ranks.values())


def open_ties(rows: Iterable[StandingsRow]) -> list[list[PlayerId]]:
    """Sets of players that share a rank: a lot is needed."""
    return [players for players in by_rank(rows) if len(players) > 1]
