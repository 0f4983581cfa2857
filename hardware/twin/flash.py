"""The flash of the box: its files as a folder of the host, and the piece that code runs from as a
file of the host, which processes map into their memory.

What is synced is on the disk, what is not is lost with the power.

The rules are littlefs's (its DESIGN.md): a file changes as a whole at `flush` or `close`, rename
and remove are atomic, an open file sees its own writes. A power cut forgets everything that was
not synced.
"""

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hardware.twin.errors import TwinError, os_error

BLOCK = 4096  # erase sector of the Pico's W25Q16
PAGE = 256  # what it programs at once
CAPACITY = 344 * BLOCK  # the file system of MicroPython 1.29 on a Pico: 1.4 MB of its 2 MB

MODES = ("r", "w", "a", "x")


@dataclass
class SlotFlash:
    """The slots of firmware, as the chip's flash behaves: erased by sectors, programmed by pages,
    and programming only clears bits. The file is there from the first use on. `before`, if set, is
    called before every operation, and may raise to cut the power right there.
    """

    path: Path
    size: int = 0
    operations: int = 0
    before: Callable[[], None] | None = None

    def fill(self, data: bytes) -> None:
        """What a new box has; one that has been used keeps what is there."""
        if not self.path.exists():
            self.path.write_bytes(data)
        self.size = self.path.stat().st_size

    def erase(self, sector: int) -> None:
        """Every byte of the sector becomes 0xFF."""
        self._write(sector * BLOCK, lambda old: b"\xff" * len(old), BLOCK)

    def program(self, start: int, data: bytes) -> None:
        """Whole pages."""
        if start % PAGE or len(data) % PAGE:
            raise TwinError(f"{len(data)} bytes at {start:#x} of the flash are no whole pages.")
        self._write(
            start, lambda old: bytes(a & b for a, b in zip(old, data, strict=True)), len(data)
        )

    def _write(self, start: int, change: Callable[[bytes], bytes], size: int) -> None:
        if self.before is not None:
            self.before()
        self.operations += 1
        with self.path.open("r+b") as file:
            file.seek(start)
            old = file.read(size)
            file.seek(start)
            file.write(change(old))


@dataclass
class _Open:
    """A file in use. `dirty_from` is where its content begins to differ from the disk, None if it
    does not.
    """

    path: str
    data: bytearray
    position: int
    readable: bool
    writable: bool
    appends: bool
    dirty_from: int | None


