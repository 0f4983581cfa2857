"""Two slots: whatever is cut, pulled or bent during an update, the box boots a whole firmware."""

import base64
import hashlib
import random

import pytest

from firmware.app.slots import SECTOR, TRIAL_BOOTS, running_slot
from firmware.app.updating import Updating
from host_tools.box.link import BoxLink, BoxRefusal, LinkLost
from host_tools.core.errors import UserError
from tests.sampling import Sample
from tests.support.power import BLOCK, Operation, images
from tests.support.slot_box import (
    FILES,
    FIRMWARE_BYTES,
    NEW,
    OLD,
    SLOT,
    PulledPort,
    SlotDisk,
    UpdatingBox,
    firmware,
    put,
    slots_of,
    trusted_box,
    update,
    whole_firmware,
)

from .fakes import FakeClock


def boots(disk: SlotDisk) -> str:
    """What the loader would start now: the firmware's name; it must be whole."""
    return whole_firmware(disk, slots_of(disk).choose()[0])


def test_an_update_is_tried_and_trusted_after_five_seconds() -> None:
    disk = trusted_box()
    box = UpdatingBox(disk)
    assert update(box) == NEW
    box.step(400)
    assert box.resets > 0
    assert boots(disk) == "new"
    after = Updating(disk, disk.code, NEW, lambda: None, lambda: None, FakeClock())
    after.step(1_000)
    after.step(5_999)
    assert slots_of(disk).state.good == OLD
    after.step(6_000)
    assert slots_of(disk).state == (NEW, "", 0, "")
    assert boots(disk) == "new"


def test_the_next_update_takes_the_other_slot() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    slots_of(disk).confirm(NEW)
    assert update(UpdatingBox(disk, NEW), "third") == OLD
    assert boots(disk) == "third"


def test_a_firmware_that_never_proves_itself_is_given_up() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    assert [boots(disk) for _ in range(TRIAL_BOOTS + 2)] == ["new"] * TRIAL_BOOTS + ["old"] * 2
    assert slots_of(disk).state.failed == NEW


def test_a_firmware_that_cannot_be_imported_is_given_up_at_once() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    slots = slots_of(disk)
    assert slots.choose()[:2] == [NEW, OLD]
    slots.give_up()
    assert boots(disk) == "old"


def record_at(disk: SlotDisk, slot: str) -> int:
    """Where the record of a slot lies on the chip."""
    return FILES * BLOCK + disk.code.start(slot) + SLOT - SECTOR


def test_a_slot_without_its_record_is_never_booted() -> None:
    disk = trusted_box()
    put(disk, NEW, firmware("half"))
    for at in (0, 5, 43):  # any byte of it
        image = bytearray(disk.chip.buffer)
        image[record_at(disk, NEW) + at] ^= 4
        assert slots_of(SlotDisk(image)).choose() == [OLD, ""]


def test_a_slot_on_trial_that_goes_bad_before_its_boot_is_given_up() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    disk.chip.buffer[record_at(disk, NEW)] ^= 1
    assert slots_of(disk).choose() == [OLD, ""]
    assert slots_of(disk).state.failed == NEW


def test_without_any_slot_the_loader_takes_what_is_on_the_path() -> None:
    disk = trusted_box()
    disk.chip.buffer[record_at(disk, OLD)] = 0xFF
    assert slots_of(disk).choose() == [""]


def test_a_power_cut_at_every_operation_of_an_update_leaves_a_whole_firmware(
    sampled: Sample,
) -> None:
    """Before, inside and after every program and erase, up to the trust in the new one."""
    disk = trusted_box()
    start = bytearray(disk.chip.buffer)
    update(UpdatingBox(disk))
    sent = len(disk.chip.operations)
    slots_of(disk).choose()
    slots_of(disk).confirm(NEW)
    operations = disk.chip.operations
    cuts = 0
    for done, image in sampled(images(start, operations)):
        found = boots(SlotDisk(image))
        assert found in ("old", "new")
        assert found == "old" or done >= sent - 4, "on trial only once everything is written"
        cuts += 1
    assert len(operations) > 50
    assert cuts == sampled.count(2 * len(operations) + 1)


