"""The table cards of the app: two of each nation, twelve on the board, twelve to come (CA-2)."""

from micropython import const

from firmware.games.cafe.board import NATIONS
from firmware.rules.answers import Refusal

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.games.cafe.board import Board
    from firmware.rules.cells import Cells

_CARDS = const(24)
_PER_NATION = const(2)

# Places in this stretch of cells.
_WAITING = const(0)  # one bit for each cleared table that waits for its card
_DRAWN = const(1)  # cards of each nation that have come out

_WRONG = Refusal("bad_value", "CA-2")
_THIRD = Refusal("already_played", "CA-2")


class TableCards:
    """Which cards are out, and which tables wait for one; its cells begin at `first`."""

    def __init__(self, cells: "Cells", first: int) -> None:
        self._cells = cells
        self._first = first

    @staticmethod
    def start(board: "Board") -> "list[int]":
        """The cards that lie on the board are out."""
        drawn = [0] * len(NATIONS)
        for nation in board.nations:
            drawn[nation] += 1
        return [0] + drawn

    def left(self) -> int:
        """Table cards not drawn yet."""
        return _CARDS - sum([self._drawn(nation) for nation in range(len(NATIONS))])

    def is_waiting(self, table: int) -> bool:
        """The table was cleared and has no card yet."""
        return bool(self._cells.now[self._first + _WAITING] >> table & 1)

    def next_table(self) -> int:
        """The first waiting table in board order, or -1."""
        waiting = self._cells.now[self._first + _WAITING]
        table = 0
        while waiting >> table:
            if waiting >> table & 1:
                return table
            table += 1
        return -1

    def refusal(self, nation: "str | None") -> "Refusal | None":
        """Why this card cannot come: null with cards left, no nation, a third of its nation."""
        if nation is None:
            return _WRONG if self.left() else None
        if nation not in NATIONS:
            return _WRONG
        return _THIRD if self._drawn(NATIONS.index(nation)) == _PER_NATION else None

    def await_card(self, table: int) -> None:
        """A cleared table waits for its card."""
        self._cells.add(self._first + _WAITING, 1 << table)

    def draw(self, table: int, nation: int) -> None:
        """A card came for a waiting table."""
        self._cells.add(self._first + _WAITING, -(1 << table))
        self._cells.add(self._first + _DRAWN + nation, 1)

    def _drawn(self, nation: int) -> int:
        return self._cells.now[self._first + _DRAWN + nation]
