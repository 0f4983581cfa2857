"""What the referee said, read from the box's own journal file while the box plays."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.replay.journal.reading import Journal, read_journal

Json = dict[str, Any]


@dataclass
class JournalEye:
    """Looks at the newest journal below a box's storage folder; `steps` grow as the box writes."""

    storage: Path
    header: Json = field(default_factory=dict)
    steps: list[tuple[Json, Json]] = field(default_factory=list)
    result: Json | None = None
    _size: int = -1

    def look(self) -> int:
        """Read what is new; returns how many answers there are now."""
        path = self._newest()
        if path is None or path.stat().st_size == self._size:
            return len(self.steps)
        raw = path.read_bytes()
        self._size = len(raw)
        journal: Journal = read_journal(raw)
        self.header = journal.header or {}
        self.steps = [(command, answer) for _, command, answer in journal.steps]
        self.result = journal.result
        return len(self.steps)

    @property
    def awaits(self) -> Json:
        """Who must do what; before the first answer somebody must say who begins."""
        if not self.steps:
            return {"seat": None, "for": "begin"}
        awaits: Json = self.steps[-1][1]["awaits"]
        return awaits

    def _newest(self) -> Path | None:
        return max(self.storage.glob("m??????.*"), key=lambda path: path.name, default=None)
