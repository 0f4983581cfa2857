"""The box's memory in the real MicroPython VM: idling takes none, no match leaves any behind."""

from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.bench.box_programs import place
from host_tools.bench.memory import heaps_after
from host_tools.play.box_setup import set_up

pytestmark = pytest.mark.vm
GAMES = 3  # Trumpf, Hattrick and Café in turn
MATCHES = 9
JITTER = 128  # bytes: a second more or less on the screen, half a message


def test_an_idle_turn_of_the_whole_box_takes_nothing_from_the_heap(tmp_path: Path) -> None:
    entry = place("idle", tmp_path / "tree")
    flash = tmp_path / "flash"
    told = flash / "idle.txt"
    with TwinSession("micropython", flash, sources=tmp_path / "tree", entry=entry) as box:
        box.boot()
        assert box.run_until(lambda: told.exists() and told.stat().st_size > 0, 60_000)
    assert told.read_text() == "1000 1"  # turns made, and the lock was seen to work


def test_matches_of_different_games_leave_nothing_on_the_heap(tmp_path: Path) -> None:
    entry = place("session", tmp_path / "tree")
    flash = tmp_path / "flash"
    flash.mkdir()
    set_up(flash, "de", "Test")
    with TwinSession("micropython", flash, sources=tmp_path / "tree", entry=entry) as box:
        box.boot()
        used = [heap.firmware for heap in heaps_after(box, flash, MATCHES)]
    # names that were never seen before stay; all are known after one round of the games
    assert max(used[-GAMES:]) - max(used[GAMES : 2 * GAMES]) <= JITTER
