"""I Doubt It (DB-1 to DB-6): the box sees every card laid, and shows only those turned up."""

from micropython import const

from firmware.rules.answers import Refusal, add_events
from firmware.rules.commands import (
    ANY_SEAT,
    AWAITED_SEAT,
    NO_SEAT,
    card_tapped,
    no_fields,
    seat_named,
)
from firmware.rules.deck import read_deck
from firmware.rules.errors import Malformed
from firmware.rules.fields import need, need_str
from firmware.rules.match import Match
from firmware.rules.options import positive, read_options, refuse_stage, seats_between
from firmware.rules.ranking import rank

add_events(
    """
claimed seat letter
covered seat
doubted seat to
turned_up seat card
picked_up seat cards
"""
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from firmware.rules.answers import Events, Fields
    from firmware.rules.commands import Command, NoFields, SeatCommand, TapCommand
    from firmware.rules.options import Header

    class ClaimCommand(TypedDict):
        """What `_claimed` has checked."""

        card: str
        letter: str


_MOST_SEATS = const(6)
_PILES = const(8)

_BEGIN = const(0)
_CLAIM = const(1)
_TAP = const(2)
_OVER = const(3)
_TO_CLAIM = const(1 << 1)
_TO_TAP = const(1 << 2)
_TO_OVER = const(1 << 3)

# Places of the first cells; then come how many cards a seat holds (one a seat), and where a card
# is (one a card).
_PHASE = const(0)
_SEAT = const(1)  # whose turn it is
_LETTER = const(2)  # place of the named one in `letters`
_TOP = const(3)  # the card that was laid last
_TAKEN = const(4)  # piles
_COUNTS = const(5)

# Where a card is; from _HELD on a hand, by the seat.
_UNSEEN = const(0)
_IN_PILE = const(1)
_HELD = const(2)


def _claimed(command: "Command") -> None:
    """`claim`: a card and a letter."""
    card_tapped(command)
    need_str(command, "letter")


class Doubt(Match):
    """A game of I Doubt It for 2 to 6 seats. Options: `piles` (DB-6)."""

    AWAITED = ("begin", "claim", "tap", "nothing")
    TIMED = _OVER
    TABLE = {
        # shape, seat, its rule, condition, then from BEGIN, CLAIM, TAP
        "begin": (seat_named, ANY_SEAT, "DB-2", None, (_TO_CLAIM, 0, 0)),
        "claim": (_claimed, AWAITED_SEAT, "DB-2", None, (0, _TO_TAP | _TO_CLAIM | _TO_OVER, 0)),
        "tap": (card_tapped, AWAITED_SEAT, "DB-3", None, (0, 0, _TO_TAP | _TO_CLAIM | _TO_OVER)),
        "doubt": (no_fields, NO_SEAT, "DB-3", None, (0, 0, _TO_CLAIM | _TO_OVER)),
    }

    def __init__(self, header: "Header") -> None:
        seats = seats_between(header, 2, _MOST_SEATS)
        refuse_stage(header)
        self.piles = positive(read_options(header, ("piles",)), "piles", _PILES)
        self.deck = read_deck(need(header, "deck"), 0)
        self.letters = ""
        for code in self.codes():
            if code[0] not in self.letters:
                self.letters += code[0]
        self.each = len(self.codes()) // seats
        if self.each == 0:
            raise Malformed("seats", "are more than the deck has cards")
        self._places = _COUNTS + seats
        cells = [0] * _COUNTS + [self.each] * seats + [_UNSEEN] * len(self.deck.codes)
        Match.__init__(self, seats, cells, header)

    def beside(self) -> "list[Any]":
        return []

    # -- what a screen asks --

    def codes(self) -> "list[str]":
        """The cards that are played with."""
        deck = self.deck
        return [code for code in deck.codes if not deck.jokers[deck.index(code)]]

    def counts(self) -> "list[int]":
        """Cards per seat."""
        return list(self.cells.now[_COUNTS : _COUNTS + self.seats])

    def letter(self) -> str:
        """The letter that was named; "" while there is no pile."""
        now = self.cells.now
        return self.letters[now[_LETTER]] if now[_PHASE] == _TAP else ""

    def pile(self) -> int:
        """How many cards lie in the pile."""
        cards = self._places + len(self.deck.codes)  # behind them lie the cells of the clock
        return sum([place == _IN_PILE for place in self.cells.now[self._places : cards]])

    def piles_taken(self) -> int:
        """DB-6."""
        return self.cells.now[_TAKEN]

    # -- what Match calls --

    def awaited_seat(self) -> "int | None":
        """DB-3: clockwise from whoever began the pile."""
        now = self.cells.now
        return now[_SEAT] if now[_PHASE] in (_CLAIM, _TAP) else None

    def result(self) -> "Fields":
        """Points, and with the game over the ranking by them (DB-6)."""
        scores = ("scores", [-count for count in self.counts()])
        if not self.over():
            return [("over", False), scores] + self._turn_fields()
        over = [("over", True), ("reason", self._reason()), ("ranking", self._ranking()), scores]
        return over + self._turn_fields()

    def do_begin(self, command: "SeatCommand", events: "Events") -> None:
        """DB-2."""
        self.cells.set(_PHASE, _CLAIM)
        self.cells.set(_SEAT, command["seat"])
        events.append(("began", command["seat"]))

    def do_claim(self, command: "ClaimCommand", events: "Events") -> "Refusal | None":
        """DB-2: the first card of a pile, and the letter that holds for all of it."""
        letter = command["letter"]
        refusal = self._not_to_be_laid(command["card"])
        if refusal is None and (len(letter) != 1 or letter not in self.letters):
            refusal = Refusal("no_such_letter", "DB-2")
        if refusal is not None:
            return refusal
        self.cells.set(_LETTER, self.letters.index(letter))
        events.append(("claimed", self.cells.now[_SEAT], letter))
        self._lay(self.deck.index(command["card"]), events)
        return None

    def do_tap(self, command: "TapCommand", events: "Events") -> "Refusal | None":
        """DB-3: one more card on the pile, whatever it is."""
        refusal = self._not_to_be_laid(command["card"])
        if refusal is not None:
            return refusal
        events.append(("covered", self.cells.now[_SEAT]))
        self._lay(self.deck.index(command["card"]), events)
        return None

    def do_doubt(self, command: "NoFields", events: "Events") -> None:
        """DB-4: the card before is turned up."""
        seat = self.cells.now[_SEAT]
        laid = (seat - 1) % self.seats
        events.append(("doubted", seat, laid))
        if self._turn_up(laid, events):
            self._take_pile(seat, laid, events)
        else:
            self._take_pile(laid, seat, events)

    # -- one card, one pile --

    def _not_to_be_laid(self, code: str) -> "Refusal | None":
        card = self.deck.index(code)
        if card < 0:
            return Refusal("unknown_card", "DB-1")
        if self.deck.jokers[card]:
            return Refusal("joker_not_allowed", "DB-1")
        place = self.cells.now[self._places + card]
        if place == _IN_PILE:
            return Refusal("already_played", "DB-3")
        if place not in (_UNSEEN, _HELD + self.cells.now[_SEAT]):
            return Refusal("not_yours", "DB-3")  # it was in a pile that another seat took
        return None

    def _lay(self, card: int, events: "Events") -> None:
        """The seat on turn lays; the next one may answer, unless that was the last card."""
        cells = self.cells
        seat = cells.now[_SEAT]
        after = (seat + 1) % self.seats
        cells.set(self._places + card, _IN_PILE)
        cells.set(_TOP, card)
        cells.add(_COUNTS + seat, -1)
        cells.set(_SEAT, after)
        cells.set(_PHASE, _TAP)
        if cells.now[_COUNTS + seat]:
            return
        if self._turn_up(seat, events):  # DB-5
            self.end_by_time(events)
        else:
            self._take_pile(seat, after, events)

    def _turn_up(self, seat: int, events: "Events") -> bool:
        """Was the top card, which `seat` has laid, of the named letter?"""
        code = self.deck.codes[self.cells.now[_TOP]]
        events.append(("turned_up", seat, code))
        return code[0] == self.letters[self.cells.now[_LETTER]]

    def _take_pile(self, seat: int, next_seat: int, events: "Events") -> None:
        """DB-4: `seat` takes the pile, and `next_seat` begins the next one, if there is one."""
        cells = self.cells
        count = self.pile()
        for place in range(self._places, self._places + len(self.deck.codes)):
            if cells.now[place] == _IN_PILE:
                cells.set(place, _HELD + seat)
        cells.add(_COUNTS + seat, count)
        cells.add(_TAKEN, 1)
        cells.set(_SEAT, next_seat)
        cells.set(_PHASE, _CLAIM)
        events.append(("picked_up", seat, count))
        if cells.now[_TAKEN] == self.piles or self._is_time_up():
            self.end_by_time(events)

    def is_begun(self) -> bool:
        """CL-6: a pile is finished."""
        return self.cells.now[_PHASE] == _TAP

    def end_by_time(self, events: "Events") -> None:
        """DB-5, DB-6, CL-6."""
        self.cells.set(_PHASE, _OVER)
        events.append(("match_over", self._reason(), self._ranking()))

    def end_rule(self, reason: str) -> str:
        """DB-5, DB-6, or CL-6 for the clock."""
        return Match.end_rule(self, reason) or ("DB-5" if reason == "no_cards" else "DB-6")

    def _reason(self) -> str:
        if 0 in self.counts():
            return "no_cards"
        return "last_pile" if self.cells.now[_TAKEN] == self.piles else "time"

    def _ranking(self) -> "list[list[int]]":
        return rank([(-count,) for count in self.counts()])
