"""The Pico's UART to the reader and its I2C to the display, with their times and their wiring."""

import errno

from hardware.twin.clock import VirtualClock
from hardware.twin.errors import TwinError, os_error
from hardware.twin.oled import Oled
from hardware.twin.pn532.ports import HsuPort
from hardware.twin.wiring import Wiring

_RX_FIFO = 32  # RP2040 datasheet 4.2.2.3
_RX_BUFFER = 256  # rxbuf of machine.UART when the board file does not say otherwise
_OLED_MAX_HZ = 400_000  # SSD1306 rev 1.1, table 13-6
_POLL_US = 100  # how often a read with a timeout looks


class ReaderUart:
    """`machine.UART` number `reader_uart`. Bytes that nobody fetches in time are lost, as on the
    chip.
    """

    def __init__(self, clock: VirtualClock, wiring: Wiring, port: HsuPort) -> None:
        self._clock = clock
        self._wiring = wiring
        self._port = port
        self._open = False
        self._received = bytearray()

    def open(self, number: int, baud: int, pins: int) -> None:
        """`pins` is tx << 8 | rx, or -1 to keep them; baud 0 closes."""
        wanted = self._wiring.reader_tx << 8 | self._wiring.reader_rx
        if number != self._wiring.reader_uart or pins not in (
            wanted,
            -1 if self._open else wanted,
        ):
            raise TwinError(
                f"The reader hangs on UART{self._wiring.reader_uart}, GP{wanted >> 8} and "
                f"GP{wanted & 255}; firmware: UART{number}, GP{pins >> 8}, GP{pins & 255}."
            )
        self._open = baud > 0
        if baud:
            self._port.baud = baud

    def close(self) -> None:
        """Reset or power loss."""
        self._open = False
        self._received.clear()

    def any(self) -> int:
        """Bytes that can be read now."""
        self._fetch()
        return len(self._received)

    def write(self, data: bytes) -> int:
        """Queue bytes; they leave by themselves."""
        self._check()
        return self._port.write(data)

    def read(self, size: int, timeout_us: int) -> bytes:
        """Up to `size` bytes; waits for them up to `timeout_us`."""
        self._check()
        until_us = self._clock.now_us + timeout_us
        self._fetch()
        while len(self._received) < size and self._clock.now_us < until_us:
            self._clock.advance(_POLL_US)
            self._fetch()
        data = bytes(self._received[:size])
        del self._received[:size]
        return data

    def busy_us(self) -> int:
        """Time until the last written byte has left."""
        return max(0, self._port.idle_at_us - self._clock.now_us)

    def next_change_us(self) -> int | None:
        """When `any` grows next by itself."""
        return self._port.next_arrival_us() if self._open else None

    def _fetch(self) -> None:
        waiting = self._port.any()
        if waiting and self._open:
            room = _RX_FIFO + _RX_BUFFER - len(self._received)
            self._received += self._port.read(waiting)[:room]

    def _check(self) -> None:
        if not self._open:
            raise TwinError("The firmware uses a UART that it has not opened.")


class DisplayI2c:
    """`machine.I2C` number `oled_i2c`. A transfer blocks for nine bit times a byte.

    `stuck` is a display that holds the bus low: every transfer ends in ETIMEDOUT after the
    timeout.
    """

    def __init__(self, clock: VirtualClock, wiring: Wiring, oled: Oled) -> None:
        self._clock = clock
        self._wiring = wiring
        self.oled = oled
        self._hertz = 0
        self._timeout_us = 0
        self._parts = b""
        self.last_write_us = 0
        self.stuck = False

    def open(self, number: int, hertz: int, pins: int, timeout_us: int) -> None:
        """`pins` is scl << 8 | sda."""
        wanted = self._wiring.oled_scl << 8 | self._wiring.oled_sda
        if number != self._wiring.oled_i2c or pins != wanted:
            raise TwinError(
                f"The display hangs on I2C{self._wiring.oled_i2c}, SCL GP{wanted >> 8} and SDA "
                f"GP{wanted & 255}; firmware: I2C{number}, GP{pins >> 8}, GP{pins & 255}."
            )
        if not 0 < hertz <= _OLED_MAX_HZ:
            raise TwinError(f"The display's I2C runs at most at 400 kHz, not at {hertz} Hz.")
        self._hertz = hertz
        self._timeout_us = timeout_us

    def close(self) -> None:
        """Reset or power loss."""
        self._hertz = 0
        self._parts = b""

    def part(self, data: bytes) -> int:
        """Keep the first pieces of a write that comes in several."""
        self._parts += data
        return 0

    def write(self, address: int, data: bytes) -> int:
        """One transaction. EIO if nobody acknowledges the address."""
        whole = self._parts + data
        self._parts = b""
        self._address(address, len(whole))
        self.oled.write(whole)
        self.last_write_us = self._clock.now_us
        return len(whole)  # machine.I2C.writeto: the number of ACKs

    def read(self, address: int, size: int) -> bytes:
        """Read the display's status byte (SSD1306 8.1.5: bit 6 = display off)."""
        self._address(address, size)
        return bytes((0x00 if self.oled.on else 0x40,)) * size

    def _address(self, address: int, size: int) -> None:
        if not self._hertz:
            raise TwinError("The firmware uses an I2C bus that it has not opened.")
        if self.stuck:
            self._clock.advance(self._timeout_us)
            raise os_error(errno.ETIMEDOUT)
        there = address == self._wiring.oled_address and self.oled.present
        bits = 9 * (1 + (size if there else 0)) + 2  # address and bytes with ACK, start, stop
        self._clock.advance(bits * 1_000_000 // self._hertz)
        if not there:
            raise os_error(errno.EIO)
