"""The numbers of a match that can be taken back, exactly, any number of times (command `undo`).

A game keeps everything that an undo must restore in one row of small integers and names the places
with constants (`_CALLER = const(2)`). Every accepted command becomes one step: the places it
changed with their old values. Steps lie packed one behind the other in a few bytearrays, most
numbers in one byte, so that a long match fits into the box's memory: 600 commands take
half of what two bytes a number take, a quarter of one small object per step.
"""

from array import array

from micropython import const

SMALLEST = -32768
LARGEST = 32767
_CHUNK = const(200)  # bytes in one bytearray before the next one begins
_SMALL = const(63)  # the largest number that fits into one byte
_LENGTH = const(2)  # bytes behind a step that tell its length, low byte first


class Cells:
    """A row of integers from -32768 to 32767 with a history of steps.

    Read `now[i]`, write `set(i, value)`.
    """

    def __init__(self, values: "list[int]") -> None:
        self.now = array("h", values)
        self._changes: "list[int]" = []  # place, old value, place, old value, …
        self._chunks = [bytearray()]

    def set(self, index: int, value: int) -> None:
        """Write one cell. Nothing is remembered when the value stays."""
        old = self.now[index]
        if old != value:
            self._changes.append(index)
            self._changes.append(old)
            self.now[index] = value

    def add(self, index: int, amount: int) -> None:
        """Add to one cell."""
        if amount:
            old = self.now[index]
            self._changes.append(index)
            self._changes.append(old)
            self.now[index] = old + amount

    def parts(self) -> "list[bytes | bytearray]":
        """The row and its history, between two commands; `load` takes them."""
        parts: "list[bytes | bytearray]" = [bytes(self.now)]
        parts.extend(self._chunks)
        return parts

    def load(self, parts: "list[bytearray]") -> None:
        """Stand where `parts` were taken. ValueError if the row has another length."""
        row = array("h", parts[0])
        if len(row) != len(self.now):
            raise ValueError("not the cells of this match")
        for place in range(len(row)):
            self.now[place] = row[place]
        self._chunks = parts[1:]

    def changed(self) -> bool:
        """True if something was written since the last `keep` or `take_back`."""
        return bool(self._changes)

    def keep(self) -> None:
        """Close the step: what was written since the last one belongs to the command just
        accepted.
        """
        if len(self._chunks[-1]) > _CHUNK:
            self._chunks.append(bytearray())
        self._append(self._changes)
        self._changes.clear()

    def settle(self) -> None:
        """Let what was written since the last step belong to that step: it is what time alone
        causes (TRANSCRIPT.md, *Time*).

        Undoing the command before then takes it back too; undoing a later command does not.
        """
        if self._changes:
            if self._chunks[-1]:
                self._append(self._pop() + self._changes)
            self._changes.clear()

    def drop(self) -> None:
        """Put back what was written since the last `keep`, as if it had never been."""
        self._restore(self._changes)
        self._changes.clear()

    def take_back(self) -> None:
        """Undo the last kept step. Raises IndexError if there is none."""
        self._restore(self._pop())

    def _append(self, changes: "list[int]") -> None:
        chunk = self._chunks[-1]
        start = len(chunk)
        for number in changes:
            if 0 <= number <= _SMALL:  # what `_pack` would do, without the call
                chunk.append(2 * number)
            else:
                _pack(chunk, number)
        length = len(chunk) - start
        chunk.append(length & 0xFF)
        chunk.append(length >> 8)

    def _pop(self) -> "list[int]":
        """Take the last step off and return its changes."""
        chunk = self._chunks[-1]
        end = len(chunk) - _LENGTH
        start = end - (chunk[end] | chunk[end + 1] << 8)
        changes = _unpack(chunk, start, end)
        if start == 0 and len(self._chunks) > 1:
            self._chunks.pop()
        else:
            self._chunks[-1] = chunk[:start]
        return changes

    def _restore(self, changes: "list[int]") -> None:
        for place in range(len(changes) - 2, -1, -2):
            self.now[changes[place]] = changes[place + 1]


def _pack(out: bytearray, number: int) -> None:
    """Seven bits a byte, low ones first, the top bit while more follow; the sign is bit 0."""
    folded = -2 * number - 1 if number < 0 else 2 * number
    while folded > 0x7F:
        out.append(folded & 0x7F | 0x80)
        folded >>= 7
    out.append(folded)


def _unpack(data: bytearray, start: int, end: int) -> "list[int]":
    """The numbers that `_pack` wrote from `start` to `end`."""
    numbers = []
    folded = shift = 0
    for at in range(start, end):
        folded |= (data[at] & 0x7F) << shift
        shift += 7
        if data[at] < 0x80:
            numbers.append(-(folded >> 1) - 1 if folded & 1 else folded >> 1)
            folded = shift = 0
    return numbers
