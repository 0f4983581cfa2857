"""The match clock of the whole box: across the wrap of the ticks, a cut and a pause (CL-2)."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from firmware.app.link_frames import read_record
from hardware.twin.session import EngineMaker, TwinSession
from tests.app.pictures import stock
from tests.app.test_on_the_twin import ENGINES, LIMIT_MS, Table

WRAP = 1 << 30  # time.ticks_ms of MicroPython starts anew behind it
TICK_MS = 4_000  # the box records the running clock so often
STEP_MS = 150  # one turn of the box with a record written


def commands(folder: Path) -> list[dict[str, Any]]:
    """The commands in the journal of the running match."""
    lines = (folder / "m000001.run").read_bytes().splitlines()[1:]
    records = [read_record(line) for line in lines]
    return [json.loads(record.payload.split("\t")[0]) for record in records if record]


def begun(box: TwinSession) -> Table:
    """A Swiss match whose clock has been started by the first card."""
    box.boot()
    assert box.run_until(lambda: not box.screen().dark, LIMIT_MS)
    box.run_for(600)
    table = Table(box)
    table.press("ok", 900)
    table.press("ok")
    table.card("A1")
    return table


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ENGINES)
def test_time_runs_on_across_the_wrap_a_cut_and_a_pause(engine: str, tmp_path: Path) -> None:
    across_the_wrap(engine, tmp_path, 15_000, 30_000)


def across_the_wrap(
    engine: str | EngineMaker, tmp_path: Path, before_ms: int, lies_ms: int
) -> None:
    """Power comes `before_ms` the ticks wrap; the first card lies for `lies_ms`."""
    stock(tmp_path)
    with TwinSession(engine, tmp_path, start_ms=WRAP - before_ms) as box:
        table = begun(box)
        start_ms = box.now_ms
        first = next(c["t"] for c in commands(tmp_path) if c["do"] == "tap")
        box.run_for(lies_ms)
        assert box.box.ticks_ms() < WRAP // 2, "the ticks have wrapped by now"
        times = [c["t"] for c in commands(tmp_path)]
        gaps = [after - before for before, after in itertools.pairwise(times)]
        assert all(0 <= gap <= TICK_MS + STEP_MS for gap in gaps[1:])
        played_ms = box.now_ms - start_ms
        assert played_ms - TICK_MS - STEP_MS <= times[-1] - first <= played_ms + 1_000

        box.cut_power()
        box.box.clock.advance(60_000_000)  # a minute without power
        box.boot()
        box.run_for(LIMIT_MS)
        cut = commands(tmp_path)[-1]
        assert (cut["do"], cut["why"], cut["t"]) == ("pause", "power", times[-1])
        box.run_for(8_000)
        assert commands(tmp_path)[-1] == cut, "no time is recorded while the clock stands"

        table.press("jury")
        table.press("ok")
        resumed = commands(tmp_path)[-1]
        assert resumed["do"] == "resume"
        on_ms = box.now_ms - start_ms - played_ms - 60_000
        assert 8_000 <= resumed["t"] - cut["t"] <= on_ms
