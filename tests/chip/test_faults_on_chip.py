"""What else may fail or run out in a match, on a heap and an interpreter like the chip's: power at
every operation of the flash and the boot behind it, the flash itself, memory, screens; and what a
desk or a player wants of a box that has played.
"""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from card_tags import codec, kinds
from card_tags.errors import TagError
from card_tags.p256 import finished
from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.app.own_key import OwnKey
from hardware.twin.flash import BLOCK
from hardware.twin.oled import Oled
from hardware.twin.picture import below_bar
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.box.backup import make_backup
from host_tools.box.link import BoxLink
from host_tools.sim.demo.usb import TwinPort
from tests.sampling import Sample
from tests.support.power import LittleFlash, empty_image, images

from . import matches
from .conftest import PROGRAMS, Boxes, WithProgram
from .test_resume_on_chip import FIRST_MS, RESUME_MS, SETTLED_MS, comes_back
from .test_unread_on_chip import commands, lays

GAME = "gastro"
BEGUN = 3  # the first category is called; seats 1 to 7 lay their cards one after the other
BLOCKS = 64
MENDED_MS = 2_000  # settings and a page every 200 ms
FOUND_MS = 3_000  # a screen that is away is asked once a second
SLIP_MS = 20_000  # the signature takes its steps between the turns
RESTART_MS = 8_000  # a fault is shown for 5 s


def card_at(place: int, storage: Path) -> str:
    """The card that is laid by the command at this place of the match."""
    command: dict[str, str] = json.loads(matches.commands_of(GAME, storage)[place][0])
    return command["card"]


def in_play(box: TwinSession) -> None:
    """The match is on the screen, its clock stands."""
    box.boot()
    comes_back(box, RESUME_MS)
    box.run_for(SETTLED_MS)
    box.press("ok")  # closes the news of the restart
    box.run_for(SETTLED_MS)


# -- power


def test_a_cut_at_every_operation_of_the_flash_and_the_boot_behind_it(
    chip: Boxes, storage: Path, sampled: Sample
) -> None:
    """The flash is a littlefs; what a cut leaves on it is then the box's, which boots from it."""
    start = empty_image(BLOCKS)
    flash = LittleFlash(bytearray(start))
    journal = Journal(flash, matches.BOX, bytes)
    journal.open_match(json.dumps(matches.header_of(GAME)))
    opened = len(flash.chip.operations)
    shown = []
    for command, answer in matches.commands_of(GAME, storage)[:8]:
        journal.append_ahead(command, answer)
        shown.append(len(flash.chip.operations))
        journal.settle()
    cuts = [(done, image) for done, image in images(start, flash.chip.operations) if done > opened]
    for done, image in sampled(cuts):
        _put(LittleFlash(image), storage)
        with chip() as box:
            in_play(box)
            assert len(commands(storage)) >= sum(at <= done for at in shown)
            assert box.resets == []


def _put(flash: LittleFlash, storage: Path) -> None:
    """Match and record ahead, as they are on this flash."""
    shutil.rmtree(storage / "ahead", ignore_errors=True)
    for tried in storage.glob("tries.*"):
        tried.unlink()  # every cut is the first one of its box
    for name in ("m000001.run", "ahead/record"):
        try:
            data = bytes(flash.open(name, "rb").read())
        except OSError:
            continue  # a cut while the folder is made anew
        (storage / name).parent.mkdir(exist_ok=True)
        (storage / name).write_bytes(data)


# -- the flash and the memory


def test_a_flash_that_fills_up_in_a_match_costs_no_verdict_that_was_shown(
    chip: Boxes, storage: Path, tmp_path: Path
) -> None:
    """The card that finds no room counts for nothing; the crash cannot be counted either, so the
    box stays, and a laptop gets the matches (docs/decisions/journal.md). With room it goes on.
    """
    begun = _before_a_full_block(storage, tmp_path / "sizes")
    matches.lay_down(storage, GAME, begun)
    with chip() as box:
        in_play(box)
        box.box.flash.capacity = 0
        box.field.place(matches.card(card_at(begun, storage)))
        box.run_for(RESTART_MS)
        assert len(commands(storage)) == begun
        assert box.resets == []
        assert not box.screen().dark
        (kept,) = make_backup(BoxLink(TwinPort(box), first_id=1))["matches"]
        assert (kept["match"], kept["state"]) == (1, "run")
        box.box.flash.capacity = type(box.box.flash).capacity
        box.cut_power()
        box.field.clear()
        in_play(box)
        lays(box, card_at(begun, storage), storage, 2)


def _before_a_full_block(storage: Path, folder: Path) -> int:
    """After so many commands a card is laid, and its record needs a new block."""
    told = [json.loads(command)["do"] for command, _ in matches.commands_of(GAME, storage)[:-1]]
    folder.mkdir()
    matches.lay_down(folder, GAME, len(told))
    size = 0
    for number, line in enumerate((folder / "m000001.run").read_bytes().splitlines(True)):
        if (size + len(line)) // BLOCK > size // BLOCK and told[number - 1] == "tap":
            return number - 1
        size += len(line)
    raise AssertionError("no card of this match needs a new block")


