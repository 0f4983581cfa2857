"""Adafruit's driver in virtual time: commands and bytes counted, as worked out by hand."""

import time

import adafruit_pn532.adafruit_pn532
import pytest

from hardware.twin.clock import VirtualClock
from hardware.twin.pn532.chip import HandOff
from host_tools.bench.reader_twin import detect_with_adafruit, measure, virtual_time

HAND_OFF = HandOff(300, 300, 400)


@pytest.mark.parametrize("transport", ["hsu", "i2c", "spi"])
def test_one_list_and_one_read_per_page(transport: str) -> None:
    assert detect_with_adafruit(transport).commands == 13


def test_bytes_on_the_uart() -> None:
    """List 11 + 6 + 22, then twelve reads of 12 + 6 + 26: each fetches 16 bytes to use 4."""
    assert detect_with_adafruit("hsu").bytes_on_wire == 39 + 12 * 44


@pytest.mark.parametrize(
    ("transport", "quick_ms", "real_ms"),
    [("i2c", 149, 280), ("spi", 131, 261)],
)
def test_agrees_with_an_independent_run(transport: str, quick_ms: int, real_ms: int) -> None:
    """Their driver was run before on another simulated bus: these were its times.

    Nearly all of it are its sleeps of 10 ms; when the chip takes its time for ACK and reply, each
    wait needs a second one.
    """
    assert detect_with_adafruit(transport).ms == pytest.approx(quick_ms, abs=1)
    assert detect_with_adafruit(transport, HAND_OFF).ms == pytest.approx(real_ms, abs=1)


def test_real_time_comes_back() -> None:
    with virtual_time(VirtualClock()):
        assert adafruit_pn532.adafruit_pn532.time is not time
    assert adafruit_pn532.adafruit_pn532.time is time


def test_our_driver_is_eight_times_faster_on_every_bus() -> None:
    faster = [figure for figure in measure() if figure.unit == "×"]
    assert [figure.met for figure in faster] == [True, True, True]
