"""The answer to InListPassiveTarget: how many cards, and their UIDs (UM0701-02 section 7.3.5).

    NbTg, then for each card: Tg, ATQA (2 bytes), SAK, length of the UID, UID

Looking at it allocates nothing; only the UID of a new card is a new object.
"""

from micropython import const

MOST = const(2)  # the chip lists no more
LONGEST_UID = const(10)
_HEAD = const(5)


class Targets:
    """A view of the chip's answer. Valid until the next command."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self.count = 0
        self.is_known = False
        self.uid = b""  # of one card that is not known: 4, 7 or 10 bytes

    def take(self, size: int, known: "bytes | bytearray" = b"") -> bool:
        """Look at an answer of `size` bytes. False if it makes no sense; `count` is then 0.

        `is_known`: one card, that with the UID `known`.
        """
        self.count = 0
        self.is_known = False
        number = self._data[0] if size else MOST + 1
        if number > MOST:
            return False
        start = 1
        for _ in range(number):
            if start + _HEAD > size or self._data[start + _HEAD - 1] > LONGEST_UID:
                return False
            start += _HEAD + self._data[start + _HEAD - 1]
        if start > size:
            return False
        self.count = number
        if number == 1:
            self._look_at_uid(known)
        return True

    def _look_at_uid(self, known: "bytes | bytearray") -> None:
        data = self._data
        length = data[_HEAD]
        if length == len(known):
            place = 0
            while place < length and data[1 + _HEAD + place] == known[place]:
                place += 1
            self.is_known = place == length
        if not self.is_known:
            self.uid = bytes(data[1 + _HEAD : 1 + _HEAD + length])
