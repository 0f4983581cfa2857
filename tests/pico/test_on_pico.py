"""What is proved elsewhere on CPython, in the VM and on a small heap, once more on real firmware
with flash times; and whole matches, power cuts and the desk's own programs.
"""

import os
import pty
import subprocess
import sys
import tty
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bench.emulated_pico import MATCHES, Laid, lay_down
from hardware.twin.oled import Picture
from hardware.twin.session import EngineMaker, TwinSession
from host_tools.cards.decks import load_deck
from host_tools.games import game_of
from host_tools.sim.demo.dry_run import dealt
from host_tools.sim.demo.stage import Stage
from host_tools.sim.pico.flash import files_in
from host_tools.sim.table.tags import TagTray
from tests.app.test_slow_laptop import test_a_laptop_that_never_reads_costs_no_match as never_reads
from tests.chip import matches
from tests.chip import test_reader_on_chip as readers
from tests.chip.test_resume_on_chip import comes_back, resumes
from tests.chip.test_sync_on_chip import fetched
from tests.chip.test_unread_on_chip import commands
from tests.processes import started
from tests.twin.test_clock_of_the_box import (
    test_time_runs_on_across_the_wrap_a_cut_and_a_pause as across_the_wrap,
)

Boxes = Callable[..., TwinSession]
BOOT_MS = 6_000
RESUMED_MS = 6_000  # from power, 300 commands of any game
SETTLED_MS = 500
CUTS = 20
PARTS = (0, 0.5, 1)  # of an erase or a program that the cut leaves done
OPERATIONS = 4  # of the flash that a tap makes, about: every one is cut in turn
# cut some ten commands before their end: a command takes a second of the Pico's time, 20 of ours
TO_THE_END = {
    "swiss": Laid("Swiss", MATCHES["swiss"].header, 1, 40),
    "cafe": Laid("Café", MATCHES["cafe"].header, 4, 100),
    "hattrick": Laid("Hattrick", {"game": "hattrick", "seats": 3}, 1, 350),
}


# -- once more on real firmware


@pytest.mark.parametrize(
    ("game", "length"), [("swiss", 300), ("gastro", 41), ("cafe", 300), ("hattrick", 200)]
)
def test_a_long_match_resumes(chip: Boxes, storage: Path, game: str, length: int) -> None:
    matches.lay_down(storage, game, length)
    resumes(chip, storage, "", RESUMED_MS)


def test_a_reader_that_is_absent(chip: Boxes) -> None:
    readers.test_a_reader_that_is_absent_at_power_on_leaves_a_box_that_says_so(chip)


def test_a_reader_that_is_silent_for_five_seconds(chip: Boxes, storage: Path) -> None:
    readers.test_a_reader_that_fails_for_five_seconds_comes_back(
        chip, storage, readers._silent, "swiss"
    )


def test_a_laptop_that_never_reads(maker: EngineMaker, tmp_path: Path) -> None:
    never_reads(maker, tmp_path)  # type: ignore[arg-type]


def test_ticks_that_wrap(maker: EngineMaker, tmp_path: Path) -> None:
    across_the_wrap(maker, tmp_path)  # type: ignore[arg-type]


# -- whole matches


def seated(box: TwinSession, laid: Laid) -> Stage:
    """Players at a box whose match was laid down; they know what was played so far."""
    header = {"schiri": 1, **laid.header}
    if "deck" in header:
        header["deck"] = load_deck(header["deck"])
    table = dealt(game_of(header).resolved(header), laid.seed, faultless=True)
    tray = TagTray()
    for one in game_of(table.header).tag_sets(table.header):
        tray.fill(list(one.items))
    box.boot()
    comes_back(box, RESUMED_MS)
    stage = Stage(box, tray, table)  # type: ignore[arg-type]
    assert len(stage.news()) >= laid.commands
    stage.press("ok", "jury", "ok")  # the news of the restart; the clock runs again
    return stage


@pytest.mark.parametrize("game", TO_THE_END)
def test_a_match_is_played_on_to_its_end(
    chip: Boxes, storage: Path, tmp_path: Path, game: str
) -> None:
    """The desk plays every answer again: all of them are those of the rules on CPython."""
    laid = TO_THE_END[game]
    lay_down(storage, laid)
    with chip() as box:
        stage = seated(box, laid)
        while not stage.table.match.over():
            act = stage.table.act()
            assert stage.perform(act) or act.do == "wait", f"the box says nothing to {act}"
        stage.sign_off()
        box.run_for(SETTLED_MS)
        assert [(one.number, one.state) for one in fetched(box, tmp_path)] == [(1, "verified")]
        assert box.resets == []


# -- power cuts, each of them booted


def test_twenty_power_cuts_take_no_verdict_back(board: Any, chip: Boxes, storage: Path) -> None:
    laid = Laid("Swiss", MATCHES["swiss"].header, 2, 5)
    lay_down(storage, laid)
    with chip() as box:
        stage = seated(box, laid)
        pictures: list[Picture] = []
        box.on_screen(pictures.append)
        for cut in range(CUTS):
            board.work.part = PARTS[cut % len(PARTS)]
            board.work.cut_at = board.work.operations + cut % OPERATIONS
            while box.on:
                known = len(commands(storage))
                pictures.clear()
                act = stage.table.act()
                stage.perform(act)
            tapped = act.do == "tap" and any(not picture.dark for picture in pictures)
            box.boot()
            comes_back(box, RESUMED_MS)
            assert len(commands(storage)) >= known + tapped
            stage.news()
            stage.press("ok", "jury", "ok")
        assert box.resets == []


# -- the desk's own programs, on a serial port


class Cable:
    """The box's USB as a serial port of this machine, for programs of their own."""

    def __init__(self, box: TwinSession) -> None:
        self._box = box
        self._ours, theirs = pty.openpty()
        os.set_blocking(self._ours, False)
        tty.setraw(theirs)
        self.port = os.ttyname(theirs)

    def run(self, command: Sequence[str], **options: Any) -> str:
        """Run a program to its end while the box works; what it prints. It must end well."""
        with started(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
        ) as program:
            while program.poll() is None:
                self._carry()
            assert program.stdout is not None
            told = program.stdout.read()
            assert program.returncode == 0, told
            return str(told)

    def _carry(self) -> None:
        with suppress(BlockingIOError):
            self._box.engine.laptop.raw += os.read(self._ours, 4096)  # type: ignore[attr-defined]
        self._box.run_for(5)
        data = self._box.usb_read()
        while data:
            try:
                data = data[os.write(self._ours, data) :]
            except BlockingIOError:
                break


def schiri(*words: str) -> list[str]:
    return [sys.executable, "-m", "schiri", *words]


def test_mpremote_copies_the_firmware_and_the_desk_fetches_a_match(
    board: Any, storage: Path, mpy: Path, tmp_path: Path
) -> None:
    matches.lay_down(storage, "hattrick", 0, whole=True)
    bare = tmp_path / "bare"
    bare.mkdir()
    with TwinSession(
        lambda service, folder, entry, sources: board.engine(service, folder, entry, bare),
        storage,
        survive_resets=True,
    ) as box:
        box.boot()
        box.run_for(SETTLED_MS)
        cable = Cable(box)
        cable.run(schiri("firmware", "flash", "--port", cable.port))
        box.run_for(BOOT_MS)
        slot = files_in(board.image, "/box/fw-a")
        assert slot["files.txt"] == (mpy / "files.txt").read_bytes()
        told = cable.run(schiri("sync", "--port", cable.port, "--db", str(tmp_path / "desk.db")))
        assert "match 1" in told
        assert (storage / "m000001.ok").exists()
