"""Groups as equal as possible:

a snake by seed, club mates apart, the rest by a stored random seed (TO-1).
"""

import random
from collections.abc import Sequence

from host_tools.refusals.refusal import Refusal
from host_tools.tournament.model import Group, Player


def group_names(count: int) -> list[str]:
    """A … Z, then AA, AB …"""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [letters[n] if n < 26 else letters[n // 26 - 1] + letters[n % 26] for n in range(count)]


def group_count(players: int, size: int) -> int:
    """How many groups of about `size`:

    never more than `size` in one, sizes differ by one at most.
    """
    if size < 2:
        raise Refusal("group_too_small", size=size)
    if players < 2:
        raise Refusal("too_few_present", count=players)
    return max(1, -(-players // size))


def draw_groups(players: Sequence[Player], size: int, random_seed: int) -> list[Group]:
    """Draw groups of at most `size`. The same players and `random_seed` give the same draw,
    always.

    Seeded players go in a snake (1 2 3 3 2 1 …), then the others in random order; then club mates
    are parted by swapping players of the same row of the snake, which leaves the strength of the
    groups as it was.
    """
    names = group_names(group_count(len(players), size))
    rows = _snake(_order(players, random_seed), len(names))
    _part_clubs(rows)
    return [
        Group(name, [player.id for row in rows if (player := row[place]) is not None])
        for place, name in enumerate(names)
    ]


def _order(players: Sequence[Player], random_seed: int) -> list[Player]:
    """Seeded players by seed, then the others shuffled."""
    seeded = sorted((p for p in players if p.seed is not None), key=lambda p: (p.seed, p.id))
    others = sorted((p for p in players if p.seed is None), key=lambda p: p.id)
    random.Random(random_seed).shuffle(others)
    return seeded + others


def _snake(players: Sequence[Player], groups: int) -> list[list[Player | None]]:
    """Rows of the snake: row r holds one player for each group; the last row may have gaps."""
    rows: list[list[Player | None]] = []
    for start in range(0, len(players), groups):
        row: list[Player | None] = list(players[start : start + groups])
        row += [None] * (groups - len(row))
        rows.append(row if len(rows) % 2 == 0 else row[::-1])
    return rows


def _part_clubs(rows: list[list[Player | None]]) -> None:
    """Swap inside rows while that leaves fewer pairs of club mates in one group."""
    improved = True
    while improved:
        improved = False
        for row in rows[1:]:
            for one in range(len(row)):
                for other in range(one + 1, len(row)):
                    improved |= _swap_if_better(rows, row, one, other)


def _swap_if_better(
    rows: list[list[Player | None]], row: list[Player | None], one: int, other: int
) -> bool:
    """Only the two groups that change places are looked at: 512 players are drawn at once."""
    before = _clashes(rows, one) + _clashes(rows, other)
    if not before:
        return False
    row[one], row[other] = row[other], row[one]
    if _clashes(rows, one) + _clashes(rows, other) < before:
        return True
    row[one], row[other] = row[other], row[one]
    return False


def _clashes(rows: list[list[Player | None]], place: int) -> int:
    """Pairs of club mates in the group at `place`."""
    members = [row[place] for row in rows]
    clubs = [player.club for player in members if player is not None and player.club]
    return sum(clubs.count(club) - 1 for club in clubs) // 2
