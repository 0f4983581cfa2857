"""Café International, board and app: the actions of a turn, how turn and game end (CB-2 to CB-14,
CA-1 to CA-4).

Who sits where is `room`, who holds what `hands`, points and places `ledger`.
"""

from micropython import const

from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import candidates, guest_code, guest_number, is_joker, sex_of
from firmware.games.cafe.hands import START_HAND, Hands
from firmware.games.cafe.header import BAR_FIELDS, CafeHeader
from firmware.games.cafe.ledger import Ledger
from firmware.games.cafe.room import EMPTY, Room, TableCards
from firmware.rules.answers import Awaits, Pairs, Refusal, add_events
from firmware.rules.commands import (
    ANY_SEAT,
    AWAITED_SEAT,
    NO_SEAT,
    need_strings,
    no_fields,
    seat_named,
    seat_or_null,
)
from firmware.rules.errors import Malformed
from firmware.rules.fields import need, need_str
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
    from typing import Any, NotRequired, TypedDict

    from firmware.rules.answers import Events, Fields
    from firmware.rules.commands import Command, NoFields, SeatCommand
    from firmware.rules.options import Header

    class PlaceCommand(TypedDict):
        """`place`, `swap`: a guest and a chair."""

        tile: str
        chair: str

    class BarCommand(TypedDict):
        """`bar`: a guest; `forced` by who cannot pay."""

        tile: str
        forced: NotRequired[bool]

    class TableCardCommand(TypedDict):
        """`table_card`: the new nation of a table, null when no card is left."""

        table: str
        nation: str | None

    class LeftoverCommand(TypedDict):
        """`leftover`: the guests left in the hand of a seat."""

        seat: int
        tiles: list[str]


# In the order in which an end is looked for (TRANSCRIPT.md, *Café*).
_REASONS = ("last_seat", "chairs_full", "bar_full", "hand_empty", "bag", "no_table_card", "time")
_LAST_SEAT = const(0)
_NO_TIME = const(6)

_BEGIN = const(0)
_TURN = const(1)  # nothing done in this turn
_SECOND = const(2)  # one guest seated in this turn
_TABLE_CARD = const(3)
_LEFTOVER = const(4)
_OVER = const(5)

# Places of the cells, after the phase; ledger, cards, hands and room follow.
_SEAT = const(1)  # whose turn it is, or whose leftover is awaited
_STARTER = const(2)
_PLACED = const(3)  # guests seated in this turn
_LONE = const(4)  # CB-5: the chair of a guest that must be joined, or EMPTY
_BAR = const(5)  # bar fields taken
_DRY = const(6)  # CB-8, `drawing=leaflet`: 1 once this turn has completed a one-nation table
_REASON = const(7)
_RENEWED = const(8)  # CA-2: 1 once a table card has come in this turn
_OWN = const(9)

# CB-14, for each guest left in a hand
_GUEST_COSTS = const(5)
_JOKER_COSTS = const(10)

# The phases as bits, for the table
_TO_TURN = const(1 << 1)
_TO_SECOND = const(1 << 2)
_TO_TABLE_CARD = const(1 << 3)
_TO_LEFTOVER = const(1 << 4)
_TO_OVER = const(1 << 5)
_END_OF_TURN = const(_TO_TURN | _TO_LEFTOVER | _TO_OVER)

_UNKNOWN_GUEST = Refusal("unknown_card", "CB-1")
_UNKNOWN_CHAIR = Refusal("unknown_card", "CB-3")
_NO_SCORE = Refusal("no_score", "CB-5")
_ALONE = Refusal("alone", "CB-5")


def _check_place(command: "Command") -> None:
    need_str(command, "tile")
    need_str(command, "chair")


def _check_bar(command: "Command") -> None:
    need_str(command, "tile")
    if type(command.get("forced", False)) is not bool:
        raise Malformed("forced", "is not true or false")


def _check_table_card(command: "Command") -> None:
    need_str(command, "table")
    if need(command, "nation") is not None:
        need_str(command, "nation")


def _check_leftover(command: "Command") -> None:
    seat_named(command)
    need_strings(command, "tiles")


