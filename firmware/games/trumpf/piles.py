"""Where every card of a Trumpf match is known to lie (TR-12, TR-13), kept in the cells of the
match.

A pile is a queue of batches, unordered inside. A card that was never seen lies in some seat's
batch 0; batches won later have higher numbers, cards put back on top lower ones. Cards on the
table lie in the order of the taps: first the pot, then the round.
"""

from micropython import const

from firmware.rules.cells import Cells

# Places before the rows
_POT = const(0)  # cards of the pot
_LYING = const(1)  # cards on the table, pot and round
_BACK = const(2)  # number of the last batch that went under a pile
_FRONT = const(3)  # number of the last batch that went on top of a pile
_ROWS = const(4)

# What the row `place` holds; 0 and above is the seat in whose pile the card lies
_UNSEEN = const(-1)
_ASIDE = const(-2)
_TABLE = const(-3)  # -3 - seat: lies on the table, presented by that seat

_MOST_BATCHES = const(32000)  # cells hold 16 bits
CHOOSING = 3  # TR-9: a seat with so many cards or fewer chooses


def layout(seats: int, cards: int, aside: "list[int]") -> "list[int]":
    """The cells at the start: every seat holds the same number of unseen cards (TR-1)."""
    each = cards // seats
    places = [_UNSEEN] * cards
    for card in aside:
        places[card] = _ASIDE
    return [0] * _ROWS + [each] * (2 * seats) + places + [0] * (2 * cards)


