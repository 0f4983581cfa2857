"""Groups as equal as possible: a snake by seed, club mates apart, the rest by a stored random seed
(TO-1).
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from host_tools.core.errors import UserError
from host_tools.tournament.model import Entrant, Group, PlayerId

Placed = TypeVar("Placed")


def group_names(count: int) -> list[str]:
    """A … Z, then AA, AB …"""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [letters[n] if n < 26 else letters[n // 26 - 1] + letters[n % 26] for n in range(count)]


def group_count(players: int, size: int) -> int:
    """How many groups of about `size`: never more than `size` in one, sizes differ by one at
    most.
    """
    if size < 2:
        raise UserError("group_too_small", size=size)
    if players < 2:
        raise UserError("too_few_present", count=players)
    return max(1, -(-players // size))


def draw_groups(players: Sequence[Entrant], size: int, random_seed: int) -> list[Group]:
    """Draw groups of at most `size`. The same players and `random_seed` give the same draw,
    always.

    Seeded players go in a snake (1 2 3 3 2 1 …), then the others in random order; then club mates
    are parted by swapping players of the same row of the snake, which leaves the strength of the
    groups as it was.
    """
    names = group_names(group_count(len(players), size))
    rows = snake(_order(players, random_seed), len(names))
    _part_clubs(rows)
    return [
        Group(name, [player.id for row in rows if (player := row[place]) is not None])
        for place, name in enumerate(names)
    ]


def in_order(players: Sequence[Entrant], random_seed: int) -> list[PlayerId]:
    """The order in which a Swiss begins."""
    if len(players) < 2:
        raise UserError("too_few_present", count=len(players))
    return [player.id for player in _order(players, random_seed)]


def _order(players: Sequence[Entrant], random_seed: int) -> list[Entrant]:
    """Seeded players by seed, then the others shuffled."""
    seeded = sorted((p for p in players if p.seed is not None), key=lambda p: (p.seed, p.id))
    # sorted first: the shuffle depends on the order, and that on who was entered when
    others = sorted((p for p in players if p.seed is None), key=lambda p: p.id)
    random.Random(random_seed).shuffle(others)
    return seeded + others


def snake(players: Sequence[Placed], groups: int) -> list[list[Placed | None]]:
    """Rows of the snake: row r holds one player for each group; the last row may have gaps."""
    rows: list[list[Placed | None]] = []
    for start in range(0, len(players), groups):
        row: list[Placed | None] = list(players[start : start + groups])
        # before the row is turned: in a turned one the gaps are in front, so the first groups are
        # the smaller ones
        row += [None] * (groups - len(row))
        rows.append(row if len(rows) % 2 == 0 else row[::-1])
    return rows


def _part_clubs(rows: list[list[Entrant | None]]) -> None:
    """Swap inside rows while that leaves fewer pairs of club mates in one group."""
    clubs = [Counter(_club(row[place]) for row in rows) for place in range(len(rows[0]))]
    improved = True
    while improved:
        improved = False
        # the first row are the best seeds, one a group; they never move
        for row in rows[1:]:
            for one in range(len(row)):
                for other in range(one + 1, len(row)):
                    improved |= _swap_if_better(clubs, row, one, other)


def _swap_if_better(
    clubs: list[Counter[str]], row: list[Entrant | None], one: int, other: int
) -> bool:
    """`clubs`: how many of each club are in each group. Only the two who change places are looked
    at: two thousand players are drawn at once.
    """
    leaves, comes = _club(row[one]), _club(row[other])
    if leaves == comes:
        return False
    here, there = clubs[one], clubs[other]
    before = _mates(here, leaves) + _mates(there, comes)
    if not before:
        return False
    after = _mates(here, comes, 0) + _mates(there, leaves, 0)
    if after >= before:
        return False
    row[one], row[other] = row[other], row[one]
    here.subtract((leaves,))
    there.subtract((comes,))
    here[comes] += 1
    there[leaves] += 1
    return True


def _club(player: Entrant | None) -> str:
    return player.club if player is not None else ""


def _mates(group: Counter[str], club: str, itself: int = 1) -> int:
    """Mates of `club` in a group, without the player `itself`; nobody is a mate without a club."""
    return group[club] - itself if club else 0
