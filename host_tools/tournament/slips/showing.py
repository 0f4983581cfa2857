"""A slip in words, and beside the journals of its match, for the jury."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from card_tags import kinds
from host_tools.store import Store
from host_tools.store.models import StoredMatch
from host_tools.tournament.slips.comparing import (
    CONTESTED,
    CONTRADICTS,
    claim_of,
    compare,
    journals_of,
)

_NOTHING = "–"
_NO_TABLE = "0"  # firmware/app/settings.py
_HEAD_DIGITS = 16


class _Column(NamedTuple):
    """What slip or journal says."""

    heading: str
    seats: list[str]
    reason: str
    head: str


def slip_lines(slip: kinds.Slip) -> list[str]:
    """What a slip says, the best seat first."""
    minutes, seconds = divmod(slip.duration_s, 60)
    table = _NOTHING if slip.table in ("", _NO_TABLE) else slip.table
    seats = sorted(slip.seats, key=lambda seat: seat.place)
    return [
        f"Match {slip.match_id}, box {slip.box_id}, table {table}",
        f"{slip.game}, {minutes}:{seconds:02} min, ended by {slip.reason}",
        *(_seat(seat.place, seat.name, seat.total, seat.points) for seat in seats),
    ]


def beside_journal(slip: dict[str, Any], store: Store) -> tuple[str, str]:
    """How slip (`slip_fields`) and journal compare; both side by side if people must look."""
    claim = claim_of(slip)
    journals = journals_of(claim, store)
    outcome = compare(claim, journals)
    return outcome, side_by_side(slip, journals) if outcome in (CONTRADICTS, CONTESTED) else ""


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
