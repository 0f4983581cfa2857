"""Café International: the three actions of a turn, board and app (CB-2 to CB-12, CA-1 to CA-3).

Who sits where is `cafe_room`, who holds what `cafe_hands`, points and places `cafe_ledger`, the
app's table cards `cafe_cards`; how turn and game end is `cafe_match`.
"""

from micropython import const

from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import candidates, guest_code, guest_number, is_joker, sex_of
from firmware.games.cafe.hands import START_HAND
from firmware.games.cafe.room import EMPTY
from firmware.games.cafe.state import (
    BAR,
    DRY,
    LONE,
    PLACED,
    SEAT,
    SECOND,
    STARTER,
    TABLE_CARD,
    TURN,
    CafeMatch,
)
from firmware.rules.answers import Pairs, Refusal
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
from firmware.rules.match import PHASE

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    from firmware.rules.answers import Events
    from firmware.rules.commands import Command, NoFields, SeatCommand

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


# The phases of `state` as bits, for the table
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


class Cafe(CafeMatch):
    """A café match. Header: `preset` board or app, `seats` 2 to 4, `board`, and the options."""

    AWAITED = ("begin", "place", "place", "table_card", "leftover", "nothing")
    TABLE = {
        # shape, seat, its rule, condition, then from BEGIN, TURN, SECOND, TABLE_CARD, LEFTOVER
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

    def legal_chairs(self, tile: str) -> "list[str]":
        """The chairs on which `place` would accept this guest now."""
        guest = guest_number(tile)
        if self.cells.now[PHASE] not in (TURN, SECOND) or self._guest_refusal(guest) is not None:
            return []
        return [
            self.board.chairs[chair]
            for chair in range(len(self.board.chairs))
            if self._place_refusal(guest, chair) is None
        ]

    def do_begin(self, command: "SeatCommand", events: "Events") -> None:
        """CB-2: the starting seat."""
        seat = command["seat"]
        self.cells.set(PHASE, TURN)
        self.cells.set(SEAT, seat)
        self.cells.set(STARTER, seat)
        events.append(("began", seat))

    # -- seat one or two guests (CB-3 to CB-8) ----------------------------------------------------

    def do_place(self, command: "PlaceCommand", events: "Events") -> "Refusal | None":
        """CB-3 to CB-7: one guest onto one chair."""
        guest = guest_number(command["tile"])
        refusal = self._guest_refusal(guest)
        if refusal is not None:
            return refusal
        if command["chair"] not in self.board.chairs:
            return _UNKNOWN_CHAIR
        chair = self.board.chairs.index(command["chair"])
        refusal = self._place_refusal(guest, chair)
        if refusal is None:
            self._place(guest, chair, events)
        return refusal

    def do_done(self, command: "NoFields", events: "Events") -> "Refusal | None":
        """CB-2: the turn ends after one guest; CB-5 unless it must be joined."""
        if self.cells.now[LONE] != EMPTY and not self._is_very_first(1):
            return _ALONE
        self._end_seating(events)
        return None

    def _guest_refusal(self, guest: int) -> "Refusal | None":
        if guest < 0:
            return _UNKNOWN_GUEST
        return self.hands.refusal(guest, self.cells.now[SEAT])

    def _place_refusal(self, guest: int, chair: int) -> "Refusal | None":
        """CB-3, CB-4, then CB-5: every guest scores, or opens a table for the second one."""
        refusal = self.room.refusal(guest, chair)
        if refusal is not None:
            return refusal
        lone = self.cells.now[LONE]
        if lone != EMPTY and not self.room.joins(chair, self.room.alone_at(lone)):
            return _NO_SCORE
        if self.room.scores_alone(chair):
            return None
        if self.cells.now[PLACED]:
            return _NO_SCORE
        return None if self._may_open(guest, chair) else _ALONE

    def _may_open(self, guest: int, chair: int) -> bool:
        """CB-5: a second guest may follow one who opens a table; CB-6: or nobody need."""
        if self.hands.size(self.cells.now[SEAT]) < 2:
            return False
        return not self.rules.both or self._is_very_first(0) or self._can_follow(guest, chair)

    def _can_follow(self, guest: int, chair: int) -> bool:
        """CB-5 with `between=both`: is there a second guest, as far as the box can know, and a
        chair that stands at every table which the first one opens (docs/decisions/0089)?
        """
        if self.rules.app and self.room.would_fill(chair):
            return False  # he leaves with the cleared table and never scores at the other one
        opened = self.room.opens_tables(chair)
        for place in self.board.chairs_at(opened[0]):
            if self.room.joins(place, opened):
                nations = [self.room.nation_at(table) for table in self.board.tables_at(place)]
                for second in candidates(nations):
                    if self._follows(second, place, guest, chair):
                        return True
        return False

    def _follows(self, second: int, place: int, first: int, chair: int) -> bool:
        in_hand = self.hands.may_follow(second, first, self.cells.now[SEAT])
        return in_hand and self.room.could_follow(second, place, first, chair)

    def _is_very_first(self, seated: int) -> bool:
        """CB-6: the starting seat's turn, and so many guests have been seated in the game."""
        return (
            self.cells.now[SEAT] == self.cells.now[STARTER] and self.ledger.all_seated() == seated
        )

    def _place(self, guest: int, chair: int, events: "Events") -> None:
        seat = self.cells.now[SEAT]
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
        self.cells.add(PLACED, 1)
        self.cells.set(LONE, chair if alone else EMPTY)
        self._complete(full, events)
        if self.rules.app and full:
            self._clear(full, events)
        elif self.cells.now[PLACED] == 2:
            self._end_seating(events)
        else:
            self.cells.set(PHASE, SECOND)

    def _seat_guest(self, guest: int, chair: int) -> None:
        seat = self.cells.now[SEAT]
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
            self.cells.set(DRY, 1)
        else:
            self.hands.lower_limit(self.cells.now[SEAT])

    # -- the app's clearing (CA-2) ----------------------------------------------------------------

    def _clear(self, full: "list[int]", events: "Events") -> None:
        for table in full:
            self.room.clear(table)
            self.cards.await_card(table)
        events.append(("cleared", [self.board.tables[table] for table in full], len(full)))
        self.cells.set(PHASE, TABLE_CARD)

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
        if self.cards.next_table() >= 0:
            return
        if self.cells.now[PLACED] == 2:
            self._end_seating(events)
        else:
            self.cells.set(PHASE, SECOND)

    # -- the bar (CB-9 to CB-11) ------------------------------------------------------------------

    def do_bar(self, command: "BarCommand", events: "Events") -> "Refusal | None":
        """CB-9: one guest onto the next bar field; CB-11 for who cannot pay."""
        guest = guest_number(command["tile"])
        refusal = self._guest_refusal(guest)
        if refusal is not None:
            return refusal
        if is_joker(guest) and self.room.has_chair_for(guest):
            return Refusal("joker_fits", "CB-10")
        points = self.rules.bar_values[self.cells.now[BAR]]
        pays = points >= 0 or self.ledger.score(self.cells.now[SEAT]) + points >= 0
        if not pays and not command.get("forced", False):
            return Refusal("cannot_pay", "CB-11")
        self._to_bar(guest, points, pays, events)
        return None

    def _to_bar(self, guest: int, points: int, pays: bool, events: "Events") -> None:
        seat = self.cells.now[SEAT]
        self.hands.play(guest, seat)
        self.cells.add(BAR, 1)
        if pays:
            self.ledger.earn(seat, points)
        else:
            points = -self.ledger.drop_out(seat)
            self.hands.leave(seat)
        events.append(("barred", seat, guest_code(guest), self.cells.now[BAR], points))
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
        refusal = self._guest_refusal(guest)
        if refusal is not None:
            return refusal
        if command["chair"] not in self.board.chairs:
            return _UNKNOWN_CHAIR
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
        seat = self.cells.now[SEAT]
        self._seat_guest(guest, chair)
        self.hands.take(joker, seat)
        codes = (guest_code(joker), guest_code(guest), self.board.chairs[chair])
        events.append(("swapped", seat) + codes)
        self._end_turn(events, 0)
