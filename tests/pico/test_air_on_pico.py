"""The firmware on an emulated Pico W with unmodified MicroPython, in a live hall: it connects,
publishes a match, the broker is killed, it goes on. `make test-pico BOARD=pico_w`.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from firmware.app import hall_settings
from firmware.app.flash import Flash
from hardware.twin.session import EngineMaker, TwinSession
from tests.chip import matches
from tests.pico.conftest import BOARD
from tests.twin.broker import Broker
from tests.twin.test_air import BEGUN, WIFI, codes, point, pushed, states

pytestmark = pytest.mark.skipif(BOARD != "pico_w", reason="the board has no radio")
UP_MS = 20_000
SAID_MS = 10_000


def test_a_match_goes_on_the_air(maker: EngineMaker, storage: Path) -> None:
    broker = Broker()
    matches.lay_down(storage, "gastro", BEGUN)
    hall_settings.store(Flash(str(storage)), dict(WIFI))
    journal = storage / "m000001.run"
    cards = codes(storage)
    begun_s = time.monotonic()

    def say(what: str) -> None:
        engine: Any = box.engine
        free = engine.heap()
        print(f"{box.now_ms} ms, {time.monotonic() - begun_s:.0f} s: {what}; {free}", flush=True)

    with TwinSession(maker, storage, point=point(broker)) as box:
        box.boot()
        assert box.run_until(lambda: bool(states(broker)), UP_MS)
        say("on the air")
        before = len(journal.read_bytes().splitlines())
        assert json.loads(broker.payloads("/here")[0])["name"] == "Pico"
        box.press("ok")
        box.run_for(600)
        box.field.place(matches.card(cards[0], 1))
        assert box.run_until(lambda: before in pushed(broker), SAID_MS)
        say("a verdict was published")
        lines = journal.read_bytes().splitlines(keepends=True)
        assert b"".join(pushed(broker).values()) == b"".join(lines[before:])
        broker.close()
        box.run_for(500)
        again = Broker(broker.address[1])
        try:
            assert box.run_until(lambda: bool(states(again)), UP_MS)
            say("on the air again")
            assert box.resets == []
        finally:
            again.close()
