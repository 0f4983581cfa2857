"""A PN532 on a serial adapter at the laptop, through Adafruit's driver and pyserial.

The driver is made for single reads of 4 bytes; here its `call_function` sends the chip's own
commands, so that a card is written and verified with few of them (PN532 user manual UM0701-02).
"""

import time
from collections.abc import Callable
from typing import Any

import serial  # type: ignore[import-untyped]  # pyserial has no types

from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.installing import bring
from host_tools.provision.port import TagLost, TagRefused, TwoTags

_BAUD = 115200  # the chip's speed after power-up
_WAIT_S = 0.1
_PAUSE_S = 0.1

_CONFIGURE = 0x32
_LIST = 0x4A
_EXCHANGE = 0x40
_THROUGH = 0x42
_FIELD_OFF = b"\x01\x00"
_LIST_TRIES = b"\x05\xff\x01\x02"  # otherwise a list waits for ever (section 7.3.1)

_READ = 0x30
_FAST_READ = 0x3A
_WRITE = 0xA2
_VERSION = b"\x60"
_SIGNATURE = b"\x3c\x00"
# 48 bytes and a CRC fit the 64-byte RF buffer of the chip, as in firmware/drivers/ntag.py
_FAST_PAGES = 12
_STATUS = 0x3F  # bits 0 to 5 of the status byte (UM0701-02, 7.1)
_TIME_OUT = 0x01
_MOST_LISTED = 24  # two cards with 7-byte UIDs


def open_serial_port(device: str) -> "SerialPort":
    """Open a PN532 on a serial device. Raises UserError (exit 3)."""
    try:
        from adafruit_pn532.adafruit_pn532 import BusyError  # type: ignore[import-untyped]  # no types
        from adafruit_pn532.uart import PN532_UART  # type: ignore[import-untyped]  # no types
    except ImportError as error:
        mend = bring("adafruit-circuitpython-pn532")
        raise UserError("reader_no_driver", Exit.SYSTEM, mend=mend) from error
    try:
        line = serial.Serial(device, _BAUD, timeout=_WAIT_S)
    except (OSError, ValueError) as error:
        raise UserError("reader_unopened", Exit.SYSTEM, port=device, detail=str(error)) from error
    try:
        return SerialPort(PN532_UART(line), line.close)
    except (RuntimeError, BusyError, OSError) as error:
        line.close()
        raise UserError("reader_no_chip", Exit.SYSTEM, port=device) from error


class SerialPort:
    """`chip`: an `adafruit_pn532` reader. `close` gives its line back."""

    def __init__(self, chip: Any, close: Callable[[], None]) -> None:
        self._chip = chip
        self.close = close
        self._ask(_CONFIGURE, 0, _LIST_TRIES)

    def find(self) -> bytes | None:
        # from a dark field a resting card answers every list, else only some of them
        self._ask(_CONFIGURE, 0, _FIELD_OFF)
        found = self._ask(_LIST, _MOST_LISTED, b"\x02\x00")
        if found[:1] == b"\x00":
            return None
        if found[:1] != b"\x01" or len(found) < 6:
            raise TwoTags
        # count, number, SENS_RES (2), SEL_RES, length of the UID, UID (UM0701-02, 7.3.5)
        return bytes(found[6 : 6 + found[5]])

    def read(self, first_page: int, count: int) -> bytes:
        data = b""
        for done in range(0, count, _FAST_PAGES):
            start = first_page + done
            pages = min(_FAST_PAGES, count - done)
            command = bytes((_FAST_READ, start, start + pages - 1))
            data += self._through(command, 4 * pages) or self._read_slowly(start, pages)
        return data

    def write_page(self, page: int, data: bytes) -> None:
        answer = self._ask(_EXCHANGE, 1, bytes((1, _WRITE, page)) + data)
        self._judge(answer)

    def version(self) -> bytes | None:
        return self._through(_VERSION, 8)

    def signature(self) -> bytes | None:
        return self._through(_SIGNATURE, 32)

    def signal(self, good: bool) -> None:
        """A bare PN532 has neither light nor sound."""

    def pause(self) -> None:
        time.sleep(_PAUSE_S)

    def _read_slowly(self, first_page: int, count: int) -> bytes:
        """READ, 16 bytes each: for tags without FAST_READ."""
        data = b""
        for page in range(first_page, first_page + count, 4):
            answer = self._ask(_EXCHANGE, 17, bytes((1, _READ, page)))
            self._judge(answer)
            data += answer[1:17]
        return data[: 4 * count]

    def _through(self, command: bytes, size: int) -> bytes | None:
        """A command the chip passes on; None, and the tag listed again, if the tag lacks it."""
        answer = self._ask(_THROUGH, 1 + size, command)
        if answer[:1] == b"\x00" and len(answer) == 1 + size:
            return answer[1:]
        if self.find() is None:
            raise TagLost(Sentence("tag_gone"))
        return None

    def _judge(self, answer: bytes) -> None:
        status = answer[0] & _STATUS if answer else _TIME_OUT
        if status == _TIME_OUT:
            raise TagLost(Sentence("tag_gone"))
        if status:
            raise TagRefused(Sentence("tag_page_locked_status", status=status))

    def _ask(self, command: int, size: int, parameters: bytes) -> bytes:
        from adafruit_pn532.adafruit_pn532 import BusyError

        try:
            answer = self._chip.call_function(command, size, parameters)
        except (RuntimeError, BusyError, OSError) as error:
            raise UserError("reader_failed", Exit.SYSTEM, detail=str(error)) from error
        if answer is None:
            raise UserError("reader_silent", Exit.SYSTEM)
        return bytes(answer)
