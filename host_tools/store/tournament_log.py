"""The log of a tournament in the database: lines are added at the end, never changed or removed.

Every line has its number, counted from 1 without a gap; the primary key (tournament, number) is
what keeps two desks from writing the same number. Every line also carries a link of a hash chain
over all lines before it, so that a line changed by hand is found. What takes a table of the hall
is written only as long as the logs beside it are as they were judged.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Insert, delete, func, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from host_tools.core.errors import UserError
from host_tools.store.log_line import LogLine
from host_tools.store.models import Base, StoredEvent, StoredMatch, StoredTournament
from host_tools.store.turns import MATCHES_LOCK, VENUE_LOCK, write_in_turn

CHANNEL = "schiri"
"""Where PostgreSQL tells the desks that a line was added."""


def _nothing(_session: Session) -> None:
    """Beside the log."""


class _Overtaken(Exception):
    """Another tournament's log has grown since it was judged."""


class Beginning(NamedTuple):
    """Where in the store a tournament begins: behind match `after_match`; one that was `restored`
    may have matches before it.
    """

    after_match: int
    restored: bool


class TournamentLog:
    """All tournaments of a database. `errors()` turns database faults into UserError."""

    def __init__(self, engine: Engine, errors: Callable[[], AbstractContextManager[None]]) -> None:
        self._engine = engine
        self._errors = errors
        self.tells_news = engine.dialect.name == "postgresql"
        self._driver: Any = engine.dialect.loaded_dbapi
        self._listening: Connection | None = None

    def tournaments(self) -> list[str]:
        """The ids of all tournaments, the oldest first."""
        query = select(StoredTournament.id).order_by(StoredTournament.number)
        with self._errors(), Session(self._engine) as session:
            return list(session.scalars(query))

    def beginning(self, tournament: str) -> Beginning:
        """Where its matches begin; one that was deleted has none any more."""
        query = select(StoredTournament.after_match, StoredTournament.restored)
        with self._errors(), self._engine.connect() as connection:
            row = connection.execute(query.where(StoredTournament.id == tournament)).one_or_none()
        return Beginning(0, False) if row is None else Beginning(*row)

    def create(
        self,
        tournament: str,
        lines: Sequence[LogLine],
        beside: Callable[[Session], None] = _nothing,
        restored: bool = False,
    ) -> None:
        """A new tournament with its first lines, and what `beside` does, all or nothing. Raises
        UserError if the id is taken.
        """
        with self._errors():
            try:
                with Session(self._engine) as session, session.begin():
                    # none is stored meanwhile: each comes before the tournament or behind it
                    write_in_turn(session.connection(), MATCHES_LOCK)
                    # its lines refer to it, so it must be there first
                    session.execute(_made(tournament, restored))
                    session.execute(insert(StoredEvent), _rows(tournament, lines))
                    beside(session)
            except IntegrityError as error:
                raise UserError("tournament_exists", tournament=tournament) from error

    def append(
        self,
        tournament: str,
        lines: Sequence[LogLine],
        beside: Mapping[str, int] | None = None,
    ) -> bool:
        """Add lines, all or none. False: another desk has taken one of the numbers, or the other
        tournaments' last numbers are no longer those of `beside` (None: they do not matter).
        """
        with self._errors():
            try:
                with self._engine.begin() as connection:
                    if beside is not None:
                        write_in_turn(connection, VENUE_LOCK)
                    # SQLite's one writer is whoever has written: looked at before, it may be old
                    connection.execute(insert(StoredEvent), _rows(tournament, lines))
                    if beside is not None and _last_of_others(connection, tournament) != beside:
                        raise _Overtaken
                    if self.tells_news:
                        # in the transaction: nobody is told of a line that is rolled back
                        connection.execute(select(func.pg_notify(CHANNEL, tournament)))
            # the primary key is the only lock between desks, the same on SQLite and PostgreSQL
            except (IntegrityError, _Overtaken):
                return False
        return True

    def delete(self, tournament: str, beside: Callable[[Session], None] = _nothing) -> None:
        """Delete a tournament with its log, and do what `beside` does, all or nothing; what was
        there is not left on the disk.
        """
        with self._errors():
            with Session(self._engine) as session, session.begin():
                of_it = StoredEvent.tournament_id == tournament
                session.execute(delete(StoredEvent).where(of_it))
                session.execute(delete(StoredTournament).where(StoredTournament.id == tournament))
                beside(session)
            self._vacuum()

    def _vacuum(self) -> bool:
        """Leave nothing deleted on the disk; False if a reader keeps SQLite's write-ahead log."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # free pages still hold the names; VACUUM runs in no transaction
            if self.tells_news:
                # PostgreSQL's plain one leaves the bytes in the pages until they are used again
                for table in Base.metadata.sorted_tables:
                    connection.execute(text(f"VACUUM FULL {table.name}"))
                return True
            connection.execute(text("VACUUM"))
            busy, _, _ = connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)")).one()
            return not busy

    def replace(
        self,
        tournament: str,
        lines: Sequence[LogLine],
        beside: Callable[[Session], None] = _nothing,
    ) -> bool:
        """Other lines in the place of all there are, and what `beside` does, all or nothing; what
        was there is not left on the disk. False if a reader kept that from being done.
        """
        with self._errors():
            with Session(self._engine) as session, session.begin():
                of_it = StoredEvent.tournament_id == tournament
                session.execute(delete(StoredEvent).where(of_it))
                session.execute(insert(StoredEvent), _rows(tournament, lines))
                beside(session)
            return self._vacuum()

    def after(self, tournament: str, seq: int = 0) -> list[LogLine]:
        """The lines behind number `seq`, in order."""
        query = (
            select(StoredEvent.seq, StoredEvent.line, StoredEvent.chain, StoredEvent.state_before)
            .where(StoredEvent.tournament_id == tournament, StoredEvent.seq > seq)
            .order_by(StoredEvent.seq)
        )
        with self._errors(), self._engine.connect() as connection:
            return [LogLine(*row) for row in connection.execute(query)]

    def wait_for_news(self, seconds: float) -> bool:
        """Wait until somebody has added a line, if the database tells (`tells_news`): PostgreSQL
        does so at once (LISTEN). False: nobody has. In a thread that may wait.
        """
        with self._errors():
            try:
                if self._listening is None:
                    connection = self._engine.connect()
                    # inside a transaction PostgreSQL would tell nothing until its end
                    self._listening = connection.execution_options(isolation_level="AUTOCOMMIT")
                    connection.execute(text(f"LISTEN {CHANNEL}"))
                driver: Any = self._listening.connection.driver_connection
                return any(driver.notifies(timeout=seconds, stop_after=1))
            except DBAPIError:
                self.stop_listening()
                raise
            except self._driver.Error as error:
                # what a wait for notices raises, SQLAlchemy does not see
                self.stop_listening()
                raise DBAPIError.instance(
                    None, None, error, self._driver.Error, dialect=self._engine.dialect
                ) from error

    def stop_listening(self) -> None:
        """Give the connection back."""
        if self._listening is not None:
            self._listening.invalidate()  # else it would go on listening in the pool
            self._listening.close()
            self._listening = None

    def first_lines(self) -> list[tuple[str, str]]:
        """Id and first line of every tournament."""
        first = (StoredEvent.tournament_id == StoredTournament.id) & (StoredEvent.seq == 1)
        query = select(StoredTournament.id, StoredEvent.line).join(StoredEvent, first)
        with self._errors(), self._engine.connect() as connection:
            return [(tournament, line) for tournament, line in connection.execute(query)]

    def last(self, tournament: str) -> int:
        """The number of the last line; 0 if there is none."""
        query = select(func.max(StoredEvent.seq)).where(StoredEvent.tournament_id == tournament)
        with self._errors(), self._engine.connect() as connection:
            return connection.execute(query).scalar() or 0


def _made(tournament: str, restored: bool) -> Insert:
    """The row of a new tournament, with what the store holds at this moment."""
    last, number = (
        select(func.coalesce(func.max(column), 0)).scalar_subquery()
        for column in (StoredMatch.id, StoredTournament.number)
    )
    return insert(StoredTournament).values(
        id=tournament, number=number + 1, after_match=last, restored=restored
    )


def _last_of_others(connection: Connection, tournament: str) -> dict[str, int]:
    """The number of the last line of every other tournament."""
    of_it = StoredEvent.tournament_id == StoredTournament.id
    last = select(func.max(StoredEvent.seq)).where(of_it).scalar_subquery()
    query = select(StoredTournament.id, last).where(StoredTournament.id != tournament)
    return {other: seq or 0 for other, seq in connection.execute(query)}


def _rows(tournament: str, lines: Sequence[LogLine]) -> list[dict[str, object]]:
    return [
        {
            "tournament_id": tournament,
            "seq": line.seq,
            "line": line.text,
            "chain": line.chain,
            "state_before": line.state_before,
        }
        for line in lines
    ]
