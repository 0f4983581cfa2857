"""A box that knows a key takes an update only with its signature: refused before anything is
erased, and whatever is cut, the box boots a whole firmware that somebody answers for.
"""

import hashlib
import random
from collections.abc import Callable
from typing import Any

import pytest

from card_tags.p256 import finished
from firmware.app import signing, update_check
from firmware.app.own_key import OwnKey
from firmware.app.updating import Updating
from host_tools.box.link import BoxLink, BoxRefusal
from host_tools.box.updating import send_slot
from host_tools.cards.public_keys import ORDER, SigningKey
from host_tools.core.errors import UserError
from tests.sampling import Sample
from tests.support.power import images
from tests.support.slot_box import (
    BOARD,
    FILES,
    NEW,
    OLD,
    VERSION,
    SlotDisk,
    UpdatingBox,
    firmware,
    slots_of,
    trusted_box,
    update,
    whole_firmware,
)

DESK = SigningKey(bytes(31) + b"\x07")
OTHER = SigningKey(bytes(31) + b"\x08")
RELEASE = SigningKey(bytes(31) + b"\x09")
MATCHES_ONLY = "journal"  # a purpose that the desk's key never signs a firmware for
Signed = dict[str, str]


def boots(disk: SlotDisk) -> str:
    return whole_firmware(disk, slots_of(disk).choose()[0])


def digest_of(tag: str) -> str:
    return hashlib.sha256(firmware(tag)).hexdigest()


def signed(
    key: SigningKey = DESK,
    tag: str = "new",
    version: str = VERSION,
    replaces: str = "-",
    board: str = BOARD,
    purpose: str = "firmware",
) -> Signed:
    text = f"{board} {version} {replaces} {digest_of(tag)}"
    return {"firmware": text, "sig": key.sign(purpose, text.encode()).hex()}


def enrolled(disk: SlotDisk, desk: SigningKey = DESK) -> SlotDisk:
    own = OwnKey(disk)
    finished(own.making(random.Random(1).randbytes))
    own.enrol(desk.public)
    disk.chip.operations.clear()
    return disk


@pytest.fixture
def disk() -> SlotDisk:
    return enrolled(trusted_box())


def test_what_its_desk_has_signed_is_taken(disk: SlotDisk) -> None:
    box = UpdatingBox(disk)
    assert update(box, signed=signed()) == NEW
    assert boots(disk) == "new"


def test_a_box_without_a_key_takes_any_firmware_and_says_so() -> None:
    disk = trusted_box()
    box = UpdatingBox(disk)
    assert BoxLink(box.port(), first_id=1).request("update")["signers"] == []
    update(box)
    assert boots(disk) == "new"


def test_a_box_tells_whose_signature_it_wants_and_what_it_runs(disk: SlotDisk) -> None:
    told = BoxLink(UpdatingBox(disk).port(), first_id=1).request("update")
    assert told["signers"] == [DESK.id]
    assert (told["board"], told["version"]) == (BOARD, VERSION)
    assert told["build"] == digest_of("old")[:16]


def high_s(fields: Signed) -> Signed:
    s = ORDER - int(fields["sig"][64:], 16)
    return {**fields, "sig": fields["sig"][:64] + f"{s:064x}"}


