"""A café match around its turns: what it remembers and awaits, how turn and game end.

CB-1, CB-8, CB-13, CB-14, CA-4. The actions of a turn are in `cafe`.
"""

from micropython import const

from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import guest_code, guest_number
from firmware.games.cafe.hands import START_HAND, Hands
from firmware.games.cafe.header import BAR_FIELDS, CafeHeader
from firmware.games.cafe.ledger import Ledger
from firmware.games.cafe.leftover import leftover_cost, leftover_refusal
from firmware.games.cafe.room import EMPTY, Room
from firmware.games.cafe.table_cards import TableCards
from firmware.rules.answers import Awaits, add_events
from firmware.rules.match import PHASE, Match

add_events(
    """
placed seat tile chair scores points
completed table one_nation
cleared tables factor
barred seat tile field points
swapped seat joker tile chair
drew seat count
table_set table nation
left_over seat tiles points
turn seat
"""
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import TypedDict

    from firmware.rules.answers import Events, Fields, Refusal
    from firmware.rules.options import Header

    class LeftoverCommand(TypedDict):
        """`leftover`: the guests left in the hand of a seat."""

        seat: int
        tiles: list[str]


# In the order in which an end is looked for (TRANSCRIPT.md, *Café*).
REASONS = ("last_seat", "chairs_full", "bar_full", "hand_empty", "bag", "no_table_card")
_LAST_SEAT = const(0)

BEGIN = const(0)
TURN = const(1)  # nothing done in this turn
SECOND = const(2)  # one guest seated in this turn
TABLE_CARD = const(3)
LEFTOVER = const(4)
OVER = const(5)

# Places of the cells, after the phase; ledger, cards, hands and room follow.
SEAT = const(1)  # whose turn it is, or whose leftover is awaited
STARTER = const(2)
PLACED = const(3)  # guests seated in this turn
LONE = const(4)  # CB-5: the chair of a guest that must be joined, or EMPTY
BAR = const(5)  # bar fields taken
DRY = const(6)  # CB-8, `drawing=leaflet`: 1 once this turn has completed a one-nation table
_REASON = const(7)
_OWN = const(8)


class CafeMatch(Match):
    """Everything of a café match but the actions of a turn."""

    def __init__(self, header: "Header") -> None:
        self.rules = CafeHeader(header)
        self.board = self.rules.board
        seats = self.rules.seats
        parts = [[0] * _OWN, Ledger.start(), TableCards.start(self.board), Hands.start(seats)]
        places = [0]
        row: "list[int]" = []
        for part in parts:
            row.extend(part)
            places.append(len(row))
        Match.__init__(self, seats, row + Room.start(self.board))
        self.ledger = Ledger(seats, self.cells, places[1])
        self.cards = TableCards(self.cells, places[2])
        self.hands = Hands(seats, self.cells, places[3])
        self.room = Room(self.board, self.cells, places[4], self.rules)
        self.cells.now[LONE] = EMPTY

    # -- what a screen asks -----------------------------------------------------------------------

    def scores(self) -> "list[int]":
        """Points per seat."""
        return self.ledger.scores()

    def hand_sizes(self) -> "list[int]":
        """Guests in hand per seat."""
        return [self.hands.size(seat) for seat in range(self.seats)]

    def bag(self) -> int:
        """Guests left in the bag."""
        return self.hands.bag()

    def bar_field(self) -> "tuple[int, int] | None":
        """The next bar field as (number 1..20, its points), or None when all are taken."""
        field = self.cells.now[BAR]
        return None if field == BAR_FIELDS else (field + 1, self.rules.bar_values[field])

    def tables(self) -> "list[tuple[str, str | None, list[str | None]]]":
        """(table, its nation or None while its card is awaited, guest or None on each chair)."""
        rows: "list[tuple[str, str | None, list[str | None]]]" = []
        for table in range(len(self.board.tables)):
            nation = None if self.cards.is_waiting(table) else NATIONS[self.room.nation_at(table)]
            rows.append((self.board.tables[table], nation, self._guests(table)))
        return rows

    def free_chairs(self, table: str) -> "list[str]":
        """The free chairs of a table, in the order of the board's data. Raises ValueError."""
        chairs = self.board.chairs_at(self.board.tables.index(table))
        return [self.board.chairs[chair] for chair in chairs if self.room.guest_on(chair) == EMPTY]

    def _guests(self, table: int) -> "list[str | None]":
        guests = [self.room.guest_on(chair) for chair in self.board.chairs_at(table)]
        return [None if guest == EMPTY else guest_code(guest) for guest in guests]

    # -- the door of Match ------------------------------------------------------------------------

    def awaited_seat(self) -> "int | None":
        """Whose turn it is, or whose leftover is awaited."""
        phase = self.cells.now[PHASE]
        return None if phase == BEGIN or phase == OVER else self.cells.now[SEAT]

    def awaits(self) -> "Awaits":
        """Who must do what; with the tables of a lone guest, or the table without a card."""
        phase = self.cells.now[PHASE]
        more: "tuple[tuple[str, object], ...]" = ()
        if phase == SECOND and self.cells.now[LONE] != EMPTY:
            tables = self.room.alone_at(self.cells.now[LONE])
            more = (("tables", [self.board.tables[table] for table in tables]),)
        elif phase == TABLE_CARD:
            more = (("table", self.board.tables[self.cards.next_table()]),)
        return Awaits(self.awaited_seat(), self.AWAITED[phase], more)

    def result(self) -> "Fields":
        """Scores, and with the game over the ranking (CB-14)."""
        scores = ("scores", self.ledger.scores())
        if not self.over():
            return [("over", False), scores]
        reason = REASONS[self.cells.now[_REASON]]
        return [("over", True), ("reason", reason), ("ranking", self.ledger.ranking()), scores]

    # -- the end of a turn and of the game (CB-8, CB-13, CB-14, CA-4) -----------------------------

    def _end_seating(self, events: "Events", no_card: bool = False) -> None:
        """CB-8: after seating the hand is filled, but not in a turn that the leaflet punishes."""
        self._end_turn(events, 0 if self.cells.now[DRY] else START_HAND, no_card)

    def _end_turn(self, events: "Events", most: int, no_card: bool = False) -> None:
        """Draw at most so many guests; then the next seat, or the end."""
        seat = self.cells.now[SEAT]
        count = self.hands.refill(seat, most)
        if count:
            events.append(("drew", seat, count))
        self.cells.set(PLACED, 0)
        self.cells.set(DRY, 0)
        self.cells.set(LONE, EMPTY)
        reason = self._end_reason(seat, no_card)
        if reason is not None:
            self._end(reason, events)
            return
        self.cells.set(PHASE, TURN)
        self.cells.set(SEAT, self.ledger.next_seat(seat))
        events.append(("turn", self.cells.now[SEAT]))

    def _end_reason(self, seat: int, no_card: bool) -> "int | None":
        """CB-13 and CA-4: the first reason that holds, as an index into REASONS."""
        board_game = not self.rules.app
        holds = (
            self.ledger.survivors() == 1,
            board_game and self.room.all_taken(),
            self.cells.now[BAR] == BAR_FIELDS,
            self.hands.size(seat) == 0 and not self.ledger.is_out(seat),
            board_game and self.hands.bag() <= self.rules.bag_end,
            no_card or (self.rules.last_card and self.cards.left() == 0),
        )
        return holds.index(True) if True in holds else None

    def _end(self, reason: int, events: "Events") -> None:
        self.cells.set(_REASON, reason)
        if self.rules.app or reason == _LAST_SEAT:
            self._finish(events)
        else:
            self._await_leftover(0, events)

    def _await_leftover(self, seat: int, events: "Events") -> None:
        """CB-14: the next seat from `seat` on that holds guests, or the end."""
        while seat < self.seats and self.hands.size(seat) == 0:
            seat += 1
        if seat == self.seats:
            self._finish(events)
            return
        self.cells.set(PHASE, LEFTOVER)
        self.cells.set(SEAT, seat)

    def do_leftover(self, command: "LeftoverCommand", events: "Events") -> "Refusal | None":
        """CB-14: the guests left in a hand, -5 each, -10 for a joker."""
        seat = self.cells.now[SEAT]
        codes = command["tiles"]
        guests = [guest_number(code) for code in codes]
        refusal = leftover_refusal(guests, seat, self.hands)
        if refusal is not None:
            return refusal
        for guest in guests:
            self.hands.name(guest, seat)
        cost = leftover_cost(guests)
        self.ledger.punish(seat, cost)
        events.append(("left_over", seat, list(codes), -cost))
        self._await_leftover(seat + 1, events)
        return None

    def _finish(self, events: "Events") -> None:
        self.cells.set(PHASE, OVER)
        reason = REASONS[self.cells.now[_REASON]]
        events.append(("match_over", reason, self.ledger.ranking()))
