"""Trumpf in its three variants, Gastro, Kneipe and Swiss: the commands (RULES.md TR, GA, KN, SW,
CL).

Every command checks first and changes afterwards. The order of the refusals is TRANSCRIPT.md,
*Exactly, Trumpf*.
"""

from micropython import const

from firmware.games.trumpf.state import (
    BEGIN,
    CALL,
    CALLED,
    CALLER,
    CATEGORY,
    DECIDE,
    LEARNED,
    ORDER,
    PHASE,
    PLAYERS,
    STARTED,
    SUDDEN,
    TAP,
    TURN,
)
from firmware.games.trumpf.time_limit import TrumpfTime
from firmware.rules.answers import Refusal
from firmware.rules.errors import Malformed
from firmware.rules.fields import need, need_int, need_str
from firmware.rules.match import NOT_NOW

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.games.trumpf.state import Events

    Command = dict[str, object]

PENALTY_CARDS = 10  # SW-8

_WRONG_SEAT = Refusal("wrong_seat", "TR-3")
_CLOCK_STOPPED = Refusal("clock_stopped", "CL-1")
_UNKNOWN_CARD = Refusal("unknown_card", "TR-12")
_NO_SUCH_CATEGORY = Refusal("no_such_category", "TR-3")
_VALUE_MISSING = Refusal("value_missing", "TR-11")
_BAD_VALUE = Refusal("bad_value", "SW-5")
_WHY_NOT = {
    "aside": Refusal("aside", "TR-1"),
    "already_played": Refusal("already_played", "TR-12"),
    "not_yours": Refusal("not_yours", "TR-12"),
}


def _check_seat(command: "Command") -> None:
    need_int(command, "seat")


def _check_tap(command: "Command") -> None:
    need_str(command, "card")
    if "seat" in command:
        need_int(command, "seat")


def _check_call(command: "Command") -> None:
    if type(need(command, "category")) not in (str, int):
        raise Malformed("category", "is neither a key nor an index")


def _check_decide(command: "Command") -> None:
    if need(command, "seat") is not None:
        need_int(command, "seat")


def _check_nothing(command: "Command") -> None:
    pass


