"""Who meets whom when, inside a group: Berger's circle."""

from collections.abc import Sequence
from typing import TypeVar

Entrant = TypeVar("Entrant")


def rounds(players: Sequence[Entrant]) -> list[list[tuple[Entrant, Entrant]]]:
    """All pairs of `players` in as few rounds as possible, nobody twice in one round.

    An odd number gives everyone one round of rest. One player stays, the others move round the
    circle.
    """
    circle: list[Entrant | None] = list(players)
    if len(circle) % 2:
        circle.append(None)
    plan = []
    for number in range(len(circle) - 1):
        plan.append(_pairs(circle, number))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return plan


def _pairs(circle: Sequence[Entrant | None], number: int) -> list[tuple[Entrant, Entrant]]:
    half = len(circle) // 2
    pairs: list[tuple[Entrant, Entrant]] = []
    for place in range(half):
        first, second = circle[place], circle[-1 - place]
        if first is None or second is None:
            continue
        # the player who stays begins every second time, so that starts are fair
        swap = place == 0 and number % 2 == 1
        pairs.append((second, first) if swap else (first, second))
    return pairs
