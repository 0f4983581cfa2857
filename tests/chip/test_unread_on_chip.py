"""A laptop that asks and never reads, in mid-match, in a heap as small as the chip's."""

import json
from pathlib import Path
from typing import Any

from hardware.twin.session import TwinSession
from host_tools.box.link import BoxLink
from host_tools.sim.demo.usb import TwinPort
from tests.app.test_slow_laptop import ask, longest_silence_ms

from . import matches
from .conftest import Boxes
from .test_calibration import FACTOR

BEGUN = 3  # the first category is called; seats 1 to 7 lay their cards one after the other
BOOT_MS = 6_000
SETTLED_MS = 1_000
VERDICT_MS = 1_000
UNREAD_MS = 16_000  # twice the watchdog's patience
ASKED = 3  # health requests at once: their answers are more than queue and endpoint hold
LONGEST_TURN_MS = 200  # a `health` collects garbage; one write into a full queue waits 500
LEFT_KB = 40  # what is free in a match of this length must be free still


def commands(storage: Path) -> list[dict[str, Any]]:
    """What the journal of the match under way holds."""
    lines = (storage / "m000001.run").read_text(encoding="utf8").splitlines()
    told = [json.loads(line.split(" ", 3)[3].split("\t")[0]) for line in lines]
    return [line for line in told if "do" in line]


def lays(box: TwinSession, code: str, storage: Path, number: int) -> None:
    """A card is laid and taken away; its tap is on the flash within `VERDICT_MS`."""
    count = len(commands(storage))
    tag = matches.card(code, number)
    box.field.place(tag)
    recorded = box.run_until(lambda: len(commands(storage)) > count, VERDICT_MS)
    assert recorded, f"the tap of {code} was not judged"
    assert commands(storage)[-1]["card"] == code
    box.field.remove(tag)
    box.run_for(SETTLED_MS)


def test_a_laptop_that_never_reads_costs_no_tap_no_reset_and_no_memory(
    chip: Boxes, storage: Path
) -> None:
    known = [json.loads(told) for told, _ in matches.commands_of("gastro", storage)[: BEGUN + 3]]
    assert [line["do"] for line in known[BEGUN:]] == ["tap"] * 3
    matches.lay_down(storage, "gastro", BEGUN)
    with chip() as box:
        box.boot()
        box.run_for(BOOT_MS)
        box.press("ok")  # closes the news of the restart
        box.run_for(SETTLED_MS)
        box.box.usb.packet_ms = None
        ask(box, ASKED)
        lays(box, known[BEGUN]["card"], storage, 1)
        ask(box, ASKED)
        assert longest_silence_ms(box, UNREAD_MS) <= LONGEST_TURN_MS
        lays(box, known[BEGUN + 1]["card"], storage, 2)
        ask(box, ASKED)
        lays(box, known[BEGUN + 2]["card"], storage, 3)
        assert box.resets == []
        assert box.heap().free / FACTOR / 1000 >= LEFT_KB
        box.box.usb.packet_ms = 0  # the laptop reads again: it hears the truth
        health = BoxLink(TwinPort(box), first_id=100).request("health")
        assert health["in_match"] is True
        assert health["unread"] > 0
        assert box.resets == []
