"""Who sits where in the café, who may sit down, and what that scores (CB-3 to CB-5, CB-7); the
table cards of the app (CA-2).

The room reads and writes its own stretch of the match's cells: one cell a chair (the guest or
EMPTY) and one a table (its nation now; table cards change in the app).
"""

from micropython import const

from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import JOKER, WOMAN, is_joker, nation_of, sex_of
from firmware.rules.answers import Refusal

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.games.cafe.board import Board
    from firmware.games.cafe.header import CafeHeader
    from firmware.rules.cells import Cells

EMPTY = const(-1)
_FULL = const(4)
# CB-4: women * 5 + men after seating: 1+0 0+1 1+1 2+1 1+2 2+2; four at most, so no two are equal
_BALANCED = (5, 1, 6, 11, 7, 12)

_CARDS = const(24)  # CA-2: two of each nation, twelve on the board, twelve to come
_PER_NATION = const(2)
# Places in the stretch of cells of the table cards.
_WAITING = const(0)  # one bit for each cleared table that waits for its card
_DRAWN = const(1)  # cards of each nation that have come out

_TAKEN = Refusal("chair_taken", "CB-3")
_NATION = Refusal("wrong_nation", "CB-3")
_SEXES = Refusal("sexes", "CB-4")
_WRONG = Refusal("bad_value", "CA-2")
_THIRD = Refusal("already_played", "CA-2")


class Room:
    """Chairs and tables of one match, as numbers of `board`; its cells begin at `first`."""

    def __init__(self, board: "Board", cells: "Cells", first: int, rules: "CafeHeader") -> None:
        self.board = board
        self._cells = cells
        self._chair = first
        self._nation = first + len(board.chairs)
        self._full_only = rules.full_only
        self._both = rules.both
        self._same = rules.same

    @staticmethod
    def start(board: "Board") -> "list[int]":
        """The cells of an empty room."""
        return [EMPTY] * len(board.chairs) + list(board.nations)

    def guest_on(self, chair: int) -> int:
        """The guest on a chair, or EMPTY."""
        return self._cells.now[self._chair + chair]

    def nation_at(self, table: int) -> int:
        """The nation of a table now."""
        return self._cells.now[self._nation + table]

    def guests_at(self, table: int) -> "list[int]":
        """The guests at a table, in chair order."""
        guests = [self.guest_on(chair) for chair in self.board.chairs_at(table)]
        return [guest for guest in guests if guest != EMPTY]

    def is_empty(self, table: int) -> bool:
        """True while nobody sits at the table."""
        return not self.guests_at(table)

    def is_full(self, table: int) -> bool:
        """True with four guests."""
        return len(self.guests_at(table)) == _FULL

    def all_taken(self) -> bool:
        """CB-13: the last chair is filled."""
        for chair in range(len(self.board.chairs)):
            if self.guest_on(chair) == EMPTY:
                return False
        return True

    def is_one_nation(self, table: int) -> bool:
        """Everybody at the table is of its nation or a joker, with `mono=same` of any one nation
        (CB-7).
        """
        return self._is_mono(self.guests_at(table), self.nation_at(table))

    # -- may this guest sit there? ----------------------------------------------------------------

    def refusal(self, guest: int, chair: int) -> "Refusal | None":
        """CB-3 and CB-4, in the order of TRANSCRIPT.md: taken, nation, sexes."""
        if self.guest_on(chair) != EMPTY:
            return _TAKEN
        if not self.suits(guest, chair):
            return _NATION
        for table in self.board.tables_at(chair):
            if self._balance(self.guests_at(table) + [guest]) not in _BALANCED:
                return _SEXES
        return None

    def suits(self, guest: int, chair: int) -> bool:
        """CB-3: one of the chair's tables is of the guest's nation; a joker suits any."""
        nation = nation_of(guest)
        if nation == JOKER:
            return True
        for table in self.board.tables_at(chair):
            if self.nation_at(table) == nation:
                return True
        return False

    def opens_tables(self, chair: int) -> "list[int]":
        """The tables of a chair at which nobody sits yet."""
        return [table for table in self.board.tables_at(chair) if self.is_empty(table)]

    def alone_at(self, chair: int) -> "list[int]":
        """The tables at which the guest on a chair sits alone."""
        return [table for table in self.board.tables_at(chair) if len(self.guests_at(table)) == 1]

    def scores_alone(self, chair: int) -> bool:
        """CB-5: who sits down there scores without another's help: at one of the chair's tables,
        with `between=both` at every one.
        """
        opened = len(self.opens_tables(chair))
        return opened == 0 or (not self._both and opened < len(self.board.tables_at(chair)))

    def joins(self, chair: int, tables: "list[int]") -> bool:
        """CB-5: the chair stands at one of these tables, with `between=both` at every one."""
        common = [table for table in self.board.tables_at(chair) if table in tables]
        return len(common) == len(tables) if self._both else bool(common)

    def would_fill(self, chair: int) -> bool:
        """One guest more on this chair fills a table."""
        for table in self.board.tables_at(chair):
            if len(self.guests_at(table)) == _FULL - 1:
                return True
        return False

    def could_follow(self, second: int, place: int, first: int, chair: int) -> bool:
        """CB-5: with `first` on `chair`, `second` may sit down on `place`, and with `between=both`
        is alone nowhere.
        """
        if place == chair or self.guest_on(place) != EMPTY or not self.suits(second, place):
            return False
        for table in self.board.tables_at(place):
            guests = self.guests_at(table)
            if chair in self.board.chairs_at(table):
                guests.append(first)
            if (self._both and not guests) or self._balance(guests + [second]) not in _BALANCED:
                return False
        return True

    def scores(self, guest: int, chair: int) -> "list[int]":
        """CB-7: what each table of the chair would score with the guest seated, in board order."""
        return [
            self._table_score(self.guests_at(table) + [guest], self.nation_at(table))
            for table in self.board.tables_at(chair)
        ]

    def has_chair_for(self, guest: int) -> bool:
        """CB-10: some chair takes the guest by itself, and it would score as CB-5 asks."""
        for chair in range(len(self.board.chairs)):
            if self.refusal(guest, chair) is None and self.scores_alone(chair):
                return True
        return False

    # -- changes ----------------------------------------------------------------------------------

    def sit(self, guest: int, chair: int) -> None:
        """Put a guest on a chair."""
        self._cells.set(self._chair + chair, guest)

    def clear(self, table: int) -> None:
        """CA-2: the guests of a table leave, from its neighbours' chairs too."""
        for chair in self.board.chairs_at(table):
            self._cells.set(self._chair + chair, EMPTY)

    def rename(self, table: int, nation: int) -> None:
        """CA-2: a new table card."""
        self._cells.set(self._nation + table, nation)

    # -- the arithmetic ---------------------------------------------------------------------------

    def _table_score(self, guests: "list[int]", nation: int) -> int:
        count = len(guests)
        if count < 2:
            return 0
        doubled = self._is_mono(guests, nation) and (count == _FULL or not self._full_only)
        return 2 * count if doubled else count

    def _is_mono(self, guests: "list[int]", nation: int) -> bool:
        nations = [nation_of(guest) for guest in guests if not is_joker(guest)]
        if self._same and nations:
            nation = nations[0]
        return nations.count(nation) == len(nations)

    def _balance(self, guests: "list[int]") -> int:
        code = 0
        for guest in guests:
            code += 5 if sex_of(guest) == WOMAN else 1
        return code


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
