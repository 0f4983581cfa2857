"""Does a player without a jury always get on? Random matches, move by move.

At every seat sits somebody who does anything that the rules take, wherever it leads: also a first
guest whom nobody of the hand can follow. Then only what the page offers is done to get on.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.games.options import header_for, options_of
from host_tools.games.table_view import TableView
from host_tools.replay.engines import resolve
from tests.support.duel import MATCHES

MOST_STATES = 3_000
TICK_MS = 2_000
OFTEN = 0.8
MOST_CHAIRS = 4
"""So many of those on which a guest may sit are tried."""


class Stuck(Exception):
    """A player has nothing left to do: `state` in words."""


class Walked(NamedTuple):
    """One match: states, guests taken back, chairs that were lit and led nowhere."""

    states: int
    taken_back: int
    lit_in_vain: int


def header_of(what: str, chance: random.Random) -> Json:
    """A match with any choice of house rules and seats."""
    header = dict(MATCHES[what])
    game, preset = header["game"], header.get("preset")
    rules = options_of(game, preset)
    wanted = {rule.name: chance.choice(rule.row.choices) for rule in rules}
    return resolve({**header, **header_for(game, preset, header["seats"], wanted)})


def walk(what: str, seed: int) -> Walked:
    """Play one random match to its end. Raises Stuck."""
    return _Walk(what, seed).to_the_end()


class _Walk:
    def __init__(self, what: str, seed: int) -> None:
        self.what, self.seed = what, seed
        self.chance = random.Random(f"dead ends/{seed}")
        self.header = header_of(what, self.chance)
        self.done: list[Json] = []
        self.table = self._dealt()
        self.careful = self.was_lit = False
        self.taken_back = self.lit_in_vain = 0

    def _dealt(self) -> TableView:
        match = open_match(self.header)
        return table_view(self.header, match, box_words("en").get, self.seed)

    def to_the_end(self) -> Walked:
        for states in range(MOST_STATES):
            if self.table.match.over():
                return Walked(states, self.taken_back, self.lit_in_vain)
            self._go_on()
        raise Stuck(f"{self.what} {self.seed}: no end")

    def _go_on(self) -> None:
        options = list(self._options())
        self.chance.shuffle(options)
        if self.chance.random() < OFTEN:  # else a match in the café ends at the bar
            options.sort(key=lambda option: option["do"] in ("bar", "done"))
        before = self.table.match.awaits()
        for option in options:
            if self._accepted(option):
                return
        if self.table.match.awaits() == before:  # else time has moved on
            self._take_back()

    def _accepted(self, option: Json) -> bool:
        t_ms = self.table.match.t_ms + self.chance.randrange(TICK_MS)
        command = {"t": t_ms, **option}
        if "refused" in self.table.play(command):
            return False
        self.done.append(command)
        self.careful = False
        return True

    def _take_back(self) -> None:
        """Nothing is possible: the player's own way out, and then a way that the page lights."""
        seat = self.table.match.awaits().seat
        if self.careful or seat is None or not self.table.may_take_back(seat):
            raise Stuck(f"{self.what} {self.seed}: {self.table.match.awaits()} {self.table.hands}")
        self.taken_back += 1
        self.lit_in_vain += self.was_lit
        self.done.pop()
        self.table = self._dealt()
        for command in self.done:
            self.table.play(command)
        self.careful = True

    # -- what a player may do

    def _options(self) -> Iterator[Json]:
        match = self.table.match
        seat, what = match.awaits().seat, match.awaits().what
        if what == "begin":
            yield {"do": "begin", "seat": self.table.starter()}
        elif seat is not None:
            hand = self.table.sight(seat)
            yield from getattr(self, f"_{what}")(seat, hand)

    def _tap(self, seat: int, hand: list[str]) -> Iterator[Json]:
        yield from ({"do": "tap", "card": code} for code in hand)

    def _call(self, seat: int, hand: list[str]) -> Iterator[Json]:
        count = len(self.header["deck"]["categories"])
        yield from ({"do": "call", "category": place} for place in range(count))

    def _ask(self, seat: int, hand: list[str]) -> Iterator[Json]:
        groups = {code[0] for code in hand}
        others = [other for other in range(self.table.seats) if other != seat]
        for code in self.table.match.codes():
            if code[0] in groups and code not in hand:
                yield from ({"do": "ask", "seat": other, "card": code} for other in others)
        yield from self._quartets()

    def _answer(self, seat: int, hand: list[str]) -> Iterator[Json]:
        asked = self.table.match.asked()[1]
        yield {"do": "tap", "card": asked} if asked in hand else {"do": "deny"}

    def _lay(self, seat: int, hand: list[str]) -> Iterator[Json]:
        yield {"do": "done"}
        yield from self._quartets()

    def _quartets(self) -> Iterator[Json]:
        for seat, hand in enumerate(self.table.hands):
            for group in sorted({code[0] for code in hand}):
                cards = [code for code in hand if code[0] == group]
                if len(cards) == 4:
                    yield {"do": "lay", "seat": seat, "cards": cards}

    def _place(self, seat: int, hand: list[str]) -> Iterator[Json]:
        table, match = self.table, self.table.match
        first = not table.middle()["seated"]
        self.was_lit = self.careful if first else self.was_lit
        for tile in hand:
            legal = match.legal_chairs(tile)
            lit: Any = table.allowed(seat, tile) if self.careful else legal
            yield from (
                {"do": "place", "tile": tile, "chair": chair} for chair in lit[:MOST_CHAIRS]
            )
        if not first:
            yield {"do": "done"}
            return
        forced = {"forced": True}
        yield from ({"do": "bar", "tile": tile} for tile in hand)
        yield from ({"do": "bar", "tile": tile, **forced} for tile in hand[:1])
        for chair, joker in table.middle()["guests"].items():
            if joker.startswith("JK"):
                yield from ({"do": "swap", "tile": tile, "chair": chair} for tile in hand)

    def _table_card(self, seat: int, hand: list[str]) -> Iterator[Json]:
        act = self.table.act()
        yield {"do": act.do, **act.fields}

    def _leftover(self, seat: int, hand: list[str]) -> Iterator[Json]:
        yield {"do": "leftover", "seat": seat, "tiles": list(self.table.hands[seat])}
