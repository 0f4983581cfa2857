"""Which match at which table in which slot, and an honest estimate of the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from host_tools.core.errors import UserError
from host_tools.tournament.events import MatchPlanned
from host_tools.tournament.ko import FINAL, round_name
from host_tools.tournament.model import Group, PlayerId

SLOT_MINUTES = 13
"""10 minutes of play (SW-3), 2 of waiting (SW-7), 1 for the slip."""
KO_EXTRA_MINUTES = 3
"""The extension that a level knock-out match may need (SW-5)."""
FINAL_EXTRA_MINUTES = 10
"""The final lasts 20 minutes instead of 10 (SW-3)."""


Paired = TypeVar("Paired")


@dataclass(frozen=True)
class Estimate:
    """Minutes from the first call: group stage, knock-out, all."""

    group_slots: int
    group_minutes: int
    ko_minutes: int

    @property
    def minutes(self) -> int:
        return self.group_minutes + self.ko_minutes


def plan(
    groups: Sequence[Group], tables: int, decks: Sequence[str], legs: int = 1
) -> list[MatchPlanned]:
    """Fill slot after slot: nobody twice in a slot, no table twice, round order kept inside a
    group.

    Rounds of Berger's circle are interleaved over the groups, so that everybody gets their rests
    evenly. A deck stays on its table; there are as many decks as tables, or they are given out in
    turn.
    """
    return fill(_interleaved(groups, legs), tables, decks)


SlotPairing = tuple[str, str, tuple[PlayerId, ...]]
"""Match id, group, who sits there."""


def fill(
    waiting: Sequence[SlotPairing], tables: int, decks: Sequence[str], slot: int = 0
) -> list[MatchPlanned]:
    """Plan `waiting` in this order as early as possible, in slots behind `slot`."""
    planned: list[MatchPlanned] = []
    # greedy, slot by slot: who is busy now comes first in the next slot, because `later` keeps the
    # order
    while waiting:
        slot += 1
        busy: set[PlayerId] = set()
        table = 0
        later: list[SlotPairing] = []
        for match, group, players in waiting:
            # not a break: somebody further behind may still be free for this table
            if table == tables or not busy.isdisjoint(players):
                later.append((match, group, players))
                continue
            table += 1
            busy.update(players)
            a, b, *more = players
            planned.append(
                MatchPlanned(
                    match=match,
                    group=group,
                    a=a,
                    b=b,
                    more=more,
                    slot=slot,
                    table=table,
                    deck=deck_of(table, decks),
                )
            )
        waiting = later
    return planned


def deck_of(table: int, decks: Sequence[str]) -> str:
    """The deck that lies on a table (from 1); "" if the desk keeps no list."""
    return decks[(table - 1) % len(decks)] if decks else ""


def _interleaved(groups: Sequence[Group], legs: int) -> list[SlotPairing]:
    """The order in which the group matches should be played."""
    plans = [(group.id, rounds_of_legs(group.players, legs)) for group in groups]
    numbers = {group.id: 0 for group in groups}
    found: list[SlotPairing] = []
    # all groups play round 1 before any plays round 2
    for stage in range(max((len(circle) for _, circle in plans), default=0)):
        for group_id, circle in plans:
            for a, b in circle[stage] if stage < len(circle) else []:
                numbers[group_id] += 1
                found.append((f"{group_id}-{numbers[group_id]}", group_id, (a, b)))
    return found


def begin_of(text: str, now: datetime) -> str:
    """`10:00` of today, or `2026-11-28 10:00`, on the clock of this machine → UTC as an event
    holds it. Raises UserError.
    """
    # an organiser types what the clock on the wall shows; events hold UTC
    day = now.astimezone().date().isoformat()
    try:
        moment = datetime.fromisoformat(text if len(text) > len("10:00") else f"{day} {text:0>5}")
    except ValueError as error:
        raise UserError("no_time_of_day", text=text) from error
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def begin_text(begins: str) -> str:
    """The same back: `2026-11-28 10:00` on the clock of this machine; "" if nobody has said it."""
    moment = datetime.fromisoformat(begins).astimezone() if begins else None
    return moment.strftime("%Y-%m-%d %H:%M") if moment else ""


class HasSlot(Protocol):
    """A match with its slot."""

    slot: int


def estimate(
    planned: Sequence[HasSlot], ko_size: int, tables: int, slot_minutes: int = SLOT_MINUTES
) -> Estimate:
    """How long it takes with `tables` tables when every knock-out match may need its extension."""
    group_slots = max((match.slot for match in planned), default=0)
    ko_minutes = 0
    left = ko_size
    while left > 1:
        matches = left // 2
        if round_name(left) == FINAL:
            ko_minutes += slot_minutes + KO_EXTRA_MINUTES + FINAL_EXTRA_MINUTES
            # third place is played before the final, so that all can watch both
            ko_minutes += slot_minutes + KO_EXTRA_MINUTES if ko_size > 2 else 0
        else:
            # rounded up: a started slot is a whole one
            ko_minutes += -(-matches // tables) * (slot_minutes + KO_EXTRA_MINUTES)
        left //= 2
    return Estimate(group_slots, group_slots * slot_minutes, ko_minutes)


# -- who meets whom when, inside a group: Berger's circle ----------------------------------------


def rounds(players: Sequence[Paired]) -> list[list[tuple[Paired, Paired]]]:
    """All pairs of `players` in as few rounds as possible, nobody twice in one round.

    An odd number gives everyone one round of rest. One player stays, the others move round the
    circle.
    """
    circle: list[Paired | None] = list(players)
    if len(circle) % 2:
        circle.append(None)
    plan = []
    for number in range(len(circle) - 1):
        plan.append(_pairs(circle, number))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return plan


def rounds_of_legs(players: Sequence[Paired], legs: int) -> list[list[tuple[Paired, Paired]]]:
    """The rounds so often; who began in one leg does not in the next."""
    once = rounds(players)
    turned = [[(b, a) for a, b in stage] for stage in once]
    return [stage for leg in range(legs) for stage in (turned if leg % 2 else once)]


def _pairs(circle: Sequence[Paired | None], number: int) -> list[tuple[Paired, Paired]]:
    pairs: list[tuple[Paired, Paired]] = []
    for place in range(len(circle) // 2):
        first, second = circle[place], circle[-1 - place]
        if first is None or second is None:
            continue
        # the player who stays begins every second time, so that starts are fair
        swap = place == 0 and number % 2 == 1
        pairs.append((second, first) if swap else (first, second))
    return pairs
