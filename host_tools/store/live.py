"""What boxes on the air said and recorded: written by halls, read by every desk.

Everything written has a `version` that grows; a reader asks for what is behind the last one it
has seen. On PostgreSQL a write wakes those that listen (`tournament_log.CHANNEL`).
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    Select,
    Text,
    cast,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import StatementError

from firmware.app.link_frames import read_record
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.store.erasing import is_forgotten
from host_tools.store.heard import HeardBox, Refused
from host_tools.store.models import HallRefusal, LiveBox, LiveRecord
from host_tools.store.said import (
    Here,
    MatchHeader,
    SaidState,
    Unfit,
    converted,
    read_parts,
    stored,
    written,
)
from host_tools.store.tournament_log import CHANNEL
from host_tools.store.turns import LIVE_LOCK, write_in_turn

_NO_LINE = -1
"""The next line of a match that is not written down."""
LIVE_NEWS = "live"
"""What a notice says when boxes have said something: no tournament has this id (`slug`)."""


@dataclass(frozen=True)
class LiveLine:
    """A line of a match: its index, its bytes without the newline, when it came (UTC)."""

    box: str
    number: int
    born: str
    line: int
    at: datetime
    raw: bytes
    version: int = 0

    @property
    def link(self) -> bytes:
        """Of the record in the chain; b"" for what is no record."""
        record = read_record(self.raw)
        return b"" if record is None else record.chain

    def parts(self) -> list[Json]:
        """The transcript lines of the record; none if it cannot be read, or is no header of a
        match although it is the first.
        """
        try:
            record = read_record(self.raw)
            parts = [] if record is None else read_parts(record.payload)
            if self.line == 0 and parts:
                converted(MatchHeader, parts[0])
        except Unfit:
            return []
        return parts


MatchKey = tuple[str, int, str]
"""Box, number, `born`."""


@dataclass
class WriteBatch:
    """What is written at once. `again`: matches whose lines are deleted first, as they are not
    those of the box.
    """

    boxes: dict[str, HeardBox] = field(default_factory=dict)
    lines: list[LiveLine] = field(default_factory=list)
    refused: dict[tuple[str, str], Refused] = field(default_factory=dict)
    again: set[MatchKey] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.boxes or self.lines or self.refused or self.again)

    def by_box(self) -> "dict[str, WriteBatch]":
        """The same as a batch for each box, and for each sender that is none."""
        parts: dict[str, WriteBatch] = {}
        for name, status in self.boxes.items():
            parts.setdefault(name, WriteBatch()).boxes[name] = status
        for line in self.lines:
            parts.setdefault(line.box, WriteBatch()).lines.append(line)
        for match in self.again:
            parts.setdefault(match[0], WriteBatch()).again.add(match)
        for key, refused in self.refused.items():
            parts.setdefault(refused.sender, WriteBatch()).refused[key] = refused
        return parts

    def drop(self, match: MatchKey) -> None:
        """Forget the lines of a match, here and where they are written."""
        self.again.add(match)
        self.lines = [line for line in self.lines if (line.box, line.number, line.born) != match]

    def add(self, newer: "WriteBatch") -> None:
        """What came later."""
        for match in newer.again:
            self.drop(match)
        self.boxes |= newer.boxes
        self.lines += newer.lines
        for key, refused in newer.refused.items():
            self.refuse(*key, refused.at, refused.detail, refused.count)

    def refuse(self, sender: str, reason: str, at: datetime, detail: str, count: int = 1) -> None:
        """Count so many messages more."""
        before = self.refused.get((sender, reason))
        count += before.count if before else 0
        self.refused[sender, reason] = Refused(sender, reason, count, at, detail)


@dataclass
class Written:
    """What became of a batch that could not be written as a whole: `later` is to be tried again,
    `refused` (box -> why) no database takes.
    """

    later: WriteBatch = field(default_factory=WriteBatch)
    refused: dict[str, str] = field(default_factory=dict)


class LiveStore:
    """`errors()` turns database faults into UserError, as in `Store`."""

    def __init__(self, engine: Engine, errors: Callable[[], AbstractContextManager[None]]) -> None:
        self._engine = engine
        self._errors = errors
        self._shared = engine.dialect.name == "postgresql"

    # -- writing ----------------------------------------------------------------------------------

    def write(self, batch: WriteBatch) -> Written:
        """All of it at once; if that fails although the database is there, box by box, so that no
        box holds up another. A line that is there already stays as it is. Raises UserError if
        nothing could be written.
        """
        try:
            self._write(batch)
            return Written()
        except _UNWRITTEN:
            self.newest()  # raises if the database is away: then no box is at fault
        # one value that the database refuses must not keep all other boxes from being stored
        parts = batch.by_box()
        result, last = Written(), None
        failed = 0
        for box, part in parts.items():
            try:
                self._write(part)
            except _UNWRITTEN as error:
                if _passes(error):
                    result.later.add(part)
                    failed, last = failed + 1, error
                else:
                    result.refused[box] = str(error)
        if last is not None and failed == len(parts):
            raise last
        return result

    def _write(self, batch: WriteBatch) -> None:
        with self._errors(), self._engine.begin() as connection:
            write_in_turn(connection, LIVE_LOCK)
            # microseconds of the clock; more, if the clock of another machine was ahead
            version = max(_newest(connection) + 1, time.time_ns() // 1000)
            for box, number, born in batch.again:
                of_match = (LiveRecord.number == number) & (LiveRecord.born == born)
                rows = delete(LiveRecord).where(LiveRecord.box_id == box, of_match)
                connection.execute(rows)
            self._put_boxes(connection, batch.boxes.values(), version)
            self._put_lines(connection, batch.lines, version)
            for refused in batch.refused.values():
                self._count(connection, refused)
            if self._shared:
                # in the transaction: nobody is woken for what is rolled back
                connection.execute(select(func.pg_notify(CHANNEL, LIVE_NEWS)))

    def _put_boxes(self, connection: Connection, boxes: Iterable[HeardBox], version: int) -> None:
        rows = [
            {
                "box_id": status.box,
                "version": version,
                "heard": status.heard,
                "here": written(status.here),
                "state": written(status.state),
            }
            for status in boxes
        ]
        if rows:
            names = [row["box_id"] for row in rows]
            # an upsert is another one in each dialect, and nobody else writes meanwhile
            connection.execute(delete(LiveBox).where(LiveBox.box_id.in_(names)))
            connection.execute(insert(LiveBox), rows)

    def _put_lines(self, connection: Connection, lines: Sequence[LiveLine], version: int) -> None:
        there: dict[MatchKey, int] = {}
        rows = []
        for line in lines:
            match = (line.box, line.number, line.born)
            if match not in there:
                there[match] = connection.execute(_lines_of(*match)).scalar() or 0
                if there[match] == 0 and self._forgotten(connection, line):
                    there[match] = _NO_LINE
            if line.line != there[match]:
                continue  # stored already, or a line before it is missing
            there[match] += 1
            rows.append(
                {
                    "box_id": line.box,
                    "number": line.number,
                    "born": line.born,
                    "line": line.line,
                    "version": version,
                    "at": line.at,
                    "raw": line.raw,
                }
            )
        if rows:
            connection.execute(insert(LiveRecord), rows)

    def _forgotten(self, connection: Connection, line: LiveLine) -> bool:
        """True for the first line of a match whose players were forgotten."""
        key = (line.box, line.number, line.born)
        parts = line.parts() if line.line == 0 else []
        return is_forgotten(connection, key, parts[0] if parts else {})

    def _count(self, connection: Connection, refused: Refused) -> None:
        this = (HallRefusal.sender == refused.sender) & (HallRefusal.reason == refused.reason)
        values = {"at": refused.at, "detail": refused.detail}
        more = update(HallRefusal).where(this).values(count=HallRefusal.count + refused.count)
        if not connection.execute(more.values(**values)).rowcount:
            key = {"sender": refused.sender, "reason": refused.reason}
            connection.execute(insert(HallRefusal).values(**key, count=refused.count, **values))

    def forget(self, box: str, number: int, born: str | None = None) -> None:
        """Delete the lines of a match; `born`: all of that number but this one's."""
        with self._errors(), self._engine.begin() as connection:
            gone = delete(LiveRecord).where(LiveRecord.box_id == box, LiveRecord.number == number)
            connection.execute(gone if born is None else gone.where(LiveRecord.born != born))

    def forget_before(self, box: str, number: int) -> None:
        """Delete the lines of a box's matches before this one: they are stored whole."""
        with self._errors(), self._engine.begin() as connection:
            connection.execute(
                delete(LiveRecord).where(LiveRecord.box_id == box, LiveRecord.number < number)
            )

    # -- reading ----------------------------------------------------------------------------------

    def newest(self) -> int:
        """The highest version; 0 if nothing was ever written."""
        with self._errors(), self._engine.connect() as connection:
            return _newest(connection)

    def boxes(self, after: int = 0) -> list[HeardBox]:
        """What boxes said behind version `after`."""
        # as text, from which `stored` makes structs without a dict in between
        here, state = cast(LiveBox.here, Text), cast(LiveBox.state, Text)
        query = select(LiveBox.box_id, LiveBox.heard, here, state, LiveBox.version)
        with self._errors(), self._engine.connect() as connection:
            rows = connection.execute(query.where(LiveBox.version > after)).all()
        return [
            HeardBox(box, as_utc(heard), stored(Here, who), stored(SaidState, how), version)
            for box, heard, who, how, version in rows
        ]

    def lines(
        self, after: int = 0, box: str | None = None, number: int | None = None
    ) -> list[LiveLine]:
        """Lines that came behind version `after`, those of a match in their order."""
        this = LiveRecord
        columns = (this.box_id, this.number, this.born, this.line, this.at, this.raw, this.version)
        query = select(*columns).where(this.version > after).order_by(*columns[:4])
        if box is not None:
            query = query.where(this.box_id == box, this.number == number)
        with self._errors(), self._engine.connect() as connection:
            return [
                LiveLine(name, match, born, line, as_utc(at), raw, version)
                for name, match, born, line, at, raw, version in connection.execute(query)
            ]

    def refusals(self) -> list[Refused]:
        """Everything that was refused, the last first."""
        this = HallRefusal
        columns = (this.sender, this.reason, this.count, this.at, this.detail)
        query = select(*columns).order_by(this.at.desc())
        with self._errors(), self._engine.connect() as connection:
            return [
                Refused(sender, reason, count, as_utc(at), detail)
                for sender, reason, count, at, detail in connection.execute(query)
            ]


_UNWRITTEN = (UserError, StatementError, ValueError, OverflowError)
"""What a database, or its driver, raises for what it does not take, and for its own faults."""


def _passes(error: Exception) -> bool:
    """True for a fault of the database: what was to be written may be taken later."""
    return isinstance(error, UserError) and error.sentence.key != "db_says"


def _lines_of(box: str, number: int, born: str) -> Select[Any]:
    return select(func.count()).where(
        LiveRecord.box_id == box, LiveRecord.number == number, LiveRecord.born == born
    )


def _newest(connection: Connection) -> int:
    newest = (select(func.max(column)).scalar_subquery() for column in _VERSIONS)
    found = connection.execute(select(*newest)).one()
    return max(version or 0 for version in found)


_VERSIONS = (LiveBox.version, LiveRecord.version)


def as_utc(at: datetime) -> datetime:
    """SQLite keeps no time zone."""
    return at.replace(tzinfo=at.tzinfo or UTC)
