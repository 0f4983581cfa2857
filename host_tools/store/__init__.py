"""What the desk keeps: boxes, matches with raw journals, results, the history of states."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host_tools.store.store import Store


def open_store(db: str | None = None, reads: bool = False) -> "Store":
    """`database.open_store`, imported when a database is opened: SQLAlchemy takes longer to load
    than a command may take to print its help.
    """
    from host_tools.store import database

    return database.open_store(db, reads)
