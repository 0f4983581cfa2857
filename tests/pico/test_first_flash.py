"""A first flash without a program on the laptop: MicroPython's UF2 file and ours, dragged onto an
emulated Pico. It boots to the start menu; and again after an update over the link.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import BOX_FOLDER, Build, build
from host_tools.box.firmware.image import BOARDS, file_system, uf2
from host_tools.box.link import BoxLink
from host_tools.box.updating import await_outcome, read_slot, send_slot
from host_tools.games.loading import write_sources
from host_tools.sim.demo.usb import TwinPort
from host_tools.sim.pico.engine import EmulatedBoard
from tests.test_release import BootRom

PICO = BOARDS["RPI_PICO"]
BOOT_MS = 8_000
SCREEN = ("title", "rows", "chosen")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The next version."""
    sources = write_sources(tmp_path_factory.mktemp("newer") / "sources")
    main = sources / "firmware/main.py"
    text = main.read_text(encoding="utf8")
    assert text.count('FIRMWARE = "0.1.0"') == 1
    main.write_text(text.replace('FIRMWARE = "0.1.0"', 'FIRMWARE = "0.1.1"'), encoding="utf8")
    return build(sources.parent / "build", sources)


@pytest.fixture(scope="module")
def pico(
    stock: Path, built: Build, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TwinSession]:
    """New from the shop, then both files, one after the other; then power."""
    flash = bytearray(b"\xff" * PICO.flash)
    for file in (stock.read_bytes(), uf2(file_system(built, PICO), PICO)):
        rom = BootRom(flash, rp2350=False)
        rom.copy(file)
        assert rom.restarted
    board = EmulatedBoard("pico", stock)
    board.image = flash[-PICO.storage :]
    folder = tmp_path_factory.mktemp("pico")
    with TwinSession(board.engine, folder, survive_resets=True) as box:
        box.boot()
        yield box


def start_menu(folder: Path) -> dict[str, object]:
    """What a new box shows: the twin's answer."""
    with TwinSession("cpython", folder) as box:
        box.boot()
        return screen(open_link(box))


def screen(link: BoxLink) -> dict[str, object]:
    shown = link.request("screen", text=True)
    return {name: shown[name] for name in SCREEN}


def open_link(box: TwinSession) -> BoxLink:
    assert box.run_until(lambda: not box.screen().dark, BOOT_MS)
    return BoxLink(TwinPort(box), first_id=1)


def test_dragged_it_boots_to_the_start_menu(pico: TwinSession, tmp_path: Path) -> None:
    link = open_link(pico)
    assert link.hello()["firmware"] == "0.1.0"
    assert screen(link) == start_menu(tmp_path)


def test_so_it_does_after_an_update(pico: TwinSession, newer: Build, tmp_path: Path) -> None:
    class Clock:
        """The time is the Pico's."""

        def monotonic(self) -> float:
            return pico.box.clock.now_us / 1_000_000

        def sleep(self, seconds: float) -> None:
            pico.run_for(int(1000 * seconds))

    slot = send_slot(open_link(pico), read_slot(newer.folder / BOX_FOLDER), lambda _bytes: None)
    outcome = await_outcome(lambda: open_link(pico), slot, Clock())
    assert (outcome.slot, outcome.firmware, outcome.came_up) == ("fw-b", "0.1.1", True)
    assert screen(open_link(pico)) == start_menu(tmp_path)
