"""What is proved elsewhere on CPython, in the VM and on a small heap, once more on real firmware
with flash times; and whole matches, power cuts and the desk's own programs.
"""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import serial

from hardware.twin.picture import below_bar
from hardware.twin.session import EngineMaker, TwinSession
from host_tools.sim.table.box_setup import set_up
from tests.app.test_slow_laptop import never_reads
from tests.chip import matches
from tests.chip import test_reader_on_chip as readers
from tests.chip.test_ends_on_chip import (
    SETTLED_MS,
    THINK_MS,
    TO_THE_END,
    plays_on_to_its_end,
    seated,
)
from tests.chip.test_resume_on_chip import comes_back, resumes
from tests.chip.test_unread_on_chip import commands
from tests.support.laid import MATCHES, Laid, lay_down
from tests.twin import slip_evening as evening
from tests.twin.test_clock_of_the_box import across_the_wrap

Boxes = Callable[..., TwinSession]
BOOT_MS = 6_000
RESUMED_MS = 6_000  # from power, 300 commands of any game
CUTS = 20
PARTS = (0, 0.5, 1)  # of an erase or a program that the cut leaves done
UNREAD_MS = 9_000  # longer than the watchdog's patience; its tests for quicker engines wait longer
ABSENT_MS = 9_500  # the known fault reset the box after 9.3 s
WRAP_MS = (5_000, 9_000)  # power so long before the wrap; a card lies for two records of the clock


# -- once more on real firmware


@pytest.mark.parametrize(
    ("game", "length"), [("swiss", 300), ("gastro", 41), ("cafe", 300), ("hattrick", 200)]
)
def test_a_long_match_resumes(chip: Boxes, storage: Path, game: str, length: int) -> None:
    matches.lay_down(storage, game, length)
    resumes(chip, storage, "", RESUMED_MS)


def test_a_reader_that_is_absent(chip: Boxes) -> None:
    readers.says_that_the_reader_is_absent(chip, ABSENT_MS)


def test_a_reader_that_is_silent_for_five_seconds(chip: Boxes, storage: Path) -> None:
    readers.test_a_reader_that_fails_for_five_seconds_comes_back(
        chip, storage, readers._silent, "swiss"
    )


def test_a_laptop_that_never_reads(maker: EngineMaker, tmp_path: Path) -> None:
    never_reads(maker, tmp_path, UNREAD_MS)


def test_ticks_that_wrap(maker: EngineMaker, tmp_path: Path) -> None:
    across_the_wrap(maker, tmp_path, *WRAP_MS)


# -- whole matches


@pytest.mark.parametrize("game", TO_THE_END)
def test_a_match_is_played_on_to_its_end(
    chip: Boxes, storage: Path, tmp_path: Path, game: str
) -> None:
    plays_on_to_its_end(chip, storage, tmp_path, TO_THE_END[game], RESUMED_MS)


# -- power cuts, each of them booted


class Cut(NamedTuple):
    """What the flash holds when the power goes, and how many commands of it somebody has seen."""

    image: bytearray
    seen: int


@pytest.fixture(scope="module")
def cuts(
    new_board: Callable[[], Any], rom: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[Cut]:
    """Taps of one match, cut in every operation of the flash: before it, in its middle, behind it.

    The taps are played once; what a cut leaves is kept from every operation of theirs.
    """
    folder = tmp_path_factory.mktemp("cuts")
    set_up(folder, "de", "Pico")
    laid = Laid("Swiss", MATCHES["swiss"].header, 2, 5)
    lay_down(folder, laid)
    board = new_board()
    found: list[Cut] = []
    with TwinSession(board.engine, folder, sources=rom) as box:
        stage = seated(box, laid, RESUMED_MS)
        known = len(commands(folder))
        before = below_bar(box.screen())

        def keep(start: int, old: bytes) -> None:
            changed = below_bar(box.screen()) != before
            image = box.engine.torn(start, old, PARTS[len(found) % len(PARTS)])  # type: ignore[attr-defined]
            found.append(Cut(image, known + changed))

        while len(found) < CUTS:
            act = stage.table.act()
            board.work.on_work = keep if act.do == "tap" else lambda start, old: None
            stage.perform(dataclasses.replace(act, think_ms=THINK_MS))
            known = len(commands(folder))
            before = below_bar(box.screen())
    return found


@pytest.mark.parametrize("half", [0, 1])
def test_power_cuts_take_no_verdict_back(
    board: Any, chip: Boxes, storage: Path, cuts: list[Cut], half: int
) -> None:
    """Each is booted, and the match comes back; the last of a half is played on."""
    assert len({cut.seen for cut in cuts}) > 2, "cuts before and after several verdicts"
    with chip() as box:
        for cut in cuts[half:CUTS:2]:
            board.image = cut.image
            box.boot()
            comes_back(box, RESUMED_MS)
            assert len(commands(storage)) >= cut.seen
            if cut is not cuts[half:CUTS:2][-1]:
                box.cut_power()
        count = len(commands(storage))
        for button in ("ok", "jury", "ok"):  # the news of the restart; the clock runs again
            box.press(button)
            box.run_for(SETTLED_MS)
        assert len(commands(storage)) > count
        assert box.resets == []


# -- the desk's own programs, on a serial port


def test_the_desk_fetches_a_match(
    board: Any, storage: Path, rom: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches.lay_down(storage, "hattrick", 0, whole=True)
    with TwinSession(board.engine, storage, sources=rom, survive_resets=True) as box:
        box.boot()
        assert box.run_until(lambda: not box.screen().dark, BOOT_MS)
        # its time-outs are people's seconds, of which this machine needs too many for a Pico's
        monkeypatch.setattr(serial, "serial_for_url", lambda *_, **__: evening.Cable(box))
        assert "match 1" in evening.must(
            "sync", "--port", "pico", "--db", str(tmp_path / "desk.db")
        )
        assert (storage / "m000001.ok").exists()
