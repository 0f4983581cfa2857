"""The knock-out of TO-3 and TO-4: seeding 1 v 64, byes for the best, group mates apart."""

import copy
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise

from host_tools.core.errors import UserError
from host_tools.tournament.model import PlayerId, Result, Tournament, losers_by_exclusion
from host_tools.tournament.standings import Compare, StandingsRow, by_rank, overall_table

HONOURED = 4
"""Places that the final round decides: they get certificates and stand in the list of honour."""
THIRD = "third"
FINAL = "final"
_LAST_ROUNDS = {2: FINAL, 4: "1/2", 8: "1/4"}
_SYNONYMS = {
    "quarter": "1/4",
    "quarter-final": "1/4",
    "semi": "1/2",
    "semi-final": "1/2",
    "third place": THIRD,
}


def round_name(players: int) -> str:
    """The name of the round with so many players left: 64 -> 1/32 … 4 -> 1/2, 2 -> final."""
    return _LAST_ROUNDS.get(players, f"1/{players // 2}")


def canonical_round(name: str) -> str:
    """`quarter`, `semi-final` … as this module names them."""
    return _SYNONYMS.get(name.lower(), name.lower())


@dataclass(frozen=True)
class Side:
    """One side of a match: the player, or nobody yet; `seed` only while known."""

    player: PlayerId | None = None
    seed: int | None = None


@dataclass
class KoMatch:
    """One knock-out match. `bye`: there is no opponent, the other side goes on without playing;
    `nobody` goes on from it, since neither came (SW-7b).
    """

    round: str
    number: int
    a: Side
    b: Side
    bye: bool = False
    result: Result | None = None
    winner: PlayerId | None = None
    nobody: bool = False

    @property
    def id(self) -> str:
        """Match 3 of `1/16` is `K16-3`; the final is `KF`, the match for third place `K3`."""
        last = {FINAL: "KF", THIRD: "K3"}
        return last.get(self.round, f"K{self.round.partition('/')[2]}-{self.number}")

    @property
    def losers(self) -> list[PlayerId]:
        """Who does not go on from it, once it is decided."""
        both = [self.a.player, self.b.player] if self.nobody and self.result else []
        return [player for player in (*both, self.loser) if player]

    @property
    def loser(self) -> PlayerId | None:
        """Who lost, once it is decided by play."""
        if self.winner is None or self.bye:
            return None
        return self.b.player if self.winner == self.a.player else self.a.player


