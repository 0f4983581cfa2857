"""The box's memory in the real MicroPython VM: idling takes none, no match leaves any behind."""

from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.sim.table.box_setup import set_up
from tests.support.box_programs import heaps_after, place

from .pictures import stock
from .test_on_the_twin import Table

pytestmark = pytest.mark.vm
GAMES = 3  # Trumpf, Hattrick and Café in turn
MATCHES = 15
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
    # Behind some matches up to 8 kB are held by numbers that look like addresses, and never by the
    # same ones (docs/decisions/memory.md): what stays for good is in the least of several, too.
    assert min(used[-2 * GAMES :]) - min(used[GAMES : 3 * GAMES]) <= JITTER


def test_a_full_heap_resets_the_box_and_the_match_goes_on(tmp_path: Path) -> None:
    entry = place("full", tmp_path / "tree")
    flash = tmp_path / "flash"
    flash.mkdir()
    stock(flash)
    journal = flash / "m000001.run"
    with TwinSession(
        "micropython", flash, sources=tmp_path / "tree", entry=entry, survive_resets=True
    ) as box:
        table = Table(box)
        box.boot()
        box.run_for(1_500)
        table.press("ok", 800)  # start: Swiss, the first deck
        table.press("ok")  # seat 1 begins
        table.card("A1")
        (flash / "fill").touch()
        box.run_until(lambda: not (flash / "fill").exists(), 1_000)
        before = journal.read_bytes()
        box.press("ok")  # the category: judged, written, drawn, with no memory left
        box.run_for(8_000)  # the fault is shown for 5 s
        assert len(box.resets) == 1
        assert "MemoryError" in (flash / "crash.txt").read_text()
        assert journal.read_bytes().startswith(before)
        table.press("ok")  # closes the news of the restart
        table.press("jury")
        table.press("ok")  # the clock goes on
        assert '"do":"resume"' in journal.read_text().splitlines()[-1]
