"""A journal file as the desk reads it: records, damage, chain, seal. No verdict yet."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from firmware.app.link_frames import CHAIN_START, Record, chain_after, read_record
from host_tools.store.said import Unfit, read_parts

MATCH_NUMBERS = 1_000_000  # a box counts with six digits
LONGEST_S = 1 << 31  # what a database keeps as a whole number


@dataclass(frozen=True)
class LineFault:
    """Something wrong at `line` (from 1). `kind`: damaged, chain, sequence, torn, form.

    `torn` is no accusation: a line cut off by a power cut, whose verdict was never shown.
    """

    line: int
    kind: str
    text: str


@dataclass(frozen=True)
class Seal:
    """The last record: its own number `count`, the link before it, and the signature `sig` of the
    box's key `id`; both None from a box that had no key.
    """

    count: int
    head: str
    id: str | None = None
    sig: str | None = None


@dataclass
class JournalFile:
    """What a journal file says. `steps` are (line, command, answer); all JSON already read."""

    raw: bytes
    header: dict[str, Any] | None = None
    steps: list[tuple[int, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    seal: Seal | None = None
    head: str = ""  # link of the last record, hex
    head_before: str = ""  # and of the record in front of it, which a seal must name
    records: int = 0
    last_seq: int = -1  # number of the last record; a torn line has used up one
    faults: list[LineFault] = field(default_factory=list)

    @property
    def box(self) -> str:
        """The box that wrote it, at most 64 characters; "?" if the header is gone."""
        return _plain((self.header or {}).get("box", "?"), 64)

    @property
    def number(self) -> int:
        """The box's number of the match; 0 if the header is gone."""
        number = (self.header or {}).get("match")
        return number if isinstance(number, int) and 0 < number < MATCH_NUMBERS else 0

    @property
    def born(self) -> str:
        """Tells two matches with the same number apart, after a box was wiped."""
        return _plain((self.header or {}).get("born", ""), 16)

    @property
    def duration_s(self) -> int | None:
        """Seconds of play up to the last command; None without one, or with a senseless time."""
        played_ms = self.steps[-1][1].get("t", 0) if self.steps else None
        if not isinstance(played_ms, int) or not 0 <= played_ms // 1000 < LONGEST_S:
            return None
        return played_ms // 1000

    @property
    def sealed_head(self) -> str | None:
        """The link that the seal names and a slip of the match carries; None without a seal."""
        return self.head_before if self.seal is not None else None

    def transcript(self) -> Iterator[str]:
        """The lines of a transcript with answers, as `schiri replay --check` reads them."""
        if self.header is not None:
            yield json.dumps(self.header, ensure_ascii=False)
        for _, command, answer in self.steps:
            yield json.dumps(command, ensure_ascii=False)
            yield json.dumps(answer, ensure_ascii=False)
        if self.result is not None:
            yield json.dumps({"result": self.result}, ensure_ascii=False)


def taken_back(answers: Iterable[dict[str, Any]]) -> set[int]:
    """The numbers of the commands that an `undo` took back (TRANSCRIPT, undo)."""
    events = (event for answer in answers for event in answer.get("events", ()))
    return {event["n"] for event in events if event.get("is") == "undone" and "n" in event}


def counts_of(result: dict[str, Any]) -> list[Any]:
    """A number a seat, from a result line: what was counted, else the scores; [] for neither."""
    counts: list[Any] = result.get("counts", result.get("scores", []))
    return counts


def place_of_seat(ranking: list[list[int]]) -> dict[int, int]:
    """Seat -> place from 1; after two seats on place 1 comes place 3."""
    places: dict[int, int] = {}
    for seats in ranking:
        place = len(places) + 1
        places.update(dict.fromkeys(seats, place))
    return places


def read_journal(raw: bytes) -> JournalFile:
    """Read a journal file, whatever state it is in: never raises, faults are listed."""
    return _JournalReader(raw).read()


class _JournalReader:
    """Goes through the lines once and keeps the chain in hand."""

    def __init__(self, raw: bytes) -> None:
        self.journal = JournalFile(raw)
        self.chain: bytes = CHAIN_START
        self.next_seq = 0
        self.gap = False  # after a damaged line the chain cannot be followed over it
        self.bad_lines: list[int] = []

    def read(self) -> JournalFile:
        pieces = self.journal.raw.split(b"\n")
        tail = pieces.pop()
        for line, piece in enumerate(pieces, 1):
            self._read_line(line, piece)
        # no newline at the end: cut off while it was written, and read all the same
        if tail:
            self._read_line(len(pieces) + 1, tail)
        self._blame(self.bad_lines)
        self.journal.faults.sort(key=lambda fault: fault.line)
        return self.journal

    def _read_line(self, line: int, piece: bytes) -> None:
        record = read_record(piece)
        if record is None:
            self.bad_lines.append(line)
            self.gap = True
            return
        self._follow(line, record)
        self._take(line, record)

    def _follow(self, line: int, record: Record) -> None:
        """A link that does not follow is a fault, but not behind damage, which is one already."""
        link = chain_after(self.chain, record.seq, record.payload.encode())
        follows = link == record.chain
        if not follows and not self.gap:
            self._fault(line, "chain", "does not belong behind the line before it")
        if record.seq < self.next_seq or (record.seq > self.next_seq and not self.gap):
            self._fault(line, "sequence", f"is number {record.seq}, not {self.next_seq}")
        if follows and self.gap:
            self._forgive_torn(line, record)
        self.gap = False
        self.chain = record.chain
        self.next_seq = record.seq + 1
        self.journal.last_seq = record.seq
        self.journal.head_before = self.journal.head
        self.journal.head = record.chain.hex()
        self.journal.records += 1

    def _forgive_torn(self, line: int, record: Record) -> None:
        """The box itself found this torn line at its boot, and went on behind the line before."""
        if record.payload.startswith('{"note": "torn"') and self.bad_lines[-1:] == [line - 1]:
            self.bad_lines.pop()
            self._fault(line - 1, "torn", "was cut off by a power cut before it was shown")

    def _take(self, line: int, record: Record) -> None:
        try:
            parts = read_parts(record.payload)
        except Unfit:
            self._fault(line, "form", "holds no transcript line")
            return
        if len(parts) == 2:
            self.journal.steps.append((line, parts[0], parts[1]))
        elif line == 1:
            self.journal.header = parts[0]
        else:
            self._take_single(line, parts[0])

    def _take_single(self, line: int, part: dict[str, Any]) -> None:
        journal = self.journal
        if isinstance(part.get("result"), dict):
            journal.result = part["result"]
        elif isinstance(part.get("seal"), dict):
            journal.seal = self._read_seal(line, part["seal"])
        elif "note" in part:
            journal.notes.append(str(part["note"]))
        else:
            self._fault(line, "form", "is of no known kind")

    def _read_seal(self, line: int, seal: dict[str, Any]) -> Seal | None:
        try:
            said = (seal.get(name) for name in ("id", "sig"))
            words = [None if value is None else str(value) for value in said]
            return Seal(int(seal["count"]), str(seal["head"]), *words)
        except (KeyError, TypeError, ValueError):
            self._fault(line, "form", "holds no readable seal")
            return None

    def _blame(self, bad_lines: list[int]) -> None:
        for line in bad_lines:
            self._fault(line, "damaged", "cannot be read")

    def _fault(self, line: int, kind: str, text: str) -> None:
        self.journal.faults.append(LineFault(line, kind, text))


def _plain(value: object, limit: int) -> str:
    """A text that every database takes: PostgreSQL knows no NUL and counts the characters."""
    return str(value).replace("\0", "?")[:limit]
