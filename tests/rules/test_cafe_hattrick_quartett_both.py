"""Generated matches of three games give the same bytes in both interpreters."""

import pytest

from host_tools.replay.engines import replay_in_vm
from tests.rules.test_second_referees import GAMES, play
from tests.rules.test_trumpf_both import replay_here


def compare(game: str, seeds: range) -> None:
    matches = [play(game, seed)[0] for seed in seeds]
    for seed, lines, told in zip(seeds, matches, replay_in_vm(matches), strict=True):
        assert told == replay_here(lines), f"seed {seed}"


@pytest.mark.vm
@pytest.mark.parametrize("game", GAMES)
def test_same_bytes(game: str) -> None:
    compare(game, range(12))


@pytest.mark.vm
@pytest.mark.long
@pytest.mark.parametrize("block", range(7))
@pytest.mark.parametrize("game", GAMES)
def test_same_bytes_for_long(game: str, block: int) -> None:
    compare(game, range(1000 + block * 100, 1100 + block * 100))
