"""The hands at the box: which tags to lay and which buttons to press for what somebody wants.

The lists on the screen are known from the same rules that the box runs: a referee of their own
follows what the box has accepted.
"""

from collections import Counter
from collections.abc import Container
from typing import Any

from firmware.app.by_hand import group_of, groups_of
from firmware.games import open_match
from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.commands import Cafe
from firmware.games.cafe.guests import is_joker
from firmware.games.cafe.page import legal_first
from firmware.games.cafe.room import EMPTY
from firmware.games.quartett.rules import Quartett
from host_tools.sim.demo.people import Act

Json = dict[str, Any]
Step = tuple[str, str]
"""("lay", code of a tag) or ("press", a button)."""

OK: Step = ("press", "ok")
BACK = 1
"""Most lists end with one more item: back."""
# a café turn's menu (firmware/games/cafe/page.py): done, bar, swap, back
_DONE, _BAR, _SWAP, _ITEMS = 0, 1, 2, 4


def choose(place: int, count: int, lit: int = 0) -> list[Step]:
    """Go from the item that is lit to another one, the shorter way round, and take it."""
    down = (place - lit) % count
    up = count - down
    steps: list[Step] = [("press", "down")] * down if down <= up else [("press", "up")] * up
    return [*steps, OK]


class Hands:
    """`tags` tells which tags lie ready; a table without one is chosen with the buttons."""

    def __init__(self, header: Json, tags: Container[str]) -> None:
        self._header = header
        self._tags = tags
        self._match: Any = open_match(header)
        tables = header.get("board", {}).get("tables", {}).values()
        self._table_cards = Counter(str(table["nation"]) for table in tables)

    def follow(self, command: Json) -> None:
        """The box has judged a command."""
        self._match.apply(command)
        if command["do"] == "table_card":
            self._table_cards[str(command["nation"])] += 1

    def steps(self, act: Act) -> list[Step]:
        """What to do for an act; nothing for waiting."""
        if act.do == "wait":
            return []
        steps: list[Step] = getattr(self, "_" + act.do)(act.fields)
        return steps

    def _begin(self, fields: Json) -> list[Step]:
        return choose(fields["seat"], self._match.seats)

    def _tap(self, fields: Json) -> list[Step]:
        return [("lay", fields["card"])]

    def _call(self, fields: Json) -> list[Step]:
        return choose(fields["category"], len(self._header["deck"]["categories"]))

    def _done(self, fields: Json) -> list[Step]:
        if isinstance(self._match, Quartett):
            return choose(1, 2)  # lay another one, or no more quartets
        return [OK, *choose(_DONE, _ITEMS)]

    # -- Quartett ------------------------------------------------------------------------------

    def _ask(self, fields: Json) -> list[Step]:
        match: Quartett = self._match
        others = [seat for seat in range(match.seats) if seat != match.caller()]
        groups = groups_of(match.codes())
        group = group_of(fields["card"])
        cards = [code for code in match.codes() if group_of(code) == group]
        return [
            *choose(others.index(fields["seat"]), len(others) + 1),  # and: lay a quartet
            *choose(groups.index(group), len(groups) + BACK),
            *choose(cards.index(fields["card"]), len(cards) + BACK),
        ]

    def _deny(self, fields: Json) -> list[Step]:
        return choose(1, 2)

    def _lay(self, fields: Json) -> list[Step]:
        """The caller simply taps four cards; another seat is chosen first."""
        match: Quartett = self._match
        taps: list[Step] = [("lay", card) for card in fields["cards"]]
        caller = match.caller() or 0
        if fields["seat"] == caller:
            return taps
        items = (match.seats - 1, match.seats) if match.awaits().what == "ask" else (0, 2)
        return [*choose(*items), *choose(fields["seat"], match.seats, caller), *taps]

    # -- Café ----------------------------------------------------------------------------------

    def _place(self, fields: Json) -> list[Step]:
        """Guest, table, chair: the legal ones stand first in both lists."""
        match: Cafe = self._match
        tile, chair = fields["tile"], fields["chair"]
        legal = match.legal_chairs(tile)
        table = next(row[0] for row in match.tables() if chair in match.free_chairs(row[0]))
        chairs = legal_first(match.free_chairs(table), legal)
        return [
            ("lay", tile),
            *self._table(table, legal),
            *choose(chairs.index(chair), len(chairs) + BACK),
        ]

    def _table(self, table: str, legal: list[str]) -> list[Step]:
        if table in self._tags:
            return [("lay", table)]
        match: Cafe = self._match
        free = [row[0] for row in match.tables() if match.free_chairs(row[0])]
        good = [name for name in free if set(match.free_chairs(name)) & set(legal)]
        tables = legal_first(free, good)
        return choose(tables.index(table), len(tables) + BACK)

    def _bar(self, fields: Json) -> list[Step]:
        """Who cannot pay confirms that nothing else is possible (CB-11)."""
        forced = choose(1, 2) if fields.get("forced") else []
        return [OK, *choose(_BAR, _ITEMS), ("lay", fields["tile"]), *forced]

    def _swap(self, fields: Json) -> list[Step]:
        match: Cafe = self._match
        guests = [(match.room.guest_on(n), chair) for n, chair in enumerate(match.board.chairs)]
        jokers = [chair for guest, chair in guests if guest != EMPTY and is_joker(guest)]
        which = choose(jokers.index(fields["chair"]), len(jokers) + BACK)
        return [OK, *choose(_SWAP, _ITEMS), *which, ("lay", fields["tile"])]

    def _table_card(self, fields: Json) -> list[Step]:
        nation = fields["nation"]
        if nation is None:
            return choose(len(NATIONS), len(NATIONS) + 1)
        return [("lay", f"{nation}{self._table_cards[nation] + 1}")]

    def _leftover(self, fields: Json) -> list[Step]:
        return [("lay", tile) for tile in fields["tiles"]]
