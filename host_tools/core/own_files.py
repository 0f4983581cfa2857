"""Files of ours: what was written stays, and others may not read what is private."""

import errno
import json
import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from host_tools.core.errors import Exit, UserError

LARGEST_INPUT = 1 << 28
"""Bytes of a file that is read; the proof of a tournament of 2 000 matches is half of it."""
OWNER_ONLY = 0o600
_EVERYBODY = 0o666
"""Less what the user's umask takes away."""


@contextmanager
def written_below(path: Path) -> Iterator[None]:
    """Whatever the system refuses here is told as of a file at or below `path`: UserError, 3."""
    try:
        yield
    except OSError as error:
        raise UserError("file_unwritable", Exit.SYSTEM, path=path, system=error) from error


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError("file_unreadable", path=path, system=error) from error
    except UnicodeDecodeError as error:
        raise UserError("no_utf8", path=path) from error


def read_input(path: Path) -> bytes:
    """A file that the user named. Raises UserError, at once for what has no end or no writer."""
    with _reading(path):
        found = path.stat()
        # a folder is refused by the system, in its words
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise UserError("file_none", path=path)
        if found.st_size > LARGEST_INPUT:
            raise UserError("file_large", path=path)
        return path.read_bytes()


def read_text(path: Path) -> str:
    """The same of a text in UTF-8, with or without a byte order mark."""
    with _reading(path):
        return path.read_text(encoding="utf-8-sig")


def refuse_existing(path: Path) -> None:
    """Before anything is made for a new file: raises UserError where something stands there
    already, or where the system takes none.
    """
    if path.exists():
        raise UserError("file_exists", path=path)
    with written_below(path), tempfile.TemporaryFile(dir=path.parent):
        pass


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone afterwards. Raises UserError where none can be made."""
    with ExitStack() as stack:
        with written_below(_temporary_place()):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="schiri-"))
        yield Path(folder)


def _temporary_place() -> Path:
    """The system's folder for that; if none can be written, the current one: it was tried last."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        return Path.cwd()


def write_output(path: Path, data: bytes) -> None:
    """A file that the user named: whole or as it was. Raises UserError, 3."""
    with written_below(path):
        write_whole(path, data)


def write_whole(path: Path, data: bytes, mode: int = _EVERYBODY) -> None:
    """A file that is there whole or as it was, in a folder that is there. What is no file, a pipe
    or a device, is just written to. Raises OSError.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")  # two desks may start at once
    # left by a process that was killed and had this number
    draft.unlink(missing_ok=True)
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # synced before: else a power cut could leave the name with an empty file
        draft.replace(path)
    finally:
        with suppress(FileNotFoundError):  # it has its name
            draft.unlink()


class FileLock:
    """A file that one program holds until it ends, however it ends. `held`: this one has it.
    Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        path.touch()
        # SQLite's lock: Python has no other that all systems know
        self._file = sqlite3.connect(
            path, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._file.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            self._file.close()
            self.held = False
        else:
            self.held = True

    def release(self) -> None:
        """Let another program have it."""
        self._file.close()
        self.held = False


def append_line(path: Path, entry: object) -> None:
    """One JSON object more at the end, a line of its own, synced. A line that did not fit is taken
    off again. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    line = (json.dumps(entry, ensure_ascii=False) + "\n").encode()
    # without a buffer: a write that falls short is seen here, not when the file is closed
    with path.open("ab", buffering=0) as file:
        before = file.tell()
        try:
            if file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise


def write_privately(path: Path, text: str) -> None:
    """A file that its owner alone may read, all or nothing; its folder is made. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_for_owner(path, text.encode())


def write_for_owner(path: Path, data: bytes) -> None:
    """The same in a folder that is there. What is no file, a pipe, is just written to."""
    write_whole(path, data, OWNER_ONLY)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Files of a folder, all of them or none; others that are there stay. Raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    # beside the folder: a rename works within one file system only
    with tempfile.TemporaryDirectory(prefix=f"{folder.name}.", dir=folder.parent) as draft:
        for name, data in files.items():
            target = Path(draft, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            Path(draft, name).replace(folder / name)
