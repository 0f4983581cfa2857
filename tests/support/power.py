"""A flash whose power can be cut at every program and erase: littlefs as MicroPython sets it up.

A run is recorded once, operation by operation; `images` then gives the chip as it was at each cut.
"""

import errno
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from littlefs import LittleFS, LittleFSError, UserContext

from firmware.app.slots import SECTOR as BLOCK
from host_tools.box.firmware.image import GEOMETRY

ERASED = 0xFF


@dataclass(frozen=True)
class Operation:
    """One program (`data`) or erase (`data` empty) of the chip."""

    block: int
    offset: int
    data: bytes

    def apply(self, image: bytearray, part: float = 1.0) -> None:
        """Do it to an image; `part` < 1 is a power cut in the middle of it."""
        start = self.block * BLOCK + self.offset
        if self.data:
            done = int(len(self.data) * part)
            image[start : start + done] = self.data[:done]
        else:
            done = int(BLOCK * part)
            image[start : start + done] = bytes([ERASED]) * done


class RecordingFlash(UserContext):
    """The block device under littlefs; `operations` records what was done to it."""

    def __init__(self, image: bytearray) -> None:
        super().__init__(buffer=image)
        self.operations: list[Operation] = []

    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        self.do(Operation(block, off, bytes(data)))
        return 0

    def erase(self, cfg: Any, block: int) -> int:
        self.do(Operation(block, 0, b""))
        return 0

    def do(self, operation: Operation) -> None:
        self.operations.append(operation)
        operation.apply(self.buffer)


def empty_image(blocks: int) -> bytearray:
    """A freshly formatted chip."""
    image = bytearray([ERASED]) * (blocks * BLOCK)
    LittleFS(context=RecordingFlash(image), mount=False, block_count=blocks, **GEOMETRY).format()
    return image


class LittleFlash:
    """firmware.app.flash.Flash over a littlefs on an image in memory; raises OSError like it.

    `blocks` are the file system's, at the begin of the image: all, or so many.
    """

    def __init__(self, image: bytearray, blocks: int = 0) -> None:
        self.chip = RecordingFlash(image)
        count = blocks or len(image) // BLOCK
        self.fs = LittleFS(context=self.chip, block_count=count, **GEOMETRY)

    def names(self) -> list[str]:
        """The names of all files, sorted."""
        return sorted(self.fs.listdir("/"))

    def open(self, name: str, mode: str) -> Any:
        """A binary file; readers are buffered, as reading does not touch the chip."""
        if mode == "ab" and name not in self.names():
            mode = "xb"  # MicroPython's "a" makes the file, littlefs-python's does not
        try:
            file = self.fs.open(name, mode, buffering=0)
        except FileNotFoundError as error:  # littlefs-python gives it no number
            raise OSError(errno.ENOENT, name) from error
        except LittleFSError as error:
            raise _as_os_error(error) from error
        return io.BufferedReader(file) if mode == "rb" else _Writer(file)

    def sync(self, file: Any) -> None:
        """lfs_file_sync, which is what `flush` does on the box."""
        file.flush()

    def size(self, name: str) -> int:
        """Bytes in the file."""
        return int(self.fs.stat(name).size)

    def rename(self, old: str, new: str) -> None:
        """Atomic."""
        self._try(lambda: self.fs.rename(old, new))

    def remove(self, name: str) -> None:
        """Atomic."""
        self._try(lambda: self.fs.remove(name))

    def mkdir(self, path: str) -> None:
        """Atomic."""
        self._try(lambda: self.fs.mkdir(path))

    def rmdir(self, path: str) -> None:
        """Atomic; the folder must be empty."""
        self._try(lambda: self.fs.rmdir(path))

    def free_bytes(self) -> int:
        """As statvfs of MicroPython counts: blocks in use at this moment."""
        return (self.fs.block_count - int(self.fs.used_block_count)) * BLOCK

    def _try(self, action: Any) -> None:
        try:
            action()
        except LittleFSError as error:
            raise _as_os_error(error) from error


class _Writer:
    """A file open for writing; littlefs's errors become OSError."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        return int(self._call(self._file.write, data))

    def seek(self, offset: int) -> int:
        return int(self._call(self._file.seek, offset))

    def flush(self) -> None:
        self._call(self._file.flush)

    def close(self) -> None:
        self._call(self._file.close)

    def _call(self, action: Any, *arguments: object) -> Any:
        try:
            return action(*arguments)
        except LittleFSError as error:
            raise _as_os_error(error) from error


def _as_os_error(error: LittleFSError) -> OSError:
    return OSError(-error.code, error.name)


def images(start: bytearray, operations: list[Operation]) -> Iterator[tuple[int, bytearray]]:
    """The chip at every cut: before, in the middle of, and after each operation.

    Yields (how many operations were finished, image); the image is the caller's.
    """
    image = bytearray(start)
    for done, operation in enumerate(operations):
        yield done, bytearray(image)
        torn = bytearray(image)
        operation.apply(torn, 0.5)
        yield done, torn
        operation.apply(image)
    yield len(operations), image
