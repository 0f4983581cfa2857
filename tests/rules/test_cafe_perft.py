"""A few guests and chairs, every command sequence up to a depth (perft.txt)."""

from typing import Any

import pytest

from firmware.games import open_match
from host_tools.games.cafe.boards import load_board
from tests.rules.perft import check
from tests.rules.second_cafe import SecondCafe

# T08 (DE) with its chairs C22 C27 (its own), C15 (T02, US) and C21 (T07, CN); C02 is T02's own.
BOARD = (["DEf1", "DEf2", "DEm1", "DEm2", "USm1", "JKf1"], ["C22", "C27", "C15", "C21", "C02"])
# T02 (CN) with C02 (its own), C13 (T01), C14 (T01, T03) and C03 (T03); C04 is T03's and T04's.
APP = (["CNf1", "CNf2", "CNm1", "CNm2", "AFm1", "JKf1"], ["C02", "C13", "C14", "C03", "C04"])


def commands(tiles: list[str], chairs: list[str]) -> list[dict[str, Any]]:
    places = [{"do": "place", "tile": tile, "chair": chair} for tile in tiles for chair in chairs]
    bars = [{"do": "bar", "tile": tile} for tile in tiles]
    swaps = [{"do": "swap", "tile": tile, "chair": chair} for tile in tiles for chair in chairs]
    cards = [
        {"do": "table_card", "table": table, "nation": nation}
        for table in ("T01", "T02", "T03")
        for nation in ("CN", "AF", None)
    ]
    return [*places, {"do": "done"}, *bars, *swaps, *cards]


def header(preset: str, board: str) -> dict[str, Any]:
    tables = load_board(board)["tables"]
    base = {"schiri": 1, "game": "cafe", "preset": preset, "seats": 2}
    return {**base, "board": {"tables": tables}}


@pytest.mark.parametrize(
    ("position", "preset", "board", "pieces", "first"),
    [
        ("cafe-start", "board", "cafe", BOARD, []),
        ("cafe-joker", "board", "cafe", BOARD, [("DEm2", "C27"), ("JKf1", "C22")]),
        ("app-start", "app", "cafe_app", APP, []),
        ("app-three", "app", "cafe_app", APP, [("CNf1", "C02"), ("CNm1", "C13"), ("CNm2", "C03")]),
    ],
)
def test_cafe(
    position: str,
    preset: str,
    board: str,
    pieces: tuple[list[str], list[str]],
    first: list[tuple[str, str]],
) -> None:
    match = open_match(header(preset, board))
    second = SecondCafe(header(preset, board))
    before = [{"do": "begin", "seat": 0}]
    before += [{"do": "place", "tile": tile, "chair": chair} for tile, chair in first]
    for command in before:
        assert match.apply({"t": 0, **command}).refusal is None
        assert "refused" not in second.apply(command)
    check(position, match, second, commands(*pieces))
