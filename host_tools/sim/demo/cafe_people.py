"""The people of Café International: a real bag, real hands, and eyes for the board.

They see the board, the bar and the score, which lie open, and each sees their own guests. What a
chair is worth they work out with the rules' own arithmetic (`firmware.games.cafe.room`).
"""

import random
from typing import Any, NamedTuple

from firmware.games.cafe.board import NATIONS, Board
from firmware.games.cafe.guests import GUESTS, guest_code, guest_number, is_joker, sex_of
from firmware.games.cafe.header import CafeHeader
from firmware.games.cafe.room import EMPTY, Room
from firmware.rules.cells import Cells
from host_tools.sim.demo.people import NEVER, Act

Json = dict[str, Any]
_START_HAND = 5
_CARDS_PER_NATION = 2
_WRONG_AT = (4, 9)
"""Between which turns somebody sets a guest where it may not sit."""


class Seating(NamedTuple):
    """One guest on one chair, and what it brings."""

    points: int
    tile: str
    chair: str


class CafePeople:
    """`hands[seat]` and `bag` hold tiles. `header["board"]` is the board object."""

    def __init__(self, header: Json, seed: int, faultless: bool = False) -> None:
        self._chance = random.Random(seed)
        rules = CafeHeader(header)
        self._bar = rules.bar_values
        self._board: Board = rules.board
        self._cells = Cells(Room.start(self._board))
        self._room = Room(self._board, self._cells, 0, rules)
        self.bag = [guest_code(guest) for guest in range(GUESTS)]
        self._chance.shuffle(self.bag)
        seats: int = rules.seats
        self.hands = [[self.bag.pop() for _ in range(_START_HAND)] for _ in range(seats)]
        self.table_cards = self._shuffled_table_cards()
        self._scores = [0] * seats
        self._barred = 0
        self._placed = 0
        self._turns = 0
        self._wrong_at = NEVER if faultless else self._chance.randint(*_WRONG_AT)

    def _shuffled_table_cards(self) -> list[str]:
        lying = [NATIONS[nation] for nation in self._board.nations]
        cards = [n for n in NATIONS for _ in range(_CARDS_PER_NATION - lying.count(n))]
        self._chance.shuffle(cards)
        return cards

    def act(self, awaits: Json, category: str | None = None) -> Act:
        """The starting seat, guests and bar, new table cards, and the hands at the end."""
        if awaits["for"] == "begin":
            return Act("begin", {"seat": self._chance.randrange(len(self.hands))}, 2_000)
        if awaits["for"] == "place":
            return self._turn(awaits)
        if awaits["for"] == "table_card":
            nation = self.table_cards[-1] if self.table_cards else None
            return Act("table_card", {"table": awaits["table"], "nation": nation}, 900)
        if awaits["for"] == "leftover":
            seat = awaits["seat"]
            return Act("leftover", {"seat": seat, "tiles": list(self.hands[seat])}, 900)
        return Act("wait", {}, 1_000)

    # -- a turn (CB-2) -------------------------------------------------------------------------

    def _turn(self, awaits: Json) -> Act:
        hand = self.hands[awaits["seat"]]
        wrong = self._wrong_seating(hand) if self._turns >= self._wrong_at else None
        if wrong is not None and not self._placed:
            self._wrong_at = NEVER
            return self._seat(wrong, wrong=True)
        best = max(self._seatings(hand, awaits.get("tables")), default=None)
        if best is not None:
            return self._seat(best)
        if self._placed:
            return Act("done", {}, 700)
        opening = self._opening(hand) or self._first_of_all(hand)
        if opening is not None:
            return self._seat(opening)
        return self._swap(hand) or self._to_bar(awaits["seat"])

    def _seat(self, seating: Seating, wrong: bool = False) -> Act:
        fields = {"tile": seating.tile, "chair": seating.chair}
        return Act("place", fields, self._chance.randint(500, 1200), wrong)

    def _seatings(self, hand: list[str], tables: list[str] | None) -> list[Seating]:
        """All that score; with `tables` only at those (CB-5)."""
        found = []
        for tile in hand:
            for number, chair in enumerate(self._board.chairs):
                at = [self._board.tables[table] for table in self._board.tables_at(number)]
                if tables is not None and not set(at) & set(tables):
                    continue
                points = self._points(tile, number)
                if points > 0:
                    found.append(Seating(points, tile, chair))
        return found

    def _points(self, tile: str, chair: int) -> int:
        """What a guest would bring; -1 where it may not sit."""
        guest = guest_number(tile)
        if self._room.refusal(guest, chair) is not None:
            return -1
        return sum(self._room.scores(guest, chair))

    def _opening(self, hand: list[str]) -> Seating | None:
        """CB-5: a guest at an empty table whom a second one can join at once."""
        best = None
        for place, tile in enumerate(hand):
            rest = hand[:place] + hand[place + 1 :]
            for number, chair in enumerate(self._board.chairs):
                if self._points(tile, number) != 0:
                    continue
                tables = [self._board.tables[table] for table in self._board.tables_at(number)]
                self._room.sit(guest_number(tile), number)
                then = max(self._seatings(rest, tables), default=None)
                self._cells.drop()
                if then is not None and (best is None or then.points > best.points):
                    best = Seating(then.points, tile, chair)
        return best

    def _first_of_all(self, hand: list[str]) -> Seating | None:
        """CB-6: the very first guest may sit alone."""
        if self._turns or self._barred:
            return None
        for tile in hand:
            for number, chair in enumerate(self._board.chairs):
                if self._points(tile, number) == 0:
                    return Seating(0, tile, chair)
        return None

    def _wrong_seating(self, hand: list[str]) -> Seating | None:
        """A guest of the right nation beside too many of the same sex (CB-4)."""
        for tile in hand:
            for number, chair in enumerate(self._board.chairs):
                refusal = self._room.refusal(guest_number(tile), number)
                if refusal is not None and refusal.reason == "sexes":
                    return Seating(0, tile, chair)
        return None

    def _swap(self, hand: list[str]) -> Act | None:
        """CB-12: rather than paying at the bar, a joker is taken for a guest that fits."""
        for number, chair in enumerate(self._board.chairs):
            joker = self._room.guest_on(number)
            if joker == EMPTY or not is_joker(joker) or self._next_value() > 0:
                continue
            for tile in hand:
                guest = guest_number(tile)
                same_sex = sex_of(guest) == sex_of(joker)
                if same_sex and not is_joker(guest) and self._room.suits(guest, number):
                    return Act("swap", {"chair": chair, "tile": tile}, 900)
        return None

    def _to_bar(self, seat: int) -> Act:
        """CB-9 to CB-11: jokers last; who cannot pay says so."""
        hand = sorted(self.hands[seat], key=lambda tile: is_joker(guest_number(tile)))
        fields: Json = {"tile": hand[0]}
        if self._next_value() < 0 and self._scores[seat] + self._next_value() < 0:
            fields["forced"] = True
        return Act("bar", fields, 900)

    def _next_value(self) -> int:
        return self._bar[self._barred]

    # -- what they see -------------------------------------------------------------------------

    def tapped(self, seat: int, card: str) -> None:
        """Nobody taps a card here; guests are seated."""

    def see(self, event: Json) -> None:
        sight = getattr(self, "_see_" + event["is"], None)
        if sight is not None:
            sight(event)
            self._cells.keep()

    def _see_placed(self, event: Json) -> None:
        self.hands[event["seat"]].remove(event["tile"])
        self._sit(event["tile"], event["chair"])
        self._scores[event["seat"]] += event["points"]
        self._placed += 1

    def _see_swapped(self, event: Json) -> None:
        hand = self.hands[event["seat"]]
        hand.remove(event["tile"])
        hand.append(event["joker"])
        self._sit(event["tile"], event["chair"])

    def _sit(self, tile: str, chair: str) -> None:
        self._room.sit(guest_number(tile), self._board.chairs.index(chair))

    def _see_cleared(self, event: Json) -> None:
        for table in event["tables"]:
            self._room.clear(self._board.tables.index(table))

    def _see_table_set(self, event: Json) -> None:
        if event["nation"] is not None:
            self.table_cards.remove(event["nation"])
            table = self._board.tables.index(event["table"])
            self._room.rename(table, NATIONS.index(event["nation"]))

    def _see_barred(self, event: Json) -> None:
        self.hands[event["seat"]].remove(event["tile"])
        self._scores[event["seat"]] += event["points"]
        self._barred += 1

    def _see_seat_out(self, event: Json) -> None:
        self.hands[event["seat"]] = []

    def _see_drew(self, event: Json) -> None:
        for _ in range(event["count"]):
            self.hands[event["seat"]].append(self.bag.pop())

    def _see_turn(self, event: Json) -> None:
        self._placed = 0
        self._turns += 1
