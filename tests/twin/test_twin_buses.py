"""I2C and SPI as the chip really behaves on them; faults by name on all of them."""

import errno

import pytest
import serial

from hardware.twin.clock import VirtualClock
from hardware.twin.faults import ALL_KINDS, FaultKind, FaultPlan
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import NO_HAND_OFF, Pn532Chip
from hardware.twin.pn532.i2c import CALM, I2cHabits, I2cPort
from hardware.twin.pn532.spi import REVERSED, SpiPort
from hardware.twin.reader_pty import ReaderPty
from tests.twin.dialogue import ACK, NACK, WAKE_UP, Bench, cmd, framed, rsp

VERSION_FRAME = framed(bytes.fromhex("D5 03 32 01 06 07"))
VERSION = "03 32 01 06 07"


def make_chip(faults: FaultPlan | None = None) -> Pn532Chip:
    clock = VirtualClock()
    return Pn532Chip(clock, RfField(clock), hand_off=NO_HAND_OFF, faults=faults)


def on_i2c(habits: I2cHabits = CALM) -> I2cPort:
    return I2cPort(make_chip(), habits=habits)


# I2C


def test_i2c_frames_wait_behind_rdy() -> None:
    port = on_i2c()
    port.writeto(cmd("02"))
    port.chip.clock.advance(10)
    assert port.readfrom(7) == b"\x01" + ACK
    port.chip.clock.advance(10)
    assert port.readfrom(1) == b"\x01"
    assert port.readfrom(14) == b"\x01" + VERSION_FRAME
    assert port.readfrom(3) == bytes(3)


def test_i2c_each_read_starts_at_byte_0_of_the_frame() -> None:
    port = on_i2c()
    port.writeto(cmd("02"))
    port.chip.clock.advance(10)
    assert port.readfrom(4) == b"\x01" + ACK[:3]
    assert port.readfrom(7) == b"\x01" + ACK


def test_i2c_nack_replays_the_reply() -> None:
    port = on_i2c()
    port.writeto(cmd("02"))
    port.chip.clock.advance(10)
    port.readfrom(7)
    port.chip.clock.advance(10)
    port.readfrom(14)
    port.writeto(NACK)
    assert port.readfrom(14) == b"\x01" + VERSION_FRAME


def test_i2c_works_on_the_command_only_when_the_ack_is_fetched() -> None:
    port = on_i2c()
    port.writeto(cmd("02"))
    port.chip.clock.advance(1_000_000)
    assert port.readfrom(7) == b"\x01" + ACK
    port.chip.clock.advance(10)
    assert port.readfrom(14)[1:] == VERSION_FRAME


def test_i2c_address_is_not_acked_right_after_an_exchange() -> None:
    port = on_i2c(I2cHabits(nak_window_us=150))
    port.writeto(cmd("02"))
    with pytest.raises(OSError, match="not acknowledged") as caught:
        port.readfrom(7)
    assert caught.value.errno == errno.EIO
    port.chip.clock.advance(150)
    assert port.readfrom(7) == b"\x01" + ACK


def test_i2c_stretching_takes_time_and_may_be_too_long() -> None:
    calm, stretching = on_i2c(), on_i2c(I2cHabits(stretch_us=1_000))
    calm.writeto(cmd("02"))
    stretching.writeto(cmd("02"))
    assert stretching.chip.clock.now_us - calm.chip.clock.now_us == 1_000
    impatient = I2cPort(make_chip(), habits=I2cHabits(stretch_us=1_000), timeout_us=500)
    with pytest.raises(OSError, match="SCL is held low"):
        impatient.writeto(cmd("02"))


def test_i2c_over_reading_locks_the_bus_until_reset() -> None:
    port = on_i2c(I2cHabits(locks_up_on_over_read=True))
    port.writeto(cmd("02"))
    port.chip.clock.advance(10)
    with pytest.raises(OSError, match="SCL is held low") as caught:
        port.readfrom(20)
    assert caught.value.errno == errno.ETIMEDOUT
    with pytest.raises(OSError, match="SCL is held low"):
        port.readfrom(1)
    port.chip.set_reset(0)
    port.chip.set_reset(1)
    port.chip.clock.advance(5_000)
    assert port.readfrom(1) == b"\x00"


