"""Durations against the floors worked out by hand from ISO 14443-3 and the buses' bit rates.

Floors in ms (no firmware time, no field start-up): list a tag and fetch 48 bytes.
RF: REQA 0.46 + 2 × (anticollision 0.82 + select 1.24) = 4.59; READ 2.09; FAST_READ of 48 B 4.90.
"""

import pytest

from hardware.twin.clock import VirtualClock
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import NO_HAND_OFF, HandOff, Pn532Chip
from hardware.twin.pn532.i2c import I2cPort
from hardware.twin.pn532.spi import REVERSED, SpiPort
from hardware.twin.tags import NtagTwin
from tests.twin.dialogue import UID, Bench, cmd

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


def ready(chip: Pn532Chip) -> None:
    """Wait for IRQ."""
    while chip.irq:
        due = chip.clock.next_due_us()
        assert due is not None
        chip.clock.advance_to(due)


class Irq:
    """A host on I2C or SPI that waits for IRQ and reads frames of known length."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.field = RfField(self.clock)
        self.chip = Pn532Chip(self.clock, self.field, hand_off=NO_HAND_OFF)
        self.field.place(NtagTwin.ntag213(UID))

    def ask(self, text: str, reply_length: int) -> bytes:
        self.write(cmd(text))
        ready(self.chip)
        assert self.read(6) == bytes.fromhex("0000FF00FF00")
        ready(self.chip)
        return self.read(reply_length)

    def write(self, frame: bytes) -> None:
        raise AssertionError("a bus is missing")

    def read(self, length: int) -> bytes:
        raise AssertionError("a bus is missing")

    def measure_ms(self, reading: list[str]) -> float:
        """Wake, configure, field on; then list and read."""
        self.ask("14 01", 9)
        self.ask("32 01 01", 9)
        self.clock.advance(10_000)
        began_us = self.clock.now_us
        self.ask("4A 01 00", 22)
        for command in reading:
            self.ask(command, 58 if command.startswith("42") else 26)
        return (self.clock.now_us - began_us) / 1000


class OnI2c(Irq):
    """400 kHz, address and RDY byte with each transaction."""

    def __init__(self) -> None:
        super().__init__()
        self.port = I2cPort(self.chip)

    def write(self, frame: bytes) -> None:
        self.port.writeto(frame)

    def read(self, length: int) -> bytes:
        return self.port.readfrom(1 + length)[1:]


class OnSpi(Irq):
    """5 MHz; one status read before each frame."""

    def __init__(self) -> None:
        super().__init__()
        self.port = SpiPort(self.chip, hertz=5_000_000)
        self.port.select(0)
        self.clock.advance(2_000)
        self.port.select(1)

    def shift(self, data: bytes) -> bytes:
        self.port.select(0)
        answer = self.port.exchange(data.translate(REVERSED)).translate(REVERSED)
        self.port.select(1)
        return answer

    def write(self, frame: bytes) -> None:
        self.shift(b"\x01" + frame)

    def read(self, length: int) -> bytes:
        assert self.shift(b"\x02\x00")[1] == 0x01
        return self.shift(b"\x03" + bytes(length))[1:]


@pytest.mark.parametrize(
    ("bus", "reading", "floor_ms"),
    [
        (OnI2c, FAST_READ, 12.3),
        (OnI2c, READS, 15.2),
        (OnI2c, ADAFRUIT, 44.1),
        (OnSpi, FAST_READ, 9.7),
        (OnSpi, READS, 11.2),
        (OnSpi, ADAFRUIT, 30.8),
    ],
)
def test_floor_by_irq(bus: type[Irq], reading: list[str], floor_ms: float) -> None:
    assert bus().measure_ms(reading) == pytest.approx(floor_ms, abs=0.1)


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
