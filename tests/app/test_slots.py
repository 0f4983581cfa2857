"""Two slots: whatever is cut, pulled or bent during an update, the box boots a whole firmware."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from bench.power import LittleDisk, images
from bench.slot_box import (
    NEW,
    OLD,
    PulledPort,
    UpdatingBox,
    firmware,
    put,
    trusted_box,
    update,
    whole_firmware,
)
from firmware.app.slots import LIST, TRIAL_BOOTS, Slots, running_slot
from firmware.app.updating import Updating
from host_tools.box.link import BoxLink, LinkLost, RequestError
from host_tools.core.errors import UserError
from tests.sampling import Sample

from .fakes import FakeClock


def boots(disk: LittleDisk) -> str:
    """What the loader would start now: the firmware's name; it must be whole."""
    return whole_firmware(disk, Slots(disk).choose()[0])


def test_an_update_is_tried_and_trusted_after_five_seconds() -> None:
    disk = trusted_box()
    box = UpdatingBox(disk)
    assert update(box) == NEW
    box.step(400)
    assert box.resets > 0
    assert boots(disk) == "new"
    after = Updating(disk, NEW, lambda: None, lambda: None, FakeClock())
    after.step(1_000)
    after.step(5_999)
    assert Slots(disk).state.good == OLD
    after.step(6_000)
    assert Slots(disk).state == (NEW, "", 0, "")
    assert boots(disk) == "new"


def test_the_next_update_takes_the_other_slot() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    Slots(disk).confirm(NEW)
    assert update(UpdatingBox(disk, NEW), "third") == OLD
    assert boots(disk) == "third"


def test_a_firmware_that_never_proves_itself_is_given_up() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    assert [boots(disk) for _ in range(TRIAL_BOOTS + 2)] == ["new"] * TRIAL_BOOTS + ["old"] * 2
    assert Slots(disk).state.failed == NEW


def test_a_firmware_that_cannot_be_imported_is_given_up_at_once() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    slots = Slots(disk)
    assert slots.choose()[:2] == [NEW, OLD]
    slots.give_up()
    assert boots(disk) == "old"


def test_a_slot_without_its_list_is_never_booted() -> None:
    disk = trusted_box()
    put(disk, NEW, firmware("half")[:-1])
    assert Slots(disk).choose() == [OLD, ""]


def test_without_any_slot_the_loader_takes_what_is_frozen_or_on_the_root() -> None:
    disk = trusted_box()
    disk.remove(f"{OLD}/{LIST}")
    assert Slots(disk).choose() == [""]


def test_a_power_cut_at_every_operation_of_an_update_leaves_a_whole_firmware(
    sampled: Sample,
) -> None:
    """Before, inside and after every program and erase, up to the trust in the new one."""
    disk = trusted_box()
    start = bytearray(disk.chip.buffer)
    update(UpdatingBox(disk))
    sent = len(disk.chip.operations)
    Slots(disk).choose()
    Slots(disk).confirm(NEW)
    operations = disk.chip.operations
    cuts = 0
    for done, image in sampled(images(start, operations)):
        found = boots(LittleDisk(image))
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
        Slots(disk).choose()
    for _, image in sampled(images(start, disk.chip.operations)):
        cut = LittleDisk(image)
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
            disk = LittleDisk(states[plan.randrange(len(states))][1])
    assert tries > 1
    assert boots(disk) == "new"


def test_any_bit_flipped_on_the_flash_before_the_end_is_refused(sampled: Sample) -> None:
    """A file of the new slot goes bad between its writing and the check of the whole."""
    parcels = firmware("new", files=1)
    for path in [parcel.path for parcel in parcels]:
        for bit in sampled(range(0, 8 * 24, 5)):
            disk = trusted_box()
            put(disk, NEW, parcels)
            flip(disk, f"{NEW}/{path}", bit)
            link = BoxLink(UpdatingBox(disk).port(), first_id=1)
            with pytest.raises(RequestError) as caught:
                link.request("update_finish", sha256=parcels[-1].sha256)
            assert caught.value.reason in ("bad_update", "bad_request")
            assert boots(disk) == "old"


def flip(disk: LittleDisk, path: str, bit: int) -> None:
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
    Slots(disk).choose()
    image = bytes(disk.chip.buffer)
    for name in ("slot.0", "slot.1"):
        for bit in sampled(range(8 * disk.size(name))):
            bent = LittleDisk(bytearray(image))
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


@pytest.mark.parametrize(
    "name", ["../main.py", "settings.0", "firmware/../../x", "boot.py", "/main.py", ""]
)
def test_only_files_of_a_firmware_are_taken(name: str) -> None:
    link = BoxLink(UpdatingBox(trusted_box()).port(), first_id=1)
    with pytest.raises(RequestError, match="bad_update"):
        link.request("update_file", path=name, size=1, sha256="00")


def test_a_full_flash_is_a_sentence_and_the_old_firmware_stays() -> None:
    disk = trusted_box()
    file = disk.open("filler", "wb")
    file.write(bytes(disk.free_bytes() - 10 * 4096))
    file.close()
    with pytest.raises(UserError, match="the flash of the box is full"):
        update(UpdatingBox(disk))
    assert boots(disk) == "old"


def test_modules_that_left_the_firmware_leave_the_slot() -> None:
    disk = trusted_box()
    put(disk, NEW, firmware("older", files=8))
    update(UpdatingBox(disk))
    assert "part7.mpy" not in disk.listing(f"{NEW}/firmware/app")
    assert whole_firmware(disk, NEW) == "new"


def test_the_running_slot_is_read_off_the_path_of_a_module() -> None:
    assert running_slot("/box/fw-b/firmware/main.mpy") == NEW
    assert running_slot("/firmware/main.mpy") == ""


def test_why_a_slot_cannot_be_loaded_is_kept(tmp_path: Path) -> None:
    slot = tmp_path / "fw-a" / "firmware"
    slot.mkdir(parents=True)
    (slot / "__init__.py").write_text("")
    (slot / "main.py").write_text("turns = NOT_THERE\n")
    (slot.parent / LIST).write_text("")
    # a process of its own: the loader forgets every module of ours
    loads = f"slots._load_slot({str(tmp_path)!r}, 'fw-a')"
    program = f"from firmware.app import slots\nassert {loads} is None\n"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
    kept = (tmp_path / "crash.txt").read_text()
    assert kept == "fw-a: NameError: name 'NOT_THERE' is not defined"
