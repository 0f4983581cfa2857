"""A box in this process: the firmware's own link, journal and settings behind a memory port."""

import json
import random
from collections import deque
from typing import TYPE_CHECKING

from firmware.app.journal import Journal
from firmware.app.link import Link
from firmware.app.link_frames import CHAIN_START, write_record
from firmware.app.settings import Settings
from firmware.drivers.usb_line import UsbLine
from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from host_tools.cards.public_keys import SigningKey

if TYPE_CHECKING:
    from firmware.app.flash import Files

HATTRICK = {"schiri": 1, "game": "hattrick", "seats": 3, "options": {"hands": 1}}
STEPS_A_READ = 50
TICKS_PERIOD = 1 << 30  # MicroPython's ticks_ms starts anew behind it


class MemoryLine:
    """stdin, stdout and select of the box, with both directions in memory, always with room."""

    def __init__(self) -> None:
        self.to_box: deque[int] = deque()
        self.to_laptop = bytearray()

    def poll(self, timeout_ms: int) -> list[tuple[object, int]]:
        return [(self, 1)] if self.to_box else []

    def read(self, size: int) -> bytes:
        return bytes([self.to_box.popleft()])

    def write(self, data: bytes | memoryview) -> int:
        self.to_laptop += data
        return len(data)


class WritePoll:
    """select.poll() for POLLOUT of a laptop that reads all at once."""

    def poll(self, timeout_ms: int) -> list[tuple[object, int]]:
        return [(self, 4)]


def journal_of(*parts: dict[str, object]) -> bytes:
    """A journal of these parts, a record each, chained as a box does it."""
    raw, chain = b"", CHAIN_START
    for seq, part in enumerate(parts):
        line, chain = write_record(chain, seq, json.dumps(part))
        raw += line
    return raw


class SigningJournal(Journal):
    """Seals a match at once with the key, as firmware/app/signing.py does behind it; without one
    nobody signs.
    """

    key: SigningKey | None = None

    def close(self, result: str) -> None:
        self.signs_later = self.key is not None
        super().close(result)
        if self.key is None:
            return
        waits = self.to_seal()
        assert waits is not None
        number, count, head = waits
        signature = self.key.sign("journal", head + count.to_bytes(4))
        self.seal(number, count, bytes.fromhex(self.key.id), signature)


class MemoryBox:
    """A box with id, flash and key; `port()` is the laptop's end of its USB line."""

    def __init__(self, flash: "Files", box: str = "b0c5", key: SigningKey | None = None) -> None:
        self.wire = MemoryLine()
        self.flash = flash
        self.settings = Settings(flash)
        numbers = random.Random(box)
        self.journal = SigningJournal(flash, box, numbers.randbytes)
        self.journal.key = key
        line = UsbLine(self.wire, self.wire, self.wire, WritePoll())
        self.link = Link(line, self.journal, self.settings, "0.1.0", self)
        self.now_ms = 0

    def step(self, times: int = 1) -> None:
        for _ in range(times):
            self.now_ms = self.ticks_add(self.now_ms, 1)
            self.link.step(self.now_ms)

    def ticks_ms(self) -> int:
        return self.now_ms

    def ticks_add(self, ticks: int, delta: int) -> int:
        return (ticks + delta) % TICKS_PERIOD

    def ticks_diff(self, end: int, start: int) -> int:
        half = TICKS_PERIOD // 2
        return (end - start + half) % TICKS_PERIOD - half

    def port(self) -> "MemoryPort":
        return MemoryPort(self)


class MemoryPort:
    """host_tools.box.link.Port: a read lets the box work and returns what it has said."""

    def __init__(self, box: MemoryBox) -> None:
        self.box = box
        self.closed = False

    def write(self, data: bytes) -> object:
        self.box.wire.to_box.extend(data)
        return len(data)

    def read(self, size: int = 1) -> bytes:
        self.box.step(STEPS_A_READ)
        data = bytes(self.box.wire.to_laptop[:size])
        del self.box.wire.to_laptop[:size]
        return data

    def close(self) -> None:
        self.closed = True


def play(journal: Journal, commands: int | None = None) -> int:
    """Play a Hattrick hand, cards in a fixed order; stop after some commands or seal it."""
    number = journal.open_match(json.dumps(HATTRICK))
    match = open_match(HATTRICK)
    for n, command in enumerate(hand()):
        if n == commands:
            return number
        journal.append(json.dumps(command), write_answer(match.apply(command)))
    journal.close(write_result(match.result()))
    return number


def hand() -> list[dict[str, object]]:
    """One whole hand of Hattrick; what the rules refuse stays refused, as in a real journal."""
    cards = [f"{suit}{n}" for n in range(1, 21) for suit in "RGB"]
    first: list[dict[str, object]] = [{"t": 0, "do": "begin", "seat": 0}]
    return first + [{"t": 10 * n, "do": "tap", "card": card} for n, card in enumerate(cards, 1)]
