"""A box in a live hall in the heap of a Pico W: the match goes before the hall."""

import json
from pathlib import Path

from firmware.app import hall_settings
from firmware.app.flash import Flash
from tests.twin.broker import Broker
from tests.twin.test_air import WAIT_MS, WIFI, Hall, point, states, unpack_line

from . import matches
from .conftest import Boxes

SETTLED_MS = 6_000  # joined the network would be after 4


def test_a_swiss_match_is_asked_for_on_the_air(chip: Boxes, storage: Path) -> None:
    hall_settings.store(Flash(str(storage)), dict(WIFI))
    matches.lay_down(storage, "swiss", 20)
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
    finally:
        broker.close()


def test_a_cafe_is_played_off_the_air(chip: Boxes, storage: Path) -> None:
    hall_settings.store(Flash(str(storage)), dict(WIFI))
    matches.lay_down(storage, "cafe", 20)
    broker = Broker()
    try:
        with chip("chip-w", point=point(broker)) as box:
            box.boot()
            box.run_for(SETTLED_MS)
            assert broker.said == []
            assert box.resets == []
    finally:
        broker.close()
