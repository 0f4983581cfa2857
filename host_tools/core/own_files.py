"""Files of ours: what was written stays, and others may not read what is private."""

import json
import os
from pathlib import Path

OWNER_ONLY = 0o600


def append_line(path: Path, entry: object) -> None:
    """One JSON object more at the end, a line of its own, synced. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf8") as file:
        file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def write_privately(path: Path, text: str) -> None:
    """A file that its owner alone may read, all or nothing. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(handle, "w", encoding="utf8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
