"""Random matches through the referee and through an independent second one: every answer must be
the same.
"""

import json
import random
from typing import Any

import pytest

from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from tests.rules.oracle_trumpf import Oracle

PRESETS = ("gastro", "kneipe", "swiss")


def random_deck(chance: random.Random, size: int, jokers: int, preset: str) -> dict[str, Any]:
    count = chance.randint(1, 4)
    categories = [{"key": f"k{n}", "best": chance.choice(["high", "low"])} for n in range(count)]
    if preset == "kneipe" and chance.random() < 0.5:
        for category in categories:
            del category["best"]
    if jokers:
        chance.choice(categories)["joker"] = True
    cards: list[dict[str, Any]] = []
    for n in range(size - jokers):
        values = [None if chance.random() < 0.15 else chance.randint(0, 4) for _ in categories]
        cards.append({"code": f"{'ABCDEFGHIJ'[n // 4]}{n % 4 + 1}", "values": values})
    if chance.random() < 0.25:  # known from its deck card alone: the tags have the values
        for card in cards:
            card["values"] = [None] * count
    cards += [{"code": f"J{n + 1}", "joker": True} for n in range(jokers)]
    return {"id": "x", "categories": categories, "cards": cards}


def random_header(chance: random.Random) -> dict[str, Any]:
    preset = chance.choice(PRESETS)
    seats = 2 if preset == "swiss" else chance.choice([2, 2, 3, 4, 5])
    jokers = chance.choice([0, 0, 0, 1, 3])
    size = chance.randint(seats * 2, min(36, seats * 8)) + jokers
    header: dict[str, Any] = {
        "schiri": 1,
        "game": "trumpf",
        "preset": preset,
        "seats": seats,
        "deck": random_deck(chance, size, jokers, preset),
    }
    if preset != "swiss" and chance.random() < 0.4:
        header["options"] = {"tie_scope": chance.choice(["all", "tied"])}
    if chance.random() < (0.7 if seats == 2 else 0.4):
        header["clock_ms"] = chance.choice([1_000, 5_000, 20_000])
        header["stage"] = chance.choice(["group", "ko", "final"] if seats == 2 else ["group"])
        if chance.random() < 0.7:
            header["extension_ms"] = chance.choice([500, 4_000])
    if chance.random() < 0.4:
        header["turn_ms"] = chance.choice([100, 800, 5_000])
    spare = size % seats
    if spare and chance.random() < 0.3:
        header["aside"] = [chance.choice(header["deck"]["cards"])["code"]]
    return header


