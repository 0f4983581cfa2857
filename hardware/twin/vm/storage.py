"""The flash file system of the box as a MicroPython file system object: thin calls to the twin's
flash.

In the VM it is mounted with `vfs.mount`; on CPython `inproc` sends the paths below the storage
folder here.
"""

import io

from micropython import const

from hardware.twin.vm import ops

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hardware.twin.vm.machine import Bridge

_FOLDER = const(0x4000)
_FILE = const(0x8000)
_BLOCK = const(4096)
_NAME_MAX = const(255)
_READ_CHUNK = const(512)
_CACHE_BYTES = const(1024)  # extmod/vfs_lfsx.c: four times the block of 256 that rp2 programs
_LINE_BYTES = const(64)
_NEWLINE = const(10)
_MODES = "rwax"


class BinaryFile(io.IOBase):
    """An open file. Nothing is durable before `flush` or `close`, as on littlefs.

    `ahead` bytes are read at once: the RP2 port's littlefs keeps a cache of that size for each
    open file, on the same heap.
    """

    def __init__(self, bridge: "Bridge", handle: int, ahead: int) -> None:
        self.bridge = bridge
        self._handle = handle
        self._open = True
        self._ahead = bytearray(ahead)
        self._at = 0  # of what was read ahead: the next byte, and the end
        self._end = 0

    def readinto(self, buf: "Any") -> int:
        view = memoryview(buf)
        done = 0
        while done < len(view):
            if self._at == self._end and not self._read_ahead():
                break
            got = min(len(view) - done, self._end - self._at)
            view[done : done + got] = memoryview(self._ahead)[self._at : self._at + got]
            self._at += got
            done += got
        return done

    def _read_ahead(self) -> int:
        self._at = 0
        self._end = self.bridge.fill(ops.FILE_READ, self._handle, 0, self._ahead)
        return self._end

    def read(self, size: int = -1) -> bytes:
        if size >= 0:
            return self._some(size)
        whole = b""
        chunk = self._some(_READ_CHUNK)
        while chunk:
            whole += chunk
            chunk = self._some(_READ_CHUNK)
        return whole

    def _some(self, size: int) -> bytes:
        buffer = bytearray(size)
        got = self.readinto(buffer)
        return bytes(buffer[:got])

    def readline(self, size: "int | None" = -1) -> bytes:
        """As py/stream.c: a limit is taken from the heap whole, before the first byte is read."""
        limit = -1 if size is None else size
        line = bytearray(_LINE_BYTES if limit < 0 else limit)
        used = 0
        while used != limit and (self._at < self._end or self._read_ahead()):
            if used == len(line):
                line.extend(bytes(_LINE_BYTES))
            line[used] = self._ahead[self._at]
            self._at += 1
            used += 1
            if line[used - 1] == _NEWLINE:
                break
        return bytes(memoryview(line)[:used])

    def write(self, data: "Any") -> int:
        return self.bridge.send(ops.FILE_WRITE, self._handle, 0, 0, data)

    def seek(self, offset: int, whence: int = 0) -> int:
        unread = self._end - self._at
        self._at = self._end = 0
        if whence == 1:
            offset -= unread
        return self.bridge.call(ops.FILE_SEEK, self._handle, offset, whence)

    def tell(self) -> int:
        unread = self._end - self._at
        return self.bridge.call(ops.FILE_SEEK, self._handle, 0, 1) - unread

    def flush(self) -> None:
        if self._open:
            self.bridge.call(ops.FILE_FLUSH, self._handle)

    def ioctl(self, request: int, argument: int) -> int:
        return 0

    def close(self) -> None:
        if self._open:
            self._open = False
            self.bridge.call(ops.FILE_CLOSE, self._handle)

    def __enter__(self) -> "BinaryFile":
        return self

    def __exit__(self, *error: "Any") -> None:
        self.close()

    def __iter__(self) -> "Iterator[Any]":
        line = self.readline()
        while line:
            yield line
            line = self.readline()


class TextFile(BinaryFile):
    """The same with UTF-8 text."""

    def read(self, size: int = -1) -> "Any":
        return str(BinaryFile.read(self, size), "utf-8")

    def readline(self, size: "int | None" = -1) -> "Any":
        return str(BinaryFile.readline(self, size), "utf-8")

    def write(self, data: "Any") -> int:
        # `sys.print_exception` hands bytes to any stream
        BinaryFile.write(self, data.encode() if isinstance(data, str) else data)
        return len(data)


class Storage:
    """What `vfs.mount` needs: paths begin with "/" and are those inside the storage folder."""

    def __init__(self, bridge: "Bridge") -> None:
        self.bridge = bridge

    def mount(self, readonly: bool, mkfs: bool) -> None:
        """Nothing to prepare: the twin's flash is there."""

    def umount(self) -> None:
        """Nothing to give back."""

    def open(self, path: str, mode: str = "r") -> BinaryFile:
        kind = _MODES.find(mode[0])
        plus = 1 if "+" in mode else 0
        handle = self.bridge.send(ops.FILE_OPEN, kind, plus, 0, path.encode())
        ahead = 1 if plus or kind else _CACHE_BYTES  # who writes must not be ahead of himself
        return (BinaryFile if "b" in mode else TextFile)(self.bridge, handle, ahead)

    def stat(self, path: str) -> "tuple[int, ...]":
        name = path.encode()
        if self.bridge.send(ops.FILE_IS_FOLDER, 0, 0, 0, name):
            return (_FOLDER, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        size = self.bridge.send(ops.FILE_SIZE, 0, 0, 0, name)
        return (_FILE, 0, 0, 0, 0, 0, size, 0, 0, 0)

    def ilistdir(self, path: str) -> "Iterator[tuple[Any, ...]]":
        length = self.bridge.send(ops.FILE_LIST, 0, 0, 0, path.encode())
        text = bytearray(length)
        self.bridge.fill(ops.FILE_FETCH, 0, 0, text)
        for name in str(text, "utf-8").split("\n"):
            if name.endswith("/"):
                yield (name[:-1], _FOLDER, 0, 0)
            elif name:
                yield (name, _FILE, 0, 0)

    def remove(self, path: str) -> None:
        self.bridge.send(ops.FILE_REMOVE, 0, 0, 0, path.encode())

    def rename(self, old: str, new: str) -> None:
        self.bridge.send(ops.FILE_RENAME, 0, 0, 0, old.encode() + b"\x00" + new.encode())

    def mkdir(self, path: str) -> None:
        self.bridge.send(ops.FILE_MKDIR, 0, 0, 0, path.encode())

    def rmdir(self, path: str) -> None:
        self.bridge.send(ops.FILE_RMDIR, 0, 0, 0, path.encode())

    def statvfs(self, path: str) -> "tuple[int, ...]":
        blocks = self.bridge.call(ops.FILE_BLOCKS, 0)
        free = self.bridge.call(ops.FILE_BLOCKS, 1)
        return (_BLOCK, _BLOCK, blocks, free, free, 0, 0, 0, 0, _NAME_MAX)

    def chdir(self, path: str) -> None:
        if path != "/":
            raise OSError(2)

    def getcwd(self) -> str:
        return "/"
