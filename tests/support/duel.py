"""Matches of bots on the rules alone, without a box: how strong they are against one another."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.games import table_view
from host_tools.games.table_view import TableView
from host_tools.replay.engines import resolve
from host_tools.sim.demo.dry_run import is_settled, moves_of

HATTRICK = {"game": "hattrick", "seats": 4}
# what -> header, matches of strong bots; those of the quicker ones are ten times as many
MATCHES: dict[str, tuple[Json, int]] = {
    "Trumpf, Swiss": ({"game": "trumpf", "preset": "swiss", "deck": "berge", "seats": 2}, 30),
    "Trumpf, Gastro": ({"game": "trumpf", "preset": "gastro", "deck": "gastro", "seats": 3}, 80),
    "Trumpf, Kneipe": ({"game": "trumpf", "preset": "kneipe", "deck": "kneipe", "seats": 4}, 120),
    "Quartett": ({"game": "quartett", "deck": "gastro", "seats": 4}, 60),
    "Hattrick": (HATTRICK, 12),
    "Café, board": ({"game": "cafe", "preset": "board", "seats": 2}, 24),
    "Café, app": ({"game": "cafe", "preset": "app", "seats": 2}, 24),
}
_NOBODY_CAN_KNOW = (None, "value_missing", "over", "not_now")
"""TR-11: what the other card lacks; SW-4: that time is up when the card lies there."""


class Share(NamedTuple):
    """Which part of `matches` was won; one that is shared counts in part."""

    part: float
    matches: int

    @property
    def margin(self) -> float:
        """Half of the 95 % interval round `part`, by the normal distribution."""
        return 1.96 * math.sqrt(self.part * (1 - self.part) / self.matches)


def played(header: Json, seed: int, strengths: Sequence[str]) -> TableView:
    """The table behind a match of bots; deck and board may be ids. The same seed, the same match.

    Raises AssertionError if a bot does what the rules refuse, or comes to no end.
    """
    header = resolve({"schiri": 1, **header})
    table = table_view(header, open_match(header), lambda key: key, seed, strengths=strengths)
    for _, answer in moves_of(table):
        assert answer.get("refused", {}).get("reason") in _NOBODY_CAN_KNOW, answer
    assert is_settled(table), "no end"
    return table


def duel(header: Json, better: str, worse: str, seeds: Sequence[int]) -> Share:
    """How many matches `better` wins; every other seat is its, turned with every seed."""
    seats = range(header["seats"])
    won = 0.0
    for seed in seeds:
        strengths = [better if (seat + seed) % 2 == 0 else worse for seat in seats]
        won += _share(played(header, seed, strengths), [s == better for s in strengths])
    return Share(won / len(seeds), len(seeds))


def against_all(header: Json, alone: str, others: str, seeds: Sequence[int]) -> Share:
    """How many matches one seat wins against all others together."""
    won = 0.0
    for seed in seeds:
        seats = range(header["seats"])
        mine = [seat == seed % len(seats) for seat in seats]
        won += _share(played(header, seed, [alone if m else others for m in mine]), mine)
    return Share(won / len(seeds), len(seeds))


def _share(table: TableView, mine: Sequence[bool]) -> float:
    """Who is first; a level match that waits for the jury is shared by all."""
    result = dict(table.match.result())
    first = result["ranking"][0] if "ranking" in result else range(table.seats)
    return sum(mine[seat] for seat in first) / len(first)
