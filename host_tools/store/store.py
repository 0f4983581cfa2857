"""The store: one transaction a call; what is in it once stays in it once."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Select, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from host_tools.store.enrolled import EnrolledKeys
from host_tools.store.erasing import AT_ONCE, delete_matches, is_forgotten
from host_tools.store.journal.reading import (
    JournalFile,
    counts_of,
    place_of_seat,
    read_journal,
)
from host_tools.store.journal.verdict import (
    CONTESTED,
    NOT_ENROLLED,
    SET_ASIDE,
    UNVERIFIED,
    VERIFIED,
    Verdict,
    judge,
)
from host_tools.store.live import LiveStore, as_utc
from host_tools.store.models import Box, Fetch, SeatResult, StateChange, StoredMatch, now
from host_tools.store.turns import MATCHES_LOCK, write_in_turn

FORGOTTEN = "forgotten"
"""The state of a match that is not stored again: its players were forgotten."""
LARGEST_ID = 2**31 - 1
"""What an INTEGER of PostgreSQL holds; a larger number makes a database's driver fail."""
_BEFORE_ALL = -1
"""A time of arrival, in unix seconds, that no clock has."""
SEEN_AGAIN = timedelta(minutes=1)
"""A box that was seen less long ago is not written down again: each time waits for the disk."""
SECOND_JOURNAL = "another journal of the same match is stored as number {}"


@dataclass(frozen=True)
class Stored:
    """What `add` did: the match's id in the store, its state, and whether it is new."""

    id: int
    state: str
    reason: str
    new: bool


