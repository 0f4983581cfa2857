"""Power states, wake-up, reset pin and baud rate (UM0701-02, 7.2.9-7.2.11)."""

import pytest

from tests.twin.dialogue import ACK, ERROR, WAKE_UP, Bench, cmd, rsp

VERSION = "03 32 01 06 07"


@pytest.mark.parametrize("preamble", [bytes(10), WAKE_UP, bytes.fromhex("5555") + bytes(15)])
def test_the_peers_preambles_wake_the_chip(preamble: bytes) -> None:
    bench = Bench(asleep=True)
    bench.say(preamble + cmd("02"))
    assert bench.hear() == rsp(VERSION)


def test_a_short_preamble_does_not() -> None:
    """Four zeros last 0.35 ms at 115200; the chip needs 0.8 ms and misses the start code."""
    bench = Bench(asleep=True)
    bench.say(bytes(4) + cmd("02"))
    assert bench.hear() == b""


def test_rf_commands_need_sam_configuration_first() -> None:
    bench = Bench(asleep=True)
    bench.say(WAKE_UP)
    assert bench.ask("4A 01 00") == ACK + ERROR
    assert bench.ask("14 01 00 01") == rsp("15")
    bench.ask("32 05 FF 01 00")
    assert bench.ask("4A 01 00") == rsp("4B 00")


def test_power_down_and_wake_by_uart() -> None:
    bench = Bench()
    bench.lay()
    bench.ask("4A 01 00")
    assert bench.ask("16 10") == rsp("17 00")
    assert not bench.field.on
    assert bench.ask("02") == b""  # eaten by the wake-up
    assert bench.ask("40 01 30 00") == rsp("41 27")  # targets are forgotten
    assert bench.ask("4A 01 00")[:6] == ACK  # SAMConfiguration still holds


def test_power_down_without_the_uart_as_wake_source() -> None:
    bench = Bench()
    assert bench.ask("16 20") == rsp("17 00")
    bench.say(WAKE_UP)
    assert bench.ask("02") == b""


def test_reset_pin_silences_and_restarts() -> None:
    bench = Bench(baud=921_600)
    tag = bench.lay()
    bench.ask("4A 01 00")
    bench.chip.set_reset(0)
    assert tag.powered_us is None
    bench.clock.advance(1_000)
    assert bench.ask("02") == b""
    bench.chip.set_reset(1)
    bench.port.baud = 115_200
    bench.clock.advance(10_000)
    bench.say(WAKE_UP)
    assert bench.ask("02") == rsp(VERSION)
    assert bench.ask("4A 01 00") == ACK + ERROR


def test_bytes_during_boot_are_lost() -> None:
    """Boot takes 2 ms, the preamble 1.4 ms: nothing is heard until 2.8 ms after the edge."""
    bench = Bench()
    bench.chip.set_reset(0)
    bench.chip.set_reset(1)
    bench.say(WAKE_UP + cmd("02"))
    assert bench.hear() == b""
    bench.clock.advance(1_000)
    assert bench.ask("02") == rsp(VERSION)


def test_baud_rate_changes_with_the_hosts_ack() -> None:
    bench = Bench()
    assert bench.ask("10 07") == rsp("11")
    assert bench.chip.baud == 115_200
    bench.say(ACK)
    bench.hear()
    assert bench.chip.baud == 921_600
    assert bench.ask("02") == b""  # the host still speaks at 115200
    bench.port.baud = 921_600
    assert bench.ask("02") == rsp(VERSION)


def test_without_the_ack_the_old_rate_stays() -> None:
    bench = Bench()
    bench.ask("10 07")
    assert bench.ask("02") == rsp(VERSION)
    bench.say(ACK)
    bench.hear()
    assert bench.chip.baud == 115_200


def test_a_host_at_the_wrong_rate_hears_no_frame() -> None:
    bench = Bench()
    bench.say(cmd("02"))
    bench.port.baud = 9_600  # after the command, before the answer
    assert b"\x00\xff" not in bench.hear()
