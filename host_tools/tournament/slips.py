"""Result slips at the desk: a tag with the signed result, carried like a paper slip."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from card_tags import codec, errors, kinds
from card_tags.slip import HEAD_BYTES, signed_payload
from host_tools.cards.public_keys import EnrolledKey, verify
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.own_files import append_line, read_text, written_below
from host_tools.core.texts import RESULTS
from host_tools.store.journal import verdict
from host_tools.store.showing import reason_text
from host_tools.tournament.incoming import SLIP_NAME

if TYPE_CHECKING:
    from host_tools.store.models import StoredMatch
    from host_tools.store.store import Store

Built = TypeVar("Built")


# -- the book: a file with one JSON object a line -------------------------------------------------


class SlipBook:
    """Lines are appended and synced. `entries`: all of them, as `slip_fields`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._heads: dict[tuple[str, str], bytes] = {}
        self.entries: list[dict[str, Any]] = []
        if path.exists():
            read_book(path, self._take)

    def head_of(self, box_id: str, match_id: str) -> bytes | None:
        """The journal head booked for this match, None if there is no result of it yet."""
        return self._heads.get((box_id, match_id))

    def book(self, slip: kinds.Slip, uid: bytes) -> None:
        """Keep the result. Raises UserError if the disk refuses."""
        entry = slip_fields(slip, uid)
        with written_below(self._path):
            append_line(self._path, entry)
        self._take(entry)

    def _take(self, entry: dict[str, Any]) -> None:
        # by box too: every box counts its matches from 1
        self._heads[entry["box"], entry["match"]] = bytes.fromhex(entry["head"])
        self.entries.append(entry)


