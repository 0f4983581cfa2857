"""Watches the newest journal in a box's storage folder: which match, which answers are new."""

from pathlib import Path
from typing import Any

from host_tools.journal.reading import Journal, read_journal

Json = dict[str, Any]


class JournalWatch:
    """`look` reads what is new. `journal` is the newest match, None before the first one."""

    def __init__(self, storage: Path) -> None:
        self._storage = storage
        self._size = -1
        self._name = ""
        self.journal: Journal | None = None
        self.new_match = False

    def look(self) -> bool:
        """Read the newest journal again if it has changed; True if it has.

        `new_match` says whether it is another match than before.
        """
        path = max(self._storage.glob("m??????.*"), key=lambda file: file.name, default=None)
        if path is None:
            return False
        size = path.stat().st_size
        name = path.name.split(".")[0]
        if (name, size) == (self._name, self._size):
            return False
        journal = read_journal(path.read_bytes())
        if journal.header is None:
            return False
        self.new_match = name != self._name
        self._name, self._size, self.journal = name, size, journal
        return True

    @property
    def steps(self) -> list[tuple[Json, Json]]:
        """Commands and answers of the match so far."""
        if self.journal is None:
            return []
        return [(command, answer) for _, command, answer in self.journal.steps]
