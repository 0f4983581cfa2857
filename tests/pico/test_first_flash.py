"""A first flash without a program on the laptop: MicroPython's UF2 file and ours, dragged onto an
emulated Pico. It boots to the start menu; and again after an update over the link.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.app.slots import LIST, SLOTS
from firmware.boards.pico import STORAGE
from hardware.twin.session import EngineMaker, TwinSession
from host_tools.box.firmware.build import BOX_FOLDER, Build, build
from host_tools.box.firmware.image import file_system, uf2
from host_tools.box.link import BoxLink
from host_tools.box.updating import Outcome, await_outcome, read_slot, send_slot
from host_tools.games.loading import write_sources
from host_tools.sim.demo.usb import TwinPort
from host_tools.sim.pico.flash import put_files
from tests.test_release import BootRom

BOOT_MS = 8_000
SCREEN = ("title", "rows", "chosen")


@pytest.fixture
def newer(tmp_path: Path) -> Build:
    """The next version."""
    sources = write_sources(tmp_path / "sources")
    main = sources / "firmware/main.py"
    text = main.read_text(encoding="utf8")
    assert text.count('FIRMWARE = "0.1.0"') == 1
    main.write_text(text.replace('FIRMWARE = "0.1.0"', 'FIRMWARE = "0.1.1"'), encoding="utf8")
    return build(tmp_path / "build", sources)


@pytest.fixture
def box(board: Any, maker: EngineMaker, built: Build, tmp_path: Path) -> Iterator[TwinSession]:
    """New from the shop, then both files, one after the other; then power."""
    flash = bytearray(b"\xff" * board.sizes.flash)
    ours = uf2(file_system(built, board.sizes), board.sizes)
    for file in (board.uf2.read_bytes(), ours):
        rom = BootRom(flash, rp2350=False)
        rom.copy(file)
        assert rom.restarted
    board.image = flash[-board.sizes.storage :]
    with TwinSession(maker, tmp_path / "box", survive_resets=True) as session:
        session.boot()
        yield session


def open_link(box: TwinSession) -> BoxLink:
    assert box.run_until(lambda: not box.screen().dark, BOOT_MS)
    return BoxLink(TwinPort(box), first_id=1)


def screen(box: TwinSession) -> dict[str, object]:
    shown = open_link(box).request("screen", text=True)
    return {name: shown[name] for name in SCREEN}


def start_menu(folder: Path) -> dict[str, object]:
    """What a new box shows: the twin's answer."""
    with TwinSession("cpython", folder) as box:
        box.boot()
        return screen(box)


def send_and_wait(box: TwinSession, newer: Build) -> Outcome:
    class Clock:
        """The time is the Pico's."""

        def monotonic(self) -> float:
            return box.now_ms / 1000

        def sleep(self, seconds: float) -> None:
            box.run_for(int(1000 * seconds))

    slot = send_slot(open_link(box), read_slot(newer.folder / BOX_FOLDER), lambda _bytes: None)
    return await_outcome(lambda: open_link(box), slot, Clock())


def test_dragged_it_boots_to_the_start_menu_also_after_an_update(
    board: Any, box: TwinSession, newer: Build, tmp_path: Path
) -> None:
    """The update goes on where a cable was pulled near its end: sent whole it takes a minute of
    the Pico's time, and an hour of ours. The box checks every file of the slot.
    """
    menu = start_menu(tmp_path / "twin")
    assert open_link(box).hello()["firmware"] == "0.1.0"
    assert screen(box) == menu
    box.cut_power()
    there = {
        f"{STORAGE}/{SLOTS[1]}/{file.path}": (newer.folder / BOX_FOLDER / file.path).read_bytes()
        for file in newer.slot
        if file.path not in ("firmware/main.mpy", LIST)
    }
    put_files(board.image, there)
    box.boot()
    outcome = send_and_wait(box, newer)
    assert (outcome.slot, outcome.firmware, outcome.came_up) == ("fw-b", "0.1.1", True)
    assert screen(box) == menu