class Store:
    """`errors()` is a context that turns database faults into UserError."""

    def __init__(self, engine: Engine, errors: Callable[[], AbstractContextManager[None]]) -> None:
        self.engine = engine
        self.errors = errors
        self.live = LiveStore(engine, errors)
        self.enrolled = EnrolledKeys(engine, errors)

    def close(self) -> None:
        self.engine.dispose()

    # -- boxes ----------------------------------------------------------------------------

    def see_box(self, box: str, name: str, firmware: str) -> bool:
        """Remember that a box was here; True if it never was before."""
        with self.errors(), Session(self.engine) as session, session.begin():
            known = session.get(Box, box)
            if known is None:
                session.add(Box(id=box, name=name, firmware=firmware))
                return True
            # a clock that was set back has seen it in the future
            since = abs(now() - as_utc(known.last_seen))
            if (known.name, known.firmware) != (name, firmware) or since > SEEN_AGAIN:
                known.name, known.firmware, known.last_seen = name, firmware, now()
            return False

    def boxes(self) -> Sequence[Box]:
        with self.errors(), Session(self.engine, expire_on_commit=False) as session:
            # read after the session has ended, which would otherwise forget what it had loaded
            return session.scalars(select(Box).order_by(Box.id)).all()

    # -- matches --------------------------------------------------------------------------

    def add(self, raw: bytes, aside: bool = False) -> Stored:
        """Judge a journal and store it, unless these very bytes are stored already.

        A second, different journal of the same match is stored too, and contested. `aside`: the
        box could not go on with the match, which people at the desk must see.
        """
        journal = read_journal(raw)
        verdict = judge(journal, self.enrolled.of)
        digest = hashlib.sha256(raw).hexdigest()
        if aside:
            why = f": {verdict.reason}" if verdict.reason else ""
            verdict = Verdict(verdict.state, f"{SET_ASIDE}{why}")
        with self.errors():
            try:
                return self._add(journal, verdict, digest)
            except IntegrityError:  # another desk was faster with the same journal
                return self._add(journal, verdict, digest)

    def judge_again(self, box: str) -> int:
        """Look once more at what came before the box was enrolled; returns how much of it is
        proved now.
        """
        waiting = (
            StoredMatch.box_id == box,
            StoredMatch.state == UNVERIFIED,
            StoredMatch.reason == NOT_ENROLLED,
        )
        keys = self.enrolled.of(box)
        proved = 0
        with self.errors(), Session(self.engine) as session, session.begin():
            for match in session.scalars(select(StoredMatch).where(*waiting)):
                # it was here before any key of the box, and so before all that became of these
                verdict = judge(read_journal(match.journal), lambda _box: keys, _BEFORE_ALL)
                # signed with a key that nobody enrolled, or by somebody else: it stays as it is
                if verdict.state == VERIFIED:
                    match.state, match.reason = verdict.state, verdict.reason
                    match.states.append(StateChange(state=match.state, reason=match.reason))
                    proved += 1
        return proved

    def _add(self, journal: JournalFile, verdict: Verdict, digest: str) -> Stored:
        with Session(self.engine) as session, session.begin():
            key = (journal.box, journal.number, journal.born)
            if is_forgotten(session.connection(), key, journal.header or {}):
                return Stored(0, FORGOTTEN, "", False)
            # ids are drawn before the commit: match 8 could be seen before match 7, and readers go
            # on behind the last one they saw
            write_in_turn(session.connection(), MATCHES_LOCK)
            there = session.scalar(select(StoredMatch).where(StoredMatch.digest == digest))
            if there is not None:
                return Stored(there.id, there.state, there.reason, False)
            twin = self._twin(session, journal, verdict)
            if twin is not None:
                verdict = Verdict(CONTESTED, SECOND_JOURNAL.format(twin.id))
            if session.get(Box, journal.box) is None:
                # brought by a file or by another desk: the box was never at a port here
                session.add(Box(id=journal.box))
                session.flush()
            match = as_stored(journal, verdict, digest)
            session.add(match)
            session.flush()
            return Stored(match.id, match.state, match.reason, True)

    def _twin(
        self, session: Session, journal: JournalFile, verdict: Verdict
    ) -> StoredMatch | None:
        """Another journal of the same match that may be the right one: beside one that the box
        has sealed, none that did not hold by itself.
        """
        for twin in session.scalars(_journals_of(journal.box, journal.number, journal.born)):
            second = twin.reason.startswith(SECOND_JOURNAL.format(""))
            if verdict.state != VERIFIED or twin.state != CONTESTED or second:
                return twin
        return None

    def take_back(self, stored: Stored) -> None:
        """The box says that these are not its bytes: not a journal of it, unless it was stored
        before, from another hand.
        """
        match = self.match(stored.id) if stored.new else None
        if match is not None:
            self.drop_journals([match.digest])

    def has(self, box: str, number: int, born: str, size: int) -> StoredMatch | None:
        """The stored match with this birth mark and journal length, if any."""
        with self.errors(), Session(self.engine, expire_on_commit=False) as session:
            found = session.scalars(_journals_of(box, number, born))
            return next((match for match in found if len(match.journal) == size), None)

    def matches(self, box: str | None = None) -> Sequence[StoredMatch]:
        """All stored matches in the order they came, with seats, states and box loaded."""
        query = select(StoredMatch).order_by(StoredMatch.id).options(*_WITH_ALL)
        if box is not None:
            query = query.where(StoredMatch.box_id == box)
        with self.errors(), Session(self.engine, expire_on_commit=False) as session:
            return session.scalars(query).all()

    def digests(self, after: int = 0) -> list[tuple[int, str, datetime]]:
        """Id, digest and time of arrival (UTC) of the matches stored behind id `after`."""
        query = (
            select(StoredMatch.id, StoredMatch.digest, StoredMatch.received)
            .where(StoredMatch.id > after)
            .order_by(StoredMatch.id)
        )
        with self.errors(), self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return [(number, digest, as_utc(at)) for number, digest, at in rows]

    def journals(self, digests: Sequence[str]) -> dict[str, bytes]:
        """The journals of these digests, those that are here."""
        found: dict[str, bytes] = {}
        with self.errors(), Session(self.engine) as session:
            for start in range(0, len(digests), AT_ONCE):
                some = digests[start : start + AT_ONCE]
                query = select(StoredMatch.digest, StoredMatch.journal)
                found.update(session.execute(query.where(StoredMatch.digest.in_(some))).all())
        return found

    def proved(self, digests: Sequence[str]) -> list[StoredMatch]:
        """The verified matches among those with these journals."""
        found: list[StoredMatch] = []
        with self.errors(), Session(self.engine, expire_on_commit=False) as session:
            for start in range(0, len(digests), AT_ONCE):
                some = StoredMatch.digest.in_(digests[start : start + AT_ONCE])
                query = select(StoredMatch).where(some, StoredMatch.state == VERIFIED)
                found += session.scalars(query.options(*_WITH_ALL))
        return found

    def drop_journals(self, digests: Sequence[str]) -> None:
        """Delete the matches of these journals, with everything that was read out of them."""
        with self.errors(), Session(self.engine) as session, session.begin():
            delete_matches(session, digests)

    def match(self, match_id: int) -> StoredMatch | None:
        if match_id > LARGEST_ID:
            return None
        with self.errors(), Session(self.engine, expire_on_commit=False) as session:
            return session.get(StoredMatch, match_id, options=_WITH_ALL)

    def header_of(self, box: str, number: int, born: str) -> dict[str, Any] | None:
        """The header of a match of a box, if its journal is here."""
        if number > LARGEST_ID:
            return None
        with self.errors(), Session(self.engine) as session:
            found = session.scalars(_journals_of(box, number, born)).first()
            return None if found is None else found.header

    def journal(self, digest: str) -> bytes | None:
        """The stored journal with this digest, the same bytes as on the box."""
        query = select(StoredMatch.journal).where(StoredMatch.digest == digest)
        with self.errors(), self.engine.connect() as connection:
            return connection.execute(query).scalar()

    # -- half-fetched journals ------------------------------------------------------------

    def keep_fetch(self, box: str, number: int, next_line: int, journal: bytes) -> None:
        """Keep what was fetched of a journal before the box went away."""
        with self.errors(), Session(self.engine) as session, session.begin():
            session.merge(Fetch(box_id=box, number=number, next_line=next_line, journal=journal))

    def fetched(self, box: str, number: int) -> tuple[int, bytes, bool]:
        """Next line and bytes of a half-fetched journal, and if the box itself has said them;
        (0, b"", True) if there is none. What came by air counts as fetched, but may be anybody's.
        """
        with self.errors(), Session(self.engine) as session:
            fetch = session.get(Fetch, (box, number))
            by_wire = (0, b"") if fetch is None else (fetch.next_line, fetch.journal)
        lines = self.live.lines(box=box, number=number)
        newest = max(lines, key=lambda line: line.version).born if lines else ""
        raw = b"".join(line.raw + b"\n" for line in lines if line.born == newest)
        by_air = raw.count(b"\n"), raw
        # the number of lines comes first: who has more is further on
        return (*by_air, False) if by_air > by_wire else (*by_wire, True)

    def drop_fetch(self, box: str, number: int) -> None:
        """The journal is whole now, or its beginning was another match's."""
        with self.errors(), Session(self.engine) as session, session.begin():
            session.execute(delete(Fetch).where(Fetch.box_id == box, Fetch.number == number))


