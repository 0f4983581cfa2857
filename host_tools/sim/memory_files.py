"""A disk in memory for many thousand matches: firmware.app.flash.Files over a dictionary."""

import errno
import io
from typing import Any


class MemoryFiles:
    """What was synced is there; the rest is not."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    def names(self) -> list[str]:
        """The names of all files, sorted."""
        return sorted(self.contents)

    def open(self, name: str, mode: str) -> Any:
        """A binary file; a writer is stored by `sync`."""
        if mode == "rb":
            if name not in self.contents:
                raise OSError(errno.ENOENT, name)
            return io.BytesIO(self.contents[name])
        file = _Written(name)
        if mode == "ab":
            # `sync` keeps the whole buffer, so what was there comes first
            file.write(self.contents.get(name, b""))
        return file

    def sync(self, file: Any) -> None:
        """Keep what the file holds now."""
        self.contents[file.name] = file.getvalue()

    def size(self, name: str) -> int:
        """Bytes in the file."""
        return len(self.contents[name])

    def rename(self, old: str, new: str) -> None:
        """Atomic."""
        self.contents[new] = self.contents.pop(old)

    def remove(self, name: str) -> None:
        """Atomic."""
        if self.contents.pop(name, None) is None:
            raise OSError(errno.ENOENT, name)

    def mkdir(self, name: str) -> None:
        """Names have their folders in them."""

    def rmdir(self, name: str) -> None:
        """Nothing is left of a folder without files."""

    def free_bytes(self) -> int:
        """Always plenty."""
        return 1 << 30


# with its name, because `sync` is given nothing but the file
class _Written(io.BytesIO):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
