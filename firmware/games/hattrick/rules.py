"""Hattrick: two tricks at a time, three colours, one meaning for every card (HA-1 to HA-9).

A card is a number 0..59: colour times twenty plus value minus one. A hand is one deal of all
sixty (HA-1).
"""

from micropython import const

from firmware.rules.answers import Pairs, Refusal, add_events
from firmware.rules.commands import (
    ANY_SEAT,
    AWAITED_SEAT,
    NO_SEAT,
    card_tapped,
    seat_named,
    seat_or_null,
)
from firmware.rules.match import Match
from firmware.rules.options import positive, read_options, refuse_stage, seats_between
from firmware.rules.ranking import rank

add_events(
    """
opened seat card
followed seat card
passed seat card
shed seat card
round_over tricks leader
hand_over scores totals dealer
"""
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.rules.answers import Events, Fields
    from firmware.rules.commands import SeatCommand, TapCommand
    from firmware.rules.options import Header

SUITS = "RGB"
REASONS = ("hands", "target", "time")

_VALUES = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20".split(" ")
_DECK = const(60)
_PER_SUIT = const(20)
_MOST_SEATS = const(6)
_NO_SUIT = const(-1)
_NO_TIME = const(2)  # among REASONS

_BEGIN = const(0)
_TAP = const(1)
_OVER = const(2)
_TO_TAP = const(1 << 1)
_TO_OVER = const(1 << 2)

# Places of the cells; the rows hold one number a seat.
_PHASE = const(0)
_DEALER = const(1)
_LEADER = const(2)
_LAID = const(3)  # cards laid in this round
_LEFT = const(4)  # cards each seat held when this round began
_HANDS = const(5)  # hands finished
_REASON = const(6)
_FIRST_SUIT = const(7)
_SECOND_SUIT = const(8)
_ROUND = const(9)  # six cards of this round, from the leader clockwise
_WON = const(15)  # three colours a seat
_PASSED = const(33)
_TOTAL = const(39)
_SCORE = const(45)  # of the last finished hand
_SEEN = const(51)  # one a card: the number of the hand in which it was tapped last
_SIZE = const(111)


def card_code(card: int) -> str:
    """Code of a card number: 0 is R1, 59 is B20."""
    return SUITS[card // _PER_SUIT] + _VALUES[card % _PER_SUIT]


def card_number(code: str) -> int:
    """Number of a card code, or -1 if it is none of the sixty (HA-1)."""
    if code[:1] not in ("R", "G", "B") or code[1:] not in _VALUES:
        return -1
    return SUITS.index(code[0]) * _PER_SUIT + _VALUES.index(code[1:])


def value_of(card: int) -> int:
    """Printed value 1..20."""
    return card % _PER_SUIT + 1


def next_leader(played: "list[tuple[int, int]]", leader: int) -> int:
    """HA-5: the seat of the highest value that lies once among (value, seat), else `leader`."""
    values = [value for value, _ in played]
    best = (0, leader)
    for value, seat in played:
        if values.count(value) == 1 and value > best[0]:
            best = (value, seat)
    return best[1]


def hand_score(won: "list[int]", passed: int) -> int:
    """HA-7: the largest colour counts +1 a card, other won cards -1, passed cards -2."""
    return 2 * max(won) - sum(won) - 2 * passed


class Hattrick(Match):
    """A game of Hattrick for 3 to 6 seats. Options: `hands` (2 x seats) and `target` (none)."""

    AWAITED = ("begin", "tap", "nothing")
    TIMED = _OVER
    TABLE = {
        # shape, seat, its rule, condition, then from BEGIN, TAP
        "begin": (seat_named, ANY_SEAT, "HA-2", None, (_TO_TAP, 0)),
        "tap": (card_tapped, AWAITED_SEAT, "HA-2", None, (0, _TO_TAP | _TO_OVER)),
        "decide": (seat_or_null, NO_SEAT, "", None, (0, 0)),  # HA-8: no level match needs a jury
    }

    def __init__(self, header: "Header") -> None:
        seats = seats_between(header, 3, _MOST_SEATS)
        refuse_stage(header)
        options = read_options(header, ("hands", "target"))
        self.hands = positive(options, "hands", 2 * seats)  # HA-8
        self.target = None if options.get("target") is None else positive(options, "target", 1)
        Match.__init__(self, seats, [0] * _SIZE, header)
        self.cells.now[_FIRST_SUIT] = self.cells.now[_SECOND_SUIT] = _NO_SUIT

    def beside(self) -> "list[Any]":
        return []

    # -- what a screen asks -------------------------------------------------------------------

    def dealer(self) -> "int | None":
        """Who deals this hand; None before `begin`."""
        return None if self.cells.now[_PHASE] == _BEGIN else self.cells.now[_DEALER]

    def hands_played(self) -> int:
        """Finished hands."""
        return self.cells.now[_HANDS]

    def cards_left(self) -> int:
        """Cards each seat held when this round began; 1 means the open last card (HA-6)."""
        return self.cells.now[_LEFT]

    def tricks_lying(self) -> "list[tuple[str, int, list[str]]]":
        """The tricks of this round: (colour, seat that leads it, cards in the order played)."""
        return [
            (
                SUITS[suit],
                self._trick_winner(suit),
                [card_code(card) for card, _ in self._trick(suit)],
            )
            for suit in self._open_suits()
        ]

    def passes(self) -> "list[int]":
        """Passed cards per seat in this hand (HA-3)."""
        return self._row(_PASSED)

    def won(self, seat: int) -> "list[int]":
        """Won cards of a seat in this hand: red, green, blue."""
        return list(self.cells.now[_WON + 3 * seat : _WON + 3 * seat + 3])

    def totals(self) -> "list[int]":
        """Points of all finished hands per seat."""
        return self._row(_TOTAL)

    # -- what Match calls ---------------------------------------------------------------------

    def awaited_seat(self) -> "int | None":
        """The one seat whose card is next."""
        return self._next_seat() if self.cells.now[_PHASE] == _TAP else None

    def result(self) -> "Fields":
        """Totals, and with the game over the ranking by totals (HA-8)."""
        scores = ("scores", self.totals())
        if not self.over():
            return [("over", False), scores] + self._turn_fields()
        reason = REASONS[self.cells.now[_REASON]]
        over = [("over", True), ("reason", reason), ("ranking", self._ranking()), scores]
        return over + self._turn_fields()

    def do_begin(self, command: "SeatCommand", events: "Events") -> None:
        """HA-2: the dealer of the first hand is named; the seat to the left leads."""
        self.cells.set(_PHASE, _TAP)
        self._deal(command["seat"])
        events.append(("began", command["seat"]))

    def do_tap(self, command: "TapCommand", events: "Events") -> "Refusal | None":
        """HA-3: the tap alone is the move."""
        seat = self._next_seat()
        card = card_number(command["card"])
        if card < 0:
            return Refusal("unknown_card", "HA-1")
        if self.cells.now[_SEEN + card] == self._hand_number():
            return Refusal("already_played", "HA-9")
        self.cells.set(_SEEN + card, self._hand_number())
        events.append((self._meaning(card, seat), seat, card_code(card)))
        self._lay(card)
        if self.cells.now[_LAID] == self.seats:
            self._close(events)
        return None

    # -- one card -----------------------------------------------------------------------------

    def _meaning(self, card: int, seat: int) -> str:
        """What this card is (HA-3, HA-6); a new trick and a pass leave their trace."""
        now = self.cells.now
        if now[_LEFT] == 1:
            return "shed"
        suit = card // _PER_SUIT
        if suit in self._open_suits():
            return "followed"
        for place in (_FIRST_SUIT, _SECOND_SUIT):
            if now[place] == _NO_SUIT:
                self.cells.set(place, suit)
                return "opened"
        self.cells.add(_PASSED + seat, 1)
        return "passed"

    def _lay(self, card: int) -> None:
        self.cells.set(_ROUND + self.cells.now[_LAID], card)
        self.cells.add(_LAID, 1)

    def _close(self, events: "Events") -> None:
        """Every seat has laid its card."""
        if self.cells.now[_LEFT] > 1:
            self._end_round(events)
        else:
            self._end_hand(events)

    # -- the round ----------------------------------------------------------------------------

    def _end_round(self, events: "Events") -> None:
        """HA-4 and HA-5: the highest card of each colour takes its trick; who leads next."""
        tricks = []
        played = []
        for suit in self._open_suits():
            cards = self._trick(suit)
            winner = self._trick_winner(suit)
            self.cells.add(_WON + 3 * winner + suit, len(cards))
            codes = ("cards", self._trick_codes(suit))
            tricks.append(Pairs([("suit", SUITS[suit]), ("seat", winner), codes]))
            played.extend([(value_of(card), seat) for card, seat in cards])
        self.cells.set(_LEADER, next_leader(played, self.cells.now[_LEADER]))
        self.cells.add(_LEFT, -1)
        self._clear_round()
        events.append(("round_over", tricks, self.cells.now[_LEADER]))

    def _clear_round(self) -> None:
        self.cells.set(_LAID, 0)
        self.cells.set(_FIRST_SUIT, _NO_SUIT)
        self.cells.set(_SECOND_SUIT, _NO_SUIT)

    def _open_suits(self) -> "list[int]":
        now = self.cells.now
        return [suit for suit in (now[_FIRST_SUIT], now[_SECOND_SUIT]) if suit != _NO_SUIT]

    def _trick(self, suit: int) -> "list[tuple[int, int]]":
        """(card, seat) of one colour in the order played."""
        now = self.cells.now
        return [
            (now[_ROUND + place], (now[_LEADER] + place) % self.seats)
            for place in range(now[_LAID])
            if now[_ROUND + place] // _PER_SUIT == suit
        ]

    def _trick_codes(self, suit: int) -> "list[str]":
        return [card_code(card) for card, _ in self._trick(suit)]

    def _trick_winner(self, suit: int) -> int:
        return max(self._trick(suit))[1]

    # -- the hand and the game ----------------------------------------------------------------

    def _end_hand(self, events: "Events") -> None:
        """HA-6 to HA-8: score, next dealer, and perhaps the end."""
        scores = [
            hand_score(self.won(seat), self.cells.now[_PASSED + seat])
            for seat in range(self.seats)
        ]
        for seat in range(self.seats):
            self.cells.set(_SCORE + seat, scores[seat])
            self.cells.add(_TOTAL + seat, scores[seat])
        self.cells.add(_HANDS, 1)
        self._deal((self.cells.now[_DEALER] + 1) % self.seats)
        events.append(("hand_over", scores, self.totals(), self.cells.now[_DEALER]))
        self._end_game(events)

    def _deal(self, dealer: int) -> None:
        """HA-1, HA-2: all cards are dealt; the seat left of the dealer leads."""
        self.cells.set(_DEALER, dealer)
        self.cells.set(_LEADER, (dealer + 1) % self.seats)
        self.cells.set(_LEFT, _DECK // self.seats)
        self._clear_round()
        for place in range(_WON, _TOTAL):
            self.cells.set(place, 0)

    def _end_game(self, events: "Events") -> None:
        """HA-8: enough hands, or the target reached; if both, the reason is `hands`."""
        if self.cells.now[_HANDS] >= self.hands:
            reason = 0
        elif self.target is not None and max(self.totals()) >= self.target:
            reason = 1
        elif self._is_time_up():
            reason = _NO_TIME
        else:
            return
        self._finish(reason, events)

    def is_begun(self) -> bool:
        """CL-6: a hand of which a card lies; only a whole hand has a score (HA-7)."""
        now = self.cells.now
        dealt = _DECK // self.seats
        return now[_PHASE] == _TAP and (now[_LAID] > 0 or now[_LEFT] < dealt)

    def end_by_time(self, events: "Events") -> None:
        """CL-6: between two hands."""
        self._finish(_NO_TIME, events)

    def end_rule(self, reason: str) -> str:
        """HA-8, or CL-6 for the clock."""
        return Match.end_rule(self, reason) or "HA-8"

    def _finish(self, reason: int, events: "Events") -> None:
        self.cells.set(_REASON, reason)
        self.cells.set(_PHASE, _OVER)
        events.append(("match_over", REASONS[reason], self._ranking()))

    def _ranking(self) -> "list[list[int]]":
        return rank([(total,) for total in self.totals()])

    def _row(self, first: int) -> "list[int]":
        return list(self.cells.now[first : first + self.seats])

    def _hand_number(self) -> int:
        return self.cells.now[_HANDS] + 1

    def _next_seat(self) -> int:
        return (self.cells.now[_LEADER] + self.cells.now[_LAID]) % self.seats
