"""The rounds of Trumpf: who presents when, who wins, what becomes of the pot (TR-3 to TR-11, KN-2
to KN-5).
"""

from micropython import const

from firmware.games.trumpf.piles import CHOOSING
from firmware.games.trumpf.state import (
    CALL,
    CALLED,
    CALLER,
    CATEGORY,
    DECIDE,
    NONE,
    ORDER,
    PENDING,
    PHASE,
    PLAYERS,
    SUDDEN,
    TAP,
    TURN,
    TrumpfTable,
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.games.trumpf.state import Events


class TrumpfRounds(TrumpfTable):
    """From the first card of a round to the question who calls next."""

    # -- order ----------------------------------------------------------------------------------

    def _open_round(self, playing: "list[int]") -> None:
        """Await the caller, or the next seat clockwise that plays (TR-6); then the order of
        TR-9.
        """
        cells = self.cells
        caller = cells.now[CALLER]
        while caller not in playing:
            caller = (caller + 1) % self.seats
        cells.set(CALLER, caller)
        others = [(caller + step) % self.seats for step in range(1, self.seats)]
        others = [seat for seat in others if seat in playing]
        order = [seat for seat in others if self._piles.count(seat) > CHOOSING]
        order = [caller] + order + [seat for seat in others if seat not in order]
        cells.set(PLAYERS, len(order))
        for place in range(len(order)):
            cells.set(ORDER + place, order[place])
        self._restart_round()

    def _restart_round(self) -> None:
        """Await the caller's card; nothing is called."""
        cells = self.cells
        cells.set(PHASE, TAP)
        cells.set(TURN, 0)
        cells.set(CATEGORY, NONE)
        cells.set(CALLED, 0)

    def _playing(self) -> "list[int]":
        """The seats of this round in the order of presenting."""
        now = self.cells.now
        return list(now[ORDER : ORDER + now[PLAYERS]])

    # -- presenting -----------------------------------------------------------------------------

    def _end_unit(self, seat: int, chosen: bool, events: "Events") -> None:
        """A seat has presented its unit: tell it, then go on to the call, the next seat or the
        verdict.
        """
        cells = self.cells
        piles = self._piles
        codes = self.deck.codes
        unit = piles.unit(seat)
        events.append(("played", seat, [codes[card] for card in unit]))
        for card in unit:
            if piles.is_suspect(card):
                events.append(("order_suspect", seat, codes[card], "TR-13"))
        if chosen:
            piles.mix(seat)
        turn = cells.now[TURN]
        cells.set(TURN, turn + 1)
        if turn == 0 and self.deck.has_any_value(unit[-1]):
            cells.set(PHASE, CALL)
        elif turn + 1 == cells.now[PLAYERS]:
            self._judge_round(events)

    def _printed(self, seat: int, category: int) -> "int | None":
        """What stands on the card behind a seat's jokers, None if there is no such value
        (KN-4).
        """
        return self.deck.value(self._piles.unit(seat)[-1], category)

    def _value(self, unit: "list[int]", category: int) -> "int | None":
        """The value that is compared: each joker doubles the joker category (KN-2)."""
        value = self.deck.value(unit[-1], category)
        if value is None or category != self.deck.doubled:
            return value
        return value << (len(unit) - 1)

    # -- the verdict ----------------------------------------------------------------------------

    def _judge_round(self, events: "Events") -> None:
        """Everybody has presented and a category is in force, or the call was skipped."""
        category = self.cells.now[CATEGORY]
        if category == NONE:
            self._tie(sorted(self._playing()), None, events)
        elif self._swiss and self._printed(1 - self.cells.now[CALLER], category) is None:
            self._call_another(category, events)
        else:
            self._compare(category, events)

    def _call_another(self, category: int, events: "Events") -> None:
        """TR-11, Swiss: another value of the caller's same card, or a tie if none can be
        answered.
        """
        caller = self.cells.now[CALLER]
        for other in range(len(self.deck.categories)):
            if self._printed(0, other) is not None and self._printed(1, other) is not None:
                events.append(("value_missing", 1 - caller, self.deck.categories[category].key))
                self.cells.set(CATEGORY, NONE)
                self.cells.set(PHASE, CALL)
                return
        self._tie([0, 1], None, events)

    def _compare(self, category: int, events: "Events") -> None:
        """TR-4, TR-5: the best value wins; two of them are a tie.

        The caller always has a value.
        """
        values: "list[int | None]" = [None] * self.seats
        given: "list[int]" = []
        units = self._piles.units()
        for seat in self._playing():
            value = self._value(units[seat], category)
            values[seat] = value
            if value is not None:
                given.append(value)
        best = max(given) if self.deck.categories[category].best == "high" else min(given)
        winners = [seat for seat in range(self.seats) if values[seat] == best]
        key = self.deck.categories[category].key
        if len(winners) > 1:
            self._tie(winners, key, events)
        else:
            self._win(winners[0], key, values, units, events)

    def _win(
        self,
        winner: int,
        key: str,
        values: "list[int | None]",
        units: "list[list[int]]",
        events: "Events",
    ) -> None:
        """TR-4: winner's unit, the others clockwise, then the pot go under the winner's pile."""
        piles = self._piles
        cards: "list[int]" = []
        for unit in units[winner:] + units[:winner]:
            cards.extend(unit)
        cards.extend(piles.pot_cards())
        codes = self.deck.codes
        pot = piles.pot()
        events.append(("round_won", winner, key, [codes[card] for card in cards], values, pot))
        piles.sweep(winner)
        self.cells.set(CALLER, winner)
        self._after_round(list(range(self.seats)), winner, events)

    def _tie(self, seats: "list[int]", key: "str | None", events: "Events") -> None:
        """TR-6 to TR-8: the pot grows; who plays for it, and is anybody of them left with
        cards?
        """
        piles = self._piles
        piles.grow_pot()
        events.append(("round_tied", seats, key, piles.pot()))
        playing = seats if self._only_tied else self._playing()
        playing = [seat for seat in playing if piles.count(seat)]
        if len(playing) > 1:
            self._after_round(playing, NONE, events)
        elif playing:
            self._give_pot(playing[0], events)
            self._after_round(list(range(self.seats)), NONE, events)
        else:
            self._return_pot(events)

    def _give_pot(self, seat: int, events: "Events") -> None:
        events.append(("pot_won", seat, self._piles.pot()))
        self._piles.sweep(seat)
        self.cells.set(CALLER, seat)

    def _return_pot(self, events: "Events") -> None:
        """TR-8: nobody who plays for the pot has a card: it goes back to those who filled it."""
        piles = self._piles
        everybody = list(range(self.seats))
        others_play = any([piles.count(seat) for seat in everybody])
        piles.return_pot()
        events.append(("pot_returned", [piles.count(seat) for seat in everybody]))
        if others_play:
            self._after_round(everybody, NONE, events)
        elif self.stage == "group":
            self._finish("all_tied", NONE, events)
        else:
            self.cells.set(PHASE, DECIDE)

    def _after_round(self, playing: "list[int]", winner: int, events: "Events") -> None:
        """After TR-8: TR-10, sudden, time-out, or the next round. `winner` is NONE after a tie."""
        piles = self._piles
        if not piles.pot():
            empty = [seat for seat in range(self.seats) if not piles.count(seat)]
            if empty:
                self._end_by_cards(empty[0], events)
                return
        if winner != NONE and self.cells.now[SUDDEN]:
            self._finish("time", winner, events)
            return
        self._open_round(playing)
        if self.cells.now[PENDING]:
            self._settle_time(events)

    def _end_by_cards(self, empty: int, events: "Events") -> None:
        """TR-10: between two the other seat has all cards; between more the cards are counted."""
        if self.seats == 2:
            self._finish("all_cards", 1 - empty, events)
        else:
            self._finish("seat_out", NONE, events)

    def _settle_time(self, events: "Events") -> None:
        """What a time-out leads to once no called round is open; see trumpf_time."""
