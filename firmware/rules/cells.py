"""The numbers of a match that can be taken back, exactly, any number of times (rule CL-2, command
`undo`).

A game keeps everything that an undo must restore in one row of small integers and names the places
with constants (`_CALLER = const(2)`). Every accepted command becomes one step: the places it
changed with their old values, four bytes a change, so a long match fits into the box's memory.
"""

from array import array

SMALLEST = -32768
LARGEST = 32767


class Cells:
    """A row of integers from -32768 to 32767 with a history of steps.

    Read `now[i]`, write `set(i, value)`.
    """

    def __init__(self, values: "list[int]") -> None:
        self.now = array("h", values)
        self._changes: "list[int]" = []
        self._steps: "list[array[int]]" = []

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
        self._steps.append(array("h", self._changes))
        self._changes.clear()

    def settle(self) -> None:
        """Let what was written since the last step belong to that step (what time alone causes,
        TRANSCRIPT.md).

        Undoing the command before then takes it back too; undoing a later command does not.
        """
        if self._changes:
            if self._steps:
                self._steps[-1].extend(array("h", self._changes))
            self._changes.clear()

    def drop(self) -> None:
        """Put back what was written since the last `keep`, as if it had never been."""
        self._restore(self._changes)
        self._changes.clear()

    def take_back(self) -> None:
        """Undo the last kept step. Raises IndexError if there is none."""
        self._restore(self._steps.pop())

    def _restore(self, changes: "list[int] | array[int]") -> None:
        for place in range(len(changes) - 2, -1, -2):
            self.now[changes[place]] = changes[place + 1]
