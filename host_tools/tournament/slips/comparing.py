"""A slip in words, and beside the journals of the same match: do both tell the same?"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from card_tags import kinds
from host_tools.core.errors import Sentence
from host_tools.core.texts import RESULTS
from host_tools.store import Store
from host_tools.store.journal import verdict
from host_tools.store.models import StoredMatch
from host_tools.tournament.incoming import SLIP_NAME

AGREES = "agrees"
CONTRADICTS = "contradicts"
CONTESTED = "contested"
NOT_YET = "not_yet"

SENTENCES = {key: Sentence(f"beside_{key}") for key in (AGREES, CONTRADICTS, CONTESTED, NOT_YET)}

_NOTHING = "–"
_NO_TABLE = "0"  # firmware/app/settings.py
_HEAD_DIGITS = 16


def beside_journal(slip: dict[str, Any], store: Store) -> tuple[str, str]:
    """How slip (`slip_fields`) and journal compare; both side by side if people must look."""
    journals = journals_of(slip, store)
    outcome = compare(slip, journals)
    return outcome, side_by_side(slip, journals) if outcome in (CONTRADICTS, CONTESTED) else ""


def journals_of(slip: dict[str, Any], store: Store) -> list[StoredMatch]:
    """The stored journals of the slip's match; more than one if boxes or people tell otherwise."""
    return [match for match in store.matches(slip["box"]) if _name_of(match) == slip["match"]]


def compare(slip: dict[str, Any], journals: Sequence[StoredMatch]) -> str:
    """AGREES, CONTRADICTS, CONTESTED, or NOT_YET without a journal (`journals_of`).

    A contested journal proves nothing, neither for the slip nor against it.
    """
    if not journals:
        return NOT_YET
    sound = [match for match in journals if match.state != verdict.CONTESTED]
    if not sound:
        return CONTESTED
    return AGREES if any(_agrees(slip, match) for match in sound) else CONTRADICTS


def _name_of(match: StoredMatch) -> str:
    """As the box writes it on a slip (firmware/app/slip.py)."""
    return f"{match.number}-{match.born}"


def _agrees(slip: dict[str, Any], match: StoredMatch) -> bool:
    claimed = [(s["name"], s["count"], s["points"], s["place"]) for s in slip["seats"]]
    seats = [(s.name[:SLIP_NAME], s.count, s.points, s.place) for s in match.seats]
    return match.sealed_head == slip["head"] and seats == claimed


# -- for people -----------------------------------------------------------------------------------


class _Column(NamedTuple):
    """What slip or journal says."""

    heading: str
    seats: list[str]
    reason: str
    head: str


def slip_lines(slip: kinds.Slip, game: str, lang: str) -> list[str]:
    """What a slip says, the best seat first. `game`: as people call it."""
    minutes, seconds = divmod(slip.duration_s, 60)
    table = _NOTHING if slip.table in ("", _NO_TABLE) else slip.table
    seats = sorted(slip.seats, key=lambda seat: seat.place)
    words = RESULTS[lang]
    reason = words.get(f"reason_{slip.reason}", slip.reason)
    return [
        f"{words['match']} {slip.match_id}, {words['box']} {slip.box_id}, "
        f"{words['table']} {table}",
        f"{game}, {minutes}:{seconds:02} min, {words['ended']}: {reason}",
        *(_seat(seat.place, seat.name, seat.total, seat.points) for seat in seats),
    ]


def side_by_side(slip: dict[str, Any], journals: Sequence[StoredMatch]) -> str:
    """A table, and below it why a journal is not trusted. `slip` as `slip_fields` makes it."""
    columns = [_of_slip(slip), *map(_of_journal, journals)]
    rows = [
        ("", *(column.heading for column in columns)),
        *(
            (f"seat {number}", *seats)
            for number, seats in enumerate(
                zip_longest(*(column.seats for column in columns), fillvalue=_NOTHING), 1
            )
        ),
        ("ended by", *(column.reason for column in columns)),
        ("last record", *(column.head[:_HEAD_DIGITS] for column in columns)),
    ]
    why = [f"journal {match.id}: {match.reason}" for match in journals if match.reason]
    return "\n".join([*_aligned(rows), *why])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _of_slip(slip: dict[str, Any]) -> _Column:
    seats = [_seat(s["place"], s["name"], s["count"], s["points"]) for s in slip["seats"]]
    return _Column("slip", seats, slip["reason"], slip["head"])


def _of_journal(match: StoredMatch) -> _Column:
    """A contested journal has no seats: its result may be of any shape."""
    reason = str((match.result or {}).get("reason", _NOTHING)) if match.seats else _NOTHING
    head = match.sealed_head or "not sealed"
    seats = [_seat(s.place, s.name, s.count, s.points) for s in match.seats]
    return _Column(f"journal {match.id}, {match.state}", seats, reason, head)


def _seat(place: int | None, name: str, count: int, points: int | None) -> str:
    scored = "" if points is None else f", {points} points"
    return f"{place or _NOTHING}. {name or _NOTHING}: {count}{scored}"