def test_a_power_cut_at_every_operation_of_a_fallback_leaves_a_whole_firmware(
    sampled: Sample,
) -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    start = bytearray(disk.chip.buffer)
    disk.chip.operations.clear()
    for _ in range(TRIAL_BOOTS + 1):
        slots_of(disk).choose()
    for _, image in sampled(images(start, disk.chip.operations)):
        cut = SlotDisk(image)
        assert [boots(cut) for _ in range(TRIAL_BOOTS + 2)][-1] == "old"


@pytest.mark.parametrize("seed", range(12))
def test_pulled_cables_and_power_cuts_together_only_delay_an_update(seed: int) -> None:
    """Each try ends at a random transfer, then the power goes at a random operation of it."""
    plan = random.Random(seed)
    disk = trusted_box()
    tries = 0
    while boots(disk) == "old":
        tries += 1
        start = bytearray(disk.chip.buffer)
        disk.chip.operations.clear()
        box = UpdatingBox(disk)
        port = PulledPort(box, plan.randrange(5, 9 + 9 * tries))
        try:
            update(box, port=port)
        except LinkLost:
            states = list(images(start, disk.chip.operations))
            disk = SlotDisk(states[plan.randrange(len(states))][1])
    assert tries > 1
    assert boots(disk) == "new"


def begun(disk: SlotDisk, rom: bytes) -> BoxLink:
    """An update whose every byte has come."""
    link = BoxLink(UpdatingBox(disk).port(), first_id=1)
    link.request("update_begin", size=len(rom), sha256=sha256(rom))
    for offset in range(0, len(rom), 512):
        data = base64.b64encode(rom[offset : offset + 512]).decode()
        link.request("update_data", offset=offset, data=data)
    return link


def sha256(rom: bytes) -> str:
    return hashlib.sha256(rom).hexdigest()


