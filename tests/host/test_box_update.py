"""`schiri box update`, the laptop's side: the bundle, the cable, the wait for the outcome."""

from pathlib import Path

import pytest

from host_tools.box.firmware.build import read_rom
from host_tools.box.link import BoxLink, LinkLost
from host_tools.box.updating import UpdateOutcome, await_outcome, send_slot
from host_tools.core.errors import UserError
from tests.sampling import Sample
from tests.support.bad_line import BadLine, LineFaultRates
from tests.support.slot_box import (
    NEW,
    OLD,
    PulledPort,
    UpdatingBox,
    firmware,
    slots_of,
    trusted_box,
    update,
    whole_firmware,
)


def test_a_file_that_is_no_firmware_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "box.romfs"
    with pytest.raises(UserError, match="is not there; make a firmware"):
        read_rom(path)
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(UserError, match="is no firmware"):
        read_rom(path)


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
        if not slots_of(disk).state.trial:
            assert whole_firmware(disk, slots_of(disk).choose()[0]) == "old"
            update(UpdatingBox(disk))
        assert whole_firmware(disk, slots_of(disk).choose()[0]) == "new"
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
        line = BadLine(UpdatingBox(disk).port(), LineFaultRates(), 1000 * seed + attempt)
        try:
            send_slot(BoxLink(line, first_id=attempt), firmware("new"), lambda size: None)
            break
        except LinkLost:
            continue
    assert whole_firmware(disk, NEW) == "new"
    assert slots_of(disk).state.trial == NEW


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

    assert await_outcome(open_again, NEW, clock) == UpdateOutcome(NEW, "0.1.0", True)


def test_a_box_that_went_back_is_told_as_such() -> None:
    disk = trusted_box()
    update(UpdatingBox(disk))
    slots_of(disk).give_up()
    outcome = await_outcome(lambda: BoxLink(UpdatingBox(disk).port(), first_id=1), NEW, Clock())
    assert outcome == UpdateOutcome(OLD, "0.1.0", False)


def test_a_box_that_stays_away_is_one_sentence() -> None:
    def gone() -> BoxLink:
        raise UserError("port_none", port="x")

    with pytest.raises(UserError, match="unplug it and plug it in again"):
        await_outcome(gone, NEW, Clock())
