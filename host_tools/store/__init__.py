"""What the desk keeps: boxes, matches with raw journals, results, the history of states."""

from host_tools.store.database import open_store
from host_tools.store.store import Store, Stored

__all__ = ["Store", "Stored", "open_store"]
