"""The journal of the box: what was shown is on the flash first, and no power cut takes it back.

One file a match, append-only, one write and one sync a record; record format in `link_frames`.
The name of a file says how far it is: `m000012.run` (running), `.due` (its seal is still to come),
`.end` (finished), `.aside` (cannot be resumed, kept whole for the desk), `.ok` (confirmed by the
desk). Renaming is atomic, so there is no index that could be lost. What was shown last may be
ahead of its match for a moment (`write_ahead`); whoever reads or ends the match puts it in first.
Only `.ok` files are ever removed, oldest first, and never the newest file: its number is the box's
memory of the matches it has seen.
"""

import binascii
import json
from collections import namedtuple

from micropython import const

from .flash import hash_of
from .link_frames import (
    CHAIN_START,
    MAX_LINE,
    PART_BYTES,
    chain_after,
    is_part,
    read_record,
    write_bare_seal,
    write_record,
    write_seal,
)
from .slots import TwoFiles
from .write_ahead import WriteAhead

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NamedTuple

    from .flash import Files
    from .link_frames import Record

    class Entry(NamedTuple):
        """One match on the flash: its number, state (the end of its name), size in bytes."""

        number: int
        state: str
        size: int

    class Place(NamedTuple):
        """In the file of match `number`, born as `born`: behind byte `size`, which ends line
        `lines` - 1, record `seq` with its link."""

        number: int
        born: str
        size: int
        lines: int
        seq: int
        chain: bytes

    class Line(NamedTuple):
        """One line of a match file: its index, bytes without newline, record or None (damaged),
        offset of the byte behind it, and whether its newline is there."""

        at: int
        raw: bytes
        record: "Record | None"
        end: int
        whole: bool

else:
    Entry = namedtuple("Entry", ("number", "state", "size"))
    Place = namedtuple("Place", ("number", "born", "size", "lines", "seq", "chain"))
    Line = namedtuple("Line", ("at", "raw", "record", "end", "whole"))

RUNNING = "run"
DUE = "due"
FINISHED = "end"
CONFIRMED = "ok"
ASIDE = "aside"
_STATES = (RUNNING, DUE, FINISHED, ASIDE, CONFIRMED)

# Free before a match is opened; the longest transcript we know makes a file of about 60 kB.
RESERVE_BYTES = const(98304)
_CRC_AT = const(9)  # what a record's checksum covers begins behind it
_TAIL_BYTES = const(512)  # a seal record is shorter
_SLACK = const(16384)  # littlefs needs blocks of its own to write a record
_ENOSPC = const(28)
_SEAL = '{"seal"'


class JournalFull(OSError):
    """The flash is full and nothing may be removed: the desk must fetch the matches first."""


class NotConfirmed(Exception):
    """The desk confirmed something that the box does not have; the argument says what is wrong."""


