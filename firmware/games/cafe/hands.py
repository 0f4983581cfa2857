"""Hands and bag of the café: the box knows how many guests a hand holds, not which (CB-1, CB-8).

It does know which guests are out (seated, at the bar, gone) and in whose hand a swapped joker lies
(CB-12).
"""

from micropython import const

from firmware.games.cafe.guests import FIRST_JOKER, GUESTS
from firmware.rules.answers import Refusal

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.rules.cells import Cells

START_HAND = const(5)
_SEATS = const(4)

# Places in this stretch of cells.
_BAG = const(0)
_COUNT = const(1)  # guests in hand, one cell a seat
_LIMIT = const(5)  # CB-8, one a seat
_WHERE = const(9)  # one a guest: _UNSEEN, _OUT or the seat that is known to hold it

_UNSEEN = const(-1)
_OUT = const(-2)

_GONE = Refusal("already_played", "CB-3")
_ELSEWHERE = Refusal("not_in_hand", "CB-12")
_NONE_LEFT = Refusal("not_in_hand", "CB-8")


class Hands:
    """The hands of one match; its cells begin at `first`."""

    def __init__(self, seats: int, cells: "Cells", first: int) -> None:
        self._seats = seats
        self._cells = cells
        self._first = first

    @staticmethod
    def start(seats: int) -> "list[int]":
        """CB-1: five guests for each seat, the rest in the bag."""
        row = [GUESTS - START_HAND * seats]
        for place in range(2 * _SEATS):
            row.append(START_HAND if place % _SEATS < seats else 0)
        return row + [_UNSEEN] * GUESTS

    def bag(self) -> int:
        """Guests in the bag."""
        return self._cells.now[self._first + _BAG]

    def size(self, seat: int) -> int:
        """Guests in the hand of a seat."""
        return self._cells.now[self._first + _COUNT + seat]

    def limit(self, seat: int) -> int:
        """How many guests the seat draws up to (CB-8)."""
        return self._cells.now[self._first + _LIMIT + seat]

    def known_jokers(self, seat: int) -> "list[int]":
        """The jokers that are known to lie in a hand (CB-12)."""
        return [joker for joker in range(FIRST_JOKER, GUESTS) if self._where(joker) == seat]

    def is_out(self, guest: int) -> bool:
        """Seated, at the bar, or gone."""
        return self._where(guest) == _OUT

    def is_elsewhere(self, guest: int, seat: int) -> bool:
        """The guest is known to be in the hand of another seat."""
        return self._where(guest) not in (_UNSEEN, _OUT, seat)

    def refusal(self, guest: int, seat: int) -> "Refusal | None":
        """Why this guest cannot come from that hand."""
        if self.is_out(guest):
            return _GONE
        if self.is_elsewhere(guest, seat):
            return _ELSEWHERE
        unseen = self.size(seat) - len(self.known_jokers(seat))
        if self._where(guest) == _UNSEEN and unseen == 0:
            return _NONE_LEFT
        return None

    def may_follow(self, second: int, first: int, seat: int) -> bool:
        """A hand that plays `first` may hold `second` too, as far as the box can know (CB-5)."""
        where = self._where(second)
        if where != _UNSEEN:
            return where == seat and second != first
        unseen = self.size(seat) - len(self.known_jokers(seat))
        return second != first and unseen > (1 if self._where(first) == _UNSEEN else 0)

    def leftover_refusal(self, guests: "list[int]", seat: int) -> "Refusal | None":
        """CB-14: why these cannot be what is left in a hand; each reason is looked for in all."""
        if -1 in guests:
            return Refusal("unknown_card", "CB-1")
        missing = [joker for joker in self.known_jokers(seat) if joker not in guests]
        if len(guests) != self.size(seat) or len(set(guests)) != len(guests) or missing:
            return Refusal("bad_value", "CB-14")
        if [guest for guest in guests if self.is_out(guest)]:
            return Refusal("already_played", "CB-14")
        if [guest for guest in guests if self.is_elsewhere(guest, seat)]:
            return Refusal("not_in_hand", "CB-14")
        return None

    # -- changes ----------------------------------------------------------------------------------

    def play(self, guest: int, seat: int) -> None:
        """A guest leaves the hand for a chair or the bar."""
        self._cells.set(self._first + _WHERE + guest, _OUT)
        self._cells.add(self._first + _COUNT + seat, -1)

    def take(self, joker: int, seat: int) -> None:
        """CB-12: a joker comes from a chair into the hand."""
        self.name(joker, seat)
        self._cells.add(self._first + _COUNT + seat, 1)

    def name(self, guest: int, seat: int) -> None:
        """The guest is known to be in that hand."""
        self._cells.set(self._first + _WHERE + guest, seat)

    def lower_limit(self, seat: int) -> None:
        """CB-8: one guest less from now on."""
        self._cells.add(self._first + _LIMIT + seat, -1)

    def refill(self, seat: int, most: int) -> int:
        """CB-8: draw up to the limit, `most` guests, as far as the bag goes. Returns how many."""
        count = min(self.limit(seat) - self.size(seat), self.bag(), most)
        if count <= 0:
            return 0
        self._cells.add(self._first + _COUNT + seat, count)
        self._cells.add(self._first + _BAG, -count)
        return count

    def leave(self, seat: int) -> None:
        """CB-11: the hand leaves the game, known jokers with it."""
        for joker in self.known_jokers(seat):
            self._cells.set(self._first + _WHERE + joker, _OUT)
        self._cells.set(self._first + _COUNT + seat, 0)

    def _where(self, guest: int) -> int:
        return self._cells.now[self._first + _WHERE + guest]
