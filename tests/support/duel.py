"""Matches of bots on the rules alone, without a box: how strong they are against one another."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.games import drawn, table_view
from host_tools.games.bot import MEDIUM
from host_tools.games.options import header_for
from host_tools.games.table_view import TableView
from host_tools.replay.engines import resolve
from host_tools.sim.demo.dry_run import is_settled, moves_of
from tests.support.rivals import RIVALS

MATCHES: dict[str, Json] = {
    "Trumpf, Swiss": {"game": "trumpf", "preset": "swiss", "deck": "berge", "seats": 2},
    "Trumpf, Gastro": {"game": "trumpf", "preset": "gastro", "deck": "gastro", "seats": 3},
    "Trumpf, Kneipe": {"game": "trumpf", "preset": "kneipe", "deck": "kneipe", "seats": 4},
    "Quartett": {"game": "quartett", "deck": "gastro", "seats": 4},
    "Hattrick": {"game": "hattrick", "seats": 4},
    "Café, board": {"game": "cafe", "preset": "board", "seats": 2},
    "Café, app": {"game": "cafe", "preset": "app", "seats": 2},
}
SIMPLE = "simple"
"""In the place of a strength: the game's rival."""
_FEWEST = {"trumpf": 2}
"""Seats of a duel where a match may have fewer than above."""
_NOBODY_CAN_KNOW = (None, "value_missing", "over", "not_now")
"""TR-11: what the other card lacks; SW-4: that time is up when the card lies there."""


class Share(NamedTuple):
    """Which part was won; `pairs` has a number for each seed, which is played with either seating.
    A match that is shared counts in part.
    """

    pairs: tuple[float, ...]

    @property
    def matches(self) -> int:
        return 2 * len(self.pairs)

    @property
    def part(self) -> float:
        return sum(self.pairs) / len(self.pairs)

    @property
    def margin(self) -> float:
        """Half of the 95 % interval round `part`: pairs are independent, their two matches not."""
        spread = sum((pair - self.part) ** 2 for pair in self.pairs)
        return 1.96 * math.sqrt(spread / max(1, len(self.pairs) - 1) / len(self.pairs))


def duel_header(what: str, seed: int) -> Json:
    """The header of one of `MATCHES` as the menu begins it, with as few seats as may be."""
    match = MATCHES[what]
    game, seats = match["game"], _FEWEST.get(match["game"], match["seats"])
    header = {**match, **header_for(game, match.get("preset"), seats, {}), "schiri": 1}
    return resolve(drawn(header, seed))


def played(header: Json, seed: int, players: Sequence[str]) -> TableView:
    """The table after a match of bots of these strengths, or `SIMPLE`; deck and board may be ids.
    The same seed, the same match.

    Raises AssertionError if a player does what the rules refuse, or comes to no end.
    """
    header = resolve({"schiri": 1, **header})
    strengths = [MEDIUM if player == SIMPLE else player for player in players]
    table = table_view(header, open_match(header), lambda key: key, seed, strengths=strengths)
    for seat, player in enumerate(players):
        if player == SIMPLE:
            rival = RIVALS[header["game"]]
            chance = random.Random(f"{seed}/{seat}")
            table.players[seat] = rival(table.header, table.match, seat, chance)
    for _, answer in moves_of(table):
        assert answer.get("refused", {}).get("reason") in _NOBODY_CAN_KNOW, answer
    assert is_settled(table), "no end"
    return table


def duel(what: str, better: str, worse: str, seeds: Sequence[int]) -> Share:
    """How many matches `better` wins: every other seat is its, then the others with the same
    cards.
    """
    return Share(tuple(_pair(what, better, worse, seed) for seed in seeds))


def _pair(what: str, better: str, worse: str, seed: int) -> float:
    header = duel_header(what, seed)
    won = 0.0
    for swapped in (0, 1):
        mine = [(seat + swapped) % 2 == 0 for seat in range(header["seats"])]
        won += _share(played(header, seed, [better if m else worse for m in mine]), mine) / 2
    return won


def barred(what: str, strength: str, seeds: Sequence[int]) -> tuple[float, Counter[str]]:
    """Matches of the café between equal bots: guests at the bar in one of them, and their ends."""
    guests, ends = 0, Counter[str]()
    for seed in seeds:
        header = duel_header(what, seed)
        match = played(header, seed, [strength] * header["seats"]).match
        field = match.bar_field()
        guests += field[0] - 1 if field else len(match.rules.bar_values)
        ends[str(dict(match.result())["reason"])] += 1
    return guests / len(seeds), ends


def _share(table: TableView, mine: Sequence[bool]) -> float:
    """Who is first; a level match that waits for the jury is shared by all."""
    result = dict(table.match.result())
    first = result["ranking"][0] if "ranking" in result else range(table.seats)
    return sum(mine[seat] for seat in first) / len(first)
