"""The Pico's UART to the reader and its I2C to the screens, with their times and their wiring."""

import errno
from collections.abc import Mapping

from hardware.twin.clock import VirtualClock
from hardware.twin.errors import TwinError, os_error
from hardware.twin.harness import HSU, READER, Harness
from hardware.twin.oled import Oled
from hardware.twin.pins import Pins
from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.wiring import PICO

_RX_FIFO = 32  # RP2040 datasheet 4.2.2.3
_RX_BUFFER = 256  # rxbuf of machine.UART when the board file does not say otherwise
_MAX_HZ = 1_000_000  # RP2040 data sheet 4.3: fast mode plus
_WEAK_MAX_HZ = 50_000  # without pull-ups on the modules: `_rises_in_time`
_POLL_US = 100  # how often a read with a timeout looks


class ReaderUart:
    """`machine.UART` number `reader_uart`. Bytes that nobody fetches in time are lost, as on the
    chip.
    """

    def __init__(self, clock: VirtualClock, port: HsuPort, pins: Pins, harness: Harness) -> None:
        self._clock = clock
        self._port = port
        self._pins = pins
        works = harness.modules.switches == HSU and harness.powered(READER)
        self._reaches = works and harness.on((READER, "SS"), PICO.reader_tx)
        self._is_reached = works and harness.on((READER, "MOSI"), PICO.reader_rx)
        self._open = False
        self._received = bytearray()

    def open(self, number: int, baud: int, pins: int) -> None:
        """`pins` is tx << 8 | rx, or -1 to keep them; baud 0 closes."""
        wanted = PICO.reader_tx << 8 | PICO.reader_rx
        kept = -1 if self._open else wanted
        if number != PICO.reader_uart or pins not in (wanted, kept):
            raise TwinError(
                f"The reader hangs on UART{PICO.reader_uart}, GP{wanted >> 8} and "
                f"GP{wanted & 255}; firmware: UART{number}, GP{pins >> 8}, GP{pins & 255}."
            )
        self._open = baud > 0
        if baud:
            self._pins.take((PICO.reader_tx, PICO.reader_rx))
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
        self._pins.pulse((PICO.reader_tx,))
        return self._port.write(data) if self._reaches else len(data)

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
            heard = self._port.read(waiting) if self._is_reached else b""
            room = _RX_FIFO + _RX_BUFFER - len(self._received)
            self._received += heard[:room]

    def _check(self) -> None:
        if not self._open:
            raise TwinError("The firmware uses a UART that it has not opened.")
        if self._pins.is_plain(PICO.reader_tx) or self._pins.is_plain(PICO.reader_rx):
            raise TwinError("The firmware uses a UART whose pins it has made plain ones.")


class ScreenI2c:
    """One `machine.I2C` for screens, or a `SoftI2C` on any two pins. A transfer blocks for nine
    bit times a byte.

    `stuck` is a display that holds SDA: every transfer ends in ETIMEDOUT after the timeout. With
    `clocks_left` it lets go after so many pulses on SCL, as one that missed the end of a byte.
    """

    def __init__(
        self, clock: VirtualClock, harness: Harness, oleds: Mapping[str, Oled], pins: Pins
    ) -> None:
        self._clock = clock
        self._pins = pins
        self._harness = harness
        self._oleds = oleds
        self._hertz = 0
        self._timeout_us = 0
        self._sda = self._scl = 0
        self.last_write_us = 0
        self.stuck = False
        self.clocks_left: int | None = None

    def open(self, hertz: int, sda: int, scl: int, timeout_us: int) -> None:
        """`machine.I2C(…)`; the pins have been checked."""
        if not 0 < hertz <= _MAX_HZ:
            raise TwinError(f"The Pico's I2C runs at most at 1 MHz, not at {hertz} Hz.")
        self._hertz, self._timeout_us = hertz, timeout_us
        self._sda, self._scl = sda, scl
        self._pins.take((sda, scl))

    def holds(self, gpio: int) -> bool:
        """Does a stuck display keep this line low?"""
        return self.stuck and gpio == self._sda

    def close(self) -> None:
        """Reset or power loss."""
        self._hertz = 0

    def clocked(self) -> None:
        """A pulse on SCL that is no transfer."""
        if self.stuck and self.clocks_left is not None:
            self.clocks_left -= 1
            self.stuck = self.clocks_left > 0

    def write(self, address: int, data: bytes) -> int:
        """One transaction. EIO if nobody acknowledges the address."""
        for module in self._address(address, len(data)):
            if module in self._oleds:
                self._oleds[module].hear(data, self._hertz)
        self.last_write_us = self._clock.now_us
        return len(data)  # machine.I2C.writeto: the number of ACKs

    def read(self, address: int, size: int) -> bytes:
        """Read the display's status byte (SSD1306 8.1.5: bit 6 = display off)."""
        level = 0xFF
        for module in self._address(address, size):
            level &= self._oleds[module].status() if module in self._oleds else 0xFF
        return bytes((level,)) * size

    def _address(self, address: int, size: int) -> list[str]:
        """The modules that acknowledge; several do when they share lines and address."""
        if not self._hertz:
            raise TwinError("The firmware uses an I2C bus that it has not opened.")
        if self._pins.is_plain(self._sda) or self._pins.is_plain(self._scl):
            raise TwinError("The firmware uses an I2C bus whose pins it has made plain ones.")
        self._pins.pulse((self._sda, self._scl))
        levels = [self._harness.driven(gp) for gp in (self._sda, self._scl)]
        # the RP2040's controller waits for a line that is held low; MicroPython ends that wait
        if self.stuck or 0 in levels:
            self._clock.advance(self._timeout_us)
            raise os_error(errno.ETIMEDOUT)
        there = self._there(address) if self._rises_in_time(levels) else []
        bits = 9 * (1 + (size if there else 0)) + 2  # address and bytes with ACK, start, stop
        self._clock.advance(bits * 1_000_000 // self._hertz)
        if not there:
            raise os_error(errno.EIO)
        return there

    def _there(self, address: int) -> list[str]:
        found = self._harness.answering(self._sda, self._scl)
        return [
            module
            for module, at in found.items()
            if at == address
            and (module not in self._oleds or self._oleds[module].acknowledges(self._hertz))
        ]

    def _rises_in_time(self, levels: list[int | None]) -> bool:
        """Pull-ups, or a clock so slow that the Pico's own 50 kohm will do: 50 pF take 2.5 us."""
        return None not in levels or self._hertz <= _WEAK_MAX_HZ
