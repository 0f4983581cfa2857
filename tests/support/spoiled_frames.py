"""Spoiled frames: what a serial line can do to the chip's answers, and what becomes of it.

Each frame meets one fault: a byte changed, a byte lost, a cut, or noise before it. The frame's two
checksums and its last zero find every one of these, so nothing wrong may ever be taken for right.
"""

import random

from firmware.drivers import presence
from firmware.drivers.pn532 import frame
from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.frame import Parser
from firmware.drivers.pn532.hsu import Hsu
from firmware.drivers.reader import Reader
from hardware.twin.clock import VirtualClock
from host_tools.sim.demo.tags import TwinClock

UID = bytes.fromhex("04A1B2C3D4E5F6")
DATA = bytes(range(0x30, 0x60))
_STEP_US = 2000

# by command code: the answer of a chip on which one card lies
_ANSWERS = {
    0x02: "0332010607",
    0x10: "11",
    0x12: "13",
    0x14: "15",
    0x32: "33",
    0x4A: "4B01010044000704A1B2C3D4E5F6",
    0x42: "4300" + DATA.hex(),
    0x40: "4100" + DATA[:16].hex(),
}


def answer(body: bytes) -> bytes:
    """A normal frame from the chip around `body` (UM0701-02 section 6.2.1.1)."""
    full = bytes((frame.FROM_CHIP,)) + body
    head = bytes((0, 0, 0xFF, len(full), -len(full) & 0xFF))
    return head + full + bytes((-sum(full) & 0xFF, 0))


def spoil(whole: bytes, chance: random.Random) -> bytes:
    """Let one fault happen to a frame."""
    place = chance.randrange(len(whole))
    kind = chance.randrange(4)
    if kind == 0:
        changed = whole[place] ^ chance.randint(1, 255)
        return whole[:place] + bytes((changed,)) + whole[place + 1 :]
    if kind == 1:
        return whole[:place] + whole[place + 1 :]
    if kind == 2:
        return whole[:place]
    return bytes(chance.randrange(255) for _ in range(place)) + whole


def wrong_frames(count: int, seed: int) -> int:
    """Feed `count` spoiled frames to the parser; return how many were taken for another frame."""
    chance = random.Random(seed)
    parser = Parser()
    wrong = 0
    for _ in range(count):
        body = b"\x4b" + chance.randbytes(chance.choice((1, 8, 13, 49)))
        parser.reset()
        heard = bytearray(spoil(answer(body), chance))
        at = 0
        while at < len(heard):
            if parser.take(heard, at, len(heard)) == frame.FRAME:
                wrong += bytes(parser.payload[1 : parser.size]) != body
            at = parser.at
    return wrong


class SpoiledUart:
    """A chip with one card, at the end of a line that spoils a share of its answers."""

    def __init__(self, share: float, seed: int) -> None:
        self._chance = random.Random(seed)
        self._share = share
        self._waiting = b""
        self._last = b""
        self.spoiled = 0

    def init(self, *, baudrate: int) -> None:
        """The rate does not matter here."""

    def any(self) -> int:
        """Bytes that wait."""
        return len(self._waiting)

    def readinto(self, buffer: bytearray | memoryview, count: int, /) -> int:
        """Fetch up to `count` bytes."""
        data, self._waiting = self._waiting[:count], self._waiting[count:]
        buffer[: len(data)] = data
        return len(data)

    def write(self, data: bytes | bytearray | memoryview, /) -> int:
        """A command is answered at once, a NACK by the last answer."""
        said = bytes(data)
        if said == frame.NACK:
            self._waiting += self._perhaps(self._last)
        elif len(said) > 6 and said[5] == frame.TO_CHIP:
            self._last = answer(bytes.fromhex(_ANSWERS[said[6]]))
            self._waiting += self._perhaps(frame.ACK) + self._perhaps(self._last)
        return len(said)

    def flush(self) -> None:
        """Everything has left."""

    def _perhaps(self, whole: bytes) -> bytes:
        if self._chance.random() >= self._share:
            return whole
        self.spoiled += 1
        return spoil(whole, self._chance)


def wrong_cards(frames: int, share: float, seed: int) -> tuple[int, int]:
    """Run the reader until `frames` answers were spoiled: (wrong cards, times the card counted).

    Any exception that leaves `step` is a fault of the driver and passes through.
    """
    clock = VirtualClock()
    time = TwinClock(clock)
    uart = SpoiledUart(share, seed)
    reader = Reader(Pn532(Hsu(uart, time), time), time)
    reader.start()
    wrong = counted = 0
    while uart.spoiled < frames:
        if reader.step(time.ticks_ms()) == presence.CARD:
            counted += 1
            wrong += (reader.uid, bytes(reader.data)) != (UID, DATA)
        clock.advance(_STEP_US)
    return wrong, counted