def test_any_bit_flipped_on_the_flash_before_the_end_is_refused(sampled: Sample) -> None:
    """A page of the new slot goes bad between its writing and the check of the whole."""
    rom = firmware("new")
    for bit in sampled(range(0, 8 * FIRMWARE_BYTES, 997)):
        disk = trusted_box()
        link = begun(disk, rom)
        disk.chip.buffer[FILES * BLOCK + disk.code.start(NEW) + bit // 8] ^= 1 << bit % 8
        with pytest.raises(BoxRefusal) as caught:
            link.request("update_finish", sha256=sha256(rom))
        assert caught.value.reason == "bad_update"
        assert boots(disk) == "old"
        assert disk.code.holds(NEW) is None


def test_a_flash_that_does_not_keep_what_is_written_is_told_at_once() -> None:
    disk = trusted_box()
    real = disk.chip.do

    def worn(operation: Operation) -> None:
        real(operation)
        if operation.data and operation.block >= FILES:
            disk.chip.buffer[operation.block * BLOCK + operation.offset] &= 0x0F

    disk.chip.do = worn  # type: ignore[method-assign]
    with pytest.raises(UserError, match="did not keep what was written"):
        update(UpdatingBox(disk))
    assert boots(disk) == "old"


def test_a_pulled_cable_costs_what_was_under_way_and_no_more() -> None:
    """The box keeps its power: the second try begins where the first one was."""
    disk = trusted_box()
    box = UpdatingBox(disk)
    with pytest.raises(LinkLost):
        update(box, port=PulledPort(box, 30))
    written = len(disk.chip.operations)
    assert written > 10
    assert update(box) == NEW
    again = [o for o in disk.chip.operations[written:] if o.data and o.block >= FILES]
    first = [o for o in disk.chip.operations[:written] if o.data and o.block >= FILES]
    assert not {(o.block, o.offset) for o in again} & {(o.block, o.offset) for o in first}
    assert whole_firmware(disk, NEW) == "new"


def test_the_same_firmware_again_writes_nothing_into_the_slot() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    slots_of(disk).give_up()
    disk.chip.operations.clear()
    update(UpdatingBox(disk))
    assert not [o for o in disk.chip.operations if o.block >= FILES]
    assert slots_of(disk).state.trial == NEW


def flip(disk: SlotDisk, path: str, bit: int) -> None:
    file = disk.open(path, "rb")
    data = bytearray(file.read())
    file.close()
    data[bit // 8 % len(data)] ^= 1 << bit % 8
    file = disk.open(path, "wb")
    file.write(bytes(data))
    file.close()


def test_any_bit_flipped_in_the_memory_of_trials_boots_a_whole_firmware(sampled: Sample) -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    slots_of(disk).choose()
    image = bytes(disk.chip.buffer)
    for name in ("slot.0", "slot.1"):
        for bit in sampled(range(8 * disk.size(name))):
            bent = SlotDisk(bytearray(image))
            flip(bent, name, bit)
            assert boots(bent) in ("old", "new")


def test_no_update_during_a_match_nor_on_trial() -> None:
    disk = trusted_box()
    box = UpdatingBox(disk)
    box.in_match = True
    with pytest.raises(UserError, match="a match is open"):
        update(box)
    update(UpdatingBox(disk))
    with pytest.raises(UserError, match="wait ten seconds"):
        update(UpdatingBox(disk, NEW), "third")
    assert boots(disk) == "new"


@pytest.mark.parametrize("size", [0, -1, SLOT - SECTOR + 1])
def test_a_firmware_that_has_no_room_is_refused_and_nothing_is_written(size: int) -> None:
    disk = trusted_box()
    link = BoxLink(UpdatingBox(disk).port(), first_id=1)
    with pytest.raises(BoxRefusal, match="bad_update"):
        link.request("update_begin", size=size, sha256="00")
    assert not disk.chip.operations


@pytest.mark.parametrize(
    "data",
    [
        {"offset": 512, "data": base64.b64encode(bytes(512)).decode()},  # a piece is missing
        {"offset": 0, "data": base64.b64encode(bytes(FIRMWARE_BYTES + 1)[:600]).decode()},
        {"offset": 0, "data": "A"},
        {"offset": 0},
    ],
)
def test_pieces_that_do_not_fit_leave_the_old_firmware(data: dict[str, object]) -> None:
    disk = trusted_box()
    rom = bytes(550)
    link = BoxLink(UpdatingBox(disk).port(), first_id=1)
    link.request("update_begin", size=len(rom), sha256=sha256(rom))
    with pytest.raises(BoxRefusal):
        link.request("update_data", **data)
    with pytest.raises(BoxRefusal, match="bad_update"):
        link.request("update_finish", sha256=sha256(rom))
    assert boots(disk) == "old"


def test_no_piece_is_taken_before_an_update_has_begun() -> None:
    link = BoxLink(UpdatingBox(trusted_box()).port(), first_id=1)
    with pytest.raises(BoxRefusal, match="bad_update"):
        link.request("update_data", offset=0, data="AAAA")


def test_a_micropython_without_slots_is_one_sentence() -> None:
    disk = trusted_box()
    box = UpdatingBox(disk, "")
    box.updating = Updating(disk, None, "", lambda: None, lambda: None, box)
    box.updating.serve(box.link, box.journal, lambda: False)
    with pytest.raises(UserError, match="a MicroPython that is not Schiri's"):
        update(box)


def test_the_running_slot_is_read_off_the_path_of_a_module() -> None:
    assert running_slot("/fw-b/firmware/main.mpy") == NEW
    assert running_slot("/firmware/main.mpy") == ""
