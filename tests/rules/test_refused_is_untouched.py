"""A refused command leaves everything in the match as it was, in all games (hypothesis): cells and
their history, deck, clock, and whatever a game may add one day.
"""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.games import open_match
from firmware.rules.errors import Malformed
from firmware.rules.match import Match
from host_tools.sim.game_checks import everything
from tests.rules.oracle_trumpf import Oracle
from tests.rules.test_second_referees import GAMES
from tests.rules.test_trumpf_oracle import Table, random_header


def sit_down(game: str, chance: random.Random) -> tuple[Match, Any, Any]:
    """The referee, the second one, and people who make every kind of slip."""
    if game == "trumpf":
        header = random_header(chance)
        return open_match(header), Oracle(header), Table(header, chance)
    make, people_of, referee_of, _ = GAMES[game]
    header = make(chance)
    return open_match(header), referee_of(header), people_of(header, chance)


def settle(match: Match, second: Any, t: int) -> None:
    """What time alone causes is not the command's doing: a tick at the same moment comes first."""
    for _ in range(2):
        command = {"t": t, "do": "tick"}
        match.apply(command)
        second.apply(command)


@pytest.mark.parametrize("game", ["trumpf", *GAMES])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_refused_command_changes_nothing_at_all(game: str, seed: int) -> None:
    chance = random.Random(seed)
    match, second, people = sit_down(game, chance)
    t = 0
    for _ in range(60):
        people.follow(second)
        t += chance.choice([0, 10, 400])
        settle(match, second, t)
        command = {"t": t, **people.command(second)}
        before = everything(match)
        if match.apply(command).refusal is not None:
            assert everything(match) == before, command
        second.apply(command)


NO_VALUES = st.one_of(
    st.none(),
    st.text(),
    st.lists(st.integers()).filter(lambda values: len(values) != 1),
    st.lists(st.floats() | st.text(alphabet="x,.- ") | st.booleans(), min_size=1, max_size=1),
)


@settings(max_examples=50, deadline=None)
@given(values=NO_VALUES)
def test_values_that_are_none_are_malformed_and_change_nothing(values: Any) -> None:
    """Only where they are read: a card whose values the header has may say what it likes."""
    cards = [{"code": "A1", "values": [None]}, {"code": "A2", "values": [7]}]
    deck = {"categories": [{"key": "v", "best": "high"}], "cards": cards}
    header = {"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 2, "deck": deck}
    match = open_match(header)
    match.apply({"t": 0, "do": "begin", "seat": 0})
    before = everything(match)
    command = {"t": 0, "do": "tap", "card": "A1", "values": values}
    with pytest.raises(Malformed) as caught:
        match.apply(command)
    assert caught.value.field.startswith("values")
    assert everything(match) == before
    assert match.apply({**command, "card": "A2"}).refusal is None