class Journal:
    """`random_bytes(n)` is `os.urandom` on the box.

    `damaged` holds the indices of unreadable lines in the match resumed last; `born` is that of
    the match written or resumed last, `number` its own (0: none yet), `size` its bytes so far,
    `head` (32 bytes) the link that its seal names. `signs_later`: the box has a key, with which
    the seal is made behind the result (`signing`).
    """

    def __init__(self, flash: "Files", box: str, random_bytes: "Callable[[int], bytes]") -> None:
        self.flash = flash
        self.box = box
        self.damaged: "list[int]" = []
        self.born = ""
        self.head = b""
        self.signs_later = False
        self._any_due = True
        self._random_bytes = random_bytes
        self._file: "Any" = None
        self._ahead = WriteAhead(flash)
        self._tries = TwoFiles(flash, "tries")
        self._start(0)

    def _start(self, number: int) -> None:
        self._close_file()
        self.number = number
        self._state = RUNNING
        self.chain: bytes = CHAIN_START
        self._last_seq: int = -1
        self.lines_kept: int = 0
        self.size: int = 0
        self._newline_missing: bool = False
        self._torn: bool = False
        self._pending = b""  # of the record that is ahead: what its match lacks

    # -- writing --------------------------------------------------------------------------

    def open_match(self, header: str) -> int:
        """Start the file of a new match and return its number. `header` is a transcript header.

        Fields `box`, `match` and `born` (random, so that a wiped box never repeats a match) are
        added to it. A match left running is finished without a seal. Raises OSError, JournalFull.
        """
        if not self.make_room(RESERVE_BYTES):
            raise JournalFull(_ENOSPC)
        number = self._leave_running_matches() + 1
        self._start(number)
        self.damaged = []
        born = self.born = binascii.hexlify(self._random_bytes(4)).decode()
        text = '%s, "box": %s, "match": %d, "born": "%s"}'
        self._write([text % (header.rstrip()[:-1], json.dumps(self.box), number, born)])
        self._ahead.due = True  # before the first card is laid
        return number

    def append(self, command: str, answer: str) -> None:
        """Write a command and its answer (transcript lines) and sync. Show the answer only after
        this returns. Raises OSError, JournalFull: then nothing is recorded and nothing counts."""
        self._write([command + "\t" + answer])

    def append_ahead(self, command: str, answer: str) -> None:
        """As `append`, without its erase: the record is on the flash when this returns, and goes
        into the match with `settle`, which is to be called soon. Raises OSError, JournalFull.
        """
        self._must_settle()
        payload = command + "\t" + answer
        if not (self._torn or self._newline_missing):
            line, chain = write_record(self.chain, self._next_seq(), payload)
            if self._ahead.put(self.number, self.size, line):
                self._pending = line
                self._went_on(len(line), chain, 1)
                return
        self._write([payload])

    def settle(self) -> bool:
        """Put what is ahead of the match into its file. False if the flash is full: then it stays
        ahead, and nothing more can be appended. Then room is made for the next. Raises OSError.
        """
        done = self._write_pending()
        if done and self._ahead.due and self._file is not None:
            self._ahead.prepare()
        return done

    def _write_pending(self) -> bool:
        for _ in range(2):
            if not self._pending:
                break
            try:
                self._write_synced(self._pending)
                self._pending = b""
            except OSError as error:
                self._close_file()
                missing = self.size - self.flash.size(file_name(self.number, self._state))
                self._pending = self._pending[-missing:] if missing > 0 else b""
                if error.errno != _ENOSPC:
                    raise
                if not self.make_room(len(self._pending) + _SLACK):
                    return False
        return not self._pending

    def note(self, text: str) -> None:
        """Write what is neither command nor answer: boot, time of day, a remark of the arbiter."""
        self._write([json.dumps({"note": text})])

    def close(self, result: str) -> None:
        """Write the result line; the match is finished, and its seal is due. A box that has no key
        writes a seal that nobody signed, in the same write.
        """
        if self._torn:
            self._write([])
        _, link = write_record(self.chain, self._next_seq(), result)
        self.head = link
        if self.signs_later:
            self._write([result])
            self._rename(DUE)
            self._any_due = True
        else:
            self._write([result, write_bare_seal(self._next_seq() + 1, link)])
            self._rename(FINISHED)

    def _rename(self, state: str) -> None:
        self._close_file()
        self.flash.rename(file_name(self.number, self._state), file_name(self.number, state))
        self._state = state

    # -- the seal that follows ------------------------------------------------------------

    def is_due(self, may_open: bool) -> bool:
        """True if a match waits for its seal: the one that was closed last, or, if `may_open`
        because none is open, any. Looks at the flash only when it may be so.
        """
        return self._any_due and (may_open or self._state == DUE)

    def to_seal(self) -> "tuple[int, int, bytes] | None":
        """Number of a match that waits, number of its seal and the link in front of it. What a
        power cut has torn is noted first. None if no match waits. Raises OSError.
        """
        due = [entry for entry in self.entries() if entry.state == DUE]
        if not due:
            self._any_due = False
            return None
        entry = due[-1]
        if self.number != entry.number or self._state != DUE:
            last = self._last_record(entry)
            if last is not None and last.payload.startswith(_SEAL):
                # the power went between the seal and the renaming
                end = file_name(entry.number, FINISHED)
                self.flash.rename(file_name(entry.number, DUE), end)
                return None
            for _ in self.resume(entry.number):
                pass
            self._state = DUE
        if self._torn or self._newline_missing:
            self._write([])
        self.head = self.chain
        return self.number, self._next_seq(), self.chain

    def seal(self, number: int, count: int, name: bytes, signature: bytes) -> None:
        """Write the seal that `to_seal` asked for, and finish the match. If another one has been
        opened meanwhile, nothing: it is asked for again. Raises OSError.
        """
        if self.number == number and self._state == DUE and self._next_seq() == count:
            self._write([write_seal(count, self.head, name, signature)])
            self._rename(FINISHED)

    # -- reading --------------------------------------------------------------------------

    def entries(self) -> "list[Entry]":
        """All matches on the flash, oldest first."""
        found = []
        for name in self.flash.names():
            number, state = _number_and_state(name)
            if state:
                found.append(Entry(number, state, self.flash.size(name)))
        return found

    def unfinished(self) -> "int | None":
        """The number of the match that was running when the power went, or None. For the boot."""
        for entry in reversed(self.entries()):
            if entry.state == RUNNING and self._settle(entry):
                return entry.number
        return None

    def running(self) -> int:
        """The number of the match that has the name of a running one, or 0. Reads no file."""
        numbers = [entry.number for entry in self.entries() if entry.state == RUNNING]
        return numbers[-1] if numbers else 0

    def tries(self, number: int) -> int:
        """How many boots in a row have begun to resume this match and did not come through."""
        words = (self._tries.load() or "").split(" ")
        if len(words) == 2 and words[0] == str(number) and words[1].isdigit():
            return int(words[1])
        return 0

    def keep_tries(self, number: int, count: int) -> None:
        """Remember that; written before a try, so that no end of the try can lose it."""
        self._tries.store("%d %d" % (number, count))

    def set_aside(self, number: int) -> None:
        """A match that cannot be resumed stays on the flash, whole, until a desk has it. Raises
        OSError: then it is as it was.
        """
        self._close_file()
        self._bring_home(number)
        self.flash.rename(file_name(number, RUNNING), file_name(number, ASIDE))

    def place(self) -> "Place | None":
        """The end of the match's file; None while something is ahead of it, or damaged in it."""
        if self._pending or self._torn or self._newline_missing or self.damaged:
            return None
        last = self._last_seq
        return Place(self.number, self.born, self.size, self.lines_kept, last, self.chain)

    def open_match_file(self, number: int) -> "Any":
        """The file of a match, to read. OSError if there is no such match."""
        return self.flash.open(self._find(number), "rb")

    def resume(self, number: int, place: "Place | None" = None) -> "Iterator[tuple[str, str]]":
        """Yield (header, "") and then every (command, answer); afterwards `append` goes on there.
        From a `place` on: what is behind it.

        Run it to its end. A torn last line is left out (its verdict was never shown); lines that
        cannot be read, or break the chain, are left out and named in `damaged`.
        """
        self._start(number)
        self.damaged = []
        if place is not None:
            self.born, self.size = place.born, place.size
            self.lines_kept, self._last_seq, self.chain = place.lines, place.seq, place.chain
        begins, raw = 0, b""  # the last line
        for line in self.lines(number, self.lines_kept, self.size):
            begins, self.size, raw = self.size, line.end, line.raw
            if line.record is None and is_part(line.raw):
                continue
            at = self.lines_kept
            self.lines_kept += 1
            if line.record is None:
                self._note_bad_line(line, at)
                continue
            self._newline_missing = not line.whole
            if not self._follows(line.record):
                self.damaged.append(at)
            self.chain = line.record.chain
            self._last_seq = line.record.seq
            parts = line.record.payload.split("\t")
            if at == 0:
                self.born = str(json.loads(parts[0]).get("born", ""))
            if at == 0 or len(parts) == 2:
                yield parts[0], parts[-1] if len(parts) == 2 else ""
        record = self._take_ahead(number, begins, raw)
        if record is not None:
            command, _, answer = record.payload.partition("\t")
            yield command, answer

    def lines(self, number: int, first: int = 0, offset: int = 0) -> "Iterator[Line]":
        """The lines of a match, damaged ones included, from line `first` at byte `offset` on.

        An offset of 0 means: look for the line from the start. A line over 1024 bytes that is no
        record comes in pieces (`is_part`), each with an index of its own: damage must not fill the
        heap. OSError if there is no such match.
        """
        self._write_pending()
        file = self.open_match_file(number)
        try:
            file.seek(offset)
            index = first if offset else 0
            part = False
            while True:
                raw = _next_line(file, offset)
                if not raw and not part:
                    return
                offset += len(raw)
                whole = raw[-1:] == b"\n"
                text = raw[:-1] if whole else raw
                part = is_part(text)
                if index >= first:
                    yield Line(index, text, read_record(text), offset, whole)
                index += 1
        finally:
            file.close()

    # -- the desk -------------------------------------------------------------------------

    def confirm(self, number: int, digest: str) -> None:
        """The desk has stored the match, finished or set aside, whose file has this SHA-256 (hex).

        Repeatable. Raises NotConfirmed if the match is running, unknown, or has other bytes.
        """
        for entry in self.entries():
            if entry.number == number and entry.state not in (RUNNING, DUE):
                if self.digest(number) != digest:
                    raise NotConfirmed("other_bytes")
                if entry.state != CONFIRMED:
                    self.flash.rename(file_name(number, entry.state), file_name(number, CONFIRMED))
                return
        raise NotConfirmed("no_finished_match")

    def digest(self, number: int) -> str:
        """SHA-256 (hex) of the bytes of a match file."""
        return self.digest_of(self._find(number))

    def digest_of(self, name: str) -> str:
        """The same of a file."""
        return hash_of(self.flash.open(name, "rb"))

    def make_room(self, bytes_needed: int) -> bool:
        """Remove confirmed matches, oldest first, until so many bytes are free; False if not."""
        entries = self.entries()
        for entry in entries[:-1]:
            if self.flash.free_bytes() >= bytes_needed:
                return True
            if entry.state == CONFIRMED:
                self.flash.remove(file_name(entry.number, CONFIRMED))
        return self.flash.free_bytes() >= bytes_needed

    # -- inside ---------------------------------------------------------------------------

    def _next_seq(self) -> int:
        # Lines and numbers run apart only after damage has joined two lines.
        return max(self._last_seq + 1, self.lines_kept)

    def _take_ahead(self, number: int, begins: int, torn: bytes) -> "Record | None":
        """The record that is ahead of the match, if the file ends before it or in its middle."""
        size, line = self._ahead.get(number)
        if size != (begins if self._torn else self.size) or self._newline_missing:
            return None
        if self._torn and not line.startswith(torn):
            return None
        record = read_record(line[:-1])
        at = self.lines_kept - 1 if self._torn else self.lines_kept
        if record is None or record.seq != max(self._last_seq + 1, at):
            return None
        if not self._follows(record):
            return None
        self._pending = line[self.size - size :]
        self._torn = False
        self.lines_kept = at
        self._went_on(len(self._pending), record.chain, 1)
        return record

    def _must_settle(self) -> None:
        if not self._write_pending():
            raise JournalFull(_ENOSPC)

    def _went_on(self, size: int, chain: bytes, records: int) -> None:
        """So many bytes and records more; `chain` is the link of the last."""
        self._last_seq = self._next_seq() + records - 1
        self.size += size
        self.chain = chain
        self.lines_kept += records

    def _write(self, payloads: "list[str]") -> None:
        self._must_settle()
        if self._torn:
            # The desk looks for this very text; a dict has no order on MicroPython.
            payloads = ['{"note": "torn", "line": %d}' % (self.lines_kept - 1)] + payloads
        data = b"\n" if self._torn or self._newline_missing else b""
        chain = self.chain
        seq = self._next_seq()
        for payload in payloads:
            line, chain = write_record(chain, seq, payload)
            data += line
            seq += 1
        self._put(data)
        self._went_on(len(data), chain, len(payloads))
        self._newline_missing = False
        self._torn = False

    def _put(self, data: bytes) -> None:
        """One write and one sync; when the flash is full, once more after making room."""
        if self._fits(data):
            return
        if self._torn or not self.make_room(len(data) + _SLACK) or not self._fits(data):
            raise JournalFull(_ENOSPC)

    def _fits(self, data: bytes) -> bool:
        try:
            self._write_synced(data)
        except OSError as error:
            self._drop_failed_write()
            if error.errno != _ENOSPC:
                raise
            return False
        return True

    def _write_synced(self, data: bytes) -> None:
        if self._file is None:
            self._file = self.flash.open(file_name(self.number, self._state), "ab")
        self._file.write(data)
        self.flash.sync(self._file)

    def _drop_failed_write(self) -> None:
        """Close the file; bytes of the failed write that reached the flash become a torn line."""
        self._close_file()
        name = file_name(self.number, self._state)
        if name in self.flash.names() and self.flash.size(name) > self.size:
            self.size = self.flash.size(name)
            self.lines_kept += 1
            self._torn = True

    def _close_file(self) -> None:
        self._ahead.close()
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError:
                pass  # what could not be written was reported when it was written

    def _note_bad_line(self, line: "Line", at: int) -> None:
        """A last line without newline was torn, unless only its last byte is wrong."""
        if line.whole or read_record(line.raw[:-1]) is not None:
            self.damaged.append(at)
            self._newline_missing = not line.whole
        else:
            self._torn = True

    def _follows(self, record: "Record") -> bool:
        raw = record.payload.encode()
        return chain_after(self.chain, record.seq, raw) == record.chain

    def _settle(self, entry: "Entry") -> bool:
        """True if this match has something to resume; else put its file where it belongs."""
        if entry.size == 0 or not self._has_whole_line(entry.number):
            # its header was never acknowledged
            self.flash.remove(file_name(entry.number, RUNNING))
            return False
        last = self._last_record(entry)
        if last is None or not last.payload.startswith(_SEAL):
            return True
        # The power went between the seal and the renaming.
        self.flash.rename(file_name(entry.number, RUNNING), file_name(entry.number, FINISHED))
        return False

    def _has_whole_line(self, number: int) -> bool:
        for line in self.lines(number):
            if line.record is not None or not is_part(line.raw):
                return line.whole or line.record is not None
        return False

    def _last_record(self, entry: "Entry") -> "Record | None":
        file = self.flash.open(file_name(entry.number, entry.state), "rb")
        try:
            file.seek(max(0, entry.size - _TAIL_BYTES))
            return read_record(file.read(_TAIL_BYTES).rstrip(b"\n").split(b"\n")[-1])
        finally:
            file.close()

    def _leave_running_matches(self) -> int:
        """Finish what still runs, without a seal; return the highest number used so far."""
        self._close_file()
        number = 0
        for entry in self.entries():
            number = entry.number
            if entry.state == RUNNING and self._settle(entry):
                self._bring_home(number)
                self.flash.rename(file_name(number, RUNNING), file_name(number, FINISHED))
        return number

    def _bring_home(self, number: int) -> None:
        """What is ahead of a match that was not resumed goes into its file."""
        size, line = self._ahead.get(number)
        name = file_name(number, RUNNING)
        if not line or not size <= self.flash.size(name) < size + len(line):
            return
        file = self.flash.open(name, "rb")
        file.seek(size)
        there = bytes(file.read())
        file.close()
        if line.startswith(there):
            file = self.flash.open(name, "ab")
            try:
                file.write(line[len(there) :])
                self.flash.sync(file)
            finally:
                file.close()

    def _find(self, number: int) -> str:
        for entry in self.entries():
            if entry.number == number:
                return file_name(number, entry.state)
        raise OSError(2)  # ENOENT, as the file system would say


