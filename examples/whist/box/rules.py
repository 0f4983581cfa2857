"""Whist without trumps (WH-1 to WH-6): the box sees the cards that are laid and nobody's hand."""

from micropython import const

from firmware.rules.answers import Refusal, add_events
from firmware.rules.commands import ANY_SEAT, AWAITED_SEAT, card_tapped, seat_named
from firmware.rules.deck import read_deck
from firmware.rules.errors import Malformed
from firmware.rules.fields import need
from firmware.rules.match import Match
from firmware.rules.options import positive, read_options, refuse_stage, seats_between
from firmware.rules.ranking import rank

add_events(
    """
laid seat card
revoked seat card
taken seat points
"""
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.rules.answers import Events, Fields
    from firmware.rules.commands import SeatCommand, TapCommand
    from firmware.rules.deck import Deck
    from firmware.rules.options import Header

REASON = "all_laid"

_MOST_SEATS = const(8)

_BEGIN = const(0)
_TAP = const(1)
_OVER = const(2)
_TO_TAP = const(1 << 1)
_TO_OVER = const(1 << 2)

# Places of the first cells; then come the points (one a seat), what a seat did not follow (a row
# of letters a seat), and whether a card was laid (one a card).
_PHASE = const(0)
_LEADER = const(1)
_LAID = const(2)  # cards of this trick
_TRICKS = const(3)  # finished
_TRICK = const(4)  # the cards of this trick, from the leader on
_POINTS = const(12)


class Whist(Match):
    """A game of Whist for 2 to 8 seats. Options: `last_trick` (1 or 2 points)."""

    AWAITED = ("begin", "tap", "nothing")
    TIMED = _OVER
    TABLE = {
        # shape, seat, its rule, condition, then from BEGIN, TAP
        "begin": (seat_named, ANY_SEAT, "WH-2", None, (_TO_TAP, 0)),
        "tap": (card_tapped, AWAITED_SEAT, "WH-3", None, (0, _TO_TAP | _TO_OVER)),
    }

    def __init__(self, header: "Header") -> None:
        seats = seats_between(header, 2, _MOST_SEATS)
        refuse_stage(header)
        self.last_trick = positive(read_options(header, ("last_trick",)), "last_trick", 1)
        self.deck = read_deck(need(header, "deck"), 0)
        self._letters, cards = _letters_and_cards(self.deck)
        self.tricks = cards // seats
        if self.tricks == 0:
            raise Malformed("seats", "are more than the deck has cards")
        self._missed = _POINTS + seats
        self._seen = self._missed + seats * len(self._letters)
        Match.__init__(self, seats, [0] * (self._seen + len(self.deck.codes)), header)

    def beside(self) -> "list[Any]":
        return []

    # -- what a screen asks --

    def codes(self) -> "list[str]":
        """The cards that are played with."""
        deck = self.deck
        return [code for code in deck.codes if not deck.jokers[deck.index(code)]]

    def lying(self) -> "list[tuple[int, str]]":
        """(seat, card) of this trick in the order laid."""
        now = self.cells.now
        return [
            ((now[_LEADER] + place) % self.seats, self.deck.codes[now[_TRICK + place]])
            for place in range(now[_LAID])
        ]

    def is_unseen(self, code: str) -> bool:
        """Nobody has laid this card."""
        return not self.cells.now[self._seen + self.deck.index(code)]

    def tricks_played(self) -> int:
        """Finished tricks."""
        return self.cells.now[_TRICKS]

    def points(self) -> "list[int]":
        """Points per seat (WH-4, WH-5)."""
        return list(self.cells.now[_POINTS : _POINTS + self.seats])

    # -- what Match calls --

    def awaited_seat(self) -> "int | None":
        """WH-3: clockwise from the leader."""
        now = self.cells.now
        return (now[_LEADER] + now[_LAID]) % self.seats if now[_PHASE] == _TAP else None

    def result(self) -> "Fields":
        """Points, and with the game over the ranking by them (WH-6)."""
        scores = ("scores", self.points())
        if not self.over():
            return [("over", False), scores] + self._turn_fields()
        over = [("over", True), ("reason", self._reason()), ("ranking", self._ranking()), scores]
        return over + self._turn_fields()

    def do_begin(self, command: "SeatCommand", events: "Events") -> None:
        """WH-2: who leads first."""
        self.cells.set(_PHASE, _TAP)
        self.cells.set(_LEADER, command["seat"])
        events.append(("began", command["seat"]))

    def do_tap(self, command: "TapCommand", events: "Events") -> "Refusal | None":
        """WH-3: any card may be laid; whether it had to be another one shows later."""
        card = self.deck.index(command["card"])
        if card < 0:
            return Refusal("unknown_card", "WH-1")
        if self.deck.jokers[card]:
            return Refusal("joker_not_allowed", "WH-1")
        if self.cells.now[self._seen + card]:
            return Refusal("already_played", "WH-3")
        seat = (self.cells.now[_LEADER] + self.cells.now[_LAID]) % self.seats
        self._lay(seat, card, events)
        if self.cells.now[_LAID] == self.seats:
            self._end_trick(events)
        return None

    # -- one card, one trick --

    def _lay(self, seat: int, card: int, events: "Events") -> None:
        cells = self.cells
        code = self.deck.codes[card]
        cells.set(self._seen + card, 1)
        cells.set(_TRICK + cells.now[_LAID], card)
        cells.add(_LAID, 1)
        events.append(("laid", seat, code))
        row = self._missed + seat * len(self._letters)
        missed = row + self._letters.index(code[0])
        if cells.now[missed]:  # WH-5, once for each time
            cells.set(missed, 0)
            cells.add(_POINTS + seat, -1)
            events.append(("revoked", seat, code))
        led = self.deck.codes[cells.now[_TRICK]][0]
        if code[0] != led:
            cells.set(row + self._letters.index(led), 1)

    def _end_trick(self, events: "Events") -> None:
        """WH-4: who takes it, and what it is worth."""
        cells = self.cells
        lying = self.lying()
        led = lying[0][1][0]
        taker = max([(_number(code), seat) for seat, code in lying if code[0] == led])[1]
        cells.add(_TRICKS, 1)
        last = cells.now[_TRICKS] == self.tricks
        points = self.last_trick if last else 1
        cells.add(_POINTS + taker, points)
        cells.set(_LEADER, taker)
        cells.set(_LAID, 0)
        events.append(("taken", taker, points))
        if last or self._is_time_up():
            self.end_by_time(events)

    def is_begun(self) -> bool:
        """CL-6: a trick is finished."""
        return self.cells.now[_LAID] > 0

    def end_by_time(self, events: "Events") -> None:
        """WH-6, CL-6: after the last trick, or the last one that was begun in time."""
        self.cells.set(_PHASE, _OVER)
        events.append(("match_over", self._reason(), self._ranking()))

    def end_rule(self, reason: str) -> str:
        """WH-6, or CL-6 for the clock."""
        return Match.end_rule(self, reason) or "WH-6"

    def _reason(self) -> str:
        return REASON if self.cells.now[_TRICKS] == self.tricks else "time"

    def _ranking(self) -> "list[list[int]]":
        return rank([(points,) for points in self.points()])


def _letters_and_cards(deck: "Deck") -> "tuple[str, int]":
    """The letters of the codes, and how many cards are no jokers. Raises Malformed (WH-1)."""
    letters = ""
    cards = 0
    for card in range(len(deck.codes)):
        code = deck.codes[card]
        if not deck.jokers[card]:
            if _number(code) < 0:
                raise Malformed("deck.cards", "has a code without a number: " + code)
            if code[0] not in letters:
                letters += code[0]
            cards += 1
    return letters, cards


def _number(code: str) -> int:
    """What stands behind the letter of a code; -1 if it is no number."""
    for letter in code[1:]:
        if letter not in "0123456789":
            return -1
    return int(code[1:]) if len(code) > 1 else -1
