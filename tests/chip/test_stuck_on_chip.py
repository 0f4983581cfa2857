"""A match that a chip cannot open any more: three tries, then a question, no endless loop."""

import re
from pathlib import Path

import pytest

from hardware.twin.node import ROOT
from hardware.twin.session import TwinSession

from . import matches
from .conftest import PROGRAMS, Boxes, WithProgram

TRIES_MS = 60_000
ASKED_MS = 15_000  # a try, its fault on the screen and the reset take less than half of that
SETTLED_MS = 1_000
BOOT_MS = 6_000


@pytest.fixture
def broken(with_program: WithProgram) -> Path:
    """A build that cannot read a journal: MemoryError at every boot."""
    return with_program(PROGRAMS / "no_memory.py")


def test_after_three_resets_the_box_asks_and_stays(broken: Path, storage: Path) -> None:
    matches.lay_down(storage, "cafe", 66)
    before = (storage / "m000001.run").read_bytes()
    entry = "firmware.no_memory:turns"
    with TwinSession("chip", storage, sources=broken, entry=entry, survive_resets=True) as box:
        box.boot()
        assert box.run_until(lambda: len(box.resets) == 3, TRIES_MS)
        box.run_for(ASKED_MS)
        assert len(box.resets) == 3
        assert not box.screen().dark
        for button in ("ok", "down", "ok"):  # the news; from "once more" to "keep"
            box.press(button)
            box.run_for(SETTLED_MS)
        assert (storage / "m000001.aside").read_bytes() == before
        kept = (storage / "crash.txt").read_text()
        source = (ROOT / "firmware/app/journal.py").read_text(encoding="utf8").splitlines()
        place = r'File "firmware/app/journal.py", line (\d+), in \w+\n[^\n]*_next_line'
        called = re.search(place, kept)
        assert called is not None, "files and functions of the sources"
        assert "_next_line(" in source[int(called[1]) - 1], "and their lines"
        assert "_next_line\nMemoryError" in kept
        box.reboot()
        box.run_for(ASKED_MS)
        assert len(box.resets) == 3
        assert not (storage / "m000001.run").exists()


def test_a_match_that_resumes_leaves_no_count_behind(chip: Boxes, storage: Path) -> None:
    matches.lay_down(storage, "hattrick", 7)
    with chip() as box:
        for _ in range(5):  # more boots than failed tries would be forgiven
            box.boot()
            box.run_for(BOOT_MS)
            box.press("jury")
            box.run_for(SETTLED_MS)
            box.cut_power()
        assert box.resets == []
    journal = matches.journal_in(storage)
    assert journal.running() == 1
    assert journal.tries(1) == 0