def read_book(path: Path, read: Callable[[dict[str, Any]], Built]) -> list[Built]:
    """What `read` makes of each slip of a book. Raises UserError naming the line that is none."""
    made = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            made.append(read(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            no_slip = Sentence("fault_no_slip")
            raise UserError("line_fault", path=path, line=number, detail=no_slip) from error
    return made


def slip_fields(slip: kinds.Slip, uid: bytes) -> dict[str, Any]:
    """A slip as JSON fields, for books and for `schiri slip --json`."""
    return {
        "match": slip.match_id,
        "box": slip.box_id,
        "game": slip.game,
        "table": slip.table,
        "reason": slip.reason,
        "duration_s": slip.duration_s,
        "head": slip.head.hex(),
        "seats": [
            {"name": seat.name, "count": seat.total, "points": seat.points, "place": seat.place}
            for seat in slip.seats
        ],
        "uid": uid.hex(),
        "read": datetime.now(UTC).isoformat(timespec="seconds"),
    }


# -- is this slip what a box of ours wrote on this very tag, and is it new? -----------------------


NOT_A_SLIP = "not_a_slip"
REPLAYED = "replayed"
CONTRADICTS = "contradicts"
IMPOSSIBLE = "impossible"
JOURNAL_DIFFERS = "journal_differs"
UNKNOWN_BOX = "unknown_box"
REVOKED = "revoked"


class SlipRefused(UserError):
    """A slip that must not be booked. `reason`: of card_tags/errors.py or of this module."""

    exit_code = Exit.CHECK

    def __init__(self, reason: str) -> None:
        super().__init__(f"slip_{reason}")
        self.reason = reason


def check_slip(
    data: bytes, uid: bytes, book: SlipBook, enrolled: Sequence[EnrolledKey] = ()
) -> kinds.Slip:
    """The slip in this user memory, if it may be booked. Raises SlipRefused with the reason.

    `data`: user memory from page 4 of the tag `uid`; `enrolled`: the keys of the boxes.
    """
    try:
        tag = codec.decode(data)
    except errors.TagError as error:
        raise SlipRefused(error.reason) from error
    if tag.kind != kinds.SLIP:
        raise SlipRefused(NOT_A_SLIP)
    # the UID is part of what is signed: a copy on another tag does not hold
    slip = _signed(tag, uid, enrolled)
    if not _is_possible(slip):
        raise SlipRefused(IMPOSSIBLE)
    booked = book.head_of(slip.box_id, slip.match_id)
    if booked is not None:
        raise SlipRefused(REPLAYED if same_head(booked, slip.head) else CONTRADICTS)
    return slip


def signer_of(tag: kinds.Tag, uid: bytes, enrolled: Sequence[EnrolledKey]) -> EnrolledKey:
    """The key that has signed a slip. Raises SlipRefused."""
    # the tag has room for one byte of the key's id, so several may be meant
    named = [key for key in enrolled if key.box and bytes.fromhex(key.id)[0] == tag.key_id]
    payload = signed_payload(uid, tag.covered)
    signer = next((key for key in named if verify(key.public, "slip", payload, tag.check)), None)
    if signer is None:
        raise SlipRefused(errors.BAD_SEAL if named else UNKNOWN_BOX)
    return signer


def _signed(tag: kinds.Tag, uid: bytes, enrolled: Sequence[EnrolledKey]) -> kinds.Slip:
    """A slip with the box whose key has signed it. Raises SlipRefused."""
    signer = signer_of(tag, uid, enrolled)
    # whenever it was written: a slip carries no time that could be trusted
    if signer.revoked is not None:
        raise SlipRefused(REVOKED)
    slip: Any = tag.content
    return slip._replace(box_id=signer.box)  # type: ignore[no-any-return]


def same_head(left: bytes, right: bytes) -> bool:
    """True for one link of a journal, of which a signed slip has the first half."""
    shorter = min(len(left), len(right))
    # an empty head would be the beginning of every other
    return shorter >= HEAD_BYTES and left[:shorter] == right[:shorter]


def _is_possible(slip: kinds.Slip) -> bool:
    """Places are those of a ranking: 1, then as many further on as share the place."""
    places = sorted(seat.place for seat in slip.seats)
    return all(place == 1 + places.index(place) for place in places)


# -- beside the journals of the same match: do both tell the same? --------------------------------


AGREES = "agrees"
CONTESTED = "contested"
NOT_YET = "not_yet"

SENTENCES = {key: Sentence(f"beside_{key}") for key in (AGREES, CONTRADICTS, CONTESTED, NOT_YET)}

_NOTHING = "–"
_NO_TABLE = "0"  # firmware/app/settings.py
_HEAD_DIGITS = 16  # enough to compare by eye, and both fit beside each other


def beside_journal(slip: dict[str, Any], store: "Store", lang: str) -> tuple[str, str]:
    """How slip (`slip_fields`) and journal compare; both side by side if people must look."""
    journals = journals_of(slip, store)
    outcome = compare(slip, journals)
    looked_at = outcome in (CONTRADICTS, CONTESTED)
    return outcome, side_by_side(slip, journals, lang) if looked_at else ""


def journals_of(slip: dict[str, Any], store: "Store") -> "list[StoredMatch]":
    """The stored journals of the slip's match; more than one if boxes or people tell otherwise."""
    return [match for match in store.matches(slip["box"]) if _name_of(match) == slip["match"]]


def compare(slip: dict[str, Any], journals: "Sequence[StoredMatch]") -> str:
    """AGREES, CONTRADICTS, CONTESTED, or NOT_YET without a journal (`journals_of`).

    A contested journal proves nothing, neither for the slip nor against it.
    """
    if not journals:
        return NOT_YET
    sound = [match for match in journals if match.state != verdict.CONTESTED]
    if not sound:
        return CONTESTED
    return AGREES if any(_agrees(slip, match) for match in sound) else CONTRADICTS


def _name_of(match: "StoredMatch") -> str:
    """As the box writes it on a slip (firmware/app/slip.py)."""
    return f"{match.number}-{match.born}"


def _agrees(slip: dict[str, Any], match: "StoredMatch") -> bool:
    claimed = [(s["name"], s["count"], s["points"], s["place"]) for s in slip["seats"]]
    # as the slip had room for them
    seats = [(s.name[:SLIP_NAME], s.count, s.points, s.place) for s in match.seats]
    head = bytes.fromhex(match.sealed_head or "")
    return same_head(head, bytes.fromhex(slip["head"])) and seats == claimed


# -- for people -----------------------------------------------------------------------------------


_ComparedColumn = tuple[str, list[str], str, str]
"""What slip or journal says: heading, seats, reason of the end, last record."""


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


def side_by_side(slip: dict[str, Any], journals: "Sequence[StoredMatch]", lang: str) -> str:
    """A table, and below it why a journal is not trusted. `slip` as `slip_fields` makes it."""
    words = RESULTS[lang]
    columns = [_of_slip(slip, lang), *(_of_journal(match, lang) for match in journals)]
    headings, seats, reasons, heads = zip(*columns, strict=True)
    lines = enumerate(zip_longest(*seats, fillvalue=_NOTHING), 1)
    rows = [
        ("", *headings),
        *((f"{words['seat']} {number}", *line) for number, line in lines),
        (words["ended"], *reasons),
        (words["last_record"], *(head[:_HEAD_DIGITS] for head in heads)),
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
    return RESULTS[lang]["a_slip"], seats, _ended(slip["reason"], lang), slip["head"]


def _of_journal(match: "StoredMatch", lang: str) -> _ComparedColumn:
    """A contested journal has no seats: its result may be of any shape."""
    words = RESULTS[lang]
    reason = str((match.result or {}).get("reason", _NOTHING)) if match.seats else _NOTHING
    head = match.sealed_head or words["not_sealed"]
    seats = [_seat(s.place, s.name, s.count, s.points, lang) for s in match.seats]
    heading = f"{_journal(match, lang)}, {words[match.state]}"
    return heading, seats, _ended(reason, lang), head


def _journal(match: "StoredMatch", lang: str) -> str:
    return RESULTS[lang]["a_journal"].format(id=match.id)


def _ended(reason: str, lang: str) -> str:
    return RESULTS[lang].get(f"reason_{reason}", reason)


def _seat(place: int | None, name: str, count: int, points: int | None, lang: str) -> str:
    words = RESULTS[lang]
    scored = "" if points is None else ", " + words["with_points"].format(points=points)
    return f"{place or _NOTHING}. {name or _NOTHING}: {count}{scored}"
