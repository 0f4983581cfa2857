"""A box in a live hall in the heap of a Pico W: its matches stay on the air."""

import json
from pathlib import Path

import pytest

from firmware.app import hall_settings
from firmware.app.flash import Flash
from tests.twin.broker import Broker
from tests.twin.test_air import WAIT_MS, WIFI, Hall, point, states, unpack_line

from . import matches
from .conftest import Boxes
from .test_calibration import free_kb, largest_kb

FREE_KB = 60
"""What a match on the air leaves."""


@pytest.mark.parametrize(
    ("game", "length"),
    [("swiss", 20), ("cafe", 20), pytest.param("cafe", 300, marks=pytest.mark.long)],
)
def test_a_match_is_asked_for_on_the_air(
    chip: Boxes, storage: Path, game: str, length: int
) -> None:
    hall_settings.store(Flash(str(storage)), dict(WIFI))
    matches.lay_down(storage, game, length)
    broker = Broker()
    try:
        with chip("chip-w", point=point(broker)) as box:
            box.boot()
            assert box.run_until(lambda: bool(states(broker)), WAIT_MS)
            hall = Hall(box, broker, json.loads(broker.payloads("/here")[0])["boot"])
            whole = (storage / "m000001.run").read_bytes().splitlines()
            got: list[bytes] = []
            while len(got) < len(whole):
                reply = hall.ask("records", match=1, **{"from": len(got)})
                got += [unpack_line(line) for line in reply["lines"]]
            assert got == whole
            assert box.resets == []
            free, largest = free_kb(box), largest_kb(box)
            print(f"\n{game}, {length}, on the air: {free:.1f} kB free, largest {largest:.1f} kB")
            assert free >= FREE_KB
    finally:
        broker.close()
