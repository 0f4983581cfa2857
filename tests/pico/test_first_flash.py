"""A first flash without a program on the laptop: one UF2 file, dragged onto an emulated Pico. It
boots to the start menu; and again after an update over the link.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.app.slots import CodeFlash
from hardware.twin.session import EngineMaker, TwinSession
from host_tools.box.firmware.build import Build, build, rom_of
from host_tools.box.firmware.image import flash_of, interpreter_of, slot_of, uf2
from host_tools.box.link import BoxLink
from host_tools.box.updating import UpdateOutcome, await_outcome, send_slot
from host_tools.games.loading import write_sources
from host_tools.sim.demo.usb import TwinPort
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
    """New from the shop, then the file, then power."""
    sizes = board.sizes
    flash = bytearray(b"\xff" * sizes.flash)
    rom = BootRom(flash, rp2350=False)
    rom.copy(uf2(flash_of(built, sizes, interpreter_of(board.uf2, sizes)), sizes))
    assert rom.restarted
    board.slots = flash[sizes.slots_at : sizes.storage_at]
    board.image = flash[sizes.storage_at :]
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


def send_and_wait(box: TwinSession, newer: Build) -> UpdateOutcome:
    class Clock:
        """The time is the Pico's."""

        def monotonic(self) -> float:
            return box.now_ms / 1000

        def sleep(self, seconds: float) -> None:
            box.run_for(int(1000 * seconds))

    slot = send_slot(open_link(box), newer.rom, lambda _bytes: None)
    return await_outcome(lambda: open_link(box), slot, Clock())


def test_dragged_it_boots_to_the_start_menu_also_after_an_update(
    board: Any, box: TwinSession, newer: Build, tmp_path: Path
) -> None:
    """Most of the update is there, as if an earlier one had been given up: sent whole it takes a
    minute of the Pico's time, and an hour of ours. The box checks every byte of the slot.
    """
    menu = start_menu(tmp_path / "twin")
    assert open_link(box).hello()["firmware"] == "0.1.0"
    assert screen(box) == menu
    box.cut_power()
    second = slot_of(newer.rom, board.sizes)
    board.slots[board.sizes.slot_bytes :] = second
    box.boot()
    outcome = send_and_wait(box, newer)
    assert (outcome.slot, outcome.firmware, outcome.came_up) == ("fw-b", "0.1.1", True)
    assert screen(box) == menu


def test_an_update_that_cannot_be_imported_is_written_tried_and_given_up(
    board: Any, box: TwinSession, tmp_path: Path
) -> None:
    """Erased and programmed by the chip's own flash, beside the slot that runs."""
    (tmp_path / "bad/firmware").mkdir(parents=True)
    (tmp_path / "bad/firmware/__init__.py").write_text("", encoding="utf8")
    (tmp_path / "bad/firmware/main.py").write_text("1 / 0\n" * 200, encoding="utf8")
    rom = rom_of(tmp_path / "bad")
    open_link(box)
    box.run_for(6_000)
    first = bytes(board.slots[: board.sizes.slot_bytes])
    slot = send_slot(open_link(box), rom, lambda _bytes: None)
    box.run_for(BOOT_MS)
    state = open_link(box).request("update")
    assert (slot, state["running"], state["trusted"], state["failed"]) == (
        "fw-b",
        "fw-a",
        "fw-a",
        "fw-b",
    )
    box.cut_power()
    assert bytes(board.slots[: board.sizes.slot_bytes]) == first
    code = CodeFlash(None, memoryview(board.slots))
    assert code.holds("fw-b") == (len(rom), hashlib.sha256(rom).digest())
    assert bytes(board.slots[board.sizes.slot_bytes :]).startswith(rom)
