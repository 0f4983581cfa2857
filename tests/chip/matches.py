"""Long matches as a box would have written them, made by the real rules and the real journal on
CPython in a moment; cut anywhere, they are what a power cut leaves.
"""

import json
import random
from pathlib import Path
from typing import Any

from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.app.opening import resolved
from firmware.games import open_match
from firmware.rules.answers import Pairs, write_answer, write_json, write_result
from hardware.twin.tags import NtagTwin
from host_tools.cards.decks import load_deck
from host_tools.games.cafe.boards import load_board
from tests.rules.second_cafe import SecondCafe
from tests.rules.second_hattrick import SecondHattrick
from tests.rules.second_players import CafePeople, HattrickPeople

Line = dict[str, Any]
BOX = "e6614c311b000000"  # the id of the twin with seed 0
LONGEST_NAME = "Maximilian-Alexander von Hohen"  # letters that fit on a badge
STEP_MS = 700


def names(seats: int) -> list[str]:
    return [f"{LONGEST_NAME} {seat}" for seat in range(1, seats + 1)]


SWISS: Line = {"schiri": 1, "game": "trumpf", "preset": "swiss", "seats": 2, "deck": "gastro"}
GASTRO: Line = {"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 8, "deck": "gastro"}
CAFE: Line = {"schiri": 1, "game": "cafe", "preset": "board", "seats": 4, "board": "cafe"}
HATTRICK: Line = {"schiri": 1, "game": "hattrick", "seats": 6}
HEADERS = {"swiss": SWISS, "gastro": GASTRO, "cafe": CAFE, "hattrick": HATTRICK}
MOST = {"swiss": 300, "gastro": 300, "cafe": 300, "hattrick": 200}
SEEDS = {"swiss": 1, "gastro": 15, "cafe": 4, "hattrick": 1}  # café: a match of 300 commands
_TOLD: dict[str, list[tuple[str, str]]] = {}
"""What was played once; every storage holds the same deck and board."""


def header_of(game: str) -> Line:
    header = HEADERS[game]
    return {**header, "names": names(header["seats"])}


def commands_of(game: str, storage: Path) -> list[tuple[str, str]]:
    """(command, answer) of one long match, and ("", result) at the end."""
    if game not in _TOLD:
        _TOLD[game] = _play(game, storage)
    return _TOLD[game]


def _play(game: str, storage: Path) -> list[tuple[str, str]]:
    chance = random.Random(SEEDS[game])
    header = header_of(game)
    match = open_match(resolved(str(storage), dict(header)))
    people = _People(game, header, chance)
    told: list[tuple[str, str]] = []
    while not match.over() and len(told) < MOST[game]:
        command = [("t", STEP_MS * len(told)), *people.next()]
        answer = match.apply(dict(command))
        people.hear(dict(command), answer)
        told.append((write_json(Pairs(command)), write_answer(answer)))
    return [*told, ("", write_result(match.result()))]


class _People:
    """Who sits at the table."""

    def __init__(self, game: str, header: Line, chance: random.Random) -> None:
        self.chance = chance
        self.seats = header["seats"]
        self.second: Any = None
        self.people: Any = None
        if game == "cafe":
            self.second = SecondCafe({**header, "board": {"tables": load_board("cafe")["tables"]}})
            self.people = CafePeople(header, chance)
        elif game == "hattrick":
            self.second = SecondHattrick(header)
            self.people = HattrickPeople(header, chance)
        else:
            codes = [card["code"] for card in load_deck("gastro")["cards"]]
            chance.shuffle(codes)
            self.piles = [codes[seat :: self.seats] for seat in range(self.seats)]
            self.awaits: Any = None

    def next(self) -> list[tuple[str, Any]]:
        if self.people is not None:
            self.people.follow(self.second)
            return list(self.people.command(self.second).items())
        if self.awaits is None:
            return [("do", "begin"), ("seat", 0)]
        if self.awaits.what == "tap":
            return [("do", "tap"), ("card", self.piles[self.awaits.seat].pop(0))]
        return [("do", self.awaits.what), ("category", self.chance.randrange(3))]

    def hear(self, command: Line, answer: Any) -> None:
        if self.second is not None:
            self.second.apply(command)
            return
        self.awaits = answer.awaits
        for event in answer.events:
            if event[0] == "round_won":
                self.piles[event[1]] += event[3]


def journal_in(folder: Path) -> Journal:
    return Journal(Flash(str(folder)), BOX, lambda n: bytes(n))


def lay_down(folder: Path, game: str, lines: int, whole: bool = False) -> int:
    """A match of `game` cut after so many commands, or played to its end; its number."""
    told = commands_of(game, folder)
    journal = journal_in(folder)
    number = journal.open_match(json.dumps(header_of(game)))
    for command, answer in told[: len(told) - 1 if whole else lines]:
        journal.append(command, answer)
    if whole:
        journal.close(told[-1][1])
    return number


def card(code: str, number: int = 1) -> NtagTwin:
    """An unsealed playing card of the deck gastro."""
    from card_tags import codec
    from card_tags.deck_card import deck_number
    from card_tags.kinds import CARD, Card

    values = next(c["values"] for c in load_deck("gastro")["cards"] if c["code"] == code)
    twin = NtagTwin.ntag213(uid=bytes((0x04, 1, 2, 3, 4, 5, number)))
    data = codec.encode(codec.unsealed(CARD, Card(deck_number("gastro"), code, False, values)))
    data += bytes(-len(data) % 4)
    for at in range(0, len(data), 4):
        twin.memory.set_page(4 + at // 4, data[at : at + 4])
    return twin
