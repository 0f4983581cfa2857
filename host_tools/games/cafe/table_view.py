"""The table of Café International: guests in the hand, the room, the bar (CB, CA)."""

import copy
from collections.abc import Sequence

from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import GUESTS, guest_code
from host_tools.cards import art
from host_tools.core.json_types import Json
from host_tools.games.cafe.bot import CafeBot
from host_tools.games.cafe.player import CafePlayer
from host_tools.games.cafe.room_plan import RoomPlan, plan_of
from host_tools.games.player import Act
from host_tools.games.steps import Move, lay, pick
from host_tools.games.table_view import Moves, TableView

_FIRST_HAND = 5
_CARDS_PER_NATION = 2


class CafeTableView(TableView):
    """The room; guests of a table that was just cleared (CA-2) still sit there."""

    player = CafePlayer
    chooses = ("place", "leftover")
    bot = CafeBot

    def prepare(self) -> None:
        self._tables: Json = self.header["board"]["tables"]
        self._plan: RoomPlan = plan_of(self.header["board"], self.header["preset"])
        self._bag: list[str] = []
        self._cards: list[str] = []
        self._first = 0
        self._seated = 0  # guests of this turn
        self._fresh: list[str] = []
        self._full: list[str] = []
        self._points: Json = {}
        self._barred: list[str] = []
        self._room = self._now()
        self._moment: tuple[object, ...] = ()
        self._known: dict[str, list[str]] = {}

    def sight_in(self, moves: Moves, seat: int, n: int) -> list[str]:
        """Of the hands a record says only what is played this turn."""
        tiles = []
        for command, answer in moves:
            if answer["n"] >= n and "refused" not in answer:
                if "tile" not in command:
                    break
                tiles.append(command["tile"])
                if any(event["is"] == "turn" for event in answer.get("events", ())):
                    break
        return tiles

    # -- bag, table cards, hands

    def deal(self) -> None:
        self._bag = [guest_code(guest) for guest in range(GUESTS)]
        self.chance.shuffle(self._bag)
        for seat in range(self.seats):
            self._draw(seat, _FIRST_HAND)
        # CA: 24 cards, two a nation; those on the tables at the start are drawn already
        lying = [table["nation"] for table in self._tables.values()]
        self._cards = [n for n in NATIONS for _ in range(_CARDS_PER_NATION - lying.count(n))]
        self.chance.shuffle(self._cards)
        self._first = self.chance.randrange(self.seats)

    def _draw(self, seat: int, count: int) -> None:
        for _ in range(min(count, len(self._bag))):
            self.hands[seat].append(self._bag.pop())

    def starter(self) -> int:
        """CB says nothing: by lot."""
        return self._first

    def hand_now(self) -> list[str]:
        """The guests of the seat whose turn it is."""
        seat = self.match.awaits().seat
        return [] if seat is None else list(self.hands[seat])

    def act(self, asked: set[int] | None = None) -> Act:
        """A new table card is drawn, nobody chooses it (CA-2)."""
        awaits = self.match.awaits()
        if awaits.what == "table_card":
            nation = self._cards[-1] if self._cards else None
            return Act("table_card", {**dict(awaits.more), "nation": nation}, 900)
        return super().act(asked)

    def move_cards(self, seat: int | None, command: Json, events: list[Json]) -> None:
        for event in events:
            name = event["is"]
            if name in ("placed", "barred", "swapped"):
                self.bring(event["seat"], event["tile"])
                self.hands[event["seat"]].remove(event["tile"])
            if name == "swapped":
                self.hands[event["seat"]].append(event["joker"])
            elif name == "drew":
                self._draw(event["seat"], event["count"])
            elif name == "table_set" and event["nation"] in self._cards:
                self._cards.remove(event["nation"])
            elif name == "seat_out":
                self.hands[event["seat"]] = []

    def bring(self, seat: int, code: str, keep: Sequence[str] = ()) -> None:
        """Also out of the bag: a guest entered by hand may still be in it."""
        if code in self._bag:
            self._bag[self._bag.index(code)] = self.hands[seat].pop()
            self.hands[seat].append(code)
        super().bring(seat, code, keep)

    # -- at the box

    def steps_of(self, act: Act) -> Move:
        fields = act.fields
        if act.do == "place":
            return self._place(fields["tile"], fields["chair"])
        if act.do == "bar":
            forced = (pick(self.say("cafe_forced")),) if fields.get("forced") else ()
            return (pick(self.say("cafe_bar")), lay(fields["tile"]), *forced)
        if act.do == "swap":
            return (pick(self.say("cafe_swap")), pick(fields["chair"]), lay(fields["tile"]))
        if act.do == "done":
            return (pick(self.say("cafe_done")),)
        if act.do == "leftover":
            return tuple(lay(tile) for tile in fields["tiles"])
        if act.do == "table_card":
            nation = fields["nation"]
            # either of the two: the tag says the nation alone
            return (pick(self.say("cafe_no_card")) if nation is None else lay(f"{nation}1"),)
        return ()

    def _place(self, tile: str, chair: str) -> Move:
        """The guest, then table and chair in the box's lists; what is legal has a tick."""
        legal = set(self.match.legal_chairs(tile))
        tables = self._plan["links"][chair]
        table = next((t for t in tables if chair in self.match.free_chairs(t)), tables[0])
        chairs = legal.intersection(self.match.free_chairs(table))
        return (
            lay(tile),
            pick("✓ " * bool(chairs) + table),
            pick("✓ " * (chair in legal) + chair),
        )

    def within_reach(self) -> list[str]:
        """The tags of the tables, and the pile of table cards."""
        return [*self._tables, *(f"{nation}1" for nation in self._cards[-1:])]

    # -- what everybody sees

    def remember(self) -> None:
        self._before = self._now()

    def _now(self) -> tuple[Json, Json]:
        """Nation of every table, guest on every taken chair."""
        nations: Json = {}
        guests: Json = {}
        for name, nation, seated in self.match.tables():
            nations[name] = nation
            chairs = zip(self._tables[name]["chairs"], seated, strict=True)
            guests.update({chair: guest for chair, guest in chairs if guest})
        return nations, guests

    def note(self, command: Json, answer: Json) -> None:
        self._fresh = []
        self._full = []
        self._points = {}
        self._room = self._now()
        for event in answer["events"]:
            name = event["is"]
            if name in ("placed", "swapped"):
                self._fresh = [event["chair"]]
                # whoever completes a table is still seen there when it is cleared (CA-2)
                self._before[1][event["chair"]] = event["tile"]
            if name == "placed":
                self._seated += 1
                self._points = {
                    table: scored for table, scored in event["scores"].items() if scored
                }
            elif name == "completed":
                self._full.append(event["table"])
            elif name == "cleared":
                self._room = self._before
            elif name == "barred":
                self._barred.append(event["tile"])
            elif name in ("turn", "began"):
                self._seated = 0

    def middle(self) -> Json:
        field = self.match.bar_field()
        nations, guests = self._room
        return {
            "nations": nations,
            "guests": guests,
            "fresh": self._fresh,
            "full": self._full,
            "points": self._points,
            "bar": None if field is None else {"field": field[0], "points": field[1]},
            "barred": self._barred,
            "bag": self.match.bag(),
            **(self._for_players() if self.dealt else {}),
        }

    def allowed(self, seat: int, code: str) -> bool | list[str]:
        half, tile = self.half, self.half.get("tile")
        if self.match.awaits().what == "leftover":
            return code not in half.get("left", ())
        if half.get("mode") == "bar":
            barred = self.judge("bar", tile=code).refusal
            return barred is None or barred.reason == "cannot_pay"  # the box asks on (CB-11)
        if half.get("mode") == "swap":
            chair = half.get("chair")
            return bool(chair) and self.judge("swap", chair=chair, tile=code).refusal is None
        # until the first has its chair the box takes no other
        return self._chairs(seat, code) if tile in (None, "", code) else []

    def _chairs(self, seat: int, code: str) -> list[str]:
        """The chairs on which this guest may sit so that this hand can finish the turn. The box
        does not know the hand: it takes a first guest where somebody might follow (CB-5).
        Worked out once for a hand: every look at it asks.
        """
        moment = self.match.n, tuple(self.hands[seat])
        if moment != self._moment:
            self._moment, self._known = moment, {}
        if code not in self._known:
            self._known[code] = self._good_chairs(seat, code)
        return self._known[code]

    def _good_chairs(self, seat: int, code: str) -> list[str]:
        legal: list[str] = self.match.legal_chairs(code)
        if self._seated:
            return legal
        rest = [tile for tile in self.hands[seat] if tile != code]
        return [chair for chair in legal if self._can_finish(code, chair, rest)]

    def _can_finish(self, tile: str, chair: str, rest: list[str]) -> bool:
        """With this guest on this chair: may the turn end, or does one of `rest` follow?"""
        board = self.match.board
        if self.match.room.scores_alone(board.chairs.index(chair)):
            return True
        # shared with the copy: neither changes during a match
        match = copy.deepcopy(self.match, {id(part): part for part in (board, self.match.rules)})
        match.apply({"t": match.t_ms, "do": "place", "tile": tile, "chair": chair})
        if any(match.legal_chairs(other) for other in rest):
            return True
        return match.apply({"t": match.t_ms, "do": "done"}).refusal is None

    def may_take_back(self, seat: int) -> bool:
        return bool(self.match.may_take_back()) and self.match.awaits().seat == seat

    def take_back(self) -> Move:
        return (pick(self.say("cafe_take_back")),)

    def is_decided(self) -> bool:
        return bool(self._fresh)

    def _for_players(self) -> Json:
        return {
            "next_card": self._cards[-1] if self._cards else None,
            "seated": self._seated,
            "may_end": self._seated > 0 and self.judge("done").refusal is None,
            "may_take_back": self.may_take_back(self.match.awaits().seat),
        }

    def cards(self) -> list[int]:
        return list(self.match.hand_sizes())

    def fixed(self) -> Json:
        colours = {nation: art.nation_colour(nation) for nation in (*NATIONS, art.JOKER)}
        return {
            "plan": self._plan,
            "colours": colours,
            "stools": list(self.match.rules.bar_values),
        }

    def face(self, code: str) -> Json:
        nation = code[:2]
        said = {"kind": "guest", "code": code, "nation": nation, "sex": code[2]}
        return {**said, "art": art.address(None, code), "colour": art.nation_colour(nation)}
