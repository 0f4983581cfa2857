"""The player of Café International: seats what scores most, else opens a table for two.

Board, bar and score lie open; what a chair is worth is worked out with the rules' own arithmetic
(`firmware.games.cafe.room`).
"""

import copy
from typing import Any, NamedTuple

from firmware.games.cafe.guests import guest_number, is_joker, sex_of
from firmware.games.cafe.room import EMPTY
from host_tools.core.json_types import Json
from host_tools.games.player import NEVER, TAKE_BACK, Act, Player

_WRONG_AT = (2, 4)
"""In which of its turns a careless player sets a guest where it may not sit."""


class Seating(NamedTuple):
    """One guest on one chair, and what it brings."""

    points: int
    tile: str
    chair: str


def bar_points(match: Any) -> int:
    """What the next place at the bar counts (CB-10)."""
    field = match.bar_field()
    return int(field[1]) if field else 0


def cannot_pay(match: Any, seat: int) -> bool:
    """CB-11: the next place at the bar costs more than the seat has."""
    points = bar_points(match)
    return points < 0 and bool(match.scores()[seat] + points < 0)


class CafePlayer(Player):
    """Sees its guests and what lies open."""

    def begin(self) -> None:
        super().begin()
        self._placed = 0  # guests of this turn
        self._turns = 0
        self._touched = False  # somebody has seated or barred a guest
        self._wrong_at = NEVER if self.faultless else self.chance.randint(*_WRONG_AT)
        self._both = self.header.get("options", {}).get("between") == "both"  # CB-5

    def hear(self, event: Json) -> None:
        name = event["is"]
        if name == "placed":
            self._placed += 1
        if name in ("placed", "barred"):
            self._touched = True
        if name in ("turn", "began"):
            self._placed = 0
            self._turns += event["seat"] == self.seat

    def act(self, hand: list[str]) -> Act:
        awaits = self.match.awaits()
        if awaits.what == "leftover":
            return Act("leftover", {"seat": self.seat, "tiles": list(hand)}, 900)
        return self._turn(hand, dict(awaits.more).get("tables"))

    # -- a turn (CB-2)

    def _turn(self, hand: list[str], tables: list[str] | None) -> Act:
        """`tables`: only there, to join the lone guest (CB-5)."""
        wrong = self._wrong_seating(hand) if self._turns >= self._wrong_at else None
        if wrong is not None and not self._placed:
            self._wrong_at = NEVER
            return self._seat(wrong)
        best = self._best(hand, tables)
        if best is not None:
            return self._seat(best)
        if self._placed:
            return Act("done", {}, 700) if self._may_end() else TAKE_BACK
        opening = self._opening(hand) or self._first_of_all(hand)
        if opening is not None:
            return self._seat(opening)
        return self._swap(hand) or self._to_bar(hand)

    def _best(self, hand: list[str], tables: list[str] | None) -> Seating | None:
        """The seating that scores most."""
        return max(self._seatings(hand, tables), default=None)

    def _may_end(self) -> bool:
        """Not while a guest sits alone whom somebody else has seated for this player."""
        done = {"t": self.match.t_ms, "do": "done"}
        return copy.deepcopy(self.match).apply(done).refusal is None

    def _seat(self, seating: Seating) -> Act:
        fields = {"tile": seating.tile, "chair": seating.chair}
        return Act("place", fields, self.chance.randint(500, 1200))

    def _seatings(self, hand: list[str], tables: list[str] | None) -> list[Seating]:
        """All that score; with `tables` only at those."""
        board, room = self.match.board, self.match.room
        joined = None if tables is None else [board.tables.index(table) for table in tables]
        # before any guest of the hand is tried: most chairs are out for all of them
        free = [
            number
            for number in range(len(board.chairs))
            if room.guest_on(number) == EMPTY
            and (joined is None or room.joins(number, joined))
            and (not self._both or room.scores_alone(number))
        ]
        seatings = (
            Seating(self._points(tile, number), tile, board.chairs[number])
            for number in free
            for tile in hand
        )
        return [seating for seating in seatings if seating.points > 0]

    def _points(self, tile: str, chair: int) -> int:
        """What a guest would bring; -1 where it may not sit."""
        guest = guest_number(tile)
        room = self.match.room
        return -1 if room.refusal(guest, chair) is not None else sum(room.scores(guest, chair))

    def _opening(self, hand: list[str]) -> Seating | None:
        """CB-5: a guest at an empty table whom a second one can join at once."""
        board, room = self.match.board, self.match.room
        best = None
        for place, tile in enumerate(hand):
            rest = hand[:place] + hand[place + 1 :]
            for number, chair in enumerate(board.chairs):
                points = self._points(tile, number)
                if self._both and self.match.rules.app and room.would_fill(number):
                    continue  # cleared away before anybody can follow
                if points < 0 or (room.scores_alone(number) if self._both else points > 0):
                    continue
                at = room.opens_tables(number) if self._both else board.tables_at(number)
                tables = [board.tables[table] for table in at]
                room.sit(guest_number(tile), number)
                then = max(self._seatings(rest, tables), default=None)
                # only tried: `sit` wrote into the cells of the match
                self.match.cells.drop()
                if then is not None and (best is None or then.points > best.points):
                    best = Seating(then.points, tile, chair)
        return best

    def _first_of_all(self, hand: list[str]) -> Seating | None:
        """CB-6: the very first guest may sit alone."""
        if self._touched:
            return None
        for tile in hand:
            for number, chair in enumerate(self.match.board.chairs):
                if self._points(tile, number) == 0:
                    return Seating(0, tile, chair)
        return None

    def _wrong_seating(self, hand: list[str]) -> Seating | None:
        """A guest of the right nation beside too many of the same sex (CB-4)."""
        for tile in hand:
            for number, chair in enumerate(self.match.board.chairs):
                refusal = self.match.room.refusal(guest_number(tile), number)
                if refusal is not None and refusal.reason == "sexes":
                    return Seating(0, tile, chair)
        return None

    def _swap(self, hand: list[str]) -> Act | None:
        """CB-12: rather than paying at the bar, a joker is taken for a guest that fits."""
        room = self.match.room
        for number, chair in enumerate(self.match.board.chairs):
            joker = room.guest_on(number)
            if joker == EMPTY or not is_joker(joker) or bar_points(self.match) > 0:
                continue
            for tile in hand:
                guest = guest_number(tile)
                same_sex = sex_of(guest) == sex_of(joker)
                if same_sex and not is_joker(guest) and room.suits(guest, number):
                    return Act("swap", {"chair": chair, "tile": tile}, 900)
        return None

    def _to_bar(self, hand: list[str]) -> Act:
        """CB-9 to CB-11: jokers last; who cannot pay says so."""
        fields: Json = {"tile": min(hand, key=lambda tile: is_joker(guest_number(tile)))}
        if cannot_pay(self.match, self.seat):
            fields["forced"] = True
        return Act("bar", fields, 900)
