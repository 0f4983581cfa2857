"""The folder on the flash that keeps journal, settings and key: the few file operations they need.

Tests hand in another object with the same methods: a real littlefs whose power is cut, or a disk
in memory. All methods raise OSError as the file system does.
"""

import binascii
import hashlib
import os

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Files(Protocol):
        """What journal and settings need of a file system."""

        def names(self) -> "list[str]": ...
        def open(self, name: str, mode: str) -> Any: ...
        def sync(self, file: Any) -> None: ...
        def size(self, name: str) -> int: ...
        def rename(self, old: str, new: str) -> None: ...
        def remove(self, name: str) -> None: ...
        def mkdir(self, name: str) -> None: ...
        def rmdir(self, name: str) -> None: ...
        def free_bytes(self) -> int: ...


_PLENTY = const(1 << 30)
_CHUNK = const(1024)


def hash_of(file: "Any") -> str:
    """SHA-256 (hex) of what a file just opened for reading holds. The file is closed."""
    whole = hashlib.sha256()
    try:
        data = file.read(_CHUNK)
        while data:
            whole.update(data)
            data = file.read(_CHUNK)
    finally:
        file.close()
    return binascii.hexlify(whole.digest()).decode()


class Flash:
    """`root` is created when it is missing."""

    def __init__(self, root: str) -> None:
        self._root = root.rstrip("/")
        try:
            os.mkdir(self._root)
        except OSError:
            os.listdir(self._root)  # it was there; anything else is a fault of the file system

    def names(self) -> "list[str]":
        """The names of all files, sorted."""
        return sorted(os.listdir(self._root))

    def open(self, name: str, mode: str) -> "Any":
        """A binary file; `mode` is "rb", "wb" or "ab"."""
        return open(self._path(name), mode)

    def sync(self, file: "Any") -> None:
        """Returns when everything written to `file` will survive a power cut.

        On the box `flush` is littlefs's own sync; CPython needs the operating system's as well.
        """
        file.flush()
        fsync = getattr(os, "fsync", None)
        if fsync is not None:
            fsync(file.fileno())

    def size(self, name: str) -> int:
        """Bytes in the file."""
        return int(os.stat(self._path(name))[6])

    def rename(self, old: str, new: str) -> None:
        """Atomic on littlefs: after a power cut the file has one name or the other."""
        os.rename(self._path(old), self._path(new))

    def remove(self, name: str) -> None:
        os.remove(self._path(name))

    def mkdir(self, name: str) -> None:
        """A folder for files that change often."""
        os.mkdir(self._path(name))

    def rmdir(self, name: str) -> None:
        """Remove an empty folder."""
        os.rmdir(self._path(name))

    def free_bytes(self) -> int:
        """Bytes left on the file system."""
        statvfs = getattr(os, "statvfs", None)
        if statvfs is None:  # the VM in a browser has no disk to fill
            return _PLENTY
        numbers = statvfs(self._root)
        return int(numbers[1] * numbers[4])

    def _path(self, name: str) -> str:
        return self._root + "/" + name
