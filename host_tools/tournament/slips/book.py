"""Where slips are booked: the desk's store, or a file of its own for a desk without one."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from card_tags import kinds
from host_tools.core.errors import UserError


class SlipBook(Protocol):
    """What `check_slip` and `schiri slip read` need of whoever keeps the results."""

    def head_of(self, box_id: str, match_id: str) -> bytes | None:
        """The journal head booked for this match, None if there is no result of it yet."""
        ...

    def book(self, slip: kinds.Slip, uid: bytes) -> None:
        """Keep the result."""
        ...


class FileSlipBook:
    """One JSON line per slip, appended and synced. `entries`: all of them, as `slip_fields`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._heads: dict[tuple[str, str], bytes] = {}
        self.entries: list[dict[str, Any]] = []
        if path.exists():
            self._load()

    def head_of(self, box_id: str, match_id: str) -> bytes | None:
        return self._heads.get((box_id, match_id))

    def book(self, slip: kinds.Slip, uid: bytes) -> None:
        entry = slip_fields(slip, uid)
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        try:
            with self._path.open("a", encoding="utf8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise UserError(f"{self._path}: cannot be written: {error.strerror}.", 3) from error
        self._heads[slip.box_id, slip.match_id] = slip.head
        self.entries.append(entry)

    def _load(self) -> None:
        text = self._path.read_text(encoding="utf8")
        for number, line in enumerate(text.splitlines(), 1):
            try:
                entry = json.loads(line)
                self._heads[entry["box"], entry["match"]] = bytes.fromhex(entry["head"])
                self.entries.append(entry)
            except (ValueError, KeyError, TypeError) as error:
                raise UserError(f"{self._path}:{number}: is not a booked slip.") from error


def slip_fields(slip: kinds.Slip, uid: bytes) -> dict[str, Any]:
    """A slip as JSON fields, for books and for `schiri slip read --json`."""
    return {
        "match": slip.match_id,
        "box": slip.box_id,
        "game": slip.game,
        "table": slip.table,
        "reason": slip.reason,
        "duration_s": slip.duration_s,
        "head": slip.head.hex(),
        "seats": [
            {"name": seat.name, "count": seat.total, "points": seat.points, "place": seat.place}
            for seat in slip.seats
        ],
        "uid": uid.hex(),
        "read": datetime.now(UTC).isoformat(timespec="seconds"),
    }
