"""Random café matches: real hands, bag and chairs beside the referee, equal answers."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.answers import write_answer, write_result
from firmware.rules.cafe import Cafe
from firmware.rules.cafe_match import REASONS
from firmware.rules.games import open_match
from host_tools.boards import load_board
from tests.rules.oracle_cafe import ALL_TILES, NATIONS, Oracle


def random_header(chance: random.Random) -> dict[str, Any]:
    preset = chance.choice(["board", "app"])
    options: dict[str, Any] = {}
    if chance.random() < 0.3:
        options["mono_bonus"] = chance.choice(["any_size", "full_only"])
    if chance.random() < 0.3:
        options["bag_end"] = chance.choice([3, 4])
    if chance.random() < 0.5:
        options["bar_values"] = [chance.choice([-9, -3, -1, 0, 2]) for _ in range(20)]
    board = load_board("cafe" if preset == "board" else "cafe_app")
    if preset == "app":
        cards = chance.sample(NATIONS * 2, 12)  # the first table cards: a nation may come twice
        for table, nation in zip(board["tables"].values(), cards, strict=True):
            table["nation"] = nation
    return {
        "schiri": 1,
        "game": "cafe",
        "preset": preset,
        "seats": chance.randint(2, 4),
        "options": options,
        "board": {"tables": board["tables"]},
    }


class People:
    """Players at the table: mostly they play what their real hand allows, sometimes nonsense."""

    def __init__(self, oracle: Oracle, chance: random.Random, shy_of_bar: bool) -> None:
        self.oracle = oracle
        self.chance = chance
        self.shy_of_bar = shy_of_bar

    def command(self) -> dict[str, Any]:
        lot = self.chance.random()
        if lot < 0.04:
            return {"do": "undo", "why": "test"}
        if lot < 0.14:
            return self.nonsense()
        phase = self.oracle.s["phase"]
        return {
            "begin": lambda: {"do": "begin", "seat": self.chance.randrange(self.oracle.seats)},
            "place": self.turn,
            "table_card": self.table_card,
            "leftover": self.leftover,
            "nothing": lambda: {"do": "tick"},
        }[phase]()

    def turn(self) -> dict[str, Any]:
        o = self.oracle
        hand = list(o.s["hands"][o.s["turn"]])
        self.chance.shuffle(hand)
        legal = [(t, c) for t in hand for c in o.at if o.place_fault(t, c) is None]
        scoring = [(t, c) for t, c in legal if any(o.points(t, c).values())]
        jokers = [chair for chair, tile in o.s["sit"].items() if tile[:2] == "JK"]
        if o.s["placed"] and (not legal or self.chance.random() < 0.3):
            return {"do": "undo", "why": "stuck"} if o.s["lone"] else {"do": "done"}
        if jokers and not o.s["placed"] and self.chance.random() < 0.4:
            tile, chair = self.chance.choice(hand), self.chance.choice(jokers)
            return {"do": "swap", "tile": tile, "chair": chair}
        moves = scoring or legal
        if moves and self.chance.random() < (0.97 if self.shy_of_bar else 0.6):
            tile, chair = self.chance.choice(moves)
            return {"do": "place", "tile": tile, "chair": chair}
        if o.s["placed"]:
            return {"do": "done"}
        forced = self.chance.random() < 0.15
        return {"do": "bar", "tile": hand[0], **({"forced": True} if forced else {})}

    def table_card(self) -> dict[str, Any]:
        o = self.oracle
        left = [n for n in NATIONS if o.s["drawn"].count(n) < 2]
        nation = self.chance.choice(left) if left else None
        return {"do": "table_card", "table": o.s["queue"][0], "nation": nation}

    def leftover(self) -> dict[str, Any]:
        seat = self.oracle.s["turn"]
        return {"do": "leftover", "seat": seat, "tiles": list(self.oracle.s["hands"][seat])}

    def nonsense(self) -> dict[str, Any]:
        """Commands that are often refused; tiles are out, known elsewhere, own or no tiles."""
        o, pick = self.oracle, self.chance.choice
        seat = o.s["turn"] or 0
        tile = pick([*sorted(o.s["out"]), *sorted(o.s["known"]), *o.s["hands"][seat], "XX"])
        elsewhere = pick([t for hand in o.s["hands"] for t in hand] + ["XX", *sorted(o.s["out"])])
        chair = pick([*o.at, "C99"])
        return pick(
            [
                {"do": "place", "tile": tile, "chair": chair},
                {"do": "bar", "tile": tile},
                {"do": "swap", "tile": tile, "chair": pick([*o.s["sit"], "C99"])},
                {"do": "done"},
                {"do": "begin", "seat": pick([-1, 0, 4])},
                {"do": "table_card", "table": pick(o.tables), "nation": pick([None, "FR", "X"])},
                {"do": "leftover", "seat": pick([0, 1, 9]), "tiles": [tile, elsewhere]},
            ]
        )


def plain(answer: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(answer)
    if "refused" in content:
        del content["refused"]["rule"]
    return content


def check_tiles(oracle: Oracle, match: Cafe) -> None:
    """Conservation: a hundred tiles, each in one place, and both referees count them alike."""
    assert sorted(oracle.everywhere()) == sorted(ALL_TILES)
    assert match.hand_sizes() == [len(hand) for hand in oracle.s["hands"]]
    assert match.bag() == len(oracle.s["bag"])
    assert match.scores() == oracle.s["score"]
    seated = [tile for _, _, guests in match.tables() for tile in guests if tile]
    assert set(seated) == set(oracle.s["sit"].values())


def play(seed: int, most: int) -> str | None:
    """One match. Returns the reason of its end, or None if it is not over."""
    chance = random.Random(seed)
    header = random_header(chance)
    oracle = Oracle(header, chance)
    match = open_match(header)
    assert isinstance(match, Cafe)
    start = list(match.cells.now)
    people = People(oracle, chance, chance.random() < 0.7)
    for t in range(most):
        command = {"t": t, **people.command()}
        if command["do"] == "tick":
            break
        before = (list(match.cells.now), match.awaits())
        given_answer = plain(write_answer(match.apply(command)))
        assert given_answer == oracle.answer(command), (seed, t, command)
        if "refused" in given_answer:
            assert (list(match.cells.now), match.awaits()) == before
        check_tiles(oracle, match)
    result = json.loads(write_result(match.result()))["result"]
    assert result["scores"] == oracle.s["score"]
    if match.over():
        assert result["ranking"] == oracle.ranking()
    while oracle.past:
        oracle.answer({"do": "undo"})
        match.apply({"t": most, "do": "undo"})
    assert list(match.cells.now) == start
    return result.get("reason")


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_any_match(seed: int) -> None:
    play(seed, 260)


def test_every_end_is_reached() -> None:
    """CB-13 and CA-4: the random matches of these seeds see every reason."""
    seen = {play(seed, 400) for seed in (0, 1, 2, 9, 15, 26)}
    assert set(REASONS) <= seen


@pytest.mark.long
def test_many_matches() -> None:
    for seed in range(10_000, 10_700):
        play(seed, 400)
