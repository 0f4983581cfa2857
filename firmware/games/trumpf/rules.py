"""Trumpf in its three variants, Gastro, Kneipe and Swiss: the match and its commands (RULES.md TR,
GA, KN, SW).

How a round goes is in `rounds`, what the clock does in `time_limit`. Every command checks first
and changes afterwards; the order of the refusals is TRANSCRIPT.md, *Exactly, Trumpf*.
"""

from micropython import const

from firmware.games.trumpf.header import TrumpfHeader
from firmware.games.trumpf.piles import CHOOSING, Piles, layout
from firmware.games.trumpf.rounds import (
    give_pot,
    judge_round,
    open_round,
    playing_seats,
    present,
    printed,
    take_back_cards,
)
from firmware.games.trumpf.state import (
    CALL,
    CALLER,
    CATEGORY,
    DECIDE,
    LEAD,
    LEARNED,
    NONE,
    ORDER,
    OVER,
    PLAYERS,
    REASON,
    STARTED,
    SUDDEN,
    TAP,
    TURN,
    WINNER,
)
from firmware.games.trumpf.time_limit import TimeLimit
from firmware.rules.answers import Refusal, add_events
from firmware.rules.commands import (
    ANY_SEAT,
    AWAITED_SEAT,
    NO_SEAT,
    card_tapped,
    seat_named,
    seat_or_null,
)
from firmware.rules.errors import Malformed
from firmware.rules.fields import need
from firmware.rules.match import PHASE, Match
from firmware.rules.ranking import rank

