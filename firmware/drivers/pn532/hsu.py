"""The line to the PN532: HSU, its high-speed UART (UM0701-02 section 6.2.2): 8N1, 115200 at start.

A command raises the chip to 921600 (chip.py); this file only sets the host's side.
"""

from micropython import const

from firmware.drivers.pn532 import frame

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.pn532.frame import Parser
    from firmware.drivers.seams import Clock, UartLike

# 55 55 wakes a chip that sleeps; the zeros give its oscillator time. Fewer fail on some boards.
_WAKE = b"\x55\x55" + bytes(14)
_BUFFER = const(64)  # bytes taken from the UART at once: one 48-byte answer
_SETTLE_US = const(1000)  # after a change of rate (as nfcpy waits)


class Hsu:
    """Transport over a UART made with `timeout=0` and a receive buffer of 128 bytes or more."""

    speeds: "tuple[int, ...]" = (115200, 230400, 460800, 921600)

    def __init__(self, uart: "UartLike", clock: "Clock") -> None:
        self._uart = uart
        self._clock = clock
        self._bytes = bytearray(_BUFFER)
        self._have = 0
        self._used = 0

    def write(self, data: bytes) -> None:
        """Send a frame. What the chip has said before is history: it is thrown away."""
        if self._uart.any():
            self._drain()
        self._have = self._used = 0
        self._uart.write(data)

    def read(self, parser: "Parser") -> int:
        """Feed what has arrived, up to the end of one frame; return the parser's finding."""
        uart = self._uart
        found = frame.NOTHING
        while found == frame.NOTHING:
            if self._used == self._have:
                count = min(uart.any(), _BUFFER)
                if count:
                    count = uart.readinto(self._bytes, count) or 0
                if not count:
                    break
                self._have = count
                self._used = 0
            found = parser.take(self._bytes, self._used, self._have)
            self._used = parser.at
        return found

    def wake(self) -> None:
        """Send the preamble that wakes the chip from power-down or after a reset."""
        self._uart.write(_WAKE)

    def reopen(self, speed: int) -> None:
        """Set the rate of the host's side, after everything written has left."""
        self._uart.flush()
        self._uart.init(baudrate=speed)
        self._clock.sleep_us(_SETTLE_US)
        self._drain()

    def _drain(self) -> None:
        while self._uart.any():
            self._uart.readinto(self._bytes, min(self._uart.any(), _BUFFER))
        self._have = self._used = 0
