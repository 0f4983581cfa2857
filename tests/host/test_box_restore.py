"""Matches of a backup go back onto their box: whole, once, and whatever happens on the way."""

import base64
from typing import Any

import pytest

from host_tools.box.backup import Kept, make_backup, put_matches
from host_tools.box.link import BoxLink, BoxRefusal, LinkLost
from host_tools.core.errors import UserError
from tests.sampling import Sample
from tests.support.memory_box import play
from tests.support.power import images
from tests.support.slot_box import PulledPort, SlotDisk, UpdatingBox, trusted_box

PLAYED = 9


def played_box() -> UpdatingBox:
    """A box with a finished match and one that is still being played."""
    box = UpdatingBox(trusted_box())
    play(box.journal)
    play(box.journal, PLAYED)
    return box


def kept(box: UpdatingBox) -> dict[str, Any]:
    """Its backup, as it is read from the file again."""
    backup = make_backup(BoxLink(box.port(), first_id=1))
    matches = [
        Kept(entry["match"], entry["state"], base64.b64decode(entry["journal"]))
        for entry in backup["matches"]
    ]
    return {**backup, "matches": matches}


def put(box: UpdatingBox, backup: dict[str, Any]) -> int:
    return put_matches(BoxLink(box.port(), first_id=1), backup)


def test_a_wiped_box_has_its_matches_again_and_plays_on() -> None:
    old = played_box()
    wiped = UpdatingBox(trusted_box())
    assert put(wiped, kept(old)) == 2
    for number in (1, 2):
        assert wiped.journal.digest(number) == old.journal.digest(number)
    assert [entry.state for entry in wiped.journal.entries()] == ["end", "run"]
    assert wiped.journal.unfinished() == 2
    assert len(list(wiped.journal.resume(2))) == 1 + PLAYED


def test_what_is_there_already_stays() -> None:
    box = played_box()
    backup = kept(box)
    assert put(box, backup) == 2
    assert len(box.journal.entries()) == 2


def test_another_match_of_that_number_is_never_replaced() -> None:
    backup = kept(played_box())
    other = UpdatingBox(trusted_box())
    play(other.journal, 3)
    before = other.journal.digest(1)
    with pytest.raises(BoxRefusal, match="match_is_there"):
        put(other, backup)
    assert other.journal.digest(1) == before


def test_the_matches_of_another_box_are_refused_in_one_sentence() -> None:
    backup = {**kept(played_box()), "box": "another"}
    with pytest.raises(UserError, match="are those of box another"):
        put(UpdatingBox(trusted_box()), backup)


def test_no_match_is_brought_while_one_is_open() -> None:
    box = UpdatingBox(trusted_box())
    box.in_match = True
    with pytest.raises(BoxRefusal, match="in_match"):
        put(box, kept(played_box()))


def test_a_match_that_does_not_arrive_as_sent_is_not_kept() -> None:
    box = UpdatingBox(trusted_box())
    link = BoxLink(box.port(), first_id=1)
    data = base64.b64encode(b"not these bytes").decode("ascii")
    with pytest.raises(BoxRefusal, match="bad_match"):
        link.request(
            "restore", match=1, state="end", size=15, sha256="0" * 64, offset=0, data=data
        )
    assert box.journal.entries() == []
    assert "restore.tmp" not in box.flash.names()


def test_the_cable_pulled_at_every_transfer(sampled: Sample) -> None:
    backup = kept(played_box())
    pulled = 0
    while True:
        box = UpdatingBox(trusted_box())
        port = PulledPort(box, pulled)
        gave_up = is_cut_off(port, backup)
        assert all(entry.number in (1, 2) for entry in box.journal.entries())
        if not gave_up:
            break
        assert put(box, backup) == 2
        pulled += sampled.step
    assert pulled > 10


def is_cut_off(port: PulledPort, backup: dict[str, Any]) -> bool:
    try:
        put_matches(BoxLink(port, first_id=1), backup)
    except LinkLost:
        return True
    return False


def test_the_power_cut_at_every_operation(sampled: Sample) -> None:
    backup = kept(played_box())
    disk = trusted_box()
    start = bytearray(disk.chip.buffer)
    put(UpdatingBox(disk), backup)
    cuts = 0
    for _, image in sampled(images(start, disk.chip.operations)):
        after = UpdatingBox(SlotDisk(image))
        after.journal.unfinished()  # what the boot does
        assert put(after, backup) == 2
        assert [entry.state for entry in after.journal.entries()] == ["end", "run"]
        cuts += 1
    assert cuts * sampled.step > 20