add_events(
    """
played seat cards
called seat category
value_missing seat category
round_won seat category cards values pot
round_tied seats category pot
order_suspect seat card rule
moved from to count
extended left_ms
sudden left_ms
forfeited seat
excluded seat
pot_won seat pot
pot_returned counts
"""
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from firmware.rules.answers import Events, Fields
    from firmware.rules.commands import Command, SeatCommand, SeatOrNullCommand, TapCommand
    from firmware.rules.options import Header

    class TapWithValues(TapCommand, total=False):
        """A tap that brings the values of a card which the header lists without any."""

        values: list[object]

    class CallCommand(TypedDict):
        """`call`: the key or the index of a category."""

        category: str | int


PENALTY_CARDS = 10  # SW-8
FORFEIT_CARDS = 12  # SW-7
# Why a match ended, as `match_over` and the result name it
_REASONS = ("all_cards", "seat_out", "time", "jury", "forfeit", "excluded", "all_tied")
_AWARDED = ("forfeit", "excluded")
# The rules by which a match ends so; time is SW-3 in the championship
_END_RULES = ("TR-10", "TR-10", "CL-6", "SW-5", "SW-7", "SW-9", "TR-8")

# The phases of `state` as bits, for the table
_TO_LEAD = const(1 << 1)
_TO_TAP = const(1 << 2)
_TO_CALL = const(1 << 3)
_TO_DECIDE = const(1 << 4)
_TO_OVER = const(1 << 5)
_END_OF_ROUND = const(_TO_LEAD | _TO_DECIDE | _TO_OVER)

_UNKNOWN_CARD = Refusal("unknown_card", "TR-12")
_NO_SUCH_CATEGORY = Refusal("no_such_category", "TR-3")
_VALUE_MISSING = Refusal("value_missing", "TR-11")
_BAD_VALUE = Refusal("bad_value", "SW-5")
_WHY_NOT = {
    "aside": Refusal("aside", "TR-1"),
    "already_played": Refusal("already_played", "TR-12"),
    "not_yours": Refusal("not_yours", "TR-12"),
}


def _check_call(command: "Command") -> None:
    if type(need(command, "category")) not in (str, int):
        raise Malformed("category", "is neither a key nor an index")


def _in_swiss(match: "Trumpf") -> bool:
    """SW-7 to SW-9 are of the championship only."""
    return match.swiss


def _level(match: "Trumpf") -> bool:
    """SW-5: a level match, at its end or in its sudden rounds."""
    return match.cells.now[PHASE] == DECIDE or match.is_sudden()


# `forfeit` and `exclude` end the match at any moment
_AWARD = (
    seat_named,
    ANY_SEAT,
    "TR-3",
    _in_swiss,
    (_TO_OVER, _TO_OVER, _TO_OVER, _TO_OVER, _TO_OVER),
)


class Trumpf(Match):
    """A match of Trumpf.

    For screens: `deck preset stage caller category counts() pot_size() clock presented()
    is_choosing()`; for the other modules of the game also `piles swiss only_tied finish()`.
    """

    AWAITED = ("begin", "tap", "tap", "call", "decide", "nothing")
    TIMED = DECIDE
    SAME_TURN = (TAP, CALL)
    TABLE = {
        # shape, seat, its rule, condition, then from BEGIN, LEAD, TAP, CALL, DECIDE
        "begin": (seat_named, ANY_SEAT, "TR-3", None, (_TO_LEAD, 0, 0, 0, 0)),
        "tap": (
            card_tapped,
            AWAITED_SEAT,
            "TR-3",
            None,
            (0, _TO_TAP | _TO_CALL, _TO_TAP | _TO_CALL | _END_OF_ROUND, 0, 0),
        ),
        "call": (_check_call, NO_SEAT, "", None, (0, 0, 0, _TO_TAP | _END_OF_ROUND, 0)),
        "penalty": (
            seat_named,
            ANY_SEAT,
            "TR-3",
            _in_swiss,
            (0, _TO_LEAD | _TO_OVER, 0, 0, 0),
        ),
        "forfeit": _AWARD,
        "exclude": _AWARD,
        "decide": (
            seat_or_null,
            ANY_SEAT,
            "TR-3",
            _level,
            # from BEGIN too: time goes on after an undo of `begin`
            (_TO_OVER, _TO_OVER, _TO_OVER, _TO_OVER, _TO_OVER),
        ),
    }

    def __init__(self, header: "Header") -> None:
        read = TrumpfHeader(header)
        self.deck = read.deck
        self.clock = read.clock
        self.preset = read.preset
        self.stage = read.stage
        self.swiss = read.preset == "swiss"
        self.only_tied = read.only_tied
        cards = len(read.deck.codes)
        fixed = [0] * (ORDER + read.seats)
        fixed[CALLER] = fixed[CATEGORY] = fixed[WINNER] = NONE
        Match.__init__(self, read.seats, fixed + layout(read.seats, cards, read.aside))
        self.piles = Piles(self.cells, len(fixed), read.seats, cards)
        self._read_turn_time(read.turn_ms)
        self._limit = None if read.clock is None else TimeLimit(read.clock)
        self._learned: "list[int]" = []  # cards in the order in which taps brought their values

    def beside(self) -> "list[Any]":
        learned = [[card, self.deck.values_of(card)] for card in self._learned]
        return [learned, None if self._limit is None else self._limit.given]

    def take_beside(self, kept: "list[Any]") -> None:
        learned, given = kept
        self._learned = [card for card, _ in learned]
        for card, values in learned:
            self.deck.set_values(card, values)
        if self._limit is not None:
            self._limit.given = given

    # -- questions of screens -------------------------------------------------------------------

    @property
    def caller(self) -> "int | None":
        """The seat that announces, None before `begin`."""
        seat = self.cells.now[CALLER]
        return None if seat == NONE else seat

    @property
    def category(self) -> "int | None":
        """Index of the category in force in this round, None before the call."""
        category = self.cells.now[CATEGORY]
        return None if category == NONE else category

    def counts(self) -> "list[int]":
        """Cards per seat; cards of an open round count for their owners, the pot for nobody."""
        piles = self.piles
        counts = [piles.count(seat) for seat in range(self.seats)]
        for spot in range(piles.pot(), piles.lying()):
            counts[piles.owner(spot)] += 1
        return counts

    def pot_size(self) -> int:
        """Cards in the pot."""
        return self.piles.pot()

    def presented(self, seat: int) -> "list[int]":
        """Numbers of the cards that a seat has presented in the open round."""
        return self.piles.unit(seat)

    def is_choosing(self, seat: int) -> bool:
        """TR-9: the seat had three cards or fewer when the round began."""
        return self.piles.count(seat) + len(self.piles.unit(seat)) <= CHOOSING

    def is_called(self) -> bool:
        """SW-4: from the first accepted call of a round, also while a further one is awaited."""
        now = self.cells.now
        return now[CATEGORY] != NONE or (now[PHASE] == CALL and self._calls_again())

    def is_sudden(self) -> bool:
        """SW-5: the next decided round wins."""
        return self.cells.now[SUDDEN] == 1

    def awaited_seat(self) -> "int | None":
        """The seat whose card is awaited, or the caller."""
        now = self.cells.now
        phase = now[PHASE]
        if phase == LEAD or phase == TAP:
            return now[ORDER + now[TURN]]
        return now[CALLER] if phase == CALL else None

    # -- time -----------------------------------------------------------------------------------

    def _look_at_time(self, events: "Events", undone: bool) -> None:
        if self._limit is not None:
            self._limit.look(self, events, undone)

    def _set_clock(self) -> None:
        if self._limit is not None:
            self._limit.set_clock(self)

    def _settle_time(self, events: "Events") -> None:
        """SW-4: what a time-out leads to, if it came during the round that is over now."""
        if self._limit is not None:
            self._limit.settle(self, events)

    # -- play -----------------------------------------------------------------------------------

    def do_begin(self, command: "SeatCommand", events: "Events") -> None:
        """TR-2: who starts."""
        self.cells.set(CALLER, command["seat"])
        open_round(self, list(range(self.seats)))
        events.append(("began", command["seat"]))

    def do_tap(self, command: "TapWithValues", events: "Events") -> "Refusal | None":
        """TR-3, TR-12: a card is presented."""
        card = self.deck.index(command["card"])
        if card < 0:
            return _UNKNOWN_CARD
        now = self.cells.now
        seat = now[ORDER + now[TURN]]
        reason = self.piles.why_not(seat, card)
        if reason is not None:
            return _WHY_NOT[reason]
        if "values" in command and self.deck.learns(card):
            self._learn(card, self.deck.read_values({"values": command["values"]}))
        self.cells.set(STARTED, 1)
        present(self, seat, card, events)
        self._settle_time(events)
        return None

    def do_call(self, command: "CallCommand", events: "Events") -> "Refusal | None":
        """TR-3, TR-11: the caller's category."""
        category = self.deck.category(command["category"])
        if category < 0:
            return _NO_SUCH_CATEGORY
        caller = self.cells.now[CALLER]
        again = self._calls_again()
        for seat in (caller, 1 - caller) if again else (caller,):
            if printed(self, seat, category) is None:
                return _VALUE_MISSING
        self.cells.set(CATEGORY, category)
        self.cells.set(PHASE, TAP)
        events.append(("called", caller, self.deck.categories[category].key))
        if again:
            judge_round(self, events)
            self._settle_time(events)
        return None

    def _calls_again(self) -> bool:
        """TR-11, Swiss: both cards lie there already, and another value is asked for."""
        now = self.cells.now
        return now[TURN] == now[PLAYERS]

    # -- values that come with a tap ------------------------------------------------------------

    def _check_shape(self, do: str, command: "dict[str, Any]") -> None:
        Match._check_shape(self, do, command)
        if do == "tap" and "values" in command:
            card = self.deck.index(command["card"])
            if card >= 0 and self.deck.learns(card):
                self.deck.read_values(command)

    def _learn(self, card: int, values: "list[int | None]") -> None:
        """A card that the header lists without values brings them with its accepted tap."""
        self.deck.set_values(card, values)
        self._learned.append(card)
        self.cells.add(LEARNED, 1)

    def _undo(self, events: "Events") -> "Refusal | None":
        """The values that a tap brought go with it."""
        refusal = Match._undo(self, events)
        while len(self._learned) > self.cells.now[LEARNED]:
            self.deck.forget_values(self._learned.pop())
        return refusal

    # -- the arbiter ----------------------------------------------------------------------------

    def do_penalty(self, command: "SeatCommand", events: "Events") -> "Refusal | None":
        """SW-8: delaying the game costs ten cards, or the match."""
        piles = self.piles
        seat = command["seat"]
        taker = 1 - seat
        count = piles.count(seat)
        lost = count <= PENALTY_CARDS
        count = count if lost else PENALTY_CARDS
        piles.hand_over(seat, taker, count)
        events.append(("moved", seat, taker, count))
        if not lost:
            open_round(self, playing_seats(self))
            return None
        if piles.pot():
            give_pot(self, taker, events)
        self.finish("all_cards", taker, events)
        return None

    def do_forfeit(self, command: "SeatCommand", events: "Events") -> None:
        """SW-7: late or absent."""
        events.append(("forfeited", command["seat"]))
        self.finish("forfeit", 1 - command["seat"], events)

    def do_exclude(self, command: "SeatCommand", events: "Events") -> None:
        """SW-9: the jury excludes a player from the tournament."""
        events.append(("excluded", command["seat"]))
        self.finish("excluded", 1 - command["seat"], events)

    def do_decide(self, command: "SeatOrNullCommand", events: "Events") -> "Refusal | None":
        """SW-5: the jury names the winner of a level match."""
        seat = command["seat"]
        if seat is None:
            return _BAD_VALUE
        take_back_cards(self)
        self.finish("jury", seat, events)
        return None

    # -- the end --------------------------------------------------------------------------------

    def finish(self, reason: str, winner: int, events: "Events") -> None:
        """End the match.

        `winner` of a match between two; NONE: shared, or ranked by cards (TR-10).
        """
        cells = self.cells
        cells.set(PHASE, OVER)
        cells.set(REASON, _REASONS.index(reason))
        cells.set(WINNER, winner)
        events.append(("match_over", reason, self._ranking()))

    def result(self) -> "Fields":
        """The fields of the result line, in order."""
        if not self.over():
            now = [("over", False), ("counts", self.counts()), ("pot", self.pot_size())]
            return now + self._turn_fields()
        ranking = self._ranking()
        reason = _REASONS[self.cells.now[REASON]]
        counts = self.counts()
        pot = self.pot_size()
        if reason in _AWARDED:  # SW-7, SW-9
            counts = [FORFEIT_CARDS if seat in ranking[0] else 0 for seat in range(2)]
            pot = 0
        fields: "Fields" = [("over", True), ("reason", reason)]
        fields += [("ranking", ranking), ("counts", counts)]
        if self.swiss:  # SW-6
            win = 2 if len(ranking) == 2 else 1
            fields.append(("points", [win if seat in ranking[0] else 0 for seat in range(2)]))
        fields.append(("pot", pot))
        return fields + self._turn_fields()

    def end_rule(self, reason: str) -> str:
        """TR-10 and what else ends a match."""
        rule = _END_RULES[_REASONS.index(reason)]
        return "SW-3" if self.swiss and rule == "CL-6" else rule

    def _ranking(self) -> "list[list[int]]":
        winner = self.cells.now[WINNER]
        if winner != NONE:
            return [[winner], [1 - winner]]
        if _REASONS[self.cells.now[REASON]] == "all_tied":
            return [list(range(self.seats))]
        return rank([(count,) for count in self.counts()])
