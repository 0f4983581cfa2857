"""Runs on both interpreters: a journal, a power cut, settings and link, on a disk in memory."""

import binascii

from firmware.app.journal import Journal
from firmware.app.link import Link
from firmware.app.link_frames import read_record, write_frame
from firmware.app.settings import Settings

KEY = bytes(range(32))


class File:
    """One open file of the disk below."""

    def __init__(self, disk: "Disk", name: str, mode: str) -> None:
        self.disk = disk
        self.name = name
        self.data = disk.files.get(name, b"") if mode != "wb" else b""
        self.place = 0 if mode == "rb" else len(self.data)

    def write(self, data: bytes) -> None:
        end = self.place + len(data)
        self.data = self.data[: self.place] + data + self.data[end:]
        self.place = end

    def read(self, size: int = -1) -> bytes:
        end = len(self.data) if size < 0 else self.place + size
        found = self.data[self.place : end]
        self.place += len(found)
        return found

    def readline(self, limit: int) -> bytes:
        end = self.data.find(b"\n", self.place) + 1
        return self.read(min(limit, (end or len(self.data)) - self.place))

    def seek(self, place: int) -> None:
        self.place = place

    def close(self) -> None:
        pass


class Disk:
    """What was synced, by name."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def names(self) -> "list[str]":
        return sorted(self.files)

    def open(self, name: str, mode: str) -> File:
        if mode == "rb" and name not in self.files:
            raise OSError(2)
        return File(self, name, mode)

    def sync(self, file: File) -> None:
        self.files[file.name] = file.data

    def size(self, name: str) -> int:
        return len(self.files[name])

    def mkdir(self, name: str) -> None:
        """Names have their folders in them."""

    def rmdir(self, name: str) -> None:
        """Nothing is left of a folder without files."""

    def rename(self, old: str, new: str) -> None:
        self.files[new] = self.files.pop(old)

    def remove(self, name: str) -> None:
        if self.files.pop(name, None) is None:
            raise OSError(2)

    def free_bytes(self) -> int:
        return 1 << 30


class Line:
    """The USB line: what is asked, and what was said."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.said = b""

    def read_line(self) -> "bytes | None":
        return self.asked.pop(0) if self.asked else None

    def write(self, data: bytes) -> int:
        self.said += data
        return len(data)

    def finish(self) -> bool:
        return True

    def ticks_diff(self, end: int, start: int) -> int:
        """The clock of a run that is over long before the ticks wrap."""
        return end - start


def answer(seed: str) -> str:
    """Play, cut, resume, fetch: commands resumed, flips seen, damage, journal, replies (hex)."""
    disk = Disk()
    settings = Settings(disk)  # type: ignore[arg-type]
    settings.set_key(KEY)
    journal = open_journal(disk)
    journal.open_match('{"schiri": 1, "names": ["Zoë~", "' + seed + '"]}')
    for n in range(5):
        journal.append_ahead(f'{{"t": {n}}}', f'{{"n": {n}, "x": "{seed}"}}')
    journal.settle()
    disk.files["m000001.run"] += b"12345678 6 torn" + seed.encode()
    journal = open_journal(disk)
    number = journal.unfinished()
    steps = len(list(journal.resume(number or 0)))
    journal.append_ahead('{"t": 9}', '{"n": 6}')
    journal.note("noon")
    raw = disk.files["m000001.run"]
    flipped = [read_record(flip(raw.split(b"\n")[2], bit)) is None for bit in range(200)]
    said = ask(disk, settings, journal)
    return f"{steps} {sum(flipped)} {journal.damaged} {as_hex(raw)} {as_hex(said)}"


def open_journal(disk: Disk) -> Journal:
    return Journal(disk, "b1", lambda n: bytes(n))  # type: ignore[arg-type]


def flip(line: bytes, bit: int) -> bytes:
    changed = bytearray(line)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def ask(disk: Disk, settings: Settings, journal: Journal) -> bytes:
    """The long replies, which are written piece by piece and so have one order everywhere."""
    line = Line()
    link = Link(line, journal, settings, "0.1.0", line)
    for first in (0, 3, 6):
        request = {"id": first, "do": "records", "match": 1, "from": first, "bytes": 300}
        line.asked.append(write_frame(request)[:-1])
        for n in range(20):
            link.step(n)
    return line.said


def as_hex(data: bytes) -> str:
    return binascii.hexlify(data).decode()


def run(host: "object") -> None:
    """Answer every line until there is none."""
    while True:
        line = host.read()  # type: ignore[attr-defined]
        if line is None:
            break
        host.write(answer(line))  # type: ignore[attr-defined]


if __name__ == "__main__":
    import sys

    sys.path.insert(0, "/")
    import _host  # type: ignore[import-not-found]

    run(_host)
