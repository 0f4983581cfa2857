"""PN532 dialogues as readable hex: CMD what the host sends, RSP what the chip answers.

The frames are put together here a second time, from UM0701-02 section 6.2.1 and not by the driver.
"""

from firmware.drivers.pn532 import frame
from firmware.drivers.pn532.frame import Parser

ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
ERROR = bytes.fromhex("0000FF01FF7F8100")


def _frame(body: bytes) -> bytes:
    if len(body) < 256:
        head = bytes((len(body), 256 - len(body) & 0xFF))
    else:
        high, low = divmod(len(body), 256)
        head = bytes((0xFF, 0xFF, high, low, 512 - high - low & 0xFF))
    return b"\x00\x00\xff" + head + body + bytes((256 - sum(body) % 256 & 0xFF,)) + b"\x00"


def CMD(text: str) -> bytes:
    """The frame of a command, from hex without TFI."""
    return _frame(b"\xd4" + bytes.fromhex(text))


def RSP(text: str) -> bytes:
    """The frame of an answer, from hex without TFI."""
    return _frame(b"\xd5" + bytes.fromhex(text))


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self, start_ms: int = 0) -> None:
        self.us = 1000 * start_ms

    def ticks_ms(self) -> int:
        return self.us // 1000

    def ticks_us(self) -> int:
        return self.us

    def ticks_diff(self, end: int, start: int, /) -> int:
        return end - start

    def ticks_add(self, ticks: int, delta: int, /) -> int:
        return ticks + delta

    def sleep_ms(self, ms: int, /) -> None:
        self.us += 1000 * ms

    def sleep_us(self, us: int, /) -> None:
        self.us += us


class Dialogue:
    """A transport that plays a script of `(expected frame, bytes that come back)`, in order.

    Anything else than the expected frame fails the test; so does a script not played to its end.
    """

    speeds: "tuple[int, ...]" = (115200,)

    def __init__(self, *script: tuple[bytes, bytes]) -> None:
        self._script = list(script)
        self._waiting = b""

    def write(self, data: bytes) -> None:
        assert self._script, f"unexpected {data.hex()}"
        expected, self._waiting = self._script.pop(0)
        assert data.hex() == expected.hex()

    def read(self, parser: Parser) -> int:
        while self._waiting:
            found = parser.take(bytearray(self._waiting), 0, len(self._waiting))
            self._waiting = self._waiting[parser.at :]
            if found != frame.NOTHING:
                return found
        return frame.NOTHING

    def wake(self) -> None:
        """Nothing to do."""

    def reopen(self, speed: int) -> None:
        self._waiting = b""

    def check_finished(self) -> None:
        assert not self._script, f"never sent: {[entry[0].hex() for entry in self._script]}"
