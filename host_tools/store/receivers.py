"""The processes that receive what boxes say: each holds a place with a lease, and by it a share of
the boxes. All times are the database's: there is one clock for all.
"""

import os
import socket
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from sqlalchemy import (
    Connection,
    Engine,
    delete,
    func,
    insert,
    literal_column,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError

from host_tools.core.errors import Exit, UserError
from host_tools.store.models import Receiver

MOST = 16
"""So many receive at a time; Mosquitto has a user for each."""
LEASE_S = 4
"""A receiver whose loop has not asked for so long hangs: others have its boxes."""
ENTERING_S = 20
"""So long a place is kept for one that connects to the broker."""
_PLACES_LOCK = 0x5C417201
_NOW = func.clock_timestamp()


@lru_cache(1 << 17)
def owner(box: str, places: tuple[int, ...]) -> int:
    """The place that has this box, by rendezvous hashing: where one comes or goes, only boxes move
    that it gets or had.
    """
    # not hash(): that is salted, and every process must come to the same place
    return max(places, key=lambda at: blake2b(f"{at}/{box}".encode(), digest_size=8).digest())


@dataclass(frozen=True)
class Share:
    """The boxes of one place among those that receive."""

    place: int = 0
    places: tuple[int, ...] = (0,)

    @property
    def is_all(self) -> bool:
        """True if nobody else receives."""
        return self.places == (self.place,)

    def owns(self, box: str) -> bool:
        return owner(box, self.places) == self.place


ALL = Share()


class Receivers:
    """This process among those that receive. SQLite is for one machine, and one receiver.

    `number`: of its lease, or of its last one; no two leases ever have the same. 0: it has never
    received, as a desk, and what it writes is its own affair.
    """

    def __init__(self, engine: Engine, errors: Callable[[], AbstractContextManager[None]]) -> None:
        self._engine = engine
        self._errors = errors
        self._shared = engine.dialect.name == "postgresql"
        self._connection: Connection | None = None
        self.number = 0
        self._until_s = 0.0

    # -- the lease --------------------------------------------------------------------------------

    def enter(self) -> int | None:
        """The place that this process gets; its boxes are its own from `renew` on. None if all are
        taken. Raises UserError.
        """
        if not self._shared:
            return 0
        with self._errors(), self._engine.begin() as connection:
            write_in_turn(connection, _PLACES_LOCK)
            # a killed receiver never leaves: who enters next clears its place
            connection.execute(delete(Receiver).where(Receiver.until < _NOW))
            taken = set(connection.scalars(select(Receiver.place)))
            place = next((n for n in range(MOST) if n not in taken), None)
            if place is not None:
                row = {"place": place, "ready": False, "until": _in(ENTERING_S), "name": _name()}
                entered = insert(Receiver).values(row).returning(Receiver.number)
                self.number = connection.execute(entered).scalar_one()
            return place

    def renew(self) -> Share:
        """Keep the lease, and see who else has one. Raises UserError if it has run out: it is
        never given back, as others have the boxes since.
        """
        if not self._shared:
            return ALL
        with self._errors():
            try:
                return self._renew()
            except DBAPIError:
                self._hang_up()
                raise

    def _renew(self) -> Share:
        asked_s = time.monotonic()
        if self._connection is None:
            # of its own: the pool may have none free for longer than a lease lasts
            own = self._engine.connect()
            self._connection = own.execution_options(isolation_level="AUTOCOMMIT")
        mine = update(Receiver).where(Receiver.number == self.number, Receiver.until > _NOW)
        self._connection.execute(mine.values(until=_in(LEASE_S), ready=True))
        share = self._share(self._connection)
        if share is None:
            raise UserError("lease_lost", Exit.SYSTEM, seconds=LEASE_S)
        # counted from before the question: we fall silent no later than the lease ends
        self._until_s = asked_s + LEASE_S
        return share

    def may_speak(self) -> bool:
        """False for one that has hung: others speak to its boxes now."""
        return not self._shared or time.monotonic() < self._until_s

    def others(self) -> list[str]:
        """The names of those that receive besides this one."""
        if not self._shared:
            return []
        with self._errors(), self._engine.connect() as connection:
            rows = select(Receiver.name).where(*_RECEIVES, Receiver.number != self.number)
            return list(connection.scalars(rows.order_by(Receiver.place)))

    def leave(self) -> None:
        """Let others have the boxes, at once. Raises UserError."""
        self._until_s = 0.0
        self._hang_up()
        if self._shared and self.number:
            with self._errors(), self._engine.begin() as connection:
                connection.execute(delete(Receiver).where(Receiver.number == self.number))

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    # -- the fence --------------------------------------------------------------------------------

    def fence(self, connection: Connection) -> Share | None:
        """Whose boxes this process may write of, as the database knows it in this transaction, in
        which nobody else writes; None: of no box, as its lease is gone.
        """
        return self._share(connection) if self.number else ALL

    def check(self, connection: Connection, box: str) -> None:
        """Raises UserError if another process has this box now."""
        if self.number:
            share = self._share(connection)
            if share is None or not share.owns(box):
                raise UserError("lease_lost", Exit.SYSTEM, seconds=LEASE_S)

    def _share(self, connection: Connection) -> Share | None:
        rows = select(Receiver.number, Receiver.place).where(*_RECEIVES).order_by(Receiver.place)
        found = connection.execute(rows).all()
        mine = next((place for number, place in found if number == self.number), None)
        return None if mine is None else Share(mine, tuple(place for _, place in found))


_RECEIVES = (Receiver.ready, Receiver.until > _NOW)


def _in(seconds: int) -> object:
    return _NOW + literal_column(f"INTERVAL '{seconds} s'")


def _name() -> str:
    # the column takes 64 characters; the process id stays whole
    return f"{socket.gethostname()[:50]}:{os.getpid()}"


def write_in_turn(connection: Connection, lock: int) -> None:
    """Until the transaction's end nobody else writes: who asks for what is behind the last number
    must not miss a smaller one that is committed later. Who hangs meanwhile loses the transaction,
    and the lock with it. SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        limit = f"SET LOCAL idle_in_transaction_session_timeout = '{LEASE_S}s'"
        connection.execute(text(limit))
        connection.execute(select(func.pg_advisory_xact_lock(lock)))
