"""Faults of the chip and its line by name, and the chip on a pty."""

import serial

from hardware.twin.faults import ALL_KINDS, FaultKind, FaultPlan
from hardware.twin.reader_pty import ReaderPty
from tests.twin.dialogue import ACK, NACK, WAKE_UP, Bench, cmd, framed, rsp

VERSION_FRAME = framed(bytes.fromhex("D5 03 32 01 06 07"))
VERSION = "03 32 01 06 07"


def faulty(kind: FaultKind, amount: int | None = None) -> Bench:
    """Command 1 is the bench's own SAMConfiguration, so the test's first meets it."""
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


def test_stuck_line_until_reset() -> None:
    bench = faulty(FaultKind.STUCK_LINE)
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


def test_pty_serves_the_chip() -> None:
    with ReaderPty() as reader, serial.Serial(reader.path, 115_200, timeout=60) as line:
        line.write(WAKE_UP + cmd("02"))
        assert line.read(len(rsp(VERSION))) == rsp(VERSION)
