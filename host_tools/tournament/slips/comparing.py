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
from host_tools.store.showing import reason_text
from host_tools.tournament.incoming import SLIP_NAME
from host_tools.tournament.slips.checking import same_head

AGREES = "agrees"
CONTRADICTS = "contradicts"
CONTESTED = "contested"
NOT_YET = "not_yet"

SENTENCES = {key: Sentence(f"beside_{key}") for key in (AGREES, CONTRADICTS, CONTESTED, NOT_YET)}

_NOTHING = "–"
_NO_TABLE = "0"  # firmware/app/settings.py
_HEAD_DIGITS = 16  # enough to compare by eye, and both fit beside each other


def beside_journal(slip: dict[str, Any], store: Store, lang: str) -> tuple[str, str]:
    """How slip (`slip_fields`) and journal compare; both side by side if people must look."""
    journals = journals_of(slip, store)
    outcome = compare(slip, journals)
    looked_at = outcome in (CONTRADICTS, CONTESTED)
    return outcome, side_by_side(slip, journals, lang) if looked_at else ""


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
    head = bytes.fromhex(match.sealed_head or "")
    return same_head(head, bytes.fromhex(slip["head"])) and seats == claimed


# -- for people -----------------------------------------------------------------------------------


class _ComparedColumn(NamedTuple):
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
    return [
        f"{words['match']} {slip.match_id}, {words['box']} {slip.box_id}, "
        f"{words['table']} {table}",
        f"{game}, {minutes}:{seconds:02} min, {words['ended']}: {_ended(slip.reason, lang)}",
        *(_seat(seat.place, seat.name, seat.total, seat.points, lang) for seat in seats),
    ]


def side_by_side(slip: dict[str, Any], journals: Sequence[StoredMatch], lang: str) -> str:
    """A table, and below it why a journal is not trusted. `slip` as `slip_fields` makes it."""
    words = RESULTS[lang]
    columns = [_of_slip(slip, lang), *(_of_journal(match, lang) for match in journals)]
    rows = [
        ("", *(column.heading for column in columns)),
        *(
            (f"{words['seat']} {number}", *seats)
            for number, seats in enumerate(
                zip_longest(*(column.seats for column in columns), fillvalue=_NOTHING), 1
            )
        ),
        (words["ended"], *(column.reason for column in columns)),
        (words["last_record"], *(column.head[:_HEAD_DIGITS] for column in columns)),
    ]
    why = [
        f"{_journal(match, lang)}: {reason_text(match.reason, lang)}"
        for match in journals
        if match.reason
    ]
    return "\n".join([*_aligned(rows), *why])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _of_slip(slip: dict[str, Any], lang: str) -> _ComparedColumn:
    seats = [_seat(s["place"], s["name"], s["count"], s["points"], lang) for s in slip["seats"]]
    return _ComparedColumn(
        RESULTS[lang]["a_slip"], seats, _ended(slip["reason"], lang), slip["head"]
    )


def _of_journal(match: StoredMatch, lang: str) -> _ComparedColumn:
    """A contested journal has no seats: its result may be of any shape."""
    words = RESULTS[lang]
    reason = str((match.result or {}).get("reason", _NOTHING)) if match.seats else _NOTHING
    head = match.sealed_head or words["not_sealed"]
    seats = [_seat(s.place, s.name, s.count, s.points, lang) for s in match.seats]
    heading = f"{_journal(match, lang)}, {words[match.state]}"
    return _ComparedColumn(heading, seats, _ended(reason, lang), head)


def _journal(match: StoredMatch, lang: str) -> str:
    return RESULTS[lang]["a_journal"].format(id=match.id)


def _ended(reason: str, lang: str) -> str:
    return RESULTS[lang].get(f"reason_{reason}", reason)


def _seat(place: int | None, name: str, count: int, points: int | None, lang: str) -> str:
    words = RESULTS[lang]
    scored = "" if points is None else ", " + words["with_points"].format(points=points)
    return f"{place or _NOTHING}. {name or _NOTHING}: {count}{scored}"