class Trumpf(TrumpfTime):
    """A match of Trumpf.

    For screens: `deck caller category counts() pot_size() clock presented() is_choosing()`.
    """

    CHECKS: "dict[str, Callable[[Command], None]]" = {
        "begin": _check_seat,
        "tap": _check_tap,
        "call": _check_call,
        "pause": _check_nothing,
        "resume": _check_nothing,
        "penalty": _check_seat,
        "forfeit": _check_seat,
        "exclude": _check_seat,
        "decide": _check_decide,
    }

    def __init__(self, header: "Command") -> None:
        super().__init__(header)
        self._learned: "list[int]" = []  # cards in the order in which taps brought their values

    def _check_shape(self, command: "Command") -> str:
        do = super()._check_shape(command)
        if do == "tap" and "values" in command:
            card = self.deck.index(command["card"])  # type: ignore[arg-type]
            if card >= 0 and self.deck.learns(card):
                self.deck.read_values(command)
        return do

    # -- play -----------------------------------------------------------------------------------

    def do_begin(self, command: "Command", events: "Events") -> "Refusal | None":
        """TR-2: who starts."""
        if self._is_paused():
            return _CLOCK_STOPPED
        if self.cells.now[PHASE] != BEGIN:
            return NOT_NOW
        seat: int = command["seat"]  # type: ignore[assignment]
        if not self._is_seat(seat):
            return _WRONG_SEAT
        self.cells.set(CALLER, seat)
        self._open_round(list(range(self.seats)))
        events.append(("began", seat))
        return None

    def do_tap(self, command: "Command", events: "Events") -> "Refusal | None":
        """TR-3, TR-12: a card is presented."""
        refusal = self._cannot_play(TAP)
        if refusal is not None:
            return refusal
        now = self.cells.now
        seat = now[ORDER + now[TURN]]
        if command.get("seat", seat) != seat:
            return _WRONG_SEAT
        card = self.deck.index(command["card"])  # type: ignore[arg-type]
        if card < 0:
            return _UNKNOWN_CARD
        reason = self._piles.why_not(seat, card)
        if reason is not None:
            return _WHY_NOT[reason]
        if "values" in command and self.deck.learns(card):
            self._learn(card, self.deck.read_values(command))
        self._present(seat, card, events)
        return None

    def _learn(self, card: int, values: "list[int | None]") -> None:
        """A card that the header lists without values brings them with its accepted tap."""
        self.deck.set_values(card, values)
        self._learned.append(card)
        self.cells.add(LEARNED, 1)

    def _undo(self, events: "Events") -> "Refusal | None":
        """The values that a tap brought go with it."""
        refusal = super()._undo(events)
        while len(self._learned) > self.cells.now[LEARNED]:
            self.deck.forget_values(self._learned.pop())
        return refusal

    def _present(self, seat: int, card: int, events: "Events") -> None:
        piles = self._piles
        chosen = self.is_choosing(seat)
        piles.present(seat, card, not chosen)
        self.cells.set(STARTED, 1)
        if self.deck.jokers[card] and piles.count(seat):
            return  # KN-2: the unit goes on with the next card of the pile
        self._end_unit(seat, chosen, events)

    def do_call(self, command: "Command", events: "Events") -> "Refusal | None":
        """TR-3, TR-11: the caller's category."""
        refusal = self._cannot_play(CALL)
        if refusal is not None:
            return refusal
        category = self.deck.category(command["category"])  # type: ignore[arg-type]
        if category < 0:
            return _NO_SUCH_CATEGORY
        now = self.cells.now
        caller = now[CALLER]
        again = now[TURN] == now[PLAYERS]  # Swiss: both cards lie there already
        for seat in (caller, 1 - caller) if again else (caller,):
            if self._printed(seat, category) is None:
                return _VALUE_MISSING
        self.cells.set(CATEGORY, category)
        self.cells.set(CALLED, 1)
        self.cells.set(PHASE, TAP)
        events.append(("called", caller, self.deck.categories[category].key))
        if again:
            self._judge_round(events)
        return None

    # -- the arbiter ----------------------------------------------------------------------------

    def do_pause(self, command: "Command", events: "Events") -> "Refusal | None":
        """CL-1: the clock stops."""
        if self.clock is None:
            return NOT_NOW
        if self.clock.paused:
            return _CLOCK_STOPPED
        self.clock.paused = True
        return None

    def do_resume(self, command: "Command", events: "Events") -> "Refusal | None":
        """CL-1: the clock goes on."""
        if self.clock is None or not self.clock.paused:
            return NOT_NOW
        self.clock.paused = False
        return None

    def do_penalty(self, command: "Command", events: "Events") -> "Refusal | None":
        """SW-8: delaying the game costs ten cards, or the match."""
        piles = self._piles
        if not self._swiss or self.cells.now[PHASE] != TAP or piles.lying() != piles.pot():
            return NOT_NOW
        seat: int = command["seat"]  # type: ignore[assignment]
        if not self._is_seat(seat):
            return _WRONG_SEAT
        taker = 1 - seat
        count = piles.count(seat)
        lost = count <= PENALTY_CARDS
        count = count if lost else PENALTY_CARDS
        piles.hand_over(seat, taker, count)
        events.append(("moved", seat, taker, count))
        if not lost:
            self._open_round(self._playing())
            return None
        if piles.pot():
            self._give_pot(taker, events)
        self._finish("all_cards", taker, events)
        return None

    def do_forfeit(self, command: "Command", events: "Events") -> "Refusal | None":
        """SW-7: late or absent."""
        return self._award(command, ("forfeited", "forfeit"), events)

    def do_exclude(self, command: "Command", events: "Events") -> "Refusal | None":
        """SW-9: the jury excludes a player from the tournament."""
        return self._award(command, ("excluded", "excluded"), events)

    def _award(
        self, command: "Command", names: "tuple[str, str]", events: "Events"
    ) -> "Refusal | None":
        if not self._swiss:
            return NOT_NOW
        seat: int = command["seat"]  # type: ignore[assignment]
        if not self._is_seat(seat):
            return _WRONG_SEAT
        events.append((names[0], seat))
        self._finish(names[1], 1 - seat, events)
        return None

    def do_decide(self, command: "Command", events: "Events") -> "Refusal | None":
        """SW-5: the jury names the winner of a level match."""
        if self.cells.now[PHASE] != DECIDE and not self.cells.now[SUDDEN]:
            return NOT_NOW
        seat = command["seat"]
        if seat is None:
            return _BAD_VALUE
        if not self._is_seat(seat):  # type: ignore[arg-type]
            return _WRONG_SEAT
        self._take_back_cards()
        self._finish("jury", seat, events)  # type: ignore[arg-type]
        return None

    # -- checks ---------------------------------------------------------------------------------

    def _cannot_play(self, phase: int) -> "Refusal | None":
        """What forbids a `tap` or `call` now.

        Cards that time took back were meant for another moment.
        """
        if self._is_paused():
            return _CLOCK_STOPPED
        if self.cells.now[PHASE] != phase or self._took_back:
            return NOT_NOW
        return None

    def _is_paused(self) -> bool:
        return self.clock is not None and self.clock.paused

    def _is_seat(self, seat: int) -> bool:
        return 0 <= seat < self.seats
