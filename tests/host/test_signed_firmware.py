"""`schiri box update` and `schiri firmware --sign` with a box that wants its desk's signature."""

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from host_tools.box.link import BoxLink
from host_tools.box.updating import UpdateOutcome
from host_tools.cards.public_keys import SigningKey, make_desk_key, verify
from host_tools.cli import schiri
from host_tools.commands import box as commands
from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from tests.app.test_signed_updates import enrolled
from tests.support.slot_box import NEW, SlotDisk, UpdatingBox, slots_of, trusted_box

DESK = SigningKey(bytes(31) + b"\x07", "Cup")


def rom_of(version: str) -> bytes:
    about = f"schiri firmware for pico-1, version {version}\n".encode()
    return b"\xd2\xcd\x31" + bytes(range(256)) * 9 + about + b"\xff\x00" * 700


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> SlotDisk:
    """Of a box at the port, enrolled by DESK; it comes up after every update."""
    made = enrolled(trusted_box(), DESK)
    monkeypatch.setattr(
        commands, "open_link", lambda port: BoxLink(UpdatingBox(made).port(), first_id=1)
    )
    outcome = UpdateOutcome(NEW, "0.6.0", True)
    monkeypatch.setattr(commands, "await_outcome", lambda open_again, slot: outcome)
    return made


@pytest.fixture
def rom(tmp_path: Path) -> Path:
    path = tmp_path / "box.romfs"
    path.write_bytes(rom_of("0.6.0"))
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(schiri, [str(word) for word in words])


def why(done: Result) -> str:
    assert isinstance(done.exception, UserError), done.output
    return done.exception.sentence.key


def update(rom: Path, *more: str) -> Result:
    return run("box", "update", "--port", "here", "--from", rom, *more)


def test_the_laptop_that_enrolled_a_box_league_key_by_itself(disk: SlotDisk, rom: Path) -> None:
    make_desk_key("Cup", DESK)
    done = update(rom)
    assert done.exit_code == 0, done.output
    assert slots_of(disk).state.trial == NEW
    assert disk.code.holds(NEW) == (
        len(rom.read_bytes()),
        hashlib.sha256(rom.read_bytes()).digest(),
    )


def test_another_laptop_is_told_whose_signature_is_missing(disk: SlotDisk, rom: Path) -> None:
    for other in (None, SigningKey(bytes(31) + b"\x08", "Cup")):
        if other is not None:
            make_desk_key("Cup", other)
        done = update(rom)
        assert why(done) == "update_other_desk"
        assert done.exit_code == Exit.CHECK
        assert DESK.id in str(done.exception)
    assert disk.chip.operations == []


def test_it_brings_what_was_signed_there(disk: SlotDisk, rom: Path) -> None:
    make_desk_key("Cup", DESK)
    said = json.loads(run("firmware", "--sign", rom, "--json").stdout)
    text, signature = Path(said["file"]).read_text().splitlines()
    assert text == f"pico-1 0.6.0 - {hashlib.sha256(rom.read_bytes()).hexdigest()}"
    public = bytes.fromhex(said["public"])
    assert public == DESK.public
    assert verify(public, "firmware", text.encode(), bytes.fromhex(signature))
    places.desk_key().unlink()
    assert update(rom).exit_code == 0
    assert slots_of(disk).state.trial == NEW


def test_a_signature_beside_another_firmware_is_refused(disk: SlotDisk, rom: Path) -> None:
    make_desk_key("Cup", DESK)
    run("firmware", "--sign", rom)
    places.desk_key().unlink()
    rom.write_bytes(rom_of("0.6.1"))
    assert why(update(rom)) == "update_bad_signature"
    for bad in ("", "pico-1 0.6.0 - 00\nxx\n", "one\ntwo\nthree\n"):
        rom.with_name("box.romfs.sig").write_text(bad)
        assert why(update(rom)) == "signature_unreadable"
    assert disk.chip.operations == []


def test_an_older_one_only_if_it_is_asked_for(disk: SlotDisk, rom: Path) -> None:
    """The box runs 0.5.0."""
    make_desk_key("Cup", DESK)
    rom.write_bytes(rom_of("0.4.0"))
    assert why(update(rom)) == "update_old_version"
    assert disk.chip.operations == []
    assert update(rom, "--older").exit_code == 0
    assert slots_of(disk).state.trial == NEW


@pytest.mark.parametrize("about", [b"", rom_of("0.6.0")])
def test_a_firmware_that_does_not_say_what_it_is_is_not_signed(
    about: bytes, disk: SlotDisk, rom: Path
) -> None:
    """Not at all, or twice."""
    make_desk_key("Cup", DESK)
    rom.write_bytes(b"\xd2\xcd\x31" + about * 2)
    assert why(update(rom)) == "rom_no_version"
    assert why(run("firmware", "--sign", rom)) == "rom_no_version"


def test_without_a_key_nothing_is_signed(rom: Path) -> None:
    done = run("firmware", "--sign", rom)
    assert why(done) == "sign_no_key"
    assert not rom.with_name("box.romfs.sig").exists()