@dataclass
class Bracket:
    """The whole tree. `rounds` from the first to the final; `third` is None with fewer than four
    players.
    """

    size: int
    seeds: list[PlayerId]
    rounds: list[list[KoMatch]] = field(default_factory=list)
    third: KoMatch | None = None

    def copy(self) -> "Bracket":
        """A tree that may be played on without changing this one."""
        rounds = [[copy.copy(match) for match in stage] for stage in self.rounds]
        return Bracket(self.size, self.seeds, rounds, copy.copy(self.third))

    @property
    def byes(self) -> list[PlayerId]:
        """Who skips the first round, best seed first."""
        # byes go to the best seeds, whose opponents would be seeds that do not exist
        lucky = [side for match in self.rounds[0] if match.bye for side in (match.a, match.b)]
        seeded = sorted((side.seed, side.player) for side in lucky if side.seed and side.player)
        return [player for _, player in seeded]

    @property
    def champion(self) -> PlayerId | None:
        return self.rounds[-1][0].winner if self.rounds else None

    def fed_by(self, match_id: str) -> list[KoMatch]:
        """The matches into which the players of a match go on."""
        for number, (stage, following) in enumerate(pairwise(self.rounds), 2):
            for fed in stage:
                if fed.id == match_id:
                    third = [self.third] if self.third and number == len(self.rounds) else []
                    return [following[(fed.number - 1) // 2], *third]
        return []

    def matches(self) -> list[KoMatch]:
        """All matches in playing order, the one for third place before the final."""
        found = [match for stage in self.rounds[:-1] for match in stage]
        return found + ([self.third] if self.third else []) + self.rounds[-1]


def qualified(tournament: Tournament, rows: Iterable[StandingsRow]) -> list[PlayerId]:
    """The best `ko_size` of all groups in order of seed; excluded players (SW-9) do not go on.
    `rows`: the order across the groups (`overall_table`).
    """
    out = tournament.excluded()
    order = [row.player for row in rows if row.player not in out]
    return order[: tournament.ko_size]


def seeded_by_tables(tournament: Tournament, rows: Iterable[StandingsRow]) -> list[PlayerId]:
    """The seeds as `rows` (`overall_table`) give them now for a tree that was drawn. Whoever left
    later had qualified before; whoever lost a group match by exclusion had not.
    """
    in_groups = (result for result in tournament.results if result.group is not None)
    # else the withdrawal of one player would shift the seeds of all below
    barred = (set(tournament.out) - set(tournament.seeds)) | losers_by_exclusion(in_groups)
    order = [row.player for row in rows if row.player not in barred]
    return order[: len(tournament.seeds)]


@dataclass(frozen=True)
class FinalPlace:
    """One line of the final ranking. `place` is None for the excluded (SW-9); `reached`: the last
    round that was played, "group" or "excluded".
    """

    place: int | None
    player: PlayerId
    reached: str

    @property
    def reached_as(self) -> str:
        """The same for people: the first one did not lose the final but is the champion."""
        return "champion" if self.place == 1 and self.reached == FINAL else self.reached


def final_ranking(
    bracket: Bracket, group_rows: Sequence[StandingsRow], excluded: AbstractSet[PlayerId]
) -> list[FinalPlace]:
    """Everybody, once the final is decided; nobody before.

    The final and the match for third place give places 1 to 4; then the losers of each round, the
    later round first, by seed; then who did not qualify, by the order across the groups
    (docs/decisions/standings-and-draw.md).
    """
    if bracket.champion is None:
        return []
    level = [*_decided_places(bracket), *_beaten_earlier(bracket)]
    placed = {player for _, players in level for player in players}
    left = by_rank(row for row in group_rows if row.player not in placed)
    level += [("group", players) for players in left]
    return _ranked(level, excluded)


def table_ranking(
    rows: Sequence[StandingsRow], excluded: AbstractSet[PlayerId]
) -> list[FinalPlace]:
    """Everybody by the table, of a tournament without a tree; who is level shares a place."""
    return _ranked([("group", players) for players in by_rank(rows)], excluded)


def _ranked(
    level: Sequence[tuple[str, list[PlayerId]]], excluded: AbstractSet[PlayerId]
) -> list[FinalPlace]:
    """Places of (round reached, who is level there), the best first; the excluded behind all."""
    found: list[FinalPlace] = []
    for reached, players in level:
        place = len(found) + 1
        found += [
            FinalPlace(place, player, reached) for player in players if player not in excluded
        ]
    everybody = (player for _, players in level for player in players)
    return found + [
        FinalPlace(None, player, "excluded") for player in everybody if player in excluded
    ]


def _decided_places(bracket: Bracket) -> list[tuple[str, list[PlayerId]]]:
    """Places 1 to 4; without the match for third place the losers of the semi-finals share it."""
    final, third = bracket.rounds[-1][0], bracket.third
    found = [(FINAL, [final.winner]), (FINAL, [final.loser])]
    if third is not None and third.winner is not None:
        found += [(THIRD, [third.winner]), (THIRD, [third.loser])]
    elif third is not None:
        # the champion may be known before third place is played, or it is never played (neither
        # came)
        found.append((bracket.rounds[-2][0].round, [third.a.player, third.b.player]))
    known = [(reached, [who for who in players if who]) for reached, players in found]
    return [(reached, players) for reached, players in known if players]


def _beaten_earlier(bracket: Bracket) -> list[tuple[str, list[PlayerId]]]:
    """Who lost before the semi-finals, one by one."""
    seed_of = {player: seed for seed, player in enumerate(bracket.seeds)}
    return [
        (stage[0].round, [player])
        # the last two rounds decide places 1 to 4 (TO-4); the order of the others is ours
        for stage in reversed(bracket.rounds[:-2])
        for player in sorted((who for m in stage for who in m.losers), key=seed_of.__getitem__)
    ]


def slots(size: int) -> list[int]:
    """Seeds in the order of the tree's leaves: [1, 8, 4, 5, 2, 7, 3, 6] for eight."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        # each seed meets the one that makes the sum: 1 v 64, and 1 v 32 a round later
        order = [seed for best in order for seed in (best, total - best)]
    return order


def draw(seeds: Sequence[PlayerId], group_of: dict[PlayerId, str]) -> Bracket:
    """The empty tree for players in seed order. Fewer than two of them are a UserError."""
    if len(seeds) < 2:
        raise UserError("too_few_qualify")
    size = 1 << (len(seeds) - 1).bit_length()
    leaves = _leaves_apart(seeds, group_of, size)
    bracket = Bracket(size, list(seeds))
    seed_of = {player: number for number, player in enumerate(seeds, 1)}
    sides = [Side(player, seed_of[player]) if player else Side() for player in leaves]
    bracket.rounds.append(_pair_up(sides, round_name(size), first=True))
    left = size // 2
    while left > 1:
        empty = [Side()] * left
        bracket.rounds.append(_pair_up(empty, round_name(left), first=False))
        left //= 2
    # with two players there are no semi-finals, hence nobody to play for third place
    if size >= 4:
        bracket.third = KoMatch(THIRD, 1, Side(), Side())
    _advance(bracket)
    return bracket


def _pair_up(sides: Sequence[Side], name: str, *, first: bool) -> list[KoMatch]:
    matches = []
    for place in range(0, len(sides), 2):
        a, b = sides[place], sides[place + 1]
        bye = first and (a.player is None or b.player is None)
        matches.append(KoMatch(name, place // 2 + 1, a, b, bye=bye))
    return matches


# -- group mates apart ----------------------------------------------------------------------------


def _leaves_apart(
    seeds: Sequence[PlayerId], group_of: dict[PlayerId, str], size: int
) -> list[PlayerId | None]:
    """Players on the leaves by seed, then swapped inside their tier while that keeps group mates
    apart longer.

    A tier is what a seeding treats as equal: 3–4, 5–8, 9–16 … so 1 and 2 never move, and byes stay
    with the best seeds. Every swap must make the list of early meetings smaller, so the search
    ends, always alike.
    """
    # slots name seeds by leaf, which is wanted the other way round
    leaf_of = {seed: leaf for leaf, seed in enumerate(slots(size))}
    leaves: list[PlayerId | None] = [None] * size
    for number, player in enumerate(seeds, 1):
        leaves[leaf_of[number]] = player
    mates = _Mates(leaves, group_of)
    improved = True
    while improved:
        improved = False
        for one, other in _swaps(len(seeds), leaf_of):
            improved |= mates.swap_if_later(one, other)
    return leaves


class _Mates:
    """Group mates on the leaves of a tree, and the rounds in which they could meet."""

    def __init__(self, leaves: list[PlayerId | None], group_of: dict[PlayerId, str]) -> None:
        self._leaves = leaves
        self._leaf = {player: leaf for leaf, player in enumerate(leaves) if player is not None}
        groups: dict[str, list[PlayerId]] = {}
        for player in self._leaf:
            if player in group_of:
                groups.setdefault(group_of[player], []).append(player)
        self._mates = {player: group for group in groups.values() for player in group}

    def swap_if_later(self, one: int, other: int) -> bool:
        """Swap the players of two leaves if that leaves fewer early meetings."""
        first, second = self._leaves[one], self._leaves[other]
        if first is None or second is None:
            return False
        before = self._meetings(first, one, second) + self._meetings(second, other, first)
        after = self._meetings(first, other, second) + self._meetings(second, one, first)
        # strictly less, or two equal trees would be swapped for ever
        if _by_round(after) >= _by_round(before):
            return False
        self._leaves[one], self._leaves[other] = second, first
        self._leaf[first], self._leaf[second] = other, one
        return True

    def _meetings(self, player: PlayerId, leaf: int, aside: PlayerId) -> list[int]:
        """The rounds, from 1, in which `player` on `leaf` could meet mates; `aside` stays away:
        two who change places meet when they met before.
        """
        return [
            # the highest bit in which two leaves differ is the round in which their branches join
            (leaf ^ self._leaf[mate]).bit_length()
            for mate in self._mates.get(player, ())
            if mate not in (player, aside)
        ]


def _by_round(meetings: Sequence[int]) -> list[int]:
    """How many meetings in the first round, the second, …: what comes early counts most."""
    return [meetings.count(number) for number in range(1, max(meetings, default=0) + 1)]


def _swaps(entrants: int, leaf_of: dict[int, int]) -> Iterable[tuple[int, int]]:
    """Pairs of leaves inside one tier, the worst seeds first: they mind least."""
    byes = len(leaf_of) - entrants
    top = 2
    tiers = []
    while top < entrants:
        tiers.append(range(top + 1, min(2 * top, entrants) + 1))
        top *= 2
    for tier in reversed(tiers):
        for high in reversed(tier):
            for low in range(high - 1, tier.start - 1, -1):
                # a swap across this border would give the bye to a worse seed
                if (low <= byes) == (high <= byes):
                    yield leaf_of[high], leaf_of[low]


# -- results --------------------------------------------------------------------------------------


def play(bracket: Bracket, results: Iterable[Result]) -> list[Result]:
    """Enter knock-out results in any order; returns those that fit no match of the tree."""
    waiting = [result for result in results if result.round is not None]
    entered = -1
    # a result of a later round fits no match before those of earlier ones are in; a file may have
    # them in any order
    while entered:
        left = [result for result in waiting if not _enter(bracket, result)]
        entered, waiting = len(waiting) - len(left), left
        _advance(bracket)
    return waiting


def _enter(bracket: Bracket, result: Result) -> bool:
    """False if no match of the tree is this one's yet."""
    name, players = canonical_round(result.round or ""), {result.a, result.b}
    for match in bracket.matches():
        if match.round == name and {match.a.player, match.b.player} == players:
            match.result = result
            match.winner, match.nobody = result.ahead(), result.kind == "absent"
            return True
    return False


def _advance(bracket: Bracket) -> None:
    """Carry winners (and byes) onward, and the losers of the semi-finals to the match for third
    place.
    """
    for stage, following in pairwise(bracket.rounds):
        for match in stage:
            if match.bye:
                match.winner = match.a.player or match.b.player
            goal = following[(match.number - 1) // 2]
            # matches 1 and 2 feed match 1 of the next round, the odd one its side `a`
            setattr(goal, "a" if match.number % 2 else "b", _side_of(match, match.winner))
        for goal, one, other in zip(following, stage[::2], stage[1::2], strict=True):
            _without_opponent(goal, one, other)
    if bracket.third:
        one, other = bracket.rounds[-2]
        bracket.third.a = _side_of(one, one.loser)
        bracket.third.b = _side_of(other, other.loser)
        _without_opponent(bracket.third, one, other)


def _without_opponent(goal: KoMatch, one: KoMatch, other: KoMatch) -> None:
    """Where nobody goes on, the other side of the next match has a bye; where nobody comes from
    either, nobody goes on from there.
    """
    if one.nobody or other.nobody:
        goal.bye, goal.nobody = True, one.nobody and other.nobody
        goal.winner = goal.a.player or goal.b.player


def _side_of(match: KoMatch, player: PlayerId | None) -> Side:
    if player is None:
        return Side()
    return match.a if player == match.a.player else match.b


def bracket_of(tournament: Tournament, compare: Compare = "raw") -> tuple[Bracket, list[Result]]:
    """The tree of a tournament file with its results entered, and the results that fit nowhere."""
    group_of = tournament.group_of()
    bracket = draw(
        # a tree that was drawn keeps its seeds although the tables may have moved
        tournament.seeds or qualified(tournament, overall_table(tournament, compare)),
        group_of,
    )
    return bracket, play(bracket, tournament.results)
