"""An update in the real MicroPython: the loader boots a slot in place, a laptop brings the other
one over the USB line, and whatever happens the box comes up again.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.app.flash import Flash
from firmware.app.own_key import OwnKey
from firmware.boards.pico import SLOTS_BYTES
from hardware.twin.errors import PowerCut
from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import ROM, Build, build, rom_of
from host_tools.box.firmware.sources import ROOT
from host_tools.box.link import BoxLink
from host_tools.box.updating import send_slot
from host_tools.cards.public_keys import SigningKey
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


def small(folder: Path, main: str) -> bytes:
    """A firmware of one module."""
    (folder / "firmware").mkdir(parents=True)
    (folder / "firmware/__init__.py").write_text("", encoding="utf8")
    (folder / "firmware/main.py").write_text(main, encoding="utf8")
    return rom_of(folder)


def send(box: TwinSession, rom: bytes, signed: dict[str, str] | None = None) -> None:
    link = BoxLink(TwinPort(box), first_id=7)
    send_slot(link, rom, lambda size: None, lambda state: signed or {})


def test_the_loader_boots_a_slot_and_trusts_it(box: TwinSession) -> None:
    told = state(box)
    assert (told["running"], told["trusted"], told["slot"]) == ("fw-a", "fw-a", "fw-b")


def test_a_good_update_comes_up_and_is_trusted(box: TwinSession, built: Build) -> None:
    """Its bytes are there from an earlier try; tests/app/test_slots.py brings them."""
    flash = bytearray(box.box.code.path.read_bytes())
    first, second = flash[: SLOTS_BYTES // 2], slice(SLOTS_BYTES // 2, SLOTS_BYTES)
    flash[second] = first
    box.box.code.path.write_bytes(flash)
    send(box, built.rom)
    assert box.run_until(lambda: box.boots == 2 and not box.screen().dark, READY_MS)
    assert state(box)["trial"] == "fw-b"
    box.run_for(6_000)
    told = state(box)
    assert (told["running"], told["trusted"]) == ("fw-b", "fw-b")
    assert box.box.code.path.read_bytes() == flash, "nothing was written"


@pytest.mark.parametrize("main", [BROKEN, CRASHING])
def test_a_bad_update_is_given_up_by_the_box_itself(
    box: TwinSession, tmp_path: Path, main: str
) -> None:
    rom = small(tmp_path / "bad", main)
    before = box.box.code.path.read_bytes()[: SLOTS_BYTES // 2]
    send(box, rom)
    box.run_for(DECIDED_MS)
    told = state(box)
    assert (told["running"], told["trusted"], told["failed"]) == ("fw-a", "fw-a", "fw-b")
    flash = box.box.code.path.read_bytes()
    assert flash[: SLOTS_BYTES // 2] == before, "the slot that ran is as it was"
    assert flash[SLOTS_BYTES // 2 :].startswith(rom)
    if main == BROKEN:
        kept = (tmp_path / "flash" / "crash.txt").read_text(encoding="utf8")
        assert kept == "fw-b: ValueError: this firmware is broken"


def enrol(box: TwinSession, folder: Path) -> SigningKey:
    """A desk has enrolled it; returns the desk's key. It restarts."""
    desk = SigningKey(bytes(31) + b"\x07")
    OwnKey(Flash(str(folder))).enrol(desk.public)
    box.reboot()
    assert box.run_until(lambda: not box.screen().dark, READY_MS)
    box.run_for(6_000)
    return desk


def test_an_enrolled_box_refuses_what_its_desk_has_not_signed(
    box: TwinSession, tmp_path: Path
) -> None:
    """On the way through MicroPython, from the cable to the screen and back to the menu."""
    desk = enrol(box, tmp_path / "flash")
    assert state(box)["signers"] == [desk.id]
    rom = small(tmp_path / "bad", BROKEN)
    text = f"pico-1 0.1.0 - {hashlib.sha256(rom).hexdigest()}"
    right = {"firmware": text, "sig": desk.sign("firmware", text.encode()).hex()}
    wrong = {**right, "sig": desk.sign("journal", text.encode()).hex()}
    flash = box.box.code.path.read_bytes()
    menu = box.screen().text()
    for fields, reason in (({}, "no_signature"), (wrong, "bad_signature")):
        with pytest.raises(UserError) as caught:
            send(box, rom, fields)
        assert caught.value.sentence.key == f"update_{reason}"
        box.run_for(200)
        assert box.screen().text() != menu, "the screen says why"
        box.press("ok")
        box.run_for(200)
        assert box.screen().text() == menu
    assert box.box.code.path.read_bytes() == flash
    assert (state(box)["running"], box.resets) == ("fw-a", [])
    send(box, rom, right)
    box.run_for(DECIDED_MS)
    assert state(box)["failed"] == "fw-b", "tried, and it is a broken one"


OPERATIONS = 5
"""Of an update by BROKEN: the record's sector erased, the first one erased and programmed, and the
record's erased and programmed.
"""


@pytest.mark.parametrize(
    "at", [4, *(pytest.param(at, marks=pytest.mark.long) for at in (0, 1, 2, 3))]
)
def test_power_cuts_during_an_update_never_leave_a_dead_box(
    box: TwinSession, tmp_path: Path, at: int
) -> None:
    """The plug is pulled at an operation of the flash; the box boots, and all begins anew."""
    rom = small(tmp_path / "bad", BROKEN)
    code = box.box.code

    cuts = []

    def cut() -> None:
        if code.operations == at:
            cuts.append(at)
            raise PowerCut

    code.operations = 0
    code.before = cut
    with suppress(PowerCut, UserError):  # behind the last piece a silent line is the restart
        send(box, rom)
    assert cuts == [at]
    code.before = None
    box.reboot()
    assert box.run_until(lambda: not box.screen().dark, READY_MS)
    box.run_for(200)
    assert state(box)["running"] == "fw-a"
    assert not state(box)["failed"], "what was not whole was not tried"
    code.operations = 0
    send(box, rom)
    assert code.operations == OPERATIONS
    box.run_for(DECIDED_MS)
    assert state(box)["failed"] == "fw-b"


def test_a_file_of_a_developer_is_taken_before_that_of_the_slot(
    box: TwinSession, tmp_path: Path
) -> None:
    """One module as source in the storage; all others run from the flash."""
    source = ROOT / "firmware/main.py"
    text = source.read_text(encoding="utf8")
    assert text.count('FIRMWARE = "0.1.0"') == 1
    shadow = tmp_path / "flash/dev/firmware/main.py"
    shadow.parent.mkdir(parents=True)
    shadow.write_text(text.replace('FIRMWARE = "0.1.0"', 'FIRMWARE = "mine"'), encoding="utf8")
    box.reboot()
    assert box.run_until(lambda: not box.screen().dark, READY_MS)
    assert BoxLink(TwinPort(box), first_id=1).hello()["firmware"] == "mine"
    assert state(box)["running"] == "fw-a"