def _next_line(file: "Any", offset: int) -> bytes:
    """The line at `offset`, where `file` stands, if it is short or a record; else its beginning.

    MicroPython's `readline(limit)` takes the whole limit from the heap for every line, and without
    one a file that lost its newlines would take everything: so a long line is checked in passing,
    and fetched only if it is a record.
    """
    first = file.readline(PART_BYTES)
    if len(first) < PART_BYTES or first[-1:] == b"\n":
        return bytes(first)
    size = len(first)
    crc = binascii.crc32(first[_CRC_AT:])
    piece = first
    while size <= MAX_LINE and piece[-1:] != b"\n":
        piece = file.readline(PART_BYTES)
        if not piece:
            break
        size += len(piece)
        crc = binascii.crc32(piece[:-1] if piece[-1:] == b"\n" else piece, crc)
    if first[:_CRC_AT] != b"%08x " % crc:
        size = PART_BYTES
    file.seek(offset)
    return bytes(file.read(size))


def file_name(number: int, state: str) -> str:
    """The name of a match's file, which is also its state."""
    return "m%06d.%s" % (number, state)


def _number_and_state(name: str) -> "tuple[int, str]":
    """Number and state in a file name; (0, "" for a file that is no match)."""
    if len(name) < 9 or name[0] != "m" or name[7] != "." or not name[1:7].isdigit():
        return 0, ""
    state = name[8:]
    return int(name[1:7]), state if state in _STATES else ""
