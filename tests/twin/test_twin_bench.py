"""Adafruit's driver in virtual time: commands and bytes counted, as worked out by hand."""

import time

import adafruit_pn532.adafruit_pn532
import pytest

from hardware.twin.pn532.chip import NO_HAND_OFF, HandOff
from hardware.twin.tags import NtagTwin
from tests.support import adafruit
from tests.support.reader_bench import Detection
from tests.twin.dialogue import UID

HAND_OFF = HandOff(ack_us=300, start_us=300, reply_us=400)


def detect(transport: str, hand_off: HandOff = NO_HAND_OFF) -> Detection:
    return adafruit.detect(transport, NtagTwin.ntag213(UID), hand_off)


@pytest.mark.parametrize("transport", ["hsu", "i2c", "spi"])
def test_one_list_and_one_read_per_page(transport: str) -> None:
    assert detect(transport).commands == 13


def test_bytes_on_the_uart() -> None:
    """List 11 + 6 + 22, then twelve reads of 12 + 6 + 26: each fetches 16 bytes to use 4."""
    assert detect("hsu").bytes_on_wire == 39 + 12 * 44


@pytest.mark.parametrize(
    ("transport", "quick_ms", "real_ms"),
    [("i2c", 149, 280), ("spi", 131, 261)],
)
def test_agrees_with_an_independent_run(transport: str, quick_ms: int, real_ms: int) -> None:
    """Their driver was run before on another simulated bus: these were its times.

    Nearly all of it are its sleeps of 10 ms; when the chip takes its time for ACK and reply, each
    wait needs a second one.
    """
    assert detect(transport).ms == pytest.approx(quick_ms, abs=1)
    assert detect(transport, HAND_OFF).ms == pytest.approx(real_ms, abs=1)


def test_real_time_comes_back() -> None:
    detect("i2c")
    assert adafruit_pn532.adafruit_pn532.time is time