@pytest.fixture
def scarce(with_program: WithProgram) -> Path:
    """A build whose memory runs out for a moment."""
    return with_program(PROGRAMS / "scarce.py")


LEFT = (200, 1_500, 4_000)  # bytes that are free when the card is read


@pytest.mark.parametrize(
    "left", [LEFT[0], *(pytest.param(left, marks=pytest.mark.long) for left in LEFT[1:])]
)
def test_memory_that_runs_out_in_a_tap_costs_a_restart_and_no_verdict(
    scarce: Path, storage: Path, left: int
) -> None:
    matches.lay_down(storage, GAME, BEGUN)
    (storage / "left.txt").write_text(str(left))
    entry = "firmware.scarce:turns"
    with TwinSession("chip", storage, sources=scarce, entry=entry, survive_resets=True) as box:
        in_play(box)
        (storage / "now.txt").touch()
        box.field.place(matches.card(card_at(BEGUN, storage)))
        assert box.run_until(lambda: bool(box.resets), RESTART_MS), "memory did not run out"
        assert "MemoryError" in (storage / "crash.txt").read_text(encoding="utf8")
        box.field.clear()
        heard = len(box.sounds)
        assert box.run_until(lambda: len(box.sounds) > heard, RESTART_MS), "no match"
        box.run_for(SETTLED_MS)
        box.press("ok")
        box.run_for(SETTLED_MS)
        told = commands(storage)
        if len([line for line in told if line["do"] == "tap"]) == BEGUN - 2:
            lays(box, card_at(BEGUN, storage), storage, 2)
        assert len(box.resets) == 1


# -- screens


def _absent(oled: Oled) -> None:
    oled.present = False


def _frozen(oled: Oled) -> None:
    oled.write = lambda data: None  # type: ignore[method-assign]


def _snowing(oled: Oled) -> None:
    oled.snow()


@pytest.mark.parametrize("trouble", [_absent, _frozen, _snowing])
def test_a_screen_in_trouble_costs_no_tap_and_is_mended(
    chip: Boxes, storage: Path, trouble: Callable[[Oled], None]
) -> None:
    """A card is laid meanwhile. Then the whole picture is the box's own again: it comes back as it
    was when everything on the glass is spoiled.
    """
    matches.lay_down(storage, GAME, BEGUN)
    with chip() as box:
        in_play(box)
        write = box.box.oled.write
        trouble(box.box.oled)
        lays(box, card_at(BEGUN, storage), storage, 1)
        box.box.oled.present = True
        box.box.oled.write = write  # type: ignore[method-assign]
        if trouble is _absent:
            box.box.oled.power_up()
        box.run_for(FOUND_MS)
        assert box.resets == []
        seen = below_bar(box.screen())
        box.box.oled.snow()
        box.run_for(MENDED_MS)
        assert below_bar(box.screen()) == seen
        lays(box, card_at(BEGUN + 1, storage), storage, 2)


def test_a_screen_that_comes_after_power_on_shows_the_match(chip: Boxes, storage: Path) -> None:
    matches.lay_down(storage, GAME, BEGUN)
    with chip() as box:
        box.box.oled.present = False
        box.boot()
        box.run_for(FOUND_MS)
        assert box.resets == []
        box.box.oled.present = True
        assert box.run_until(lambda: not box.screen().dark, FIRST_MS + FOUND_MS)


# -- a desk and a player


def test_a_backup_after_a_long_match(chip: Boxes, storage: Path) -> None:
    matches.lay_down(storage, "cafe", 0, whole=True)
    with chip() as box:
        box.boot()
        assert box.run_until(lambda: not box.screen().dark, FIRST_MS)
        (kept,) = make_backup(BoxLink(TwinPort(box), first_id=1))["matches"]
        assert (kept["match"], kept["state"]) == (1, "end")
        assert box.resets == []


def test_a_slip_of_eight_is_written(chip: Boxes, storage: Path) -> None:
    finished(OwnKey(Flash(str(storage))).making(random.Random(1).randbytes))
    matches.lay_down(storage, GAME, len(matches.commands_of(GAME, storage)) - 1)
    tag = NtagTwin.ntag216(uid=bytes((0x04, 9, 9, 9, 9, 9, 9)))
    with chip() as box:
        in_play(box)
        box.field.place(tag)
        assert box.run_until(lambda: _holds_slip(tag), SLIP_MS)
        assert box.resets == []


def _holds_slip(tag: NtagTwin) -> bool:
    try:
        return codec.decode(tag.user).kind == kinds.SLIP
    except TagError:
        return False
