"""An update in the real MicroPython: the loader boots a slot in place, a laptop brings the other one over
the USB line, and whatever happens the box comes up again.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.app.slots import DEV
from firmware.boards.pico import SLOTS_BYTES
from hardware.twin.errors import PowerCut
from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import BOX_FOLDER, ROM, Build, build, rom_of
from host_tools.box.firmware.sources import ROOT
from host_tools.box.link import BoxLink
from host_tools.box.updating import send_slot
from host_tools.core.errors import UserError
from host_tools.sim.demo.usb import TwinPort

BROKEN = "raise ValueError('this firmware is broken')\n"
CRASHING = """
import machine

def turns():
    yield
    machine.reset()
"""
READY_MS = 4_000
DECIDED_MS = 12_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build(tmp_path_factory.mktemp("out"))


@pytest.fixture
def box(needs: Callable[[str], str], built: Build, tmp_path: Path) -> Iterator[TwinSession]:
    """A box that runs the build from its first slot."""
    needs("micropython")
    session = TwinSession(
        "chip", tmp_path / "flash", sources=built.folder / ROM, survive_resets=True
    )
    with session:
        session.boot()
        assert session.run_until(lambda: not session.screen().dark, READY_MS)
        session.run_for(6_000)
        yield session


def state(box: TwinSession) -> dict[str, object]:
    return BoxLink(TwinPort(box), first_id=1).request("update")


def with_module(built: Build, folder: Path, path: str, text: str) -> bytes:
    """The firmware with another module in the place of one of its own, or one module more."""
    shutil.copytree(built.folder / BOX_FOLDER, folder)
    (folder / path).with_suffix(".mpy").unlink(missing_ok=True)
    (folder / path).write_text(text, encoding="utf8")
    return rom_of(folder)


def send(box: TwinSession, rom: bytes) -> None:
    send_slot(BoxLink(TwinPort(box), first_id=7), rom, lambda size: None)


def test_the_loader_boots_a_slot_and_trusts_it(box: TwinSession) -> None:
    told = state(box)
    assert (told["running"], told["trusted"], told["slot"]) == ("fw-a", "fw-a", "fw-b")


def test_a_good_update_comes_up_and_is_trusted(
    box: TwinSession, built: Build, tmp_path: Path
) -> None:
    rom = with_module(built, tmp_path / "new", "firmware/newer.py", "X = 1\n")
    before = box.box.code.path.read_bytes()[: SLOTS_BYTES // 2]
    send(box, rom)
    assert box.run_until(lambda: box.boots == 2 and not box.screen().dark, READY_MS)
    assert state(box)["trial"] == "fw-b"
    box.run_for(6_000)
    told = state(box)
    assert (told["running"], told["trusted"]) == ("fw-b", "fw-b")
    flash = box.box.code.path.read_bytes()
    assert flash[: SLOTS_BYTES // 2] == before, "the slot that ran is as it was"
    slot = flash[SLOTS_BYTES // 2 :]
    assert hashlib.sha256(slot[: len(rom)]).digest() == hashlib.sha256(rom).digest()


@pytest.mark.parametrize("main", [BROKEN, CRASHING])
def test_a_bad_update_is_given_up_by_the_box_itself(
    box: TwinSession, built: Build, tmp_path: Path, main: str
) -> None:
    send(box, with_module(built, tmp_path / "bad", "firmware/main.py", main))
    box.run_for(DECIDED_MS)
    told = state(box)
    assert (told["running"], told["trusted"], told["failed"]) == ("fw-a", "fw-a", "fw-b")
    if main == BROKEN:
        kept = (tmp_path / "flash" / "crash.txt").read_text(encoding="utf8")
        assert kept == "fw-b: ValueError: this firmware is broken"


@pytest.mark.parametrize("at", [0, 1, 200, pytest.param(700, marks=pytest.mark.long)])
def test_power_cuts_during_an_update_never_leave_a_dead_box(
    box: TwinSession, built: Build, tmp_path: Path, at: int
) -> None:
    """The plug is pulled at an operation of the flash; the box boots, and the update begins anew.

    Every single operation is cut in tests/app/test_slots.py.
    """
    rom = with_module(built, tmp_path / "new", "firmware/newer.py", "X = 1\n")
    code = box.box.code

    def cut() -> None:
        if code.operations == at:
            raise PowerCut

    code.operations = 0
    code.before = cut
    with pytest.raises((PowerCut, UserError)):
        send(box, rom)
    code.before = None
    box.reboot()
    assert box.run_until(lambda: not box.screen().dark, READY_MS)
    box.run_for(200)
    assert state(box)["running"] == "fw-a"
    send(box, rom)
    box.run_for(DECIDED_MS)
    assert state(box)["running"] == "fw-b"


def test_a_file_of_a_developer_is_taken_before_that_of_the_slot(
    box: TwinSession, tmp_path: Path
) -> None:
    """One module as source in the storage; all others run from the flash."""
    source = ROOT / "firmware/main.py"
    text = source.read_text(encoding="utf8")
    assert text.count('FIRMWARE = "0.1.0"') == 1
    shadow = tmp_path / f"flash{DEV}/firmware/main.py"
    shadow.parent.mkdir(parents=True)
    shadow.write_text(text.replace('FIRMWARE = "0.1.0"', 'FIRMWARE = "mine"'), encoding="utf8")
    box.reboot()
    assert box.run_until(lambda: not box.screen().dark, READY_MS)
    assert BoxLink(TwinPort(box), first_id=1).hello()["firmware"] == "mine"
    assert state(box)["running"] == "fw-a"
