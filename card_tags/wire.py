"""Numbers and texts from bytes (FORMAT.md, *Bodies*): strict, one spelling for every value."""

from micropython import const

from card_tags.errors import MALFORMED, TagError

LARGEST = const(0xFFFFFFFF)
MORE = const(0x80)
LONGEST_TEXT = const(60)

# Well-formed UTF-8 (Unicode 16.0, table 3-7): first byte from, to, second byte from, to, length.
_UTF8 = (
    b"\x20\x7e\x00\x00\x01"
    b"\xc2\xdf\x80\xbf\x02"
    b"\xe0\xe0\xa0\xbf\x03"
    b"\xe1\xec\x80\xbf\x03"
    b"\xed\xed\x80\x9f\x03"
    b"\xee\xef\x80\xbf\x03"
    b"\xf0\xf0\x90\xbf\x04"
    b"\xf1\xf3\x80\xbf\x04"
    b"\xf4\xf4\x80\x8f\x04"
)


class WireReader:
    """Reads `data[start:end]` from the front. Everything unexpected raises TagError(MALFORMED)."""

    def __init__(self, data: "bytes | memoryview", start: int = 0, end: int = -1) -> None:
        self._data = data
        self._at = start
        self._end = len(data) if end < 0 else end

    def byte(self) -> int:
        """The next byte."""
        if self._at >= self._end:
            raise TagError(MALFORMED)
        self._at += 1
        return self._data[self._at - 1]

    def number(self) -> int:
        """A varint in its shortest spelling."""
        value = 0
        shift = 0
        part = MORE
        while part & MORE:
            part = self.byte()
            value |= (part & 0x7F) << shift
            shift += 7
            # five groups at most; a last one of zero would be a second spelling of the number
            if value > LARGEST or shift > 35 or (part == 0 and shift > 7):
                raise TagError(MALFORMED)
        return value

    def signed(self) -> int:
        """The counterpart of `writer.Writer.signed`."""
        return unfold(self.number())

    def raw(self, length: int) -> bytes:
        """The next `length` bytes."""
        start = self._at
        if start + length > self._end:
            raise TagError(MALFORMED)
        self._at += length
        return bytes(self._data[start : self._at])

    def text(self) -> str:
        """A text as `writer.Writer.text` writes it."""
        length = self.byte()
        if length > LONGEST_TEXT:
            raise TagError(MALFORMED)
        raw = self.raw(length)
        if not is_text(raw):
            raise TagError(MALFORMED)
        return raw.decode()

    def left(self) -> int:
        """How many bytes follow."""
        return self._end - self._at

    def finish(self) -> None:
        """Nothing may be left."""
        if self._at != self._end:
            raise TagError(MALFORMED)


def unfold(value: int) -> int:
    """The counterpart of `writer.fold`."""
    return -((value + 1) >> 1) if value & 1 else value >> 1


def is_text(raw: bytes) -> bool:
    """Well-formed UTF-8 without control characters; MicroPython's check passes overlong forms."""
    at = 0
    while at < len(raw):
        length = _character_length(raw, at)
        if length == 0:
            return False
        at += length
    return True


def _character_length(raw: bytes, at: int) -> int:
    """Bytes of the character at `at`, 0 if it is none."""
    for row in range(0, len(_UTF8), 5):
        if _UTF8[row] <= raw[at] <= _UTF8[row + 1]:
            second_from, second_to, length = _UTF8[row + 2 : row + 5]
            if at + length > len(raw):
                return 0
            if length > 1 and not second_from <= raw[at + 1] <= second_to:
                return 0
            for later in range(at + 2, at + length):
                if raw[later] & 0xC0 != 0x80:
                    return 0
            return length
    return 0
