"""The heaps of the chip engines against what an emulated Pico showed for commit 661e2ec
(docs/decisions/memory.md). `pytest -s tests/chip/test_calibration.py` prints the figures.
"""

import re
from pathlib import Path

import pytest

from hardware.twin.errors import TwinError
from hardware.twin.session import TwinSession

from . import matches
from .conftest import PROGRAMS, Boxes, WithProgram

FACTOR = 1.81  # a byte free on the chip is so many here
SETTLED_MS = 4_000
# What is free on the chip, kB: the least and the most that may be seen here. The upper ends are
# what the emulated boards showed. A firmware that grows may go below the lower ones: then measure
# again.
MENU = {"chip": (163, 172), "chip-w": (130, 138)}
MATCH = {"cafe": (130, 137), "swiss": (133, 141)}


_LARGEST = re.compile(r"max free sz: (\d+)")
_BLOCK = 32  # bytes, MICROPY_BYTES_PER_GC_BLOCK on 64 bits


def largest_kb(box: TwinSession) -> float:
    """The largest free block after a collection, in the chip's bytes."""
    found = _LARGEST.search(box.heap().info)
    assert found is not None
    return int(found[1]) * _BLOCK / FACTOR / 1000


def free_kb(box: TwinSession) -> float:
    box.run_for(SETTLED_MS)
    return box.heap().free / FACTOR / 1000


@pytest.mark.parametrize("engine", MENU)
def test_the_menu_leaves_as_much_as_on_the_chip(chip: Boxes, engine: str) -> None:
    with chip(engine) as box:
        box.boot()
        free = free_kb(box)
        largest = largest_kb(box)
    print(f"\n{engine}, menu: {free:.1f} kB, largest block {largest:.1f} kB")
    assert MENU[engine][0] <= free <= MENU[engine][1]


@pytest.mark.parametrize("game", MATCH)
def test_a_match_leaves_as_much_as_on_the_chip(chip: Boxes, storage: Path, game: str) -> None:
    matches.lay_down(storage, game, 20)
    with chip() as box:
        box.boot()
        free = free_kb(box)
    print(f"\n{game}: {free:.1f} kB")
    assert MATCH[game][0] <= free <= MATCH[game][1]


def test_a_piece_that_a_chip_in_a_cafe_has_not_is_not_there_either(
    with_program: WithProgram, storage: Path
) -> None:
    matches.lay_down(storage, "cafe", 66)
    rom = with_program(PROGRAMS / "whole_limit.py")
    with TwinSession("chip", storage, sources=rom, entry="firmware.whole_limit:turns") as box:
        box.boot()
        with pytest.raises(TwinError, match="MemoryError"):
            box.run_for(SETTLED_MS * 2)