@dataclass
class TwinFlash:
    """The file system. Paths begin with "/". Every method raises OSError as MicroPython's littlefs
    does.

    `durable` counts the operations that changed the disk. `before_durable`, if set, is called with
    the name of each one before it happens, and may raise to cut the power right there. The next
    `refused_syncs` syncs of changed files fail with EIO, as when the chip does not take a page.
    `synced_to_disk`: what is synced here survives a power cut of the computer, too.
    """

    folder: Path
    capacity: int = CAPACITY
    durable: int = 0
    before_durable: Callable[[str], None] | None = None
    refused_syncs: int = 0
    synced_to_disk: bool = False
    _open: dict[int, _Open] = field(default_factory=dict)
    _next_handle: int = 1

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def power_off(self) -> None:
        """Everything that was not synced is gone."""
        self._open.clear()

    # -- files

    def open(self, path: str, mode: str, plus: bool = False) -> int:
        """Open and return a handle; `mode` is one of r, w, a, x."""
        disk = self._disk(path)
        if disk.is_dir():
            raise os_error(errno.EISDIR)
        if mode == "r" and not disk.exists():
            raise os_error(errno.ENOENT)
        if mode == "x" and disk.exists():
            raise os_error(errno.EEXIST)
        if not disk.parent.is_dir():
            raise os_error(errno.ENOENT)
        keeps = mode in "ra" and disk.exists()
        file = _Open(
            path=path,
            data=bytearray(disk.read_bytes() if keeps else b""),
            position=0,
            readable=mode == "r" or plus,
            writable=mode != "r" or plus,
            appends=mode == "a",
            dirty_from=None if keeps else 0,
        )
        if not disk.exists():
            self._commit("create", path)
            disk.touch()
        self._next_handle += 1
        self._open[self._next_handle] = file
        return self._next_handle

    def read(self, handle: int, size: int) -> bytes:
        """Up to `size` bytes from the position on."""
        file = self._file(handle)
        if not file.readable:
            raise os_error(errno.EBADF)
        data = bytes(file.data[file.position : file.position + size])
        file.position += len(data)
        return data

    def write(self, handle: int, data: bytes) -> int:
        """Write at the position (at the end in mode a). Not durable yet. Raises ENOSPC when the
        flash is full.
        """
        file = self._file(handle)
        if not file.writable:
            raise os_error(errno.EBADF)
        if file.appends:
            file.position = len(file.data)
        end = file.position + len(data)
        more = self._blocks(end) - self._blocks(len(file.data))
        if more > 0 and self.free_blocks() < more:
            raise os_error(errno.ENOSPC)
        first = min(file.position, len(file.data))
        file.data.extend(bytes(max(0, file.position - len(file.data))))
        file.data[file.position : end] = data
        file.position = end
        file.dirty_from = first if file.dirty_from is None else min(first, file.dirty_from)
        return len(data)

    def seek(self, handle: int, offset: int, whence: int) -> int:
        """Move as `io` does; returns the new position."""
        file = self._file(handle)
        base = (0, file.position, len(file.data))[whence]
        if base + offset < 0:
            raise os_error(errno.EINVAL)
        file.position = base + offset
        return file.position

    def flush(self, handle: int) -> None:
        """Make everything written so far durable. EIO while syncs are refused: what was not synced
        is lost, since littlefs leaves a file alone after an error (`LFS_F_ERRED` in `lfs.c`).
        """
        file = self._file(handle)
        if file.dirty_from is None:
            return
        if self.refused_syncs:
            self.refused_syncs -= 1
            file.dirty_from = None
            raise os_error(errno.EIO)
        self._commit("write", file.path)
        disk = self._disk(file.path)
        # written anew it is there whole or as it was, as on the chip
        anew = file.dirty_from == 0 and disk.exists()
        draft = self.folder.with_name(f"{self.folder.name}.new") if anew else disk
        with draft.open("r+b" if disk.exists() and not anew else "wb") as target:
            target.seek(file.dirty_from)
            target.write(file.data[file.dirty_from :])
            target.truncate(len(file.data))
            if self.synced_to_disk:
                target.flush()
                os.fsync(target.fileno())
        if anew:
            draft.replace(disk)
        file.dirty_from = None

    def close(self, handle: int) -> None:
        """Flush and forget the handle."""
        self.flush(handle)
        del self._open[handle]

    # -- names

    def size(self, path: str) -> int:
        """Bytes of a file, as last synced."""
        disk = self._disk(path)
        if not disk.is_file():
            raise os_error(errno.ENOENT)
        return disk.stat().st_size

    def is_folder(self, path: str) -> bool:
        """True for a folder, False for a file; ENOENT if there is neither."""
        disk = self._disk(path)
        if not disk.exists():
            raise os_error(errno.ENOENT)
        return disk.is_dir()

    def names(self, path: str) -> list[str]:
        """Names in a folder, in no promised order; folders end in "/"."""
        disk = self._disk(path)
        if not disk.is_dir():
            raise os_error(errno.ENOENT)
        return [entry.name + ("/" if entry.is_dir() else "") for entry in disk.iterdir()]

    def remove(self, path: str) -> None:
        """Remove a file."""
        disk = self._disk(path)
        if not disk.is_file():
            raise os_error(errno.EISDIR if disk.is_dir() else errno.ENOENT)
        self._commit("remove", path)
        disk.unlink()

    def rename(self, old: str, new: str) -> None:
        """Rename in one step; a file of the new name is replaced."""
        source, target = self._disk(old), self._disk(new)
        if not source.exists():
            raise os_error(errno.ENOENT)
        self._commit("rename", old)
        os.replace(source, target)
        for file in self._open.values():
            if file.path == old:
                file.path = new

    def mkdir(self, path: str) -> None:
        """Make a folder."""
        disk = self._disk(path)
        if disk.exists():
            raise os_error(errno.EEXIST)
        if not disk.parent.is_dir():
            raise os_error(errno.ENOENT)
        self._commit("mkdir", path)
        disk.mkdir()

    def rmdir(self, path: str) -> None:
        """Remove an empty folder."""
        disk = self._disk(path)
        if not disk.is_dir():
            raise os_error(errno.ENOENT)
        if any(disk.iterdir()):
            raise os_error(errno.ENOTEMPTY)
        self._commit("rmdir", path)
        disk.rmdir()

    # -- space

    def blocks(self) -> int:
        """Blocks of 4096 bytes altogether."""
        return self.capacity // BLOCK

    def free_blocks(self) -> int:
        """Blocks still free; every file and folder takes whole ones."""
        open_sizes = {self._disk(file.path): len(file.data) for file in self._open.values()}
        used = 2  # the root's pair of metadata blocks
        for entry in self.folder.rglob("*"):
            size = entry.stat().st_size if entry.is_file() else 2 * BLOCK
            used += self._blocks(max(size, open_sizes.get(entry, 0)))
        return max(0, self.blocks() - used)

    @staticmethod
    def _blocks(size: int) -> int:
        return -(-size // BLOCK)

    def _file(self, handle: int) -> _Open:
        if handle not in self._open:
            raise os_error(errno.EBADF)
        return self._open[handle]

    def _disk(self, path: str) -> Path:
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if ".." in parts:
            raise os_error(errno.EINVAL)
        return self.folder.joinpath(*parts)

    def _commit(self, operation: str, path: str) -> None:
        if self.before_durable is not None:
            self.before_durable(f"{operation} {path}")
        self.durable += 1