_WITH_ALL = (
    selectinload(StoredMatch.seats),
    selectinload(StoredMatch.states),
    selectinload(StoredMatch.box),
)


def copy_matches(session: Session, matches: Sequence[StoredMatch]) -> None:
    """Matches of another store with everything that it knows of them; not those that are here."""
    write_in_turn(session.connection(), MATCHES_LOCK)
    for match in matches:
        if session.scalar(select(StoredMatch.id).where(StoredMatch.digest == match.digest)):
            continue
        box = match.box
        session.merge(Box(id=box.id, name=box.name, firmware=box.firmware))
        session.flush()
        copied = StoredMatch(**_columns(match), seats=[], states=[])
        copied.seats = [SeatResult(**_columns(seat)) for seat in match.seats]
        copied.states = [StateChange(**_columns(state)) for state in match.states]
        session.add(copied)


def _columns(row: StoredMatch | SeatResult | StateChange) -> dict[str, Any]:
    """What it holds but for the numbers that a store gives."""
    given = {"id", "match_id"}
    return {c.key: getattr(row, c.key) for c in row.__table__.columns if c.key not in given}


def _journals_of(box: str, number: int, born: str) -> Select[StoredMatch]:
    """More than one if a match has journals that differ."""
    return select(StoredMatch).where(
        StoredMatch.box_id == box, StoredMatch.number == number, StoredMatch.born == born
    )


def as_stored(journal: JournalFile, verdict: Verdict, digest: str) -> StoredMatch:
    """The row of a journal, in no store yet."""
    header = journal.header or {}
    # A contested result may be of any shape; it is kept as it came, but makes no rows.
    counted = {} if verdict.state == CONTESTED else journal.result or {}
    return StoredMatch(
        digest=digest,
        box_id=journal.box,
        number=journal.number,
        born=journal.born,
        # the header of a contested journal may hold anything there
        game=str(header.get("game", "?"))[:16],
        header=header,
        result=journal.result,
        journal=journal.raw,
        duration_s=journal.duration_s,
        sealed_head=journal.sealed_head,
        state=verdict.state,
        reason=verdict.reason,
        seats=seat_results(header, counted),
        states=[StateChange(state=verdict.state, reason=verdict.reason)],
    )


def seat_results(header: dict[str, Any], result: dict[str, Any]) -> list[SeatResult]:
    """One row a seat, from a result line that the rules have confirmed."""
    names = header.get("names") or []
    points = result.get("points", [])
    places = place_of_seat(result.get("ranking", []))
    return [
        SeatResult(
            seat=seat,
            # PostgreSQL takes no NUL, and no more letters than the column is wide
            name=names[seat].replace("\0", "?")[:120] if seat < len(names) else "",
            place=places.get(seat),
            count=count,
            points=points[seat] if points else None,
        )
        for seat, count in enumerate(counts_of(result))
    ]
