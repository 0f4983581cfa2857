"""Random Hattrick with real hands beside the referee."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.answers import write_answer, write_result
from firmware.rules.games import open_match
from firmware.rules.hattrick import Hattrick
from tests.rules.oracle_hattrick import Oracle

DECK = [colour + str(value) for colour in "RGB" for value in range(1, 21)]


def deal(chance: random.Random, seats: int) -> list[list[str]]:
    cards = list(DECK)
    chance.shuffle(cards)
    return [cards[seat::seats] for seat in range(seats)]


def answer(match: Hattrick, **command: Any) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(write_answer(match.apply({"t": 0, **command})))
    return content


def refused_without_a_trace(match: Hattrick, reason: str, **command: Any) -> None:
    before = (list(match.cells.now), match.awaits())
    assert answer(match, **command)["refused"]["reason"] == reason
    assert (list(match.cells.now), match.awaits()) == before


def check_tables(match: Hattrick, oracle: Oracle) -> None:
    """Both referees count the same cards in the same places."""
    s = oracle.s
    assert match.totals() == s["total"]
    for seat in range(oracle.seats):
        colours = [card[0] for owner, card in s["won"] if owner == seat]
        assert match.won(seat) == [colours.count(colour) for colour in "RGB"]
        lying = [owner for owner, _, what in s["table"] if what == "passed"]
        passed = [owner for owner, _ in s["passed"]] + lying
        assert match.passes()[seat] == passed.count(seat)
    places = len(s["won"]) + len(s["passed"]) + len(s["table"]) + s["left"] * oracle.seats
    assert places - len(s["table"]) == 60


def play(seed: int, most_hands: int) -> str | None:
    """A game up to `most_hands` hands. Returns the reason of its end, if it ended."""
    chance = random.Random(seed)
    seats = chance.randint(3, 6)
    options: dict[str, Any] = {}
    if chance.random() < 0.5:
        options["hands"] = chance.randint(1, 3)
    if chance.random() < 0.5:
        options["target"] = chance.randint(1, 8)
    head = {"schiri": 1, "game": "hattrick", "seats": seats, "options": options}
    match = open_match(head)
    assert isinstance(match, Hattrick)
    start = list(match.cells.now)
    dealer = chance.randrange(seats)
    oracle = Oracle(seats, options.get("hands", 2 * seats), options.get("target"), dealer)
    answer(match, do="begin", seat=dealer)
    past: list[dict[str, Any]] = []
    while not oracle.s["over"] and oracle.s["done"] < most_hands:
        if not oracle.s["played"]:
            hands = deal(chance, seats)
        seat = oracle.next_seat()
        assert (match.awaits().seat, match.awaits().what) == (seat, "tap")
        if oracle.s["played"] and chance.random() < 0.1:
            refused_without_a_trace(match, "already_played", do="tap", card=oracle.s["played"][-1])
            refused_without_a_trace(
                match, "wrong_seat", do="tap", card="R1", seat=(seat + 1) % seats
            )
        mine = [card for card in hands[seat] if card not in oracle.s["played"]]
        card = chance.choice(mine)
        past.append(oracle.s)
        assert answer(match, do="tap", card=card)["events"] == oracle.tap(card), (seed, card)
        check_tables(match, oracle)
        if oracle.s["played"] and chance.random() < 0.05:
            assert answer(match, do="undo")["events"][0]["is"] == "undone"
            oracle.s = past.pop()
    result = json.loads(write_result(match.result()))["result"]
    assert (result["scores"], result["over"]) == (oracle.s["total"], match.over())
    for _ in range(len(past) + 1):
        answer(match, do="undo")
    assert list(match.cells.now) == start
    return result.get("reason")


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_any_game(seed: int) -> None:
    play(seed, 2)


def test_both_ends_are_reached() -> None:
    assert {play(seed, 3) for seed in range(20)} >= {"hands", "target"}


@pytest.mark.long
def test_many_games() -> None:
    for seed in range(10_000, 10_300):
        play(seed, 6)
