"""An update on the real MicroPython VM: the loader boots a slot from the twin's flash, a laptop
brings the other one over the USB line, and whatever happens the box comes up again.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.app.slots import LIST
from firmware.boards.pico import STORAGE
from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import BOX_FOLDER, Build, build, find_mpy_cross
from host_tools.box.firmware.sources import ROOT
from host_tools.box.link import BoxLink
from host_tools.box.updating import Parcel, read_slot, send_slot
from host_tools.sim.demo.usb import TwinPort

pytestmark = pytest.mark.vm

# Stands for main.py on the flash root: the VM starts a function.
BEGIN = f"""
import machine
from firmware.slots import best_turns as loop

def turns():
    return loop("{STORAGE}", machine)
"""
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
def box(built: Build, tmp_path: Path) -> Iterator[TwinSession]:
    """A box that runs the build from its first slot."""
    loader = tmp_path / "loader"
    for package in ("firmware", "card_tags"):
        (loader / package).mkdir(parents=True)
        (loader / package / "__init__.py").write_text("", encoding="utf8")
    shutil.copy(ROOT / "firmware/app/slots.py", loader / "firmware/slots.py")
    (loader / "firmware/begin.py").write_text(BEGIN, encoding="utf8")
    slot = tmp_path / "flash/fw-a"
    for file in built.slot:
        (slot / file.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built.folder / BOX_FOLDER / file.path, slot / file.path)
    session = TwinSession(
        "micropython",
        tmp_path / "flash",
        entry="firmware.begin:turns",
        sources=loader,
        survive_resets=True,
    )
    with session:
        session.boot()
        assert session.run_until(lambda: not session.screen().dark, READY_MS)
        session.run_for(6_000)
        yield session


def state(box: TwinSession) -> dict[str, object]:
    return BoxLink(TwinPort(box), first_id=1).request("update")


def other_firmware(built: Build, folder: Path, main: str | None) -> list[Parcel]:
    """The build with another version, or with another main module."""
    shutil.copytree(built.folder / BOX_FOLDER, folder)
    if main is None:
        return read_slot(folder)
    source = folder / "main_of_slot.py"
    source.write_text(main, encoding="utf8")
    target = folder / "firmware/main.mpy"
    subprocess.run([find_mpy_cross(), "-o", str(target), str(source)], check=True)
    parcels = [
        Parcel(line.split(" ")[2], (folder / line.split(" ")[2]).read_bytes())
        for line in (folder / LIST).read_text(encoding="ascii").splitlines()
    ]
    rows = [f"{p.sha256} {len(p.data)} {p.path}\n" for p in parcels]
    return [*parcels, Parcel(LIST, "".join(rows).encode())]


def send(box: TwinSession, parcels: list[Parcel]) -> None:
    send_slot(BoxLink(TwinPort(box), first_id=7), parcels, lambda size: None)


def test_the_loader_boots_a_slot_and_trusts_it(box: TwinSession) -> None:
    told = state(box)
    assert (told["running"], told["trusted"], told["slot"]) == ("fw-a", "fw-a", "fw-b")


MISSING = 8
"""So many files an update that was broken off has still to bring; tests/app/test_slots.py and
tests/host/test_box_update.py bring whole ones on CPython.
"""


@pytest.mark.parametrize("missing", [MISSING, pytest.param(10_000, marks=pytest.mark.long)])
def test_a_good_update_comes_up_and_is_trusted(
    box: TwinSession, built: Build, tmp_path: Path, missing: int
) -> None:
    parcels = other_firmware(built, tmp_path / "new", None)
    for parcel in parcels[: max(0, len(parcels) - missing)]:
        there = tmp_path / "flash/fw-b" / parcel.path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(parcel.data)
    send(box, parcels)
    assert box.run_until(lambda: box.boots == 2 and not box.screen().dark, READY_MS)
    assert state(box)["trial"] == "fw-b"
    box.run_for(6_000)
    told = state(box)
    assert (told["running"], told["trusted"]) == ("fw-b", "fw-b")


@pytest.mark.long
@pytest.mark.parametrize("main", [BROKEN, CRASHING])
def test_a_bad_update_is_given_up_by_the_box_itself(
    box: TwinSession, built: Build, tmp_path: Path, main: str
) -> None:
    send(box, other_firmware(built, tmp_path / "bad", main))
    box.run_for(DECIDED_MS)
    told = state(box)
    assert (told["running"], told["trusted"], told["failed"]) == ("fw-a", "fw-a", "fw-b")


@pytest.mark.long
def test_power_cuts_during_an_update_never_leave_a_dead_box(
    box: TwinSession, built: Build, tmp_path: Path
) -> None:
    """The plug is pulled at some of the writes; every time the box boots and the update goes on.

    Every single operation of the flash is cut in tests/app/test_slots.py.
    """
    parcels = other_firmware(built, tmp_path / "new", None)
    for part in (1, 40, 90, len(parcels) - 1):
        link = BoxLink(TwinPort(box), first_id=part)
        for parcel in parcels[:part]:
            link.request(
                "update_file", path=parcel.path, size=len(parcel.data), sha256=parcel.sha256
            )
        box.reboot()
        assert box.run_until(lambda: not box.screen().dark, READY_MS)
        box.run_for(200)
        assert state(box)["running"] == "fw-a"
    send(box, parcels)
    box.run_for(DECIDED_MS)
    assert state(box)["running"] == "fw-b"
