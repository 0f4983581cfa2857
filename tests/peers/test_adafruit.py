"""Adafruit's PN532_UART over pyserial, as installed from PyPI."""

from collections.abc import Iterator

import pytest
import serial
from adafruit_pn532.uart import PN532_UART

from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tags import NtagTwin
from tests.peers.conftest import UID

pytestmark = pytest.mark.peers


@pytest.fixture
def pn532(reader: ReaderPty) -> Iterator[PN532_UART]:
    """Their driver; without a read time-out it would hang (it asks for more than comes)."""
    with serial.Serial(reader.path, 115_200, timeout=0.1) as line:
        yield PN532_UART(line)


def test_reads_the_firmware_version(pn532: PN532_UART) -> None:
    assert pn532.firmware_version == (0x32, 1, 6, 7)


def test_finds_the_tag(pn532: PN532_UART) -> None:
    assert bytes(pn532.read_passive_target(timeout=20)) == UID


def test_reads_and_writes_pages(pn532: PN532_UART, tag: NtagTwin) -> None:
    pn532.read_passive_target(timeout=20)
    assert bytes(pn532.ntag2xx_read_block(3)) == bytes.fromhex("E1101200")
    assert pn532.ntag2xx_write_block(6, b"wxyz") is True
    assert bytes(pn532.ntag2xx_read_block(6)) == b"wxyz"
    assert tag.user[8:12] == b"wxyz"


def test_an_empty_field_is_silence(pn532: PN532_UART, reader: ReaderPty) -> None:
    """Adafruit sets no retry limit: the chip must not answer at all ("0 targets" would raise)."""
    with reader.lock:
        reader.field.clear()
    assert pn532.read_passive_target(timeout=0.2) is None


def test_the_tag_may_come_later(pn532: PN532_UART, reader: ReaderPty, tag: NtagTwin) -> None:
    with reader.lock:
        reader.field.clear()
    pn532.listen_for_passive_target()
    with reader.lock:
        reader.field.place(tag)
    assert bytes(pn532.get_passive_target(timeout=20)) == UID