class Table:
    """People with real piles of cards: what they tap is mostly what a pile would give."""

    def __init__(self, header: dict[str, Any], chance: random.Random) -> None:
        self.chance = chance
        codes = [
            c["code"] for c in header["deck"]["cards"] if c["code"] not in header.get("aside", ())
        ]
        chance.shuffle(codes)
        per = len(header["deck"]["cards"]) // header["seats"]
        self.piles = [codes[s * per : (s + 1) * per] for s in range(header["seats"])]
        self.codes = [c["code"] for c in header["deck"]["cards"]] + ["Z9"]
        self.keys = [c["key"] for c in header["deck"]["categories"]]
        self.seats = header["seats"]
        self.swiss = header["preset"] == "swiss"

    def follow(self, oracle: Oracle) -> None:
        """Lay the piles as the referee knows them where it is certain; keep the rest."""
        known = {}
        for seat in range(self.seats):
            for batch in oracle.s["piles"][seat]:
                known.update(dict.fromkeys(batch["known"], seat))
        gone = {c for _, c in oracle.s["pot"]} | set(oracle.in_round())
        hidden = [c for c in self.codes[:-1] if c not in known and c not in gone]
        unseen = [c for c in hidden if c not in oracle.aside]
        piles: list[list[str]] = []
        for seat in range(self.seats):
            pile: list[str] = []
            for batch in oracle.s["piles"][seat]:
                mine = [c for c in self.piles[seat] if c in unseen][: batch["unseen"]]
                while len(mine) < batch["unseen"]:
                    elsewhere = {c for other in self.piles for c in other}
                    spare = [c for c in unseen if c not in mine]
                    free = [c for c in spare if c not in elsewhere]
                    mine.append(self.chance.choice(free or spare))
                for card in mine:
                    unseen.remove(card)
                pile += mine + sorted(batch["known"])
            piles.append(pile)
        self.piles = piles

    def command(self, oracle: Oracle) -> dict[str, Any]:
        chance, waiting = self.chance, oracle.awaits()
        roll = chance.random()
        if roll < 0.05:
            return {"do": "undo"}
        if roll < 0.09:
            return {"do": chance.choice(["tick", "pause", "resume", "resume"])}
        if roll < 0.12:
            do = chance.choice(
                ["penalty", "decide", "begin"] + ["forfeit", "exclude"] * (roll < 0.095)
            )
            return {"do": do, "seat": chance.randint(-1, self.seats)}
        if roll < 0.125:
            return {"do": "decide", "seat": None}
        if roll < 0.16:
            values = [chance.randint(0, 9) for _ in self.keys]
            return {"do": "tap", "card": chance.choice(self.codes), "values": values}
        if roll < 0.18:
            return {"do": "call", "category": chance.choice([*self.keys, "no", 0, 7, -1])}
        if waiting["for"] == "tap":
            pile = self.piles[waiting["seat"]]
            place = 0 if chance.random() < 0.85 or not pile else chance.randrange(len(pile))
            card = pile[place] if pile else self.codes[0]
            command: dict[str, Any] = {"do": "tap", "card": card}
            if chance.random() < 0.1:
                command["seat"] = chance.randint(0, self.seats)
            if chance.random() < 0.8:  # also where the deck has them, and other ones each time
                command["values"] = [chance.choice([None, 0, 1, 2, 3, 4]) for _ in self.keys]
            return command
        if waiting["for"] == "call":
            return {"do": "call", "category": chance.choice(self.keys)}
        if waiting["for"] == "begin":
            return {"do": "begin", "seat": chance.randrange(self.seats)}
        return {"do": "decide", "seat": chance.randrange(self.seats)}


def simple(answer: dict[str, Any]) -> dict[str, Any]:
    """The oracle gives a bare reason; the rule id is for people (TRANSCRIPT.md, *Answers*)."""
    if "refused" in answer:
        answer["refused"] = answer["refused"]["reason"]
    return answer


def play(seed: int, length: int = 120) -> None:
    chance = random.Random(seed)
    header = random_header(chance)
    match, oracle, table = open_match(header), Oracle(header), Table(header, chance)
    t = 0
    log = [header]
    for _ in range(length):
        if oracle.s["over"] and chance.random() < 0.5:
            break
        table.follow(oracle)
        t += chance.choice([0, 10, 100, 400, 400, 400, 3000])
        command = {"t": t, **table.command(oracle)}
        log.append(command)
        expected = oracle.apply(command)
        got = simple(json.loads(write_answer(match.apply(command))))
        assert got == expected, show(seed, log, got, expected)
        result = json.loads(write_result(match.result()))["result"]
        assert result == oracle.result(), show(seed, log, result, oracle.result())


def show(seed: int, log: list, got: object, expected: object) -> str:
    lines = "\n".join(json.dumps(line) for line in log)
    return f"seed {seed}\n{lines}\ngot      {got}\nexpected {expected}"


@pytest.mark.parametrize("block", range(8))
def test_both_referees_say_the_same(block: int) -> None:
    for seed in range(block * 60, block * 60 + 60):
        play(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_both_referees_say_the_same_for_long(block: int) -> None:
    for seed in range(10_000 + block * 500, 10_000 + block * 500 + 500):
        play(seed, 300)
