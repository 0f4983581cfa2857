"""Figures of the reader driver on the twin: detect + 48 bytes, and taps with faults.

`measure()` and `measure_taps()` return rows for the table of `make bench`. All times are the
twin's (computed from bus and RF durations), so they do not depend on the machine.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

from bench.figure import Figure
from firmware.drivers import presence
from firmware.drivers.pn532 import commands
from hardware.twin.faults import FaultKind, FaultPlan
from hardware.twin.pn532.chip import NO_HAND_OFF, HandOff
from hardware.twin.tags import NtagTwin
from tests.support.reader_bench import Detection, ReaderBench

# research/nfc.md 2.6: list + FAST_READ, in ms: RF and bus only, the field already on
FLOOR_MS = {"hsu": 10.7, "i2c": 12.3, "spi": 9.7}
NAMES = {"hsu": "HSU 921600", "i2c": "I2C 400 kHz", "spi": "SPI 5 MHz"}
ALLOWED = 1.25
FASTER = 8.0

_COMMANDS_A_TAP = 60  # about, with the polls before and after
_DECK = 32
_PATIENCE_US = 10_000_000  # a player who waits longer would call somebody


def detect(transport: str, hand_off: HandOff = NO_HAND_OFF) -> Detection:
    """List a card and fetch its 48 bytes, the field being on; without the chip's own time."""
    bench = ReaderBench(transport, hand_off=hand_off, irq=transport == "i2c")
    if not bench.reader.start():
        raise RuntimeError(f"the twin's chip does not start on {transport}")
    bench.field.place(_tag(0))
    bench.chip.call(commands.FIELD_ON)
    bench.clock.advance(20_000)
    began_us, wire, count = bench.clock.now_us, bench.bytes_on_wire(), bench.twin.command_count
    bench.chip.call(commands.LIST_CARDS, commands.LIST_MS)
    bench.reader.tag.read_card(bytearray(48), fast=True)
    return Detection(
        transport,
        (bench.clock.now_us - began_us) / 1000,
        bench.bytes_on_wire() - wire,
        bench.twin.command_count - count,
    )


def tap_ms(transport: str) -> float:
    """From the list command that finds the card to the CARD event, as in play: the field starts
    first (5 ms), and the chip takes its own time (1 ms a command, estimated)."""
    bench = ReaderBench(transport)
    bench.reader.start()
    bench.run(200)
    bench.field.place(_tag(0))
    bench.run(200)
    return float(bench.reader.health.last_read_ms)


@dataclass
class Taps:
    """What came of many taps with faults."""

    taps: int = 0
    faults: int = 0
    wrong_cards: int = 0
    double_counts: int = 0
    not_recovered: int = 0
    worst_recovery_ms: int = 0
    events: Counter[int] = field(default_factory=Counter)


def tap_with_faults(taps: int, fault_rate: float, seed: int = 1, transport: str = "hsu") -> Taps:
    """Lay `taps` cards down one after the other while commands fail at `fault_rate`.

    A player leaves a card until the box tells it (at most 10 s) and never lays the same one twice
    in a row: that a blind reader takes for a card that was never lifted, as it must.
    """
    plan = FaultPlan.seeded(seed, taps * _COMMANDS_A_TAP, fault_rate, tuple(FaultKind))
    bench = ReaderBench(transport, faults=plan)
    bench.reader.start()
    chance = random.Random(seed)
    deck = [_tag(number) for number in range(_DECK)]
    seen = Taps()
    last = deck[0]
    for _ in range(taps):
        last = chance.choice([tag for tag in deck if tag is not last])
        _tap(bench, last, chance, seen)
    seen.faults = len(plan.met)
    seen.worst_recovery_ms = bench.reader.health.worst_recovery_ms
    return seen


def _tap(bench: ReaderBench, tag: NtagTwin, chance: random.Random, seen: Taps) -> None:
    began_us = bench.clock.now_us
    first = len(bench.events)
    bench.field.place(tag)
    bench.run(chance.randint(300, 600))
    while not _cards(bench, first) and bench.clock.now_us - began_us < _PATIENCE_US:
        bench.run(10)
    bench.field.remove(tag)
    bench.run(chance.randint(350, 600))
    cards = _cards(bench, first)
    seen.taps += 1
    seen.not_recovered += not cards
    seen.double_counts += len(cards) > 1
    seen.wrong_cards += any(card != (tag.uid, tag.user[:48]) for card in cards)
    seen.events.update(event.code for event in bench.events[first:])
    del bench.events[first:]


def _cards(bench: ReaderBench, first: int) -> list[tuple[bytes, bytes]]:
    events = bench.events[first:]
    return [(event.uid, event.data) for event in events if event.code == presence.CARD]


def _tag(number: int) -> NtagTwin:
    tag = NtagTwin.ntag213(bytes((0x04, number, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6)))
    tag.load_user(bytes((number + place) & 0xFF for place in range(48)))
    return tag


def measure() -> list[Figure]:
    """Detect + 48 bytes for the three transports, beside Adafruit's driver on the same twin."""
    return [figure for transport in FLOOR_MS for figure in _measure(transport)]


def _measure(transport: str) -> list[Figure]:
    from bench import adafruit  # the extra "reader"; only the comparison needs it

    ours = detect(transport)
    theirs = adafruit.detect(transport, _tag(0), NO_HAND_OFF)
    name, times = NAMES[transport], theirs.ms / ours.ms
    goal_ms = ALLOWED * FLOOR_MS[transport]
    return [
        Figure(
            "card detected + 48 bytes",
            *(ours.ms, "ms", f"≤ {goal_ms:.1f} (1.25 × floor)", ours.ms <= goal_ms, name),
        ),
        Figure("  commands", ours.commands, "", case=name),
        Figure("  bytes on the wire", ours.bytes_on_wire, "B", case=name),
        Figure("  with field start and the chip's time", tap_ms(transport), "ms", case=name),
        Figure("  Adafruit's driver", theirs.ms, "ms", case=name),
        Figure("  its commands", theirs.commands, "", case=name),
        Figure("  its bytes on the wire", theirs.bytes_on_wire, "B", case=name),
        Figure("  times faster", times, "×", f"≥ {FASTER:.0f}", times >= FASTER, case=name),
    ]


def measure_taps(taps: int = 10_000, fault_rate: float = 0.05) -> list[Figure]:
    """Taps while 5 % of the chip's commands fail."""
    seen = tap_with_faults(taps, fault_rate)
    return [
        Figure("wrong cards", seen.wrong_cards, "", "0", seen.wrong_cards == 0),
        Figure("double counts", seen.double_counts, "", "0", seen.double_counts == 0),
        Figure("not recovered", seen.not_recovered, "", "0", seen.not_recovered == 0),
        Figure("faults met", seen.faults, ""),
        Figure("worst recovery", seen.worst_recovery_ms, "ms"),
    ]
