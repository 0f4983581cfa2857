"""Frames between host and PN532 (UM0701-02, 6.2.1): build, and find in a byte stream."""

from dataclasses import dataclass
from enum import Enum

FROM_HOST = 0xD4  # TFI
FROM_CHIP = 0xD5
START = b"\x00\xff"
ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
ERROR = bytes.fromhex("0000FF01FF7F8100")  # syntax error, no detail
NORMAL_MAX = 255  # TFI and data
EXTENDED_MAX = 265


class FrameKind(Enum):
    """What was found."""

    DATA = 0
    ACK = 1
    NACK = 2


@dataclass(frozen=True)
class Frame:
    """A whole frame; `data` starts with the TFI and is empty for ACK and NACK."""

    kind: FrameKind
    data: bytes = b""


def build(tfi: int, data: bytes) -> bytes:
    """The frame around `data` (command code first): normal up to 254 bytes, else extended."""
    body = bytes([tfi]) + data
    length = len(body)
    if length > EXTENDED_MAX:
        raise ValueError(f"a PN532 frame holds at most {EXTENDED_MAX} bytes, not {length}")
    if length <= NORMAL_MAX:
        head = bytes((length, -length & 0xFF))
    else:
        high, low = divmod(length, 256)
        head = bytes((0xFF, 0xFF, high, low, -(high + low) & 0xFF))
    return b"\x00" + START + head + body + bytes((-sum(body) & 0xFF, 0x00))


class FrameParser:
    """Finds frames in the host's bytes; skips preambles, junk and frames with wrong sums."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def clear(self) -> None:
        """Forget a frame that has begun."""
        self._buffer.clear()

    def feed(self, data: bytes) -> list[Frame]:
        """Take bytes in, return the frames that are complete now."""
        self._buffer += data
        found = []
        while (length := self._measure()) > 0:
            chunk = bytes(self._buffer[:length])
            del self._buffer[:length]
            frame = _check(chunk)
            if frame is not None:
                found.append(frame)
        return found

    def _measure(self) -> int:
        """Drop junk; the number of bytes of the frame at the front, 0 if it is not complete."""
        buffer = self._buffer
        start = buffer.find(START)
        if start < 0:
            del buffer[: len(buffer) - 1 if buffer[-1:] == b"\x00" else len(buffer)]
            return 0
        del buffer[:start]
        if len(buffer) < 4:
            return 0
        length = _length(buffer)
        return length if 0 < length <= len(buffer) else 0


def _length(buffer: bytearray) -> int:
    """Bytes from the start code to the checksum; 0 if the head is not complete."""
    size, check = buffer[2], buffer[3]
    if (size, check) in ((0x00, 0xFF), (0xFF, 0x00)):
        return 4
    if (size, check) == (0xFF, 0xFF):
        if len(buffer) < 7:
            return 0
        if sum(buffer[4:7]) & 0xFF or buffer[4] * 256 + buffer[5] > EXTENDED_MAX:
            return 2  # a wrong length: the search goes on behind the start code
        return 7 + buffer[4] * 256 + buffer[5] + 1
    if (size + check) & 0xFF or size == 0:
        return 2
    return 4 + size + 1


def _check(chunk: bytes) -> Frame | None:
    if len(chunk) == 2:
        return None
    if len(chunk) == 4:
        return Frame(FrameKind.ACK if chunk[2] == 0x00 else FrameKind.NACK)
    body = chunk[7:] if chunk[2:4] == b"\xff\xff" else chunk[4:]
    return Frame(FrameKind.DATA, body[:-1]) if sum(body) & 0xFF == 0 else None
