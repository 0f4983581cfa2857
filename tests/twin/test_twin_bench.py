"""Adafruit's driver in virtual time: commands and bytes counted, as worked out by hand."""

import time

import adafruit_pn532.adafruit_pn532

from hardware.twin.pn532.chip import NO_HAND_OFF
from hardware.twin.tags import NtagTwin
from tests.support import adafruit
from tests.support.reader_bench import Detection
from tests.twin.dialogue import UID


def detect() -> Detection:
    return adafruit.detect(NtagTwin.ntag213(UID), NO_HAND_OFF)


def test_one_list_and_one_read_per_page() -> None:
    assert detect().commands == 13


def test_bytes_on_the_uart() -> None:
    """List 11 + 6 + 22, then twelve reads of 12 + 6 + 26: each fetches 16 bytes to use 4."""
    assert detect().bytes_on_wire == 39 + 12 * 44


def test_real_time_comes_back() -> None:
    detect()
    assert adafruit_pn532.adafruit_pn532.time is time
