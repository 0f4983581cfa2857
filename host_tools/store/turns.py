"""Writers take turns where the order of commits matters: PostgreSQL's advisory locks."""

from sqlalchemy import Connection, func, select, text

# advisory locks are numbers for a whole database, so ours begin alike
LIVE_LOCK = 0x5C417202
"""Held while live boxes and records are written."""
MATCHES_LOCK = 0x5C417203
"""Held while a match is written."""
VENUE_LOCK = 0x5C417204
"""Held while a log takes a table that another tournament could take too."""
IDLE_S = 4
"""Seconds a writer may hang inside its transaction before PostgreSQL rolls it back."""


def write_in_turn(connection: Connection, lock: int) -> None:
    """Wait until no other process writes under this lock; held until the transaction ends.

    Readers ask for what follows the last number they saw, so a smaller number must never be
    committed later. SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        # a writer that hangs loses its transaction, and the lock with it
        limit = f"SET LOCAL idle_in_transaction_session_timeout = '{IDLE_S}s'"
        connection.execute(text(limit))
        connection.execute(select(func.pg_advisory_xact_lock(lock)))
