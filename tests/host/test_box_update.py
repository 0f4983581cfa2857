"""`schiri box update`, the laptop's side: the bundle, the cable, the wait for the outcome."""

import hashlib
from pathlib import Path

import pytest

from bench.bad_line import BadLine, Plan
from bench.slot_box import (
    NEW,
    OLD,
    PulledPort,
    UpdatingBox,
    firmware,
    trusted_box,
    update,
    whole_firmware,
)
from firmware.app.slots import LIST, SLOTS, Slots
from firmware.boards.pico import STORAGE
from hardware.twin.radio import AccessPoint
from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import AIR, BOX_FOLDER, build
from host_tools.box.firmware.image import board_of, files_for
from host_tools.box.link import BoxLink, LinkLost
from host_tools.box.updating import Outcome, await_outcome, for_box, read_slot, send_slot
from host_tools.core.errors import UserError
from host_tools.sim.demo.usb import TwinPort
from tests.sampling import Sample


def bundle(folder: Path) -> Path:
    """A small built slot on the laptop's disk."""
    data = b"code of the box"
    (folder / "firmware").mkdir()
    (folder / "firmware/main.mpy").write_bytes(data)
    row = f"{hashlib.sha256(data).hexdigest()} {len(data)} firmware/main.mpy\n"
    (folder / LIST).write_text(row, encoding="ascii")
    return folder


def test_a_bundle_is_read_with_its_list_last(tmp_path: Path) -> None:
    parcels = read_slot(bundle(tmp_path))
    assert [parcel.path for parcel in parcels] == ["firmware/main.mpy", LIST]


@pytest.mark.parametrize("name", ["firmware/main.mpy", LIST])
def test_any_bit_flipped_in_an_update_bundle_is_one_sentence(
    tmp_path: Path, name: str, sampled: Sample
) -> None:
    path = bundle(tmp_path) / name
    sound = path.read_bytes()
    for bit in sampled(range(8 * len(sound) - 8)):  # the last newline of the list may be missing
        bent = bytearray(sound)
        bent[bit // 8] ^= 1 << bit % 8
        path.write_bytes(bent)
        with pytest.raises(UserError, match="make firmware"):
            read_slot(tmp_path)


@pytest.mark.parametrize("radio", [True, False])
def test_a_board_without_a_radio_gets_nothing_of_the_air(tmp_path: Path, radio: bool) -> None:
    """The twin says which it is; the list fits what is sent, and what is sent is all it loads."""
    built = build(tmp_path / "build")
    parcels = read_slot(built.folder / BOX_FOLDER)
    air = AccessPoint("Saal 1", "zwölf Tische", ("127.0.0.1", 1))
    with TwinSession("cpython", tmp_path / "flash", point=air if radio else None) as box:
        box.boot()
        sent = for_box(BoxLink(TwinPort(box), first_id=1), parcels)
    names = [parcel.path for parcel in sent[:-1]]
    assert set(AIR) <= {parcel.path for parcel in parcels}
    assert [parcel.path for parcel in parcels[:-1] if parcel.path not in names] == (
        [] if radio else sorted(AIR)
    )
    assert [row.split()[-1] for row in sent[-1].data.decode().splitlines()] == names
    board = board_of("RPI_PICO_W" if radio else "RPI_PICO")
    assert sorted(files_for(built, board)) == sorted(
        [f"{STORAGE}/{SLOTS[0]}/{name}" for name in (*names, LIST)] + ["/main.py", "/slots.mpy"]
    )


def test_a_folder_without_a_firmware_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no whole firmware"):
        read_slot(tmp_path)


def test_the_cable_pulled_at_every_transfer_of_an_update(sampled: Sample) -> None:
    """The old firmware stays, or the new one is whole; the second try always gets through."""
    transfers = 0
    while True:
        disk = trusted_box()
        port = PulledPort(UpdatingBox(disk), transfers)
        told = tried(port)
        if not port.pulled:
            break
        assert not told or "was unplugged; plug it in and start again" in told
        if not Slots(disk).state.trial:
            assert whole_firmware(disk, Slots(disk).choose()[0]) == "old"
            update(UpdatingBox(disk))
        assert whole_firmware(disk, Slots(disk).choose()[0]) == "new"
        transfers += sampled.step
    assert transfers > 30


def tried(port: PulledPort) -> str:
    """The sentence of an update that was cut off; "" if it came to its end (the very last answer
    may be missing)."""
    try:
        send_slot(BoxLink(port, first_id=1), firmware("new"), lambda size: None)
    except LinkLost as error:
        return str(error)
    return ""


@pytest.mark.parametrize("seed", range(5))
def test_an_update_over_a_line_that_spoils_bytes(seed: int) -> None:
    disk = trusted_box()
    for attempt in range(100):
        line = BadLine(UpdatingBox(disk).port(), Plan(), 1000 * seed + attempt)
        try:
            send_slot(BoxLink(line, first_id=attempt), firmware("new"), lambda size: None)
            break
        except LinkLost:
            continue
    assert whole_firmware(disk, NEW) == "new"
    assert Slots(disk).state.trial == NEW


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_the_outcome_is_awaited_while_the_box_is_away_and_on_trial() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    clock = Clock()
    after = UpdatingBox(disk, NEW)

    def open_again() -> BoxLink:
        if clock.now < 4:
            raise UserError("port_none", port="x")
        if clock.now > 9:
            after.step(6_000)
        return BoxLink(after.port(), first_id=1)

    assert await_outcome(open_again, NEW, clock) == Outcome(NEW, "0.1.0", True)


def test_a_box_that_went_back_is_told_as_such() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    Slots(disk).give_up()
    outcome = await_outcome(lambda: BoxLink(UpdatingBox(disk).port(), first_id=1), NEW, Clock())
    assert outcome == Outcome(OLD, "0.1.0", False)


def test_a_box_that_stays_away_is_one_sentence() -> None:
    def gone() -> BoxLink:
        raise UserError("port_none", port="x")

    with pytest.raises(UserError, match="unplug it and plug it in again"):
        await_outcome(gone, NEW, Clock())
