"""How a match stood after some of its commands, so that a resume replays only the rest.

The journal alone says what was played. A checkpoint is used only where the file of its match has,
up to its place, the very bytes it had then, with the chain's link at its end and an answer that
what was restored would give; and only by the firmware that wrote it. Otherwise the match is
replayed from its beginning, as without one (docs/decisions/journal.md).

One file, for the match that runs: a line of JSON, then buffers, then the CRC-32 of all that. It
takes the place of the one before in one step (littlefs: when it is closed).
"""

import binascii
import json

from micropython import const

from .link_frames import read_record

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.rules.match import Match

    from .journal import Journal, Place

_NAME = "checkpoint"
_PIECE = const(512)
_CRC_BYTES = const(8)
_TAIL_BYTES = const(2048)  # the last record is shorter, or there is no checkpoint


def write(journal: "Journal", match: "Match", build: str) -> None:
    """Keep how the match stands. Nothing is kept of a game that cannot say it, nor of a file that
    is damaged. Raises OSError.
    """
    numbers = match.numbers()
    place = journal.place()
    if numbers is None or place is None:
        return
    parts = match.parts()
    sizes = [len(part) for part in parts]
    crc = _crc_of(journal, place.number, place.size)
    chain = binascii.hexlify(place.chain).decode()
    named = [place.number, place.born, place.size, place.lines, place.seq, chain]
    head = json.dumps([build, named, crc, numbers, sizes]).encode() + b"\n"
    file = journal.flash.open(_NAME, "wb")
    try:
        file.write(head)
        crc = binascii.crc32(head)
        for part in parts:
            file.write(part)
            crc = binascii.crc32(part, crc)
        file.write(b"%08x" % crc)
        journal.flash.sync(file)
    finally:
        file.close()


def read(journal: "Journal", number: int, build: str) -> "tuple[Place, Any, Any, str] | None":
    """Place in the file of match `number`, what `Match.load` takes, and the last answer before it;
    None if there is no checkpoint that counts.
    """
    try:
        kept = _read(journal, build)
        if kept is None or kept[0].number != number:
            return None
        place = kept[0]
        if kept[1] != _crc_of(journal, number, place.size):
            return None
        answer = _answer_before(journal, place)
    except (OSError, ValueError, TypeError, LookupError):
        return None  # torn, or not ours: the journal has all of it
    return None if answer is None else (place, kept[2], kept[3], answer)


def _read(journal: "Journal", build: str) -> "tuple[Place, int, Any, Any] | None":
    from .journal import Place

    file = journal.flash.open(_NAME, "rb")
    try:
        head = file.readline()
        by, named, crc, numbers, sizes = json.loads(head)
        if by != build:
            return None
        parts = [bytearray(file.read(size)) for size in sizes]
        sum_of_all = file.read(_CRC_BYTES + 1)
    finally:
        file.close()
    found = binascii.crc32(head)
    for part in parts:
        found = binascii.crc32(part, found)
    if sum_of_all != b"%08x" % found:
        return None
    number, born, size, lines, seq, chain = named
    return Place(number, born, size, lines, seq, binascii.unhexlify(chain)), crc, numbers, parts


def _answer_before(journal: "Journal", place: "Place") -> "str | None":
    """The answer in the record that ends at the place, if its link is the one that was noted."""
    file = journal.open_match_file(place.number)
    try:
        start = max(0, place.size - _TAIL_BYTES)
        file.seek(start)
        line = file.read(place.size - start).rstrip(b"\n").split(b"\n")[-1]
    finally:
        file.close()
    record = read_record(line)
    if record is None or record.chain != place.chain or record.seq != place.seq:
        return None
    return record.payload.partition("\t")[2] or None


def _crc_of(journal: "Journal", number: int, size: int) -> int:
    """The CRC-32 of the first bytes of a match's file; -1 if it has fewer."""
    file = journal.open_match_file(number)
    crc = 0
    try:
        while size > 0:
            piece = file.read(min(_PIECE, size))
            if not piece:
                return -1
            crc = binascii.crc32(piece, crc)
            size -= len(piece)
    finally:
        file.close()
    return crc
