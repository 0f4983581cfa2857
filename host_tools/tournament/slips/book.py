"""Where slips are booked: a file with one JSON object a line."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from card_tags import kinds
from host_tools.core.errors import Sentence, UserError
from host_tools.core.own_files import append_line, read_text, written_below

Built = TypeVar("Built")


class SlipBook:
    """Lines are appended and synced. `entries`: all of them, as `slip_fields`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._heads: dict[tuple[str, str], bytes] = {}
        self.entries: list[dict[str, Any]] = []
        if path.exists():
            read_book(path, self._take)

    def head_of(self, box_id: str, match_id: str) -> bytes | None:
        """The journal head booked for this match, None if there is no result of it yet."""
        return self._heads.get((box_id, match_id))

    def book(self, slip: kinds.Slip, uid: bytes) -> None:
        """Keep the result. Raises UserError if the disk refuses."""
        entry = slip_fields(slip, uid)
        with written_below(self._path):
            append_line(self._path, entry)
        self._take(entry)

    def _take(self, entry: dict[str, Any]) -> None:
        self._heads[entry["box"], entry["match"]] = bytes.fromhex(entry["head"])
        self.entries.append(entry)


def read_book(path: Path, read: Callable[[dict[str, Any]], Built]) -> list[Built]:
    """What `read` makes of each slip of a book. Raises UserError naming the line that is none."""
    made = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            made.append(read(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            no_slip = Sentence("fault_no_slip")
            raise UserError("line_fault", path=path, line=number, detail=no_slip) from error
    return made


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
