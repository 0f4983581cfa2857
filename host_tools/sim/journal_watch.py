"""Follows the newest journal in a box's storage folder, record by record, while the box plays."""

import json
from pathlib import Path
from typing import Any

from firmware.app.link_frames import read_record
from host_tools.store.journal.reading import Journal, read_journal

Json = dict[str, Any]


class JournalWatch:
    """`look` reads what is new of the newest match: `record` (its header), `steps`, `result`, and
    whether it is `sealed`.

    What it follows is only shown; whoever keeps or judges a journal reads the `whole` one.
    """

    def __init__(self, storage: Path) -> None:
        self._storage = storage
        self._path: Path | None = None
        self._read = 0
        self._name = ""
        self.new_match = False
        self._forget()

    def look(self) -> bool:
        """Read on; True if there is something new. `new_match`: another match than before."""
        path = max(self._storage.glob("m??????.*"), key=lambda file: file.name, default=None)
        if path is None:
            return False
        name = path.name.split(".")[0]
        size = path.stat().st_size
        if (name, size) == (self._name, self._read):
            return False
        self.new_match = name != self._name
        if self.new_match or size < self._read:  # a torn tail was cut off
            self._forget()
        self._path, self._name = path, name
        return self._read_on(path)

    def whole(self) -> Journal | None:
        """The match as the desk would read it."""
        return None if self._path is None else read_journal(self._path.read_bytes())

    @property
    def number(self) -> int:
        """The box's number of the match; 0 before the first one."""
        number = self.record.get("match", 0)
        return number if isinstance(number, int) else 0

    @property
    def awaits(self) -> Json:
        """Who must do what; before the first answer somebody must say who begins."""
        awaits: Json = (
            self.steps[-1][1]["awaits"] if self.steps else {"seat": None, "for": "begin"}
        )
        return awaits

    def _forget(self) -> None:
        self._read = 0
        self.record: Json = {}
        self.steps: list[tuple[Json, Json]] = []
        self.result: Json | None = None
        self.sealed = False

    def _read_on(self, path: Path) -> bool:
        with path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.split(b"\n")[:-1]:
            record = read_record(line)
            if record is not None:
                self._take([json.loads(part) for part in record.payload.split("\t")])
        return bool(whole)

    def _take(self, parts: list[Json]) -> None:
        if len(parts) == 2:
            self.steps.append((parts[0], parts[1]))
        elif not self.record:
            self.record = parts[0]
        elif "result" in parts[0]:
            self.result = parts[0]["result"]
        elif "seal" in parts[0]:
            self.sealed = True
