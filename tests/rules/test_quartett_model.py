"""Random Quartett with real hands, honest players and liars, beside the referee."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.answers import write_answer, write_result
from firmware.rules.games import open_match
from firmware.rules.quartett import Quartett
from tests.rules.oracle_quartett import LAID, Oracle, all_deals

SHAPES = [("AB", [3, 3, 2]), ("AB", [4, 2, 2]), ("AB", [2, 2, 2, 2])]
DEALS = {(letters, tuple(sizes)): all_deals(4 * len(letters), sizes) for letters, sizes in SHAPES}


def header(letters: str, sizes: list[int]) -> dict[str, Any]:
    cards = [{"code": f"{letter}{n}", "values": []} for letter in letters for n in (1, 2, 3, 4)]
    deck = {"id": "x", "categories": [], "cards": cards}
    return {
        "schiri": 1,
        "game": "quartett",
        "seats": len(sizes),
        "deck": deck,
        "hand_sizes": sizes,
    }


class People:
    """Players with real hands; a seat of `liars` denies half of what it holds."""

    def __init__(self, oracle: Oracle, chance: random.Random) -> None:
        self.oracle = oracle
        self.chance = chance
        self.liars = {seat for seat in range(oracle.seats) if chance.random() < 0.4}

    def command(self) -> dict[str, Any]:
        if self.chance.random() < 0.05:
            return {"do": "undo", "why": "test"}
        if self.chance.random() < 0.15:
            return self.nonsense()
        phase = self.oracle.s["phase"]
        if phase == "begin":
            return {"do": "begin", "seat": self.chance.randrange(self.oracle.seats)}
        if phase == "answer":
            return self.reply()
        quartet = self.quartet()
        if quartet and self.chance.random() < 0.6:
            return quartet
        return {"do": "done"} if phase == "lay" else self.question()

    def question(self) -> dict[str, Any]:
        """QU-4: for a card of a group of which the caller really holds one."""
        o = self.oracle
        deal, caller = o.s["deal"], o.s["caller"]
        groups = {o.codes[n][0] for n in range(len(deal)) if deal[n] == caller}
        wanted = [
            code
            for n, code in enumerate(o.codes)
            if code[0] in groups and deal[n] not in (caller, LAID)
        ]
        others = [seat for seat in range(o.seats) if seat != caller]
        if not wanted:
            return self.quartet() or {"do": "undo", "why": "nothing to ask"}
        return {
            "do": "ask",
            "seat": self.chance.choice(others),
            "card": self.chance.choice(wanted),
        }

    def reply(self) -> dict[str, Any]:
        o = self.oracle
        card, target = o.s["card"], o.s["target"]
        lies = target in self.liars and self.chance.random() < 0.5 and o.holder(card) is None
        if o.s["deal"][card] != target or lies:
            return {"do": "deny"}
        return {"do": "tap", "card": o.codes[card]}

    def quartet(self) -> dict[str, Any] | None:
        o = self.oracle
        for letter in sorted({code[0] for code in o.codes}):
            cards = [code for code in o.codes if code[0] == letter]
            holders = {o.s["deal"][o.codes.index(code)] for code in cards}
            if len(holders) == 1 and holders != {LAID}:
                return {"do": "lay", "seat": holders.pop(), "cards": cards}
        return None

    def nonsense(self) -> dict[str, Any]:
        """Commands that no state of the real hands allows, so they are refused."""
        o, pick = self.oracle, self.chance.choice
        laid = [code for n, code in enumerate(o.codes) if o.holder(n) == LAID]
        seen = [code for n, code in enumerate(o.codes) if o.holder(n) is not None]
        card = pick([*laid, *seen, "Z9"])
        phase = o.s["phase"]
        mixed = pick([o.codes[1:5], o.codes[:3], [*o.codes[:3], "Z1"], [o.codes[0]] * 4])
        seat = o.s["caller"] if phase == "ask" else pick([0, 1, -1, 9])
        return pick(
            [
                {"do": "ask", "seat": seat, "card": card},
                {"do": "tap", "card": card} if phase != "answer" else {"do": "tap", "card": "Z9"},
                {"do": "lay", "seat": pick([0, 1, 9]), "cards": mixed},
                {"do": "begin", "seat": 9},
                {"do": "done"} if phase != "lay" else {"do": "deny"},
            ]
        )


def plain(answer: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(answer)
    if "refused" in content:
        del content["refused"]["rule"]
    return content


def play(seed: int, most: int) -> tuple[bool, int]:
    """One match. Returns (over?, lies found out)."""
    chance = random.Random(seed)
    letters, sizes = chance.choice(SHAPES)
    head = header(letters, sizes)
    codes = [card["code"] for card in head["deck"]["cards"]]
    oracle = Oracle(codes, sizes, chance.choice(DEALS[letters, tuple(sizes)]))
    match = open_match(head)
    assert isinstance(match, Quartett)
    start = list(match.cells.now)
    people = People(oracle, chance)
    lies = 0
    for t in range(most):
        command = {"t": t, **people.command()}
        before = (list(match.cells.now), match.awaits())
        seen = plain(write_answer(match.apply(command)))
        assert seen == oracle.answer(command), (seed, t, command)
        if "refused" in seen:
            assert (list(match.cells.now), match.awaits()) == before
        lies += sum(event["is"] == "false_denial" for event in seen.get("events", []))
        assert match.hand_sizes() == oracle.sizes()
        assert sum(match.hand_sizes()) + 4 * sum(match.quartets()) == len(codes)
        for seat in range(len(sizes)):
            known = [oracle.codes.index(code) for code in match.known_cards(seat)]
            assert all(oracle.s["deal"][card] == seat for card in known)
    result = json.loads(write_result(match.result()))["result"]
    assert result["counts"] == list(oracle.s["quartets"])
    over = match.over()
    if over:
        assert result["ranking"] == oracle.ranking()
    while oracle.past:
        oracle.answer({"do": "undo"})
        match.apply({"t": most, "do": "undo"})
    assert list(match.cells.now) == start
    return over, lies


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_any_match(seed: int) -> None:
    play(seed, 60)


def test_matches_end_and_lies_are_found_out() -> None:
    matches = [play(seed, 80) for seed in range(60)]
    assert any(over for over, _ in matches)
    assert sum(lies for _, lies in matches) > 0


@pytest.mark.long
def test_many_matches() -> None:
    for seed in range(10_000, 11_500):
        play(seed, 80)
