"""Generated matches of three games give the same bytes in both interpreters."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from host_tools.replay.engines import replay_in_vm
from tests.rules import test_cafe_model as cafe
from tests.rules import test_hattrick_model as hattrick
from tests.rules import test_quartett_model as quartett
from tests.rules.oracle_cafe import Oracle as CafeOracle
from tests.rules.oracle_hattrick import Oracle as HattrickOracle
from tests.rules.oracle_quartett import Oracle as QuartettOracle
from tests.rules.test_trumpf_both import replay_here

Lines = list[dict[str, Any]]


def cafe_match(chance: random.Random) -> Lines:
    header = cafe.random_header(chance)
    oracle = CafeOracle(header, chance)
    people = cafe.People(oracle, chance, chance.random() < 0.7)
    lines = [header]
    for t in range(200):
        lines.append({"t": t, **people.command()})
        if lines[-1]["do"] != "tick":
            oracle.answer(lines[-1])
    return lines


def quartett_match(chance: random.Random) -> Lines:
    letters, sizes = chance.choice(quartett.SHAPES)
    header = quartett.header(letters, sizes)
    codes = [card["code"] for card in header["deck"]["cards"]]
    deal = chance.choice(quartett.DEALS[letters, tuple(sizes)])
    oracle = QuartettOracle(codes, sizes, deal)
    people = quartett.People(oracle, chance)
    lines = [header]
    for t in range(60):
        lines.append({"t": t, **people.command()})
        oracle.answer(lines[-1])
    return lines


def hattrick_match(chance: random.Random) -> Lines:
    """Two hands, some cards tapped twice, some commands taken back and given again."""
    seats = chance.randint(3, 6)
    oracle = HattrickOracle(seats, 2, None, 0)
    lines: Lines = [{"schiri": 1, "game": "hattrick", "seats": seats, "options": {"hands": 2}}]
    lines.append({"t": 0, "do": "begin", "seat": 0})
    while not oracle.s["over"]:
        if not oracle.s["played"]:
            hands = hattrick.deal(chance, seats)
        mine = [c for c in hands[oracle.next_seat()] if c not in oracle.s["played"]]
        tap = {"t": len(lines), "do": "tap", "card": chance.choice(mine)}
        oracle.tap(tap["card"])
        lines.append(tap)
        if chance.random() < 0.1 and oracle.s["played"]:
            lines.append(tap)  # already_played
        elif chance.random() < 0.05:
            lines += [{"t": len(lines), "do": "undo", "why": "test"}, {**tap, "t": len(lines)}]
    return lines


def compare(make: Callable[[random.Random], Lines], seeds: range) -> None:
    matches = [make(random.Random(seed)) for seed in seeds]
    for seed, lines, told in zip(seeds, matches, replay_in_vm(matches), strict=True):
        assert told == replay_here(lines), f"seed {seed}"


GAMES = [cafe_match, quartett_match, hattrick_match]


@pytest.mark.vm
@pytest.mark.parametrize("make", GAMES)
def test_same_bytes(make: Callable[[random.Random], Lines]) -> None:
    compare(make, range(12))


@pytest.mark.vm
@pytest.mark.long
@pytest.mark.parametrize("block", range(7))
@pytest.mark.parametrize("make", GAMES)
def test_same_bytes_for_long(make: Callable[[random.Random], Lines], block: int) -> None:
    compare(make, range(1000 + block * 100, 1100 + block * 100))
