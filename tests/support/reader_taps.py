"""Cards laid on the reader of a bench: one without the chip's own time, and many with faults."""

import random
from collections import Counter
from dataclasses import dataclass, field

from firmware.drivers import presence
from firmware.drivers.pn532 import commands
from hardware.twin.faults import FaultKind, FaultPlan
from hardware.twin.pn532.chip import NO_HAND_OFF, HandOff
from hardware.twin.tags import NtagTwin
from tests.support.reader_bench import Detection, ReaderBench

FLOOR_MS = 10.7
"""List and FAST_READ: RF and line only, the field already on."""
_COMMANDS_A_TAP = 60  # about, with the polls before and after
_DECK = 32
_PATIENCE_US = 10_000_000  # a player who waits longer would call somebody


def detect(hand_off: HandOff = NO_HAND_OFF) -> Detection:
    """List a card and fetch its 48 bytes, the field being on; without the chip's own time."""
    bench = ReaderBench(hand_off=hand_off)
    if not bench.reader.start():
        raise RuntimeError("the twin's chip does not start")
    bench.field.place(tag_of(0))
    bench.chip.call(commands.FIELD_ON)
    bench.clock.advance(20_000)
    began_us, wire, count = bench.clock.now_us, bench.uart.bytes_on_wire, bench.twin.command_count
    bench.chip.call(commands.LIST_CARDS, commands.LIST_MS)
    bench.reader.tag.read_card(bytearray(48), fast=True)
    return Detection(
        (bench.clock.now_us - began_us) / 1000,
        bench.uart.bytes_on_wire - wire,
        bench.twin.command_count - count,
    )


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


def tap_with_faults(taps: int, fault_rate: float, seed: int = 1) -> Taps:
    """Lay `taps` cards down one after the other while commands fail at `fault_rate`.

    A player leaves a card until the box tells it (at most 10 s) and never lays the same one twice
    in a row: that a blind reader takes for a card that was never lifted, as it must.
    """
    plan = FaultPlan.seeded(seed, taps * _COMMANDS_A_TAP, fault_rate, tuple(FaultKind))
    bench = ReaderBench(faults=plan)
    bench.reader.start()
    chance = random.Random(seed)
    deck = [tag_of(number) for number in range(_DECK)]
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


def tag_of(number: int) -> NtagTwin:
    """One of a deck."""
    tag = NtagTwin.ntag213(bytes((0x04, number, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6)))
    tag.load_user(bytes((number + place) & 0xFF for place in range(48)))
    return tag