def test_i2c_at_1_mhz_nobody_answers() -> None:
    with pytest.raises(OSError, match="not acknowledged"):
        I2cPort(make_chip(), hertz=1_000_000).writeto(cmd("02"))


def test_i2c_chip_in_reset_does_not_answer() -> None:
    port = on_i2c()
    port.chip.set_reset(0)
    with pytest.raises(OSError, match="not acknowledged"):
        port.readfrom(1)


# SPI


class Spi:
    """Bytes in the chip's bit order."""

    def __init__(self, hertz: int = 1_000_000) -> None:
        self.port = SpiPort(make_chip(), hertz=hertz)
        self.clock = self.port.chip.clock

    def shift(self, data: bytes) -> bytes:
        self.port.select(0)
        answer = self.port.exchange(data.translate(REVERSED)).translate(REVERSED)
        self.port.select(1)
        return answer

    def wake(self) -> None:
        self.port.select(0)
        self.clock.advance(2_000)
        self.port.select(1)


def test_spi_status_write_and_read() -> None:
    spi = Spi()
    spi.wake()
    assert spi.shift(b"\x02\x00") == b"\x00\x00"
    spi.shift(b"\x01" + cmd("02"))
    spi.clock.advance(10)
    assert spi.shift(b"\x02\x00\x00") == b"\x00\x01\x01"
    assert spi.shift(b"\x03" + bytes(6)) == b"\x00" + ACK
    spi.clock.advance(10)
    assert spi.shift(b"\x03" + bytes(4)) == b"\x00" + VERSION_FRAME[:4]
    assert spi.shift(b"\x03" + bytes(13)) == b"\x00" + VERSION_FRAME
    assert spi.shift(b"\x02\x00") == b"\x00\x00"


def test_spi_sends_the_lowest_bit_first() -> None:
    """An MSB-first master sends 40 (02 mirrored) for a status read; ready comes back as 80."""
    spi = Spi()
    spi.wake()
    spi.shift(b"\x01" + cmd("02"))
    spi.clock.advance(10)
    spi.port.select(0)
    assert spi.port.exchange(b"\x40\x00") == b"\x00\x80"


def test_spi_needs_nss_low_before_it_listens() -> None:
    spi = Spi()
    spi.shift(b"\x01" + cmd("02"))
    spi.clock.advance(5_000)
    assert spi.shift(b"\x02\x00") == b"\x00\x00"


@pytest.mark.parametrize("hertz", [5_000_001, 10_000_000])
def test_spi_above_5_mhz_is_garbage(hertz: int) -> None:
    spi = Spi(hertz)
    spi.wake()
    assert spi.shift(b"\x02\x00") == b"\xff\xff"


def test_spi_without_nss_nothing_moves() -> None:
    spi = Spi()
    spi.wake()
    assert spi.port.exchange(b"\x40\x00") == b"\xff\xff"


# faults, on HSU (command 1 is the bench's own SAMConfiguration)


def faulty(kind: FaultKind, amount: int | None = None) -> Bench:
    return Bench(faults=FaultPlan.at_command(2, kind, amount))


def test_bad_checksum_and_nack() -> None:
    bench = faulty(FaultKind.BAD_CHECKSUM)
    good = rsp(VERSION)
    assert bench.ask("02") == good[:-2] + bytes([good[-2] ^ 0xFF, 0])
    bench.say(NACK)
    assert bench.hear() == VERSION_FRAME


def test_dropped_ack() -> None:
    assert faulty(FaultKind.DROPPED_ACK).ask("02") == VERSION_FRAME


