"""The numbers of a match that can be taken back, exactly, any number of times (command `undo`).

A game keeps everything that an undo must restore in one row of small integers and names the places
with constants (`_CALLER = const(2)`). Every accepted command becomes one step: the places it
changed with their old values. Steps lie one behind the other in a few arrays, two bytes a number,
so that a long match fits into the box's memory (one small object per step would double it).
"""

from array import array

from micropython import const

SMALLEST = -32768
LARGEST = 32767
_CHUNK = const(120)  # numbers in one array before the next one begins


class Cells:
    """A row of integers from -32768 to 32767 with a history of steps.

    Read `now[i]`, write `set(i, value)`.
    """

    def __init__(self, values: "list[int]") -> None:
        self.now = array("h", values)
        self._changes: "list[int]" = []  # place, old value, place, old value, …
        # The steps: the changes of each, then how many numbers they are.
        self._chunks: "list[array[int]]" = [array("h")]

    def set(self, index: int, value: int) -> None:
        """Write one cell. Nothing is remembered when the value stays."""
        old = self.now[index]
        if old != value:
            self._changes.append(index)
            self._changes.append(old)
            self.now[index] = value

    def add(self, index: int, amount: int) -> None:
        """Add to one cell."""
        self.set(index, self.now[index] + amount)

    def changed(self) -> bool:
        """True if something was written since the last `keep` or `take_back`."""
        return bool(self._changes)

    def keep(self) -> None:
        """Close the step: what was written since the last one belongs to the command just
        accepted.
        """
        if len(self._chunks[-1]) > _CHUNK:
            self._chunks.append(array("h"))
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
        chunk.extend(array("h", changes))
        chunk.append(len(changes))

    def _pop(self) -> "list[int]":
        """Take the last step off and return its changes."""
        chunk = self._chunks[-1]
        end = len(chunk) - 1
        start = end - chunk[end]
        changes = list(chunk[start:end])
        if start == 0 and len(self._chunks) > 1:
            self._chunks.pop()
        else:
            self._chunks[-1] = chunk[:start]
        return changes

    def _restore(self, changes: "list[int]") -> None:
        for place in range(len(changes) - 2, -1, -2):
            self.now[changes[place]] = changes[place + 1]
