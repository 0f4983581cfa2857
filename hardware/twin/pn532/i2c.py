"""I2C at address 24 hex: every read begins with RDY and starts again at byte 0 of the frame."""

import errno
from dataclasses import dataclass

from hardware.twin.pn532.chip import Pn532Chip

ADDRESS = 0x24
WAKE_BIT = 0x80
HERTZ_MAX = 400_000
READY, NOT_READY = b"\x01", b"\x00"
_BITS_PER_BYTE = 9
_START_STOP_BITS = 2


@dataclass(frozen=True)
class I2cHabits:
    """The ways in which real chips strain a master; all durations in µs."""

    stretch_us: int = 0  # SCL held low once per transaction; seen: 250-500, data sheet: up to 1000
    nak_window_us: int = 0  # the address is not ACKed this soon after a transaction (UM 6.2.4)
    locks_up_on_over_read: bool = False  # SCL held low for ever when more is read than there is


CALM = I2cHabits()
HARSH = I2cHabits(stretch_us=500, nak_window_us=150, locks_up_on_over_read=True)


class I2cPort:
    """The chip on I2C. Each transaction moves the clock by the time its bits take."""

    wake_bit = WAKE_BIT

    def __init__(
        self,
        chip: Pn532Chip,
        hertz: int = HERTZ_MAX,
        habits: I2cHabits = CALM,
        timeout_us: int = 50_000,
    ) -> None:
        """`timeout_us`: how long the master bears a held SCL (MicroPython on rp2: 50 000)."""
        self.chip = chip
        self.hertz = hertz
        self.habits = habits
        self.timeout_us = timeout_us
        self.bytes_on_wire = 0
        self._frame: bytes | None = None
        self._busy_until_us = 0
        chip.port = self

    def offer(self, frame: bytes) -> None:
        """A frame waits until the host reads it."""
        self._frame = frame

    def withdraw(self) -> None:
        """Nothing waits any more."""
        self._frame = None

    def writeto(self, data: bytes) -> None:
        """One write transaction. `OSError`: EIO not ACKed, ETIMEDOUT SCL held for too long."""
        self._address()
        self._pass(len(data))
        self._end()
        self.chip.feed(bytes(data))

    def readfrom(self, n: int) -> bytes:
        """One read transaction of `n` bytes: RDY, the frame from its first byte, zeros."""
        self._address()
        frame = self._frame
        number = self.chip.offer_number
        self._pass(n)
        if frame is None:
            self._end()
            return NOT_READY * n
        if n - 1 > len(frame) and self.habits.locks_up_on_over_read:
            self.chip.bus_is_stuck = True
            self._hang()
        self._end()
        if n - 1 >= len(frame) - 1:  # the postamble need not be read
            if self._frame is frame:
                self._frame = None
            self.chip.taken(number)
        return (READY + frame + bytes(n))[:n]

    def _address(self) -> None:
        """Start, address byte, and what the chip makes of it."""
        if self.chip.bus_is_stuck:
            self._hang()
        awake_us = self.chip.hear(WAKE_BIT, self.chip.clock.now_us)
        too_soon = self.chip.clock.now_us < self._busy_until_us
        self._pass(1)
        if awake_us is None or too_soon or self.hertz > HERTZ_MAX:
            raise OSError(errno.EIO, "I2C address 0x24 is not acknowledged")
        self._stretch(max(0, int(awake_us) - self.chip.clock.now_us) + self.habits.stretch_us)

    def _stretch(self, us: int) -> None:
        if us > self.timeout_us:
            self._hang()
        self.chip.clock.advance(us)

    def _hang(self) -> None:
        self.chip.clock.advance(self.timeout_us)
        raise OSError(errno.ETIMEDOUT, "I2C: SCL is held low")

    def _pass(self, count: int) -> None:
        self.bytes_on_wire += count
        self.chip.clock.advance(round(count * _BITS_PER_BYTE * 1_000_000 / self.hertz))

    def _end(self) -> None:
        self.chip.clock.advance(round(_START_STOP_BITS * 1_000_000 / self.hertz))
        self._busy_until_us = self.chip.clock.now_us + self.habits.nak_window_us
