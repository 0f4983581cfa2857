"""All questions, answers and quartets of eight cards, up to a depth (perft.txt)."""

from typing import Any

import pytest

from firmware.games import open_match
from tests.rules.oracle_quartett import Oracle, all_deals
from tests.rules.perft import check

CODES = [f"{letter}{n}" for letter in "AB" for n in (1, 2, 3, 4)]


def header(sizes: list[int]) -> dict[str, Any]:
    cards = [{"code": code, "values": []} for code in CODES]
    return {
        "schiri": 1,
        "game": "quartett",
        "seats": len(sizes),
        "deck": {"id": "x", "categories": [], "cards": cards},
        "hand_sizes": sizes,
    }


def commands(seats: int) -> list[dict[str, Any]]:
    asks = [{"do": "ask", "seat": seat, "card": card} for seat in range(seats) for card in CODES]
    taps = [{"do": "tap", "card": card} for card in CODES]
    lays = [
        {"do": "lay", "seat": seat, "cards": [letter + n for n in "1234"]}
        for seat in range(seats)
        for letter in "AB"
    ]
    return [*asks, *taps, {"do": "deny"}, *lays, {"do": "done"}]


@pytest.mark.parametrize(
    ("position", "sizes"),
    [("quartett-332", [3, 3, 2]), ("quartett-422", [4, 2, 2]), ("quartett-116", [1, 1, 6])],
)
def test_quartett(position: str, sizes: list[int]) -> None:
    match = open_match(header(sizes))
    oracle = Oracle(CODES, sizes, all_deals(8, sizes)[0])
    begin = {"do": "begin", "seat": 0}
    match.apply({"t": 0, **begin})
    oracle.apply(begin)
    check(position, match, oracle, commands(len(sizes)))