REFUSED: dict[str, tuple[Callable[[], Signed], str]] = {
    "unsigned": (dict, "no_signature"),
    "empty signature": (lambda: {**signed(), "sig": ""}, "no_signature"),
    "another key": (lambda: signed(OTHER), "bad_signature"),
    "of another firmware": (lambda: signed(tag="third"), "bad_signature"),
    "for another purpose": (lambda: signed(purpose=MATCHES_ONLY), "bad_signature"),
    "another version than signed": (
        lambda: {**signed(), "firmware": signed(version="0.6.0")["firmware"]},
        "bad_signature",
    ),
    "the firmware put in afterwards": (
        lambda: {**signed(tag="third"), "firmware": signed()["firmware"]},
        "bad_signature",
    ),
    "zero": (lambda: {**signed(), "sig": "00" * 64}, "bad_signature"),
    "short": (lambda: {**signed(), "sig": "01"}, "bad_signature"),
    "high s": (lambda: high_s(signed()), "bad_signature"),
    "no text": (lambda: {**signed(), "firmware": ""}, "bad_signature"),
    "a word more": (
        lambda: {**signed(), "firmware": "x " + signed()["firmware"]},
        "bad_signature",
    ),
    "older": (lambda: signed(version="0.4.9"), "old_version"),
    "older by number, not by letter": (lambda: signed(version="0.4.10"), "old_version"),
    "older, for a box with another one": (
        lambda: signed(version="0.4.0", replaces=digest_of("third")[:16]),
        "old_version",
    ),
    "another board": (lambda: signed(board="pico-2"), "other_board"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_before_anything_is_changed(case: str, disk: SlotDisk) -> None:
    fields, reason = REFUSED[case]
    box = UpdatingBox(disk)
    with pytest.raises(UserError) as caught:
        update(box, signed=fields())
    assert caught.value.sentence.key == f"update_{reason}"
    assert disk.chip.operations == []
    assert (boots(disk), slots_of(disk).state.trial) == ("old", "")
    assert update(box, signed=signed()) == NEW, "and the right one is taken afterwards"


def test_no_byte_comes_after_a_refusal(disk: SlotDisk) -> None:
    """Who does not ask but goes on."""
    link = BoxLink(UpdatingBox(disk).port(), first_id=1)
    rom, sha256 = firmware("new"), digest_of("new")
    for fields in ({}, signed(OTHER)):
        try:
            while "have" not in link.request(
                "update_begin", size=len(rom), sha256=sha256, **fields
            ):
                pass
        except BoxRefusal:
            pass
        with pytest.raises(BoxRefusal, match="bad_update"):
            link.request("update_data", offset=0, data="AAAA")
        with pytest.raises(BoxRefusal, match="bad_update"):
            link.request("update_finish", sha256=sha256)
    assert disk.chip.operations == []


def test_while_it_is_checked_nothing_is_erased_and_the_box_goes_on(
    disk: SlotDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[int] = []

    def counted(steps: Any, done: int, clock: Any) -> int:
        now = signing.go_on(steps, done, clock)
        turns.append(now - done)
        return now

    monkeypatch.setattr(update_check, "go_on", counted)
    box = UpdatingBox(disk)
    link = BoxLink(box.port(), first_id=1)
    asked = {"size": len(firmware("new")), "sha256": digest_of("new"), **signed()}
    while "checking" in link.request("update_begin", **asked):
        assert disk.chip.operations == []
    # some 390 steps, eight a turn, and in each second one a collection
    assert (len(turns) > 90, max(turns)) == (True, 8)
    assert link.request("update_begin", **asked)["have"] == 0


def test_another_firmware_behind_a_good_signature_is_refused(disk: SlotDisk) -> None:
    """The bytes are those that were signed, or it is not tried."""
    box = UpdatingBox(disk)
    with pytest.raises(BoxRefusal, match="not as it was sent"):
        send_changed(box)
    assert boots(disk) == "old"
    assert disk.code.holds(NEW) is None


def send_changed(box: UpdatingBox) -> None:
    class Changing(BoxLink):
        def request(self, do: str, **fields: object) -> dict[str, object]:
            if do == "update_data" and fields["offset"] == 0:
                fields["data"] = "AAAA" + str(fields["data"])[4:]
            return super().request(do, **fields)

    link = Changing(box.port(), first_id=1)
    send_slot(link, firmware("new"), lambda size: None, lambda _: signed())


def test_an_unsigned_one_that_had_begun_before_the_box_was_enrolled_is_not_tried() -> None:
    """Nor when another one has been signed meanwhile."""
    disk = trusted_box()
    box = UpdatingBox(disk)
    link = BoxLink(box.port(), first_id=1)

    class Enrolling(BoxLink):
        def request(self, do: str, **fields: object) -> dict[str, object]:
            if do == "update_finish":
                enrolled(disk)
                third = {"size": 5, "sha256": digest_of("third"), **signed(tag="third")}
                assert link.request("update_begin", **third)["checking"]
                box.step(100)
            return super().request(do, **fields)

    with pytest.raises(UserError) as caught:
        send_slot(Enrolling(box.port(), first_id=9), firmware("new"), lambda size: None)
    assert caught.value.sentence.key == "update_no_signature"
    assert boots(disk) == "old"


def test_older_ones_come_where_they_are_signed_for_what_runs(disk: SlotDisk) -> None:
    """A signature to go back from this build; on a box with another one it is none."""
    fields = signed(version="0.4.0", replaces=digest_of("old")[:16])
    assert update(UpdatingBox(disk), signed=fields) == NEW


def test_newer_ones_and_the_same_version_come(disk: SlotDisk) -> None:
    for version in ("0.5.0", "0.5.1", "0.10.0", "1.0.0"):
        again = SlotDisk(bytearray(disk.chip.buffer))
        update(UpdatingBox(again), signed=signed(version=version))
        assert boots(again) == "new"


# -- the key of releases --------------------------------------------------------------------------


def with_release_key(disk: SlotDisk, key: SigningKey, running: str = OLD) -> UpdatingBox:
    box = UpdatingBox(disk, running)
    box.updating.about = BOARD, VERSION, key.public, None
    return box


@pytest.mark.parametrize("has_desk", [False, True])
def test_a_box_whose_firmware_names_a_release_key_takes_what_that_has_signed(
    has_desk: bool,
) -> None:
    disk = enrolled(trusted_box()) if has_desk else trusted_box()
    box = with_release_key(disk, RELEASE)
    for fields in (None, signed(OTHER)):
        with pytest.raises(UserError, match="sign"):
            update(box, signed=fields)
    assert disk.chip.operations == []
    update(box, signed=signed(RELEASE))
    assert boots(disk) == "new"


def test_a_stolen_release_key_ends_with_the_firmware_that_named_it(disk: SlotDisk) -> None:
    """The desk brings a firmware that names another key: what the old one signs is refused from
    then on, also the firmware of before, which is older."""
    update(with_release_key(disk, RELEASE), signed=signed(DESK, version="0.5.1"))
    slots_of(disk).confirm(NEW)
    box = with_release_key(disk, SigningKey(bytes(31) + b"\x0a"), NEW)
    box.updating.about = BOARD, "0.5.1", box.updating.about[2], None
    for version in ("0.5.0", "0.6.0"):
        with pytest.raises(UserError):
            update(box, "third", signed=signed(RELEASE, "third", version))
    assert boots(disk) == "new"
    assert update(box, "third", signed=signed(DESK, "third", "0.6.0")) == OLD


# -- what the screen says -------------------------------------------------------------------------


class Screen:
    """The app, as far as a refusal needs it."""

    def __init__(self) -> None:
        self.shown: list[object] = []

    def say(self, key: str) -> str:
        return key

    def message(self, icon: str, heading: str, lines: tuple[str, ...], sound: int) -> None:
        self.shown.append((heading, *lines))


def test_the_screen_says_why(disk: SlotDisk) -> None:
    box, screen = UpdatingBox(disk), Screen()
    box.updating.about = BOARD, VERSION, b"", screen  # type: ignore[assignment]
    for case in ("unsigned", "another key", "older", "another board"):
        with pytest.raises(UserError):
            update(box, signed=REFUSED[case][0]())
    reasons = ("no_signature", "bad_signature", "old_version", "other_board")
    assert screen.shown == [("update_refused", f"update_{reason}") for reason in reasons]


# -- power, cables, matches -----------------------------------------------------------------------


def test_a_match_that_is_opened_ends_the_check(disk: SlotDisk) -> None:
    box = UpdatingBox(disk)
    link = BoxLink(box.port(), first_id=1)
    asked = {"size": len(firmware("new")), "sha256": digest_of("new"), **signed()}
    assert link.request("update_begin", **asked)["checking"]
    box.in_match = True
    box.step(200)
    with pytest.raises(BoxRefusal, match="in_match"):
        link.request("update_begin", **asked)
    box.in_match = False
    assert link.request("update_begin", **asked)["checking"], "from its beginning"


def test_a_power_cut_at_every_operation_of_a_signed_update(
    disk: SlotDisk, sampled: Sample
) -> None:
    """The box boots a whole firmware, is enrolled as before, and still refuses others."""
    start = bytearray(disk.chip.buffer)
    update(UpdatingBox(disk), signed=signed())
    sent = len(disk.chip.operations)
    slots_of(disk).choose()
    slots_of(disk).confirm(NEW)
    operations = list(disk.chip.operations)
    assert len(operations) > 50
    for done, image in sampled(images(start, operations)):
        cut = SlotDisk(image)
        found = boots(cut)
        assert found in ("old", "new")
        assert found == "old" or done >= sent - 4, "on trial only once everything is written"
        assert OwnKey(cut).desk == DESK.public
        running = NEW if found == "new" else OLD
        slots_of(cut).confirm(running)
        before = bytes(cut.code.memory)
        with pytest.raises(UserError):
            update(UpdatingBox(cut, running), "third")
        assert bytes(cut.code.memory) == before
        assert boots(cut) == found


def test_a_check_under_way_is_forgotten_by_a_power_cut(disk: SlotDisk) -> None:
    """A signature counts for this power-on: nothing of it is on the flash."""
    box = UpdatingBox(disk)
    link = BoxLink(box.port(), first_id=1)
    asked = {"size": len(firmware("new")), "sha256": digest_of("new"), **signed()}
    link.request("update_begin", **asked)
    box.step(100)
    after = BoxLink(UpdatingBox(disk).port(), first_id=1)
    assert after.request("update_begin", **asked)["checking"]
    assert [o for o in disk.chip.operations if o.block < FILES] == []


def test_after_a_crash_the_box_is_as_strict(disk: SlotDisk) -> None:
    """`_wait_for_a_laptop` of main.py: no app, and no proof of health."""
    box = UpdatingBox(disk)
    box.updating = Updating(disk, disk.code, OLD, lambda: None, lambda: None, box, False)
    box.updating.about = BOARD, VERSION, b"", None
    box.updating.serve(box.link, box.journal, lambda: False)
    with pytest.raises(UserError):
        update(box)
    assert update(box, signed=signed()) == NEW
