"""Café International: guests in the hand, the room with its chairs, the bar (CB, CA)."""

from collections.abc import Sequence

from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import GUESTS, guest_code, guest_number
from host_tools.sim.table.worlds.base import Json, Move, Say, Step, World, lay, pick
from host_tools.sim.table.worlds.room_plan import RoomPlan, plan_of

JOKER = "JK"
FIRST_HAND = 5


class CafeWorld(World):
    """Seats what scores most, else opens a table with two, else goes to the bar."""

    def __init__(self, header: Json, seed: int, say: Say) -> None:
        super().__init__(header, seed, say)
        self._bag = [guest_code(guest) for guest in range(GUESTS)]
        self.chance.shuffle(self._bag)
        for seat in range(self.seats):
            self._draw(seat, FIRST_HAND)
        self._cards = self._table_cards()
        self._seated = 0  # guests of this turn
        self._avoid: set[str] = set()  # tiles that could not be joined in this turn
        self._plan: RoomPlan = plan_of(header["board"], header["preset"])

    def _table_cards(self) -> list[str]:
        """CA: 24 cards, two a nation; those on the tables at the start are drawn already."""
        cards = [nation for nation in NATIONS for _ in range(2)]
        for table in self.header["board"]["tables"].values():
            cards.remove(table["nation"])
        self.chance.shuffle(cards)
        return cards

    def _draw(self, seat: int, count: int) -> None:
        for _ in range(min(count, len(self._bag))):
            self.hands[seat].append(self._bag.pop())

    def starter(self) -> int:
        """CB says nothing: by lot."""
        return self.seed % self.seats

    def hand_now(self) -> list[str]:
        """The guests of the seat whose turn it is."""
        seat = self.match.awaits().seat
        return [] if seat is None else list(self.hands[seat])

    # -- the simple player

    def move(self, seat: int) -> Move:
        what = self.match.awaits().what
        if what == "table_card":
            return self._new_card()
        if what == "leftover":
            return tuple(lay(tile) for tile in self.hands[seat])
        if what != "place":
            return ()
        return self._place(seat)

    def _new_card(self) -> Move:
        if not self._cards:
            return (pick(self.say("cafe_no_card")),)
        return (lay(f"{self._cards[-1]}1"),)

    def _place(self, seat: int) -> Move:
        must_join = bool(self.match.awaits().more)
        best = self._best_seat(seat)
        if best is not None:
            return self._seat(*best)
        if must_join:
            return self._take_back()
        if self._seated:
            return (pick(self.say("cafe_done")),)
        opening = self._opening(seat)
        return self._seat(*opening) if opening else self._to_bar(seat)

    def _best_seat(self, seat: int) -> tuple[str, str] | None:
        """The tile and chair that score most; None if nothing scores."""
        options = [
            (self._points(tile, chair), tile, chair)
            for tile in self.hands[seat]
            for chair in self.match.legal_chairs(tile)
        ]
        scoring = [option for option in options if option[0] > 0]
        return max(scoring)[1:] if scoring else None

    def _points(self, tile: str, chair: str) -> int:
        number = self.match.board.chairs.index(chair)
        return int(sum(self.match.room.scores(guest_number(tile), number)))

    def _opening(self, seat: int) -> tuple[str, str] | None:
        """CB-5: a woman and a man of one nation at an empty table of theirs."""
        hand = self.hands[seat]
        for tile in hand:
            partners = [t for t in hand if t[:2] == tile[:2] and t[2] != tile[2]]
            if tile in self._avoid or tile.startswith(JOKER) or not partners:
                continue
            for chair in self.match.legal_chairs(tile):
                if any(self._joins(partner, chair) for partner in partners):
                    return tile, chair
        return None

    def _joins(self, partner: str, chair: str) -> bool:
        """The partner finds a chair of its own at a table of this chair."""
        tables = self._tables_of(chair)
        return any(
            other != chair and set(self._tables_of(other)) & set(tables)
            for other in self._open_chairs(partner)
        )

    def _open_chairs(self, tile: str) -> list[str]:
        board, room = self.match.board, self.match.room
        guest = guest_number(tile)
        return [name for at, name in enumerate(board.chairs) if room.refusal(guest, at) is None]

    def _tables_of(self, chair: str) -> list[str]:
        return self._plan["links"][chair]

    def _seat(self, tile: str, chair: str) -> Move:
        table = self._tables_of(chair)[0]
        return (lay(tile), pick(f"✓ {table}"), pick(f"✓ {chair}"))

    def _to_bar(self, seat: int) -> Move:
        hand = sorted(self.hands[seat], key=lambda tile: tile.startswith(JOKER))
        tile = hand[0]
        steps: Move = (pick(self.say("cafe_bar")), lay(tile))
        field = self.match.bar_field()
        if field and field[1] < 0 and self.match.scores()[seat] + field[1] < 0:
            return (*steps, pick(self.say("cafe_forced")))
        return steps

    def _take_back(self) -> Move:
        """Nobody can join the lone guest: the arbiter takes the move back."""
        reason = self.say("why_jury")
        return (Step("press", "jury"), pick(self.say("arbiter_undo")), pick(reason))

    # -- what the box has said

    def follow(self, seat: int | None, command: Json, events: list[Json]) -> None:
        for event in events:
            self._see(event, command)

    def _see(self, event: Json, command: Json) -> None:
        name = event["is"]
        if name in ("placed", "barred", "swapped"):
            self.bring(event["seat"], event["tile"])
            self.hands[event["seat"]].remove(event["tile"])
        if name == "placed":
            self._seated += 1
        elif name == "swapped":
            self.hands[event["seat"]].append(event["joker"])
        elif name == "drew":
            self._draw(event["seat"], event["count"])
        elif name == "table_set" and event["nation"] in self._cards:
            self._cards.remove(event["nation"])
        elif name == "seat_out":
            self.hands[event["seat"]] = []
        if name in ("turn", "began"):
            self._seated = 0
            self._avoid = set()

    def bring(self, seat: int, code: str, keep: Sequence[str] = ()) -> None:
        """Also out of the bag: a guest entered by hand may still be in it."""
        if code in self._bag:
            self._bag[self._bag.index(code)] = self.hands[seat].pop()
            self.hands[seat].append(code)
        super().bring(seat, code, keep)

    def avoid(self, tile: str) -> None:
        """Do not open a table with this tile again in this turn."""
        self._avoid.add(tile)

    # -- what is seen

    def middle(self) -> Json:
        match = self.match
        field = match.bar_field()
        rows = match.tables()
        tables = self.header["board"]["tables"]
        guests: Json = {}
        for name, _, seated in rows:
            guests.update(zip(tables[name]["chairs"], seated, strict=True))
        return {
            "plan": self._plan,
            "nations": {name: nation for name, nation, _ in rows},
            "guests": {chair: tile for chair, tile in guests.items() if tile},
            "bar": None if field is None else {"field": field[0], "points": field[1]},
            "bag": match.bag(),
            "next_card": self._cards[-1] if self._cards else None,
            "sizes": match.hand_sizes(),
            "seated": self._seated,
            "may_end": self._seated > 0 and self.judge("done").refusal is None,
        }

    def face(self, code: str) -> Json:
        return {"kind": "guest", "code": code, "nation": code[:2], "sex": code[2]}
