"""The tables of the games say which command may come in which phase and where it leads, and
matches go these ways."""

import json
import random
from pathlib import Path

import pytest

from firmware.games import open_match
from firmware.games.cafe.rules import Cafe
from firmware.games.hattrick.rules import Hattrick
from firmware.games.quartett.rules import Quartett
from firmware.games.trumpf.rules import Trumpf
from firmware.rules.match import PHASE, Match
from host_tools.replay.engines import resolve
from tests.rules.oracle_trumpf import Oracle
from tests.rules.test_refusal_order import command_of
from tests.rules.test_second_referees import GAMES as SECOND
from tests.rules.test_trumpf_oracle import Table, random_header

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").rglob("*.ndjson"))
GAMES: tuple[type[Match], ...] = (Trumpf, Quartett, Cafe, Hattrick)
TABLES = {game.__name__.lower(): game for game in GAMES}
Arrow = tuple[int, str, int]
"""Phase, command, phase."""
SEEDS = {
    "trumpf": range(60),
    "quartett": range(15),
    "cafe": range(25),
    "hattrick": range(4),
}


def arrows(game: type[Match]) -> set[Arrow]:
    """Every way that a game's table allows."""
    return {
        (phase, do, target)
        for do, (_, _, _, _, leads) in game.TABLE.items()
        for phase, bits in enumerate(leads)
        for target in range(len(game.AWAITED))
        if bits >> target & 1
    }


def step(match: Match, command: dict[str, object]) -> Arrow | None:
    """The way that a command went; a tick before it, so that time does not count as its doing."""
    match.apply({"t": command["t"], "do": "tick"})
    phase = match.cells.now[PHASE]
    refused = match.apply(command).refusal is not None
    if refused or command["do"] not in match.TABLE:
        assert match.cells.now[PHASE] == phase or command["do"] == "undo"
        return None
    return (phase, str(command["do"]), match.cells.now[PHASE])


def in_transcripts(game: str) -> set[Arrow]:
    """The ways of the hand-worked matches."""
    gone: set[Arrow | None] = set()
    for path in TRANSCRIPTS:
        header, *lines = [json.loads(line) for line in path.open(encoding="utf-8")]
        if header["game"] == game:
            match = open_match(resolve(header))
            gone.update(step(match, command) for command in lines if "do" in command)
    return {way for way in gone if way is not None}


def at_random(game: str) -> set[Arrow]:
    """The ways of people who do everything that is possible, and much that is not."""
    gone: set[Arrow | None] = set()
    for seed in SEEDS[game]:
        chance = random.Random(seed)
        make = random_header if game == "trumpf" else SECOND[game][0]
        header = make(chance)
        match = open_match(header)
        second = Oracle(header) if game == "trumpf" else SECOND[game][2](header)
        people = (Table if game == "trumpf" else SECOND[game][1])(header, chance)
        t = 0
        for _ in range(200):
            people.follow(second)
            t += chance.choice([0, 10, 400])
            command = {"t": t, **people.command(second)}
            second.apply({"t": t, "do": "tick"})
            second.apply(command)
            gone.add(step(match, command))
            gone.update(awarded(match, t))
    return {way for way in gone if way is not None}


def awarded(match: Match, t: int) -> set[Arrow | None]:
    """Anywhere in a match it may be forfeited or decided; then it goes on as it was."""
    gone: set[Arrow | None] = set()
    for do in ("forfeit", "exclude", "decide"):
        way = step(match, {"t": t, "do": do, "seat": 0})
        gone.add(way)
        if way is not None:
            match.apply({"t": t, "do": "undo"})
    return gone


def rare(game: str) -> set[Arrow]:
    """Ways that matches at random hardly go.

    Trumpf: the second call after a missing value ties the last cards of a knock-out match. Café:
    the second guest of a turn empties the bag.
    """
    header: dict[str, object] = {"schiri": 1, "game": game, "seats": 2}
    if game == "trumpf":
        cards = [{"code": "A1", "values": [5, 9]}, {"code": "A2", "values": [None, 9]}]
        deck = {"categories": [{"key": "a"}, {"key": "b"}], "cards": cards}
        match = open_match({**header, "preset": "swiss", "stage": "ko", "deck": deck})
        lines = ["begin 0", "tap A1", "call a", "tap A2", "call b"]
    elif game == "cafe":
        match = open_match(resolve({**header, "preset": "board"}))
        assert isinstance(match, Cafe)
        match.cells.now[match.hands._first] = 3  # guests in the bag, as after many turns
        lines = ["begin 0", "place DEf1 C22", "place DEm1 C27"]
    else:
        return set()
    gone = {step(match, {"t": 0, **command_of(line)}) for line in lines}
    return {way for way in gone | awarded(match, 0) if way is not None}


@pytest.mark.parametrize("game", TABLES)
def test_matches_go_the_ways_of_the_table_and_all_of_them(game: str) -> None:
    assert in_transcripts(game) | at_random(game) | rare(game) == arrows(TABLES[game])


@pytest.mark.parametrize("game", TABLES)
def test_a_table_has_a_column_for_every_phase_but_the_last(game: str) -> None:
    table = TABLES[game]
    assert table.AWAITED.index("nothing") == len(table.AWAITED) - 1
    assert {len(row[4]) for row in table.TABLE.values()} == {len(table.AWAITED) - 1}
