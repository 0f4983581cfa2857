"""No tap waits for a collection of garbage, in a heap as small as the chip's."""

from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from tests.sampling import one_in

from . import matches
from .conftest import PROGRAMS, WithProgram
from .test_faults_on_chip import in_play

TAPS = 100
LIES_MS = 350
AWAY_MS = 400


@pytest.mark.parametrize("engine", one_in(2, ["chip-w", "chip"]))
def test_no_tap_waits_for_a_collection(
    with_program: WithProgram, storage: Path, engine: str
) -> None:
    matches.lay_down(storage, "swiss", 60)
    told = storage / "room.txt"
    rom = with_program(PROGRAMS / "room.py")
    with TwinSession(engine, storage, sources=rom, entry="firmware.room:turns") as box:
        in_play(box)
        began = told.read_text().count("\n")
        for number in range(TAPS):
            card = matches.card(("A1", "B2", "C3", "D4")[number % 4], number)
            box.field.place(card)
            box.run_for(LIES_MS)
            box.field.remove(card)
            box.run_for(AWAY_MS)
        assert box.resets == []
    steps = [tuple(map(int, line.split())) for line in told.read_text().splitlines()[began:]]
    assert len(steps) >= TAPS
    assert [step for step in steps if step[1] > step[0]] == []
    assert max(before - after for before, after in steps) > 2_000, "answers take memory"
