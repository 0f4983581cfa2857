"""Two halls cut off from their league play on and join again: lost 0, doubled 0."""

import asyncio
from collections.abc import Callable

import pytest

from bench import two_halls


@pytest.mark.thorough
def test_a_hall_that_was_cut_off_has_lost_nothing(needs: Callable[[str], str]) -> None:
    needs("mosquitto")
    found = asyncio.run(two_halls.run(2.0, boxes=1, pause_s=0.02))
    assert found.played > 2
    assert found.missed > 0, "the cut was none"
    assert found.kept_back == 0
    assert found.lost == {"north": 0, "south": 0, "league": 0}
    assert found.doubled == 0
    assert found.is_right()


@pytest.mark.long
def test_a_receiver_that_asks_too_little_is_found_out(
    needs: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("mosquitto")
    monkeypatch.setattr(two_halls, "PATIENCE_S", 20.0)
    found = asyncio.run(two_halls.run(2.0, boxes=1, pause_s=0.02, fault="no-league"))
    assert found.lost["league"] > 0
    assert not found.is_right()
