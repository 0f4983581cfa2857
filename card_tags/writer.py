"""Numbers and texts as bytes (FORMAT.md, *Bodies*): the way back of `wire`."""

from card_tags.wire import LARGEST, LONGEST_TEXT, MORE, is_text


class Writer:
    """Collects a payload in `.data`. What the format cannot hold raises ValueError."""

    def __init__(self) -> None:
        self.data = bytearray()

    def byte(self, value: int) -> None:
        """0..255."""
        if not 0 <= value <= 255:
            raise ValueError("byte out of range: " + str(value))
        self.data.append(value)

    def number(self, value: int) -> None:
        """0..2^32-1 as a varint: seven bits a byte, low ones first."""
        if not 0 <= value <= LARGEST:
            raise ValueError("number out of range: " + str(value))
        while value >= MORE:
            self.data.append(value & 0x7F | MORE)
            value >>= 7
        self.data.append(value)

    def signed(self, value: int) -> None:
        """-2^31..2^31-1, folded so that small ones stay short: 0, -1, 1, -2 …"""
        self.number(fold(value))

    def text(self, value: str) -> None:
        """UTF-8 behind its length, at most 60 bytes, no control characters."""
        raw = value.encode()
        if len(raw) > LONGEST_TEXT or not is_text(raw):
            raise ValueError("not a text of at most 60 bytes: " + value)
        self.data.append(len(raw))
        self.data.extend(raw)


def fold(value: int) -> int:
    """Signed to unsigned: 0, -1, 1, -2 … become 0, 1, 2, 3 …"""
    return value * 2 if value >= 0 else -value * 2 - 1
