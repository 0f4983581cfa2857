"""The answer to InListPassiveTarget: how many cards, and their UIDs (UM0701-02 section 7.3.5).

    NbTg, then for each card: Tg, ATQA (2 bytes), SAK, length of the UID, UID

Looking at it allocates nothing; only `uid` makes a new object.
"""

from micropython import const

MOST = const(2)  # the chip lists no more
LONGEST_UID = const(10)
_HEAD = const(5)
_UID_OFFSET = const(5)


class Targets:
    """A view of the chip's answer. Valid until the next command."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._starts = [0] * MOST
        self.count = 0

    def take(self, size: int) -> bool:
        """Look at an answer of `size` bytes. False if it makes no sense; `count` is then 0."""
        self.count = 0
        number = self._data[0] if size else MOST + 1
        if number > MOST:
            return False
        start = 1
        for place in range(number):
            self._starts[place] = start
            if start + _HEAD > size or self._data[start + _HEAD - 1] > LONGEST_UID:
                return False
            start += _HEAD + self._data[start + _HEAD - 1]
        if start > size:
            return False
        self.count = number
        return True

    def is_card(self, number: int, uid: "bytes | bytearray") -> bool:
        """True if card `number` (0 or 1) has this UID."""
        start = self._starts[number]
        if self._data[start + _HEAD - 1] != len(uid):
            return False
        for place in range(len(uid)):
            if self._data[start + _UID_OFFSET + place] != uid[place]:
                return False
        return True

    def uid(self, number: int) -> bytes:
        """Return the UID of card `number`: 4, 7 or 10 bytes."""
        start = self._starts[number]
        length = self._data[start + _HEAD - 1]
        return bytes(self._data[start + _UID_OFFSET : start + _UID_OFFSET + length])
