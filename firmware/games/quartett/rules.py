"""Quartett: ask, hand over, deny, and lay four of a letter (QU-1 to QU-7).

Cards are numbered group by group, jokers left out (QU-1): cards 4k to 4k+3 are one quartet.
*Known* means seen: the box remembers where a card went, and concludes nothing from counts or
denials.
"""

from micropython import const

from firmware.rules.answers import Refusal, add_events
from firmware.rules.commands import (
    ANY_SEAT,
    AWAITED_SEAT,
    NO_SEAT,
    OTHER_SEAT,
    card_tapped,
    need_strings,
    no_fields,
    seat_named,
    seat_or_null,
)
from firmware.rules.deck import read_deck
from firmware.rules.errors import Malformed
from firmware.rules.fields import need, need_int, need_str
from firmware.rules.match import Match
from firmware.rules.options import read_options, refuse_stage, seats_between
from firmware.rules.ranking import rank

add_events(
    """
asked seat to card
given from to card
denied seat card
quartet seat group
false_denial seat card at
"""
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from firmware.rules.answers import Events, Fields
    from firmware.rules.commands import Command, NoFields, SeatCommand, TapCommand
    from firmware.rules.deck import Deck
    from firmware.rules.options import Header

    class AskCommand(TypedDict):
        """`ask`: who is asked, for which card."""

        seat: int
        card: str

    class LayCommand(TypedDict):
        """`lay`: who lays which four cards."""

        seat: int
        cards: list[str]


REASONS = ("hand_empty", "time")

_BEGIN = const(0)
_ASK = const(1)
_ANSWER = const(2)
_LAY = const(3)
_OVER = const(4)
_TO_ASK = const(1 << 1)
_TO_ANSWER = const(1 << 2)
_TO_LAY = const(1 << 3)
_TO_OVER = const(1 << 4)

# Places of the first cells; then come hand sizes, quartets (one a seat) and holders (one a card).
_PHASE = const(0)
_CALLER = const(1)
_TARGET = const(2)
_ASKED = const(3)  # the card asked for
_DENIALS = const(4)  # how many entries of the list of denials count
_ROWS = const(5)

_UNSEEN = const(-1)
_LAID = const(-2)

_LEAST_SEATS = const(3)
_GROUP = const(4)
_MOST_COMMANDS = const(32768)  # more than a cell could count


def _check_ask(command: "Command") -> None:
    need_int(command, "seat")
    need_str(command, "card")


def _check_lay(command: "Command") -> None:
    need_int(command, "seat")
    need_strings(command, "cards")


class Quartett(Match):
    """A game of Quartett. Header: `seats` from 3, `deck`, and `hand_sizes` if they differ."""

    AWAITED = ("begin", "ask", "answer", "lay", "nothing")
    TIMED = _LAY
    TABLE = {
        # shape, seat, its rule, condition, then from BEGIN, ASK, ANSWER, LAY
        "begin": (seat_named, ANY_SEAT, "QU-3", None, (_TO_ASK, 0, 0, 0)),
        "ask": (_check_ask, OTHER_SEAT, "QU-3", None, (0, _TO_ANSWER, 0, 0)),
        "tap": (card_tapped, AWAITED_SEAT, "QU-3", None, (0, 0, _TO_ASK | _TO_LAY, 0)),
        "deny": (no_fields, NO_SEAT, "", None, (0, 0, _TO_ASK | _TO_LAY, 0)),
        "lay": (
            _check_lay,
            ANY_SEAT,
            "QU-5",
            None,
            (0, _TO_ASK | _TO_OVER, 0, _TO_LAY | _TO_OVER),
        ),
        "done": (no_fields, NO_SEAT, "", None, (0, 0, 0, _TO_OVER)),
        "decide": (seat_or_null, NO_SEAT, "", None, (0, 0, 0, 0)),  # QU-6: nothing for a jury
    }

    def __init__(self, header: "Header") -> None:
        refuse_stage(header)
        read_options(header, ())
        self.deck = read_deck(need(header, "deck"), 0)
        self._codes = _grouped_codes(self.deck)
        cards = len(self._codes)
        seats = seats_between(header, _LEAST_SEATS, cards)
        sizes = _hand_sizes(header, seats, cards)
        self._hand = _ROWS
        self._quartets = _ROWS + seats
        self._holder = _ROWS + 2 * seats
        rows = sizes + [0] * seats + [_UNSEEN] * cards
        Match.__init__(self, seats, [0] * _ROWS + rows, header)
        # Denials as small numbers, see _pack_denial; undo shortens the list by the cell _DENIALS.
        self._denied: "list[int]" = []

    def beside(self) -> "list[Any]":
        return self._denied

    def take_beside(self, kept: "list[Any]") -> None:
        self._denied = kept

    # -- what a screen asks -----------------------------------------------------------------------

    def codes(self) -> "list[str]":
        """The cards that are played with, group by group, jokers left out (QU-1)."""
        return list(self._codes)

    def caller(self) -> "int | None":
        """Who asks, or asked; None before `begin`."""
        return None if self.cells.now[_PHASE] == _BEGIN else self.cells.now[_CALLER]

    def asked(self) -> "tuple[int, str] | None":
        """(seat asked, card) between question and answer, else None."""
        if self.cells.now[_PHASE] != _ANSWER:
            return None
        return (self.cells.now[_TARGET], self._codes[self.cells.now[_ASKED]])

    def hand_sizes(self) -> "list[int]":
        """Cards in hand per seat."""
        return self._row(self._hand)

    def quartets(self) -> "list[int]":
        """Quartets on the table per seat."""
        return self._row(self._quartets)

    def known_cards(self, seat: int) -> "list[str]":
        """The cards that are known to be in a hand: it got them over the table."""
        return [self._codes[card] for card in range(len(self._codes)) if self._where(card) == seat]

    # -- what Match calls -------------------------------------------------------------------------

    def awaited_seat(self) -> "int | None":
        """The caller with the question or the last quartets, or the seat asked."""
        phase = self.cells.now[_PHASE]
        if phase == _BEGIN or phase == _OVER:
            return None
        return self.cells.now[_TARGET if phase == _ANSWER else _CALLER]

    def result(self) -> "Fields":
        """Quartets per seat, and with the game over the ranking by them (QU-6)."""
        counts = ("counts", self.quartets())
        if not self.over():
            return [("over", False), counts] + self._turn_fields()
        over = [("over", True), ("reason", self._reason()), ("ranking", self._ranking()), counts]
        return over + self._turn_fields()

    def do_begin(self, command: "SeatCommand", events: "Events") -> None:
        """QU-3: the first caller."""
        self.cells.set(_PHASE, _ASK)
        self.cells.set(_CALLER, command["seat"])
        events.append(("began", command["seat"]))

    # -- the question (QU-3, QU-4) ----------------------------------------------------------------

    def do_ask(self, command: "AskCommand", events: "Events") -> "Refusal | None":
        """QU-3: the caller asks one other seat for one card."""
        caller = self.cells.now[_CALLER]
        refusal = self._card_refusal([command["card"]])
        if refusal is not None:
            return refusal
        card = self._codes.index(command["card"])
        refusal = self._ask_refusal(caller, card)
        if refusal is not None:
            return refusal
        self.cells.set(_PHASE, _ANSWER)
        self.cells.set(_TARGET, command["seat"])
        self.cells.set(_ASKED, card)
        events.append(("asked", caller, command["seat"], command["card"]))
        return None

    def _ask_refusal(self, caller: int, card: int) -> "Refusal | None":
        """QU-4: what the caller cannot ask for, as far as the box knows."""
        holder = self._where(card)
        if holder == _LAID:
            return Refusal("already_played", "QU-5")
        if holder == caller:
            return Refusal("own_card", "QU-4")
        first = card - card % _GROUP
        others = [self._where(other) for other in range(first, first + _GROUP) if other != card]
        hidden = _UNSEEN in others and self._unseen(caller) > 0
        if caller not in others and not hidden:
            return Refusal("cannot_hold", "QU-4")
        return None

    # -- the answer (QU-3, QU-7) ------------------------------------------------------------------

    def do_tap(self, command: "TapCommand", events: "Events") -> "Refusal | None":
        """QU-3: the seat asked hands the card over."""
        target = self.cells.now[_TARGET]
        refusal = self._card_refusal([command["card"]])
        if refusal is not None:
            return refusal
        card = self._codes.index(command["card"])
        if card != self.cells.now[_ASKED]:
            return Refusal("not_asked", "QU-3")
        if not self._can_hold(target, [card]):
            return Refusal("not_yours", "QU-3")
        self._give(target, card, events)
        return None

    def _give(self, target: int, card: int, events: "Events") -> None:
        caller = self.cells.now[_CALLER]
        exposed = self._exposed(target, [card])
        self.cells.set(self._holder + card, caller)
        self.cells.add(self._hand + target, -1)
        self.cells.add(self._hand + caller, 1)
        events.append(("given", target, caller, self._codes[card]))
        events.extend(exposed)
        # QU-6: a hand is empty; the quartets completed by its last card are laid first
        self._go_on(self.cells.now[self._hand + target] == 0)

    def _go_on(self, over: bool) -> None:
        """The next question, or the last quartets (QU-6, CL-6)."""
        self.cells.set(_PHASE, _LAY if over or self._is_time_up() else _ASK)

    def do_deny(self, command: "NoFields", events: "Events") -> "Refusal | None":
        """QU-7: a denial is a claim; QU-3: the seat asked goes on."""
        target = self.cells.now[_TARGET]
        card = self.cells.now[_ASKED]
        if self._where(card) == target:
            return Refusal("known_holder", "QU-7")
        self._remember_denial(target, card)
        self._go_on(False)
        self.cells.set(_CALLER, target)
        events.append(("denied", target, self._codes[card]))
        return None

    def _remember_denial(self, seat: int, card: int) -> None:
        count = self.cells.now[_DENIALS]
        del self._denied[count:]
        self._denied.append(self._pack_denial(seat, card) + len(self._accepted))
        self.cells.set(_DENIALS, count + 1)

    def _exposed(self, seat: int, cards: "list[int]") -> "Events":
        """QU-7: the denials of cards that show up with that seat for the first time.

        A card that was seen before has moved since, or could not have been denied (known_holder).
        """
        hidden = [card for card in cards if self._where(card) == _UNSEEN]
        lies: "Events" = []
        for denial in self._denied[: self.cells.now[_DENIALS]]:
            index = denial % _MOST_COMMANDS
            for card in hidden:
                if denial - index == self._pack_denial(seat, card):
                    lies.append(("false_denial", seat, self._codes[card], self._accepted[index]))
        return lies

    def _pack_denial(self, seat: int, card: int) -> int:
        """Seat and card above, room for the index of the accepted command below."""
        return (seat * len(self._codes) + card) * _MOST_COMMANDS

    # -- the quartet (QU-5, QU-6) -----------------------------------------------------------------

    def do_lay(self, command: "LayCommand", events: "Events") -> "Refusal | None":
        """QU-5: four cards of one letter are laid open, by any seat but not inside a question."""
        seat = command["seat"]
        codes = command["cards"]
        refusal = self._card_refusal(codes)
        if refusal is not None:
            return refusal
        cards = [self._codes.index(code) for code in codes]
        refusal = self._lay_refusal(seat, cards)
        if refusal is not None:
            return refusal
        self._lay(seat, cards, events)
        return None

    def _lay_refusal(self, seat: int, cards: "list[int]") -> "Refusal | None":
        """QU-5, in the order of TRANSCRIPT.md."""
        if len(set(cards)) != _GROUP or len(cards) != _GROUP:
            return Refusal("not_a_quartet", "QU-5")
        if len(set([card // _GROUP for card in cards])) > 1:
            return Refusal("not_a_quartet", "QU-5")
        if [card for card in cards if self._where(card) == _LAID]:
            return Refusal("already_played", "QU-5")
        return None if self._can_hold(seat, cards) else Refusal("not_yours", "QU-5")

    def _lay(self, seat: int, cards: "list[int]", events: "Events") -> None:
        exposed = self._exposed(seat, cards)
        for card in cards:
            self.cells.set(self._holder + card, _LAID)
        self.cells.add(self._hand + seat, -_GROUP)
        self.cells.add(self._quartets + seat, 1)
        events.append(("quartet", seat, self._codes[cards[0]][0]))
        events.extend(exposed)
        if self.cells.now[self._hand + seat] == 0:
            self._finish(events)

    def do_done(self, command: "NoFields", events: "Events") -> None:
        """QU-6: nothing more to lay."""
        self._finish(events)

    def is_begun(self) -> bool:
        """CL-6: a question that was asked."""
        return self.cells.now[_PHASE] == _ANSWER

    def end_by_time(self, events: "Events") -> None:
        """CL-6: no more questions; quartets in a hand are laid, as at the other end (QU-6)."""
        if self.cells.now[_PHASE] == _BEGIN:
            self._finish(events)
        else:
            self.cells.set(_PHASE, _LAY)

    def end_rule(self, reason: str) -> str:
        """QU-6, or CL-6 for the clock."""
        return Match.end_rule(self, reason) or "QU-6"

    def _reason(self) -> str:
        return REASONS[0 if 0 in self._row(self._hand) else 1]

    def _finish(self, events: "Events") -> None:
        self.cells.set(_PHASE, _OVER)
        events.append(("match_over", self._reason(), self._ranking()))

    def _ranking(self) -> "list[list[int]]":
        return rank([(count,) for count in self.quartets()])

    # -- what the box knows -----------------------------------------------------------------------

    def _card_refusal(self, codes: "list[str]") -> "Refusal | None":
        """Each reason is looked for in all cards before the next (TRANSCRIPT.md)."""
        cards = [self.deck.index(code) for code in codes]
        if -1 in cards:
            return Refusal("unknown_card", "QU-2")
        if True in [self.deck.jokers[card] for card in cards]:
            return Refusal("joker_not_allowed", "QU-1")
        return None

    def _can_hold(self, seat: int, cards: "list[int]") -> bool:
        """Each card is known to be there, or unseen and the hand has unseen cards enough."""
        places = [self._where(card) for card in cards]
        hidden = places.count(_UNSEEN)
        return hidden + places.count(seat) == len(cards) and hidden <= self._unseen(seat)

    def _unseen(self, seat: int) -> int:
        """Cards in a hand that the box has never seen."""
        known = len(self.known_cards(seat))
        return self.cells.now[self._hand + seat] - known

    def _where(self, card: int) -> int:
        return self.cells.now[self._holder + card]

    def _row(self, first: int) -> "list[int]":
        return list(self.cells.now[first : first + self.seats])


def _grouped_codes(deck: "Deck") -> "list[str]":
    """Codes without jokers, group by group in the order of the deck. Raises Malformed (QU-5)."""
    codes = [deck.codes[card] for card in range(len(deck.codes)) if not deck.jokers[card]]
    grouped: "list[str]" = []
    for letter in sorted(set([code[0] for code in codes])):
        group = [code for code in codes if code[0] == letter]
        if len(group) != _GROUP:
            text = "has %d cards in group %s, not %d" % (len(group), letter, _GROUP)
            raise Malformed("deck.cards", text)
        grouped.extend(group)
    return grouped


def _hand_sizes(header: "Header", seats: int, cards: int) -> "list[int]":
    """QU-2: all cards are dealt; the first seats get one more unless the header says otherwise."""
    if "hand_sizes" not in header:
        return [cards // seats + (1 if seat < cards % seats else 0) for seat in range(seats)]
    sizes = header["hand_sizes"]
    if type(sizes) is not list or [size for size in sizes if type(size) is not int]:
        raise Malformed("hand_sizes", "is not a list of integers")
    if len(sizes) != seats or min(sizes) < 1 or sum(sizes) != cards:
        raise Malformed("hand_sizes", "does not deal %d cards to %d seats" % (cards, seats))
    return list(sizes)
