"""Durations against the floors worked out by hand from ISO 14443-3 and the UART's bit rates.

Floors in ms (no firmware time, no field start-up): list a tag and fetch 48 bytes.
RF: REQA 0.46 + 2 × (anticollision 0.82 + select 1.24) = 4.59; READ 2.09; FAST_READ of 48 B 4.90.
"""

import pytest

from hardware.twin.pn532.chip import HandOff
from hardware.twin.tags import NtagTwin
from tests.twin.dialogue import UID, Bench

ROUNDING_MS = 0.06  # the floors are given to 0.1 ms
FAST_READ = ["42 3A 04 0F"]
READS = [f"40 01 30 {page:02X}" for page in (4, 8, 12)]
ADAFRUIT = [f"40 01 30 {page:02X}" for page in range(4, 16)]


@pytest.mark.parametrize(
    ("baud", "reading", "floor_ms"),
    [
        (115_200, FAST_READ, 19.5),
        (921_600, FAST_READ, 10.7),
        (115_200, READS, 25.7),
        (921_600, READS, 12.7),
        (115_200, ADAFRUIT, 78.9),
        (921_600, ADAFRUIT, 35.9),
    ],
)
def test_hsu_floor(baud: int, reading: list[str], floor_ms: float) -> None:
    bench = Bench(baud=baud)
    bench.lay()
    bench.ask("32 01 01")
    bench.clock.advance(10_000)
    took_us = sum(bench.took_us(command) for command in ["4A 01 00", *reading])
    assert took_us / 1000 == pytest.approx(floor_ms, abs=ROUNDING_MS)


@pytest.mark.parametrize(
    ("command", "rf_ms", "bytes_on_wire"),
    [
        ("42 60", 1.3, 9 + 1 + 6 + 18),  # GET_VERSION
        ("42 1B FF FF FF FF", 1.2, 9 + 5 + 6 + 12),  # PWD_AUTH
        ("42 3C 00", 3.5, 9 + 2 + 6 + 42),  # READ_SIG
        ("40 01 A2 04 00 00 00 00", 0.94 + 4.0, 9 + 7 + 6 + 10),  # WRITE and EEPROM
        ("42 3A 04 27", 13.1, 9 + 3 + 6 + 154),  # FAST_READ of all 144 bytes
    ],
)
def test_rf_durations(command: str, rf_ms: float, bytes_on_wire: int) -> None:
    bench = Bench(baud=921_600)
    bench.lay()
    bench.ask("4A 01 00")
    bus_ms = bytes_on_wire * 10 / 921.6
    assert bench.took_us(command) / 1000 == pytest.approx(rf_ms + bus_ms, abs=0.08)


def test_field_start_up_costs_five_milliseconds() -> None:
    cold, warm = Bench(), Bench()
    for bench in (cold, warm):
        bench.field.place(NtagTwin.ntag213(UID))
    warm.ask("32 01 01")
    for bench in (cold, warm):
        bench.clock.advance_to(100_000)
    assert cold.took_us("4A 01 00") - warm.took_us("4A 01 00") == 5_000


def test_hand_off_is_added_once_per_command() -> None:
    slow = Bench(hand_off=HandOff(ack_us=300, start_us=300, reply_us=400))
    assert slow.took_us("02") - Bench().took_us("02") == pytest.approx(1_000, abs=2)
