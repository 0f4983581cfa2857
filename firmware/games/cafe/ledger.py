"""Points, places and who is out of a café match (CB-11, CB-14)."""

from micropython import const

from firmware.rules.ranking import rank

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.rules.cells import Cells

# Places in this stretch of cells: four seats each.
_SCORE = const(0)
_SEATED = const(4)  # guests placed or swapped in, cleared ones included
_PENALTY = const(8)  # CB-14, a positive number
_OUT = const(12)  # 0, or 1 for who went out first, 2 for the next, ...
_SIZE = const(16)
_SURVIVOR = const(5)  # ranks above every seat that is out


class Ledger:
    """One row of numbers a seat; its cells begin at `first`."""

    def __init__(self, seats: int, cells: "Cells", first: int) -> None:
        self._seats = seats
        self._cells = cells
        self._first = first

    @staticmethod
    def start() -> "list[int]":
        """CB-1: everybody starts with nothing."""
        return [0] * _SIZE

    def score(self, seat: int) -> int:
        """Points of a seat."""
        return self._get(_SCORE, seat)

    def scores(self) -> "list[int]":
        """Points of every seat."""
        return [self.score(seat) for seat in range(self._seats)]

    def all_seated(self) -> int:
        """Guests that anybody has placed or swapped in so far."""
        return sum([self._get(_SEATED, seat) for seat in range(self._seats)])

    def is_out(self, seat: int) -> bool:
        """CB-11."""
        return self._get(_OUT, seat) > 0

    def survivors(self) -> int:
        """Seats still in the game."""
        return len([seat for seat in range(self._seats) if not self.is_out(seat)])

    def next_seat(self, seat: int) -> int:
        """CB-2: the next seat clockwise that is still in the game."""
        seat = (seat + 1) % self._seats
        while self.is_out(seat):
            seat = (seat + 1) % self._seats
        return seat

    def ranking(self) -> "list[list[int]]":
        """CB-14 for survivors: points, smaller penalty, more guests; CB-11 for the others."""
        return rank([self._key(seat) for seat in range(self._seats)])

    def earn(self, seat: int, points: int) -> None:
        """Add points, or take them off."""
        self._add(_SCORE, seat, points)

    def count_guest(self, seat: int) -> None:
        """One more guest placed or swapped in."""
        self._add(_SEATED, seat, 1)

    def punish(self, seat: int, penalty: int) -> None:
        """CB-14: the guests left in hand cost `penalty` points."""
        self._add(_PENALTY, seat, penalty)
        self._add(_SCORE, seat, -penalty)

    def drop_out(self, seat: int) -> int:
        """CB-11: hand over all points and leave. Returns how many points that were."""
        points = self.score(seat)
        self._add(_SCORE, seat, -points)
        self._add(_OUT, seat, 1 + self._seats - self.survivors())
        return points

    def _key(self, seat: int) -> "tuple[int, ...]":
        if self.is_out(seat):
            return (self._get(_OUT, seat), 0, 0, 0)
        penalty = self._get(_PENALTY, seat)
        return (_SURVIVOR, self.score(seat), -penalty, self._get(_SEATED, seat))

    def _get(self, row: int, seat: int) -> int:
        return self._cells.now[self._first + row + seat]

    def _add(self, row: int, seat: int, amount: int) -> None:
        self._cells.add(self._first + row + seat, amount)