class Cafe(Match):
    """A café match. Header: `preset` board or app, `seats` 2 to 4, `board`, and the options."""

    AWAITED = ("begin", "place", "place", "table_card", "leftover", "nothing")
    TIMED = _LEFTOVER
    SAME_TURN = (_SECOND, _TABLE_CARD)
    TABLE = {
        # shape, seat, its rule, condition, then from each phase but _OVER
        "begin": (seat_named, ANY_SEAT, "CB-2", None, (_TO_TURN, 0, 0, 0, 0)),
        "place": (
            _check_place,
            NO_SEAT,
            "",
            None,
            (0, _TO_SECOND | _TO_TABLE_CARD, _END_OF_TURN | _TO_TABLE_CARD, 0, 0),
        ),
        # CB-2: bar and swap are a turn of their own
        "bar": (_check_bar, NO_SEAT, "", None, (0, _END_OF_TURN, 0, 0, 0)),
        "swap": (_check_place, NO_SEAT, "", None, (0, _TO_TURN, 0, 0, 0)),
        "done": (no_fields, NO_SEAT, "", None, (0, 0, _END_OF_TURN, 0, 0)),
        "table_card": (
            _check_table_card,
            NO_SEAT,
            "",
            None,
            (0, 0, 0, _TO_TABLE_CARD | _TO_SECOND | _TO_TURN | _TO_OVER, 0),
        ),
        "leftover": (
            _check_leftover,
            AWAITED_SEAT,
            "CB-14",
            None,
            (0, 0, 0, 0, _TO_LEFTOVER | _TO_OVER),
        ),
        "decide": (seat_or_null, NO_SEAT, "", None, (0, 0, 0, 0, 0)),  # CB-14: nothing for a jury
    }

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
        Match.__init__(self, seats, row + Room.start(self.board), header)
        self.ledger = Ledger(seats, self.cells, places[1])
        self.cards = TableCards(self.cells, places[2])
        self.hands = Hands(seats, self.cells, places[3])
        self.room = Room(self.board, self.cells, places[4], self.rules)
        self.cells.now[_LONE] = EMPTY

    def beside(self) -> "list[Any]":
        return []

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
        field = self.cells.now[_BAR]
        return None if field == BAR_FIELDS else (field + 1, self.rules.bar_values[field])

    def may_take_back(self) -> bool:
        """CB-5: the seat on turn may take back, without a jury, the guest that it has just seated
        (`undo`); not once a table card has come for it.
        """
        now = self.cells.now
        return now[PHASE] == _SECOND and not now[_RENEWED]

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

    def is_held(self, tile: str) -> bool:
        """Whether this guest can be in the hand of the seat on turn, as far as the box knows."""
        return self._guest_refusal(guest_number(tile)) is None

    def legal_chairs(self, tile: str) -> "list[str]":
        """The chairs on which `place` would accept this guest now."""
        guest = guest_number(tile)
        if self.cells.now[PHASE] not in (_TURN, _SECOND) or not self.is_held(tile):
            return []
        return [
            self.board.chairs[chair]
            for chair in range(len(self.board.chairs))
            if self._place_refusal(guest, chair) is None
        ]

    def good_chairs(self, tile: str) -> "list[str]":
        """Those of them from which the turn can come to its end: a guest who opens a table needs a
        second one (CB-5), as far as the box can know.
        """
        guest = guest_number(tile)
        return [
            name
            for name in self.legal_chairs(tile)
            if self._can_end(guest, self.board.chairs.index(name))
        ]

    def _can_end(self, guest: int, chair: int) -> bool:
        if self.room.scores_alone(chair) or self._is_very_first(0):
            return True
        return self._can_follow(guest, chair)

    def _guests(self, table: int) -> "list[str | None]":
        guests = [self.room.guest_on(chair) for chair in self.board.chairs_at(table)]
        return [None if guest == EMPTY else guest_code(guest) for guest in guests]

    # -- what Match calls -------------------------------------------------------------------------

    def awaited_seat(self) -> "int | None":
        """Whose turn it is, or whose leftover is awaited."""
        phase = self.cells.now[PHASE]
        return None if phase == _BEGIN or phase == _OVER else self.cells.now[_SEAT]

    def awaits(self) -> "Awaits":
        """Who must do what; with the tables of a lone guest, or the table without a card."""
        phase = self.cells.now[PHASE]
        more: "tuple[tuple[str, object], ...]" = ()
        if phase == _SECOND and self.cells.now[_LONE] != EMPTY:
            tables = self.room.alone_at(self.cells.now[_LONE])
            more = (("tables", [self.board.tables[table] for table in tables]),)
        elif phase == _TABLE_CARD:
            more = (("table", self.board.tables[self.cards.next_table()]),)
        return Awaits(self.awaited_seat(), self.AWAITED[phase], more)

    def result(self) -> "Fields":
        """Scores, and with the game over the ranking (CB-14)."""
        scores = ("scores", self.ledger.scores())
        if not self.over():
            return [("over", False), scores] + self._turn_fields()
        reason = _REASONS[self.cells.now[_REASON]]
        ranking = ("ranking", self.ledger.ranking())
        return [("over", True), ("reason", reason), ranking, scores] + self._turn_fields()

    def do_begin(self, command: "SeatCommand", events: "Events") -> None:
        """CB-2: the starting seat."""
        seat = command["seat"]
        self.cells.set(PHASE, _TURN)
        self.cells.set(_SEAT, seat)
        self.cells.set(_STARTER, seat)
        events.append(("began", seat))

    # -- seat one or two guests (CB-3 to CB-8) ----------------------------------------------------

    def do_place(self, command: "PlaceCommand", events: "Events") -> "Refusal | None":
        """CB-3 to CB-7: one guest onto one chair."""
        guest = guest_number(command["tile"])
        refusal = self._names_refusal(guest, command["chair"])
        if refusal is not None:
            return refusal
        chair = self.board.chairs.index(command["chair"])
        refusal = self._place_refusal(guest, chair)
        if refusal is None:
            self._place(guest, chair, events)
        return refusal

    def do_done(self, command: "NoFields", events: "Events") -> "Refusal | None":
        """CB-2: the turn ends after one guest; CB-5 unless it must be joined."""
        if self.cells.now[_LONE] != EMPTY and not self._is_very_first(1):
            return _ALONE
        self._end_seating(events)
        return None

    def _guest_refusal(self, guest: int) -> "Refusal | None":
        if guest < 0:
            return _UNKNOWN_GUEST
        return self.hands.refusal(guest, self.cells.now[_SEAT])

    def _names_refusal(self, guest: int, chair: str) -> "Refusal | None":
        """A guest that the player does not hold, or a chair that is not on the board."""
        refusal = self._guest_refusal(guest)
        if refusal is None and chair not in self.board.chairs:
            return _UNKNOWN_CHAIR
        return refusal

    def _place_refusal(self, guest: int, chair: int) -> "Refusal | None":
        """CB-3, CB-4, then CB-5: every guest scores, or opens a table for the second one."""
        refusal = self.room.refusal(guest, chair)
        if refusal is not None:
            return refusal
        lone = self.cells.now[_LONE]
        if lone != EMPTY and not self.room.joins(chair, self.room.alone_at(lone)):
            return _NO_SCORE
        if self.room.scores_alone(chair):
            return None
        if self.cells.now[_PLACED]:
            return _NO_SCORE
        return None if self._may_open(guest, chair) else _ALONE

    def _may_open(self, guest: int, chair: int) -> bool:
        """CB-5: a second guest may follow one who opens a table; CB-6: or nobody need."""
        if self.hands.size(self.cells.now[_SEAT]) < 2:
            return False
        return not self.rules.both or self._is_very_first(0) or self._can_follow(guest, chair)

    def _can_follow(self, guest: int, chair: int) -> bool:
        """CB-5: is there a second guest, as far as the box can know, and a chair at a table which
        the first one opens, with `between=both` at every one? Only that house rule asks for it;
        otherwise the screen does. See docs/decisions/rules-readings.md.
        """
        if self.rules.app and self.room.would_fill(chair):
            return False  # he leaves with the cleared table and never scores at the other one
        opened = self.room.opens_tables(chair)
        for table in opened[:1] if self.rules.both else opened:
            for place in self.board.chairs_at(table):
                if self.room.joins(place, opened) and self._may_be_joined(place, guest, chair):
                    return True
        return False

    def _may_be_joined(self, place: int, guest: int, chair: int) -> bool:
        nations = [self.room.nation_at(table) for table in self.board.tables_at(place)]
        for second in candidates(nations):
            if self._follows(second, place, guest, chair):
                return True
        return False

    def _follows(self, second: int, place: int, first: int, chair: int) -> bool:
        in_hand = self.hands.may_follow(second, first, self.cells.now[_SEAT])
        return in_hand and self.room.could_follow(second, place, first, chair)

    def _is_very_first(self, seated: int) -> bool:
        """CB-6: the starting seat's turn, and so many guests have been seated in the game."""
        return (
            self.cells.now[_SEAT] == self.cells.now[_STARTER]
            and self.ledger.all_seated() == seated
        )

    def _place(self, guest: int, chair: int, events: "Events") -> None:
        seat = self.cells.now[_SEAT]
        tables = self.board.tables_at(chair)
        scores = self.room.scores(guest, chair)
        alone = not self.room.scores_alone(chair)
        self._seat_guest(guest, chair)
        full = [table for table in tables if self.room.is_full(table)]
        points = sum(scores) * (max(len(full), 1) if self.rules.app else 1)  # CA-2
        self.ledger.earn(seat, points)
        named: "list[tuple[str, object]]" = [
            (self.board.tables[tables[place]], scores[place]) for place in range(len(tables))
        ]
        names = (guest_code(guest), self.board.chairs[chair])
        events.append(("placed", seat) + names + (Pairs(named), points))
        self.cells.add(_PLACED, 1)
        self.cells.set(_LONE, chair if alone else EMPTY)
        self._complete(full, events)
        if self.rules.app and full:
            self._clear(full, events)
        elif self.cells.now[_PLACED] == 2:
            self._end_seating(events)
        else:
            self.cells.set(PHASE, _SECOND)

    def _seat_guest(self, guest: int, chair: int) -> None:
        seat = self.cells.now[_SEAT]
        self.hands.play(guest, seat)
        self.room.sit(guest, chair)
        self.ledger.count_guest(seat)

    def _complete(self, full: "list[int]", events: "Events") -> None:
        """CB-8: completing a one-nation table costs guests; not in the app (CA-3)."""
        one_nation = [self.room.is_one_nation(table) for table in full]
        for place in range(len(full)):
            events.append(("completed", self.board.tables[full[place]], one_nation[place]))
        if True not in one_nation or self.rules.app:
            return
        if self.rules.leaflet:
            self.cells.set(_DRY, 1)
        else:
            self.hands.lower_limit(self.cells.now[_SEAT])

    # -- the app's clearing (CA-2) ----------------------------------------------------------------

    def _clear(self, full: "list[int]", events: "Events") -> None:
        for table in full:
            self.room.clear(table)
            self.cards.await_card(table)
        events.append(("cleared", [self.board.tables[table] for table in full], len(full)))
        self.cells.set(PHASE, _TABLE_CARD)

    def do_table_card(self, command: "TableCardCommand", events: "Events") -> "Refusal | None":
        """CA-2: the new card of a cleared table; CA-4: null when none is left."""
        table = self.cards.next_table()
        if command["table"] != self.board.tables[table]:
            return Refusal("bad_value", "CA-2")
        nation = command["nation"]
        refusal = self.cards.refusal(nation)
        if refusal is not None:
            return refusal
        events.append(("table_set", command["table"], nation))
        if nation is None:
            self._end_seating(events, True)
        else:
            self._set_table(table, NATIONS.index(nation), events)
        return None

    def _set_table(self, table: int, nation: int, events: "Events") -> None:
        self.cards.draw(table, nation)
        self.room.rename(table, nation)
        self.cells.set(_RENEWED, 1)
        if self.cards.next_table() >= 0:
            return
        if self.cells.now[_PLACED] == 2:
            self._end_seating(events)
        else:
            self.cells.set(PHASE, _SECOND)

    # -- the bar (CB-9 to CB-11) ------------------------------------------------------------------

    def do_bar(self, command: "BarCommand", events: "Events") -> "Refusal | None":
        """CB-9: one guest onto the next bar field; CB-11 for who cannot pay."""
        guest = guest_number(command["tile"])
        refusal = self._guest_refusal(guest)
        if refusal is not None:
            return refusal
        if is_joker(guest) and self._is_seatable(guest):
            return Refusal("joker_fits", "CB-10")
        points = self.rules.bar_values[self.cells.now[_BAR]]
        pays = points >= 0 or self.ledger.score(self.cells.now[_SEAT]) + points >= 0
        if not pays and not command.get("forced", False):
            return Refusal("cannot_pay", "CB-11")
        self._to_bar(guest, points, pays, events)
        return None

    def _is_seatable(self, joker: int) -> bool:
        """CB-10: it could be seated by itself and score; with `bar_joker=seat` also where CB-6
        lets it sit alone.
        """
        if self.rules.seat_joker and self._is_very_first(0):
            return True
        return self.room.has_chair_for(joker)

    def _to_bar(self, guest: int, points: int, pays: bool, events: "Events") -> None:
        seat = self.cells.now[_SEAT]
        self.hands.play(guest, seat)
        self.cells.add(_BAR, 1)
        if pays:
            self.ledger.earn(seat, points)
        else:
            points = -self.ledger.drop_out(seat)
            self.hands.leave(seat)
        events.append(("barred", seat, guest_code(guest), self.cells.now[_BAR], points))
        if not pays:
            events.append(("seat_out", seat, "cannot_pay"))
        self._end_turn(events, self._drawn_at_the_bar() if pays else 0)

    def _drawn_at_the_bar(self) -> int:
        """CB-8: up to the limit; by the leaflet exactly one."""
        return 1 if self.rules.leaflet else START_HAND

    # -- the joker (CB-12) ------------------------------------------------------------------------

    def do_swap(self, command: "PlaceCommand", events: "Events") -> "Refusal | None":
        """CB-12: a joker into the hand, a fitting guest onto its chair; no points, no draw."""
        guest = guest_number(command["tile"])
        refusal = self._names_refusal(guest, command["chair"])
        if refusal is not None:
            return refusal
        chair = self.board.chairs.index(command["chair"])
        joker = self.room.guest_on(chair)
        if not is_joker(joker):
            return Refusal("no_joker_there", "CB-12")
        if sex_of(guest) != sex_of(joker):
            return Refusal("sexes", "CB-12")
        if is_joker(guest) or not self.room.suits(guest, chair):
            return Refusal("wrong_nation", "CB-12")
        self._swap(guest, joker, chair, events)
        return None

    def _swap(self, guest: int, joker: int, chair: int, events: "Events") -> None:
        seat = self.cells.now[_SEAT]
        self._seat_guest(guest, chair)
        self.hands.take(joker, seat)
        codes = (guest_code(joker), guest_code(guest), self.board.chairs[chair])
        events.append(("swapped", seat) + codes)
        self._end_turn(events, 0)

    # -- the end of a turn and of the game (CB-8, CB-13, CB-14, CA-4) -----------------------------

    def _end_seating(self, events: "Events", no_card: bool = False) -> None:
        """CB-8: after seating the hand is filled, but not in a turn that the leaflet punishes."""
        self._end_turn(events, 0 if self.cells.now[_DRY] else START_HAND, no_card)

    def _end_turn(self, events: "Events", most: int, no_card: bool = False) -> None:
        """Draw at most so many guests; then the next seat, or the end."""
        seat = self.cells.now[_SEAT]
        count = self.hands.refill(seat, most)
        if count:
            events.append(("drew", seat, count))
        self.cells.set(_PLACED, 0)
        self.cells.set(_DRY, 0)
        self.cells.set(_RENEWED, 0)
        self.cells.set(_LONE, EMPTY)
        reason = self._end_reason(seat, no_card)
        if reason is not None:
            self._end(reason, events)
            return
        self.cells.set(PHASE, _TURN)
        self.cells.set(_SEAT, self.ledger.next_seat(seat))
        events.append(("turn", self.cells.now[_SEAT]))

    def _end_reason(self, seat: int, no_card: bool) -> "int | None":
        """CB-13 and CA-4: the first reason that holds, as an index into _REASONS."""
        board_game = not self.rules.app
        holds = (
            self.ledger.survivors() == 1,
            board_game and self.room.all_taken(),
            self.cells.now[_BAR] == BAR_FIELDS,
            self.hands.size(seat) == 0 and not self.ledger.is_out(seat),
            board_game and self.hands.bag() <= self.rules.bag_end,
            no_card or (self.rules.last_card and self.cards.left() == 0),
            self._is_time_up(),
        )
        return holds.index(True) if True in holds else None

    def is_begun(self) -> bool:
        """CL-6: a turn with a guest seated."""
        return self.cells.now[PHASE] in (_SECOND, _TABLE_CARD)

    def end_by_time(self, events: "Events") -> None:
        """CL-6: between two turns; CB-14 as ever."""
        self._end(_NO_TIME, events)

    def end_rule(self, reason: str) -> str:
        """CB-11 for the last one left, CB-13 on the board, CA-4 in the app, CL-6 for the clock."""
        if reason == "last_seat":
            return "CB-11"
        own = "CA-4" if self.rules.app else "CB-13"
        return Match.end_rule(self, reason) or own

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
        self.cells.set(PHASE, _LEFTOVER)
        self.cells.set(_SEAT, seat)

    def do_leftover(self, command: "LeftoverCommand", events: "Events") -> "Refusal | None":
        """CB-14: the guests left in a hand, -5 each, -10 for a joker."""
        seat = self.cells.now[_SEAT]
        codes = command["tiles"]
        guests = [guest_number(code) for code in codes]
        refusal = self.hands.leftover_refusal(guests, seat)
        if refusal is not None:
            return refusal
        for guest in guests:
            self.hands.name(guest, seat)
        cost = sum([_JOKER_COSTS if is_joker(guest) else _GUEST_COSTS for guest in guests])
        self.ledger.punish(seat, cost)
        events.append(("left_over", seat, list(codes), -cost))
        self._await_leftover(seat + 1, events)
        return None

    def _finish(self, events: "Events") -> None:
        self.cells.set(PHASE, _OVER)
        reason = _REASONS[self.cells.now[_REASON]]
        events.append(("match_over", reason, self.ledger.ranking()))
