"""Follows the newest journal in a box's storage folder, record by record, while the box plays."""

import json
from contextlib import suppress
from pathlib import Path

from firmware.app.link_frames import read_record
from host_tools.core.json_types import Json
from host_tools.store.journal.reading import JournalFile, read_journal

LOOKS = 5
"""A match's file is renamed twice: when the match ends, and when a desk has confirmed it."""


class JournalWatch:
    """`look` reads what is new of the newest match: `record` (its header), `steps`, `result`, and
    whether it is `final`.

    What it follows is only shown; whoever keeps or judges a journal reads the `whole` one.
    """

    def __init__(self, storage: Path) -> None:
        self._storage = storage
        self._read = 0
        self._name = ""
        self.new_match = False
        self._forget()

    def look(self) -> bool:
        """Read on; True if there is something new. `new_match`: another match than before."""
        # `m000012.run`: number and state of a match (firmware/app/journal.py)
        path = self._newest("m??????")
        if path is None:
            return False
        with suppress(FileNotFoundError):  # the box has just renamed it: the next look finds it
            return self._look_at(path)
        return False

    def whole(self) -> JournalFile | None:
        """The match as the desk would read it."""
        for _ in range(LOOKS if self._name else 0):
            path = self._newest(self._name)
            with suppress(FileNotFoundError):  # renamed between the two
                if path is not None:
                    return read_journal(path.read_bytes())
        return None

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

    def _newest(self, name: str) -> Path | None:
        # numbers have six digits, so the last name is the newest match
        return max(self._storage.glob(f"{name}.*"), key=lambda file: file.name, default=None)

    def _look_at(self, path: Path) -> bool:
        name, size = path.name.split(".")[0], path.stat().st_size
        # after every turn of the box: a look that finds nothing must cost no more than a stat
        if (name, size) == (self._name, self._read):
            return False
        # the box may have written half of the header when this looked last
        new_match = name != self._name or not self.record
        cut_off = size < self._read  # a torn tail
        with path.open("rb") as file:
            file.seek(0 if new_match or cut_off else self._read)
            data = file.read()
        self.new_match = new_match
        if new_match or cut_off:
            self._forget()
        self._name = name
        return self._read_on(data)

    def _forget(self) -> None:
        self._read = 0
        self.record: Json = {}
        self.steps: list[tuple[Json, Json]] = []
        self.result: Json | None = None
        self.final = False

    def _read_on(self, data: bytes) -> bool:
        # the box may be in the middle of a line
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
            # the seal comes later: the box signs while its start menu is open already
            self.final = True
