"""Six cards, three seats, every order of tapping them: meanings and leaders (HA-3, HA-5)."""

import itertools
from collections import Counter

import pytest

from firmware.games import open_match
from firmware.games.hattrick.rules import Hattrick
from tests.rules.perft import written
from tests.rules.second_hattrick import SecondHattrick

CARDS = ["R1", "R2", "G1", "G2", "B1", "B2"]
# What is counted over all sequences of one length, in the order of the numbers in perft.txt.
KINDS = ("opened", "followed", "passed", "leads 0", "leads 1", "leads 2")


def count(events: "list[tuple[str, int]]") -> list[int]:
    """(name, leader or -1) of all events, as the numbers of KINDS."""
    names = Counter(name if leader < 0 else f"leads {leader}" for name, leader in events)
    return [names[kind] for kind in KINDS]


def by_referee(length: int) -> list[int]:
    match = open_match({"schiri": 1, "game": "hattrick", "seats": 3})
    assert isinstance(match, Hattrick)
    match.apply({"t": 0, "do": "begin", "seat": 2})
    seen: list[tuple[str, int]] = []
    for order in itertools.permutations(CARDS, length):
        answers = [match.apply({"t": 0, "do": "tap", "card": card}) for card in order]
        assert all(answer.refusal is None for answer in answers)
        for event in answers[-1].events:
            leader = event[2] if event[0] == "round_over" else -1
            seen.append((str(event[0]), int(leader)))  # type: ignore[call-overload]
        for _ in order:
            match.apply({"t": 0, "do": "undo"})
    return count(seen)


def by_second(length: int) -> list[int]:
    seen: list[tuple[str, int]] = []
    for order in itertools.permutations(CARDS, length):
        second = SecondHattrick({"seats": 3})
        second.apply({"do": "begin", "seat": 2})
        for card in order:
            events = second.apply({"do": "tap", "card": card})["events"]
        seen += [(event["is"], event.get("leader", -1)) for event in events]
    return count(seen)


@pytest.mark.parametrize("length", range(1, 7))
def test_every_order_of_six_cards(length: int) -> None:
    numbers = written(f"hattrick-{length}")
    assert by_second(length) == numbers
    assert by_referee(length) == numbers