def test_silent_once() -> None:
    bench = faulty(FaultKind.SILENT)
    assert bench.ask("02") == ACK
    assert bench.ask("02") == rsp(VERSION)


def test_zombie_until_reset() -> None:
    bench = faulty(FaultKind.ZOMBIE)
    assert [bench.ask("02") for _ in range(3)] == [ACK] * 3
    bench.chip.set_reset(0)
    bench.chip.set_reset(1)
    bench.clock.advance(5_000)
    bench.say(WAKE_UP)
    assert bench.ask("02") == rsp(VERSION)


def test_garbage_before_the_ack() -> None:
    heard = faulty(FaultKind.GARBAGE, 5).ask("02")
    assert heard[5:] == rsp(VERSION)
    assert b"\x00\xff" not in heard[:5]


def test_power_glitch_cuts_the_reply_and_starts_anew() -> None:
    bench = faulty(FaultKind.POWER_GLITCH, 7)
    assert bench.ask("02") == ACK + VERSION_FRAME[:7]
    assert bench.ask("02") == b""  # asleep in LowVbat
    assert bench.ask("02") == rsp(VERSION)
    assert bench.ask("4A 01 00") == ACK + bytes.fromhex("0000FF01FF7F8100")


def test_stuck_bus_until_reset() -> None:
    bench = faulty(FaultKind.STUCK_BUS)
    assert [bench.ask("02") for _ in range(2)] == [b"", b""]
    bench.chip.set_reset(0)
    bench.chip.set_reset(1)
    bench.clock.advance(5_000)
    bench.say(WAKE_UP)
    assert bench.ask("02") == rsp(VERSION)


def test_tag_flicker() -> None:
    bench = Bench(faults=FaultPlan.at_command(3, FaultKind.TAG_FLICKER))
    bench.lay()
    bench.ask("4A 01 00")
    assert bench.ask("40 01 30 04") == rsp("41 01")


def test_noise_on_one_byte() -> None:
    """Byte 16 of the output is byte 1 of the second ACK: the bench's start makes 6 + 9 bytes."""
    bench = Bench(faults=FaultPlan(noisy_bytes=[16]))
    good = rsp(VERSION)
    assert bench.ask("02") == bytes([good[0] ^ 0x10]) + good[1:]


def test_a_seed_always_gives_the_same_plan() -> None:
    plans = [FaultPlan.seeded(7, 1000, 0.05) for _ in range(2)]
    met = [[(n, fault) for n in range(1, 1001) if (fault := p.meet(n))] for p in plans]
    assert met[0] == met[1] == plans[0].met
    # 5 % of 1000 are 50; four standard deviations are 28
    assert 22 <= len(met[0]) <= 78
    assert {fault.kind for _, fault in met[0]} == set(ALL_KINDS)


# the pty


def test_pty_serves_the_chip() -> None:
    with ReaderPty() as reader, serial.Serial(reader.path, 115_200, timeout=60) as line:
        line.write(WAKE_UP + cmd("02"))
        assert line.read(len(rsp(VERSION))) == rsp(VERSION)


def test_stuck_bus_on_i2c_until_reset() -> None:
    port = I2cPort(make_chip(FaultPlan.at_command(1, FaultKind.STUCK_BUS)))
    port.writeto(cmd("02"))
    port.chip.clock.advance(10)
    with pytest.raises(OSError, match="SCL is held low"):
        port.readfrom(7)
    port.chip.set_reset(0)
    port.chip.set_reset(1)
    port.chip.clock.advance(5_000)
    port.writeto(cmd("02"))
    port.chip.clock.advance(10)
    assert port.readfrom(7) == b"\x01" + ACK


def test_stuck_bus_on_spi_reads_ff() -> None:
    spi = Spi()
    spi.port.chip.faults = FaultPlan.at_command(1, FaultKind.STUCK_BUS)
    spi.wake()
    spi.shift(b"\x01" + cmd("02"))
    spi.clock.advance(10)
    assert spi.shift(b"\x02\x00") == b"\xff\xff"
