"""The firmware on an emulated Pico W with unmodified MicroPython, in a live hall: it connects,
publishes a match, the broker is killed, it goes on. `make test-pico BOARD=pico_w`.
"""

import json
import shutil
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.app import hall_settings
from firmware.app.flash import Flash
from hardware.twin.session import EngineMaker, TwinSession
from tests.chip import matches
from tests.pico.conftest import BOARD
from tests.support.laid import MATCHES, lay_down
from tests.support.pico.hands import SwissHands, Watch
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


TAPS = 8
COST_MS = 5


def taps_ms(
    maker: EngineMaker, rom: Path, storage: Path, broker: Broker | None, stalled: bool
) -> list[float]:
    """Tap to the last pixel of its verdict, sealed cards of a Swiss match."""
    table = lay_down(storage, MATCHES["swiss"])
    options: dict[str, Any] = {"sources": rom}
    if broker is not None:
        hall_settings.store(Flash(str(storage)), dict(WIFI))
        options["point"] = point(broker)
    with TwinSession(maker, storage, **options) as box:
        box.boot()
        watch = Watch(box)
        watch.first_picture()
        assert box.run_until(lambda: watch.resumed(box), UP_MS)
        if broker is not None:
            assert box.run_until(lambda: bool(states(broker)), UP_MS)
        hands = SwissHands(box, watch, table)
        if broker is not None and stalled:
            broker.stall()
        hands.play_on(TAPS)
        assert box.resets == []
    return hands.last_ms


def test_a_hall_costs_no_tap_five_milliseconds(
    new_board: Callable[[], Any], rom: Path, storage: Path, tmp_path: Path
) -> None:
    """On the air, and with a broker that never answers again: what is sent is not confirmed, asks
    and pings run into the void, the box gives up and dials anew.
    """
    medians = {}
    for name in ("without", "on the air", "stalled"):
        folder = tmp_path / name
        shutil.copytree(storage, folder)
        broker = None if name == "without" else Broker()
        try:
            taken = taps_ms(new_board().engine, rom, folder, broker, name == "stalled")
        finally:
            if broker is not None:
                broker.close()
        medians[name] = statistics.median(taken)
        print(f"{name}: median {medians[name]:.1f}, longest {max(taken):.1f} ms", flush=True)
    assert max(medians.values()) <= medians["without"] + COST_MS