class Piles:
    """Piles, pot and round. `first` is the place of the first of its cells."""

    def __init__(self, cells: Cells, first: int, seats: int, cards: int) -> None:
        self._cells = cells
        self._first = first
        self._seats = seats
        self._cards = cards
        self._count = first + _ROWS  # per seat: cards in the pile
        self._unseen = self._count + seats  # per seat: those never seen
        self._place = self._unseen + seats  # per card, see above
        self._batch = self._place + cards  # per card: its batch; on the table: 1 = suspect
        self._table = self._batch + cards  # the cards on the table

    # -- questions ------------------------------------------------------------------------------

    def count(self, seat: int) -> int:
        """Cards in the pile of a seat: neither in the pot nor in the round."""
        return self._cells.now[self._count + seat]

    def pot(self) -> int:
        """Number of cards in the pot."""
        return self._cells.now[self._first + _POT]

    def lying(self) -> int:
        """Number of cards on the table, pot and round together."""
        return self._cells.now[self._first + _LYING]

    def owner(self, spot: int) -> int:
        """The seat that presented the card number `spot` on the table."""
        now = self._cells.now
        return _TABLE - now[self._place + now[self._table + spot]]

    def unit(self, seat: int) -> "list[int]":
        """The cards that a seat has presented in this round, in the order of the taps."""
        now = self._cells.now
        mine = _TABLE - seat
        start = self._table + now[self._first + _POT]
        end = self._table + now[self._first + _LYING]
        unit = []
        for card in now[start:end]:
            if now[self._place + card] == mine:
                unit.append(card)
        return unit

    def units(self) -> "list[list[int]]":
        """For every seat what `unit` gives."""
        now = self._cells.now
        units: "list[list[int]]" = [[] for _ in range(self._seats)]
        start = self._table + now[self._first + _POT]
        for card in now[start : self._table + now[self._first + _LYING]]:
            units[_TABLE - now[self._place + card]].append(card)
        return units

    def pot_cards(self) -> "list[int]":
        """The cards of the pot in the order of the taps."""
        now = self._cells.now
        return list(now[self._table : self._table + now[self._first + _POT]])

    def is_suspect(self, card: int) -> bool:
        """TR-13: True for a card on the table that cannot have been its seat's top card."""
        return self._cells.now[self._batch + card] == 1

    def why_not(self, seat: int, card: int) -> "str | None":
        """TR-12: the reason why a seat cannot present a card, or None."""
        now = self._cells.now
        place = now[self._place + card]
        if place == seat:
            return None
        if place == _UNSEEN:
            return None if now[self._unseen + seat] else "not_yours"
        if place == _ASIDE:
            return "aside"
        return "not_yours" if place >= 0 else "already_played"

    def _is_deep(self, seat: int, card: int) -> bool:
        """TR-13: True if the card does not belong to the front batch of its pile."""
        now = self._cells.now
        unseen = now[self._place + card] == _UNSEEN
        batch = 0 if unseen else now[self._batch + card]
        if unseen and now[self._first + _FRONT] == 0:
            return False  # nothing was ever put back on top
        if batch > 0 and now[self._unseen + seat]:
            return True
        place = self._place
        for other in range(self._cards):
            if now[place + other] == seat and now[self._batch + other] < batch:
                return True
        return False

    # -- changes --------------------------------------------------------------------------------

    def present(self, seat: int, card: int, in_order: bool) -> None:
        """A card goes from a pile to the table; `in_order`: it should be the top card."""
        cells = self._cells
        now = cells.now
        suspect = in_order and self._is_deep(seat, card)
        if now[self._place + card] == _UNSEEN:
            cells.add(self._unseen + seat, -1)
        lying = now[self._first + _LYING]
        cells.set(self._place + card, _TABLE - seat)
        cells.set(self._batch + card, 1 if suspect else 0)
        cells.set(self._table + lying, card)
        cells.set(self._first + _LYING, lying + 1)
        cells.add(self._count + seat, -1)

    def mix(self, seat: int) -> None:
        """TR-13: the cards that a choosing seat keeps are one unordered batch."""
        now = self._cells.now
        for card in range(self._cards):
            if now[self._place + card] == seat:
                self._cells.set(self._batch + card, 0)

    def grow_pot(self) -> None:
        """TR-6: the cards of the round stay on the table as part of the pot."""
        self._cells.set(self._first + _POT, self.lying())

    def sweep(self, winner: int) -> None:
        """TR-4: all cards on the table go under one pile, as one batch."""
        batch = self._new_back()
        now = self._cells.now
        lying = self.lying()
        for card in now[self._table : self._table + lying]:
            self._cells.set(self._place + card, winner)
            self._cells.set(self._batch + card, batch)
        self._cells.add(self._count + winner, lying)
        self._cells.set(self._first + _POT, 0)
        self._cells.set(self._first + _LYING, 0)

    def return_pot(self) -> None:
        """TR-8: every seat takes its cards out of the pot back under its pile, as one batch."""
        self._hand_back(0, self._new_back())
        self._cells.set(self._first + _POT, 0)

    def put_back(self) -> bool:
        """The round's cards lie on top of their piles again. False if there were none."""
        if self.lying() == self.pot():
            return False
        front = self._cells.now[self._first + _FRONT] - 1
        self._cells.set(self._first + _FRONT, front)
        self._hand_back(self.pot(), front)
        return True

    def hand_over(self, giver: int, taker: int, count: int) -> None:
        """SW-8: `count` cards change the pile; nobody knows which, so only the numbers are
        kept.
        """
        cells = self._cells
        now = cells.now
        cells.add(self._count + giver, -count)
        cells.add(self._count + taker, count)
        for seat in range(self._seats):
            cells.set(self._unseen + seat, now[self._count + seat])
        for card in range(self._cards):
            if now[self._place + card] >= 0:
                cells.set(self._place + card, _UNSEEN)

    def _hand_back(self, start: int, batch: int) -> None:
        """Cards on the table from spot `start` on go to their owners' piles."""
        for spot in range(start, self.lying()):
            owner = self.owner(spot)
            card = self._cells.now[self._table + spot]
            self._cells.set(self._place + card, owner)
            self._cells.set(self._batch + card, batch)
            self._cells.add(self._count + owner, 1)
        self._cells.set(self._first + _LYING, start)

    def _new_back(self) -> int:
        if self._cells.now[self._first + _BACK] >= _MOST_BATCHES:
            self._renumber()
        self._cells.add(self._first + _BACK, 1)
        return self._cells.now[self._first + _BACK]

    def _renumber(self) -> None:
        """Number the batches under the piles from 1 again; their order stays."""
        now = self._cells.now
        seen = [card for card in range(self._cards) if now[self._place + card] >= 0]
        used = sorted(
            set([now[self._batch + card] for card in seen if now[self._batch + card] > 0])
        )
        for card in seen:
            if now[self._batch + card] > 0:
                self._cells.set(self._batch + card, used.index(now[self._batch + card]) + 1)
        self._cells.set(self._first + _BACK, len(used))
