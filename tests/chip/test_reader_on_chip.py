"""A reader that fails, on a heap and an interpreter like the chip's: the box says so, goes on
trying, and works when the reader comes back. It never resets itself for that.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.twin.faults import FaultKind, FaultPlan
from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.session import TwinSession

from . import matches
from .conftest import Boxes

BOOT_MS = 4_000
BACK_MS = 4_000  # the recovery tries a dead reader every two seconds
ABSENT_MS = 30_000


def line(box: TwinSession) -> HsuPort:
    """The wires between board and reader."""
    port = box.box.chip.port
    assert isinstance(port, HsuPort)
    return port


def reads_a_card(box: TwinSession) -> bool:
    """A playing card in the start menu changes the screen: the box reads again."""
    box.press("ok")  # closes the news about the reader
    box.run_for(500)
    before = box.screen()
    box.field.place(matches.card("A1"))
    return box.run_until(lambda: box.screen() != before, BACK_MS)


def test_a_reader_that_is_absent_at_power_on_leaves_a_box_that_says_so(chip: Boxes) -> None:
    says_that_the_reader_is_absent(chip, ABSENT_MS)


def says_that_the_reader_is_absent(chip: Boxes, absent_ms: int) -> None:
    """For so long, and works when it comes."""
    with chip() as box:
        line(box).unplugged = True
        box.boot()
        assert box.run_until(lambda: not box.screen().dark, 2_000)
        menu = box.screen()
        assert box.run_until(lambda: box.screen() != menu, BOOT_MS)  # the wrench and its words
        box.run_for(absent_ms)
        assert box.resets == []
        line(box).unplugged = False
        box.run_for(BACK_MS)
        assert reads_a_card(box)


def _silent(box: TwinSession) -> None:
    line(box).unplugged = True


def _garbage(box: TwinSession) -> None:
    line(box).noise = b"\x00\xff\x00\xff\xd5\x4b" * 3


def _hanging(box: TwinSession) -> None:
    box.box.chip.faults = FaultPlan.at_command(box.box.chip.command_count + 2, FaultKind.ZOMBIE)


def _replaced(box: TwinSession) -> None:
    """Another one is plugged in: it knows nothing of what the box has set."""
    line(box).unplugged = True
    box.box.chip.set_reset(0)
    box.box.chip.set_reset(1)


LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        ("swiss", _silent),
        ("", _garbage),
        ("swiss", _hanging),
        ("swiss", _replaced),
        pytest.param("", _silent, marks=LONG),
        pytest.param("swiss", _garbage, marks=LONG),
        pytest.param("", _hanging, marks=LONG),
    ],
)
def test_a_reader_that_fails_for_five_seconds_comes_back(
    chip: Boxes, storage: Path, fault: Callable[[TwinSession], None], game: str
) -> None:
    if game:
        matches.lay_down(storage, game, 5)
    with chip() as box:
        box.boot()
        box.run_for(BOOT_MS)
        recovered = box.box.chip.command_count
        fault(box)
        box.run_for(5_000)
        line(box).unplugged = False
        line(box).noise = b""
        box.run_for(BACK_MS)
        assert box.resets == []
        assert box.box.chip.command_count > recovered
        assert reads_a_card(box)
