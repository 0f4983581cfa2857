"""SPI mode 0, least significant bit first. The first byte after NSS falls says what follows."""

from hardware.twin.pn532.chip import Pn532Chip

WAKE_BIT = 0x20
HERTZ_MAX = 5_000_000
STATUS_READ, DATA_WRITE, DATA_READ = 0x02, 0x01, 0x03
READY = 0x01
_FLOATING = 0xFF
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class SpiPort:
    """The chip on SPI, as a master sees it that sends the highest bit first (rp2 can only that).

    `exchange` moves the clock by the time its bits take.
    """

    wake_bit = WAKE_BIT

    def __init__(self, chip: Pn532Chip, hertz: int = 1_000_000) -> None:
        self.chip = chip
        self.hertz = hertz
        self.bytes_on_wire = 0
        self._frame: bytes | None = None
        self._number = 0
        self._selected = False
        self._listens_us: float | None = None
        self._direction: int | None = None
        self._written = bytearray()
        self._reading: bytes | None = None
        self._position = 0
        chip.port = self

    def offer(self, frame: bytes) -> None:
        """A frame waits until the host reads it."""
        self._frame = frame
        self._number = self.chip.offer_number

    def withdraw(self) -> None:
        """Nothing waits any more."""
        self._frame = None

    def select(self, level: int) -> None:
        """The NSS pin: 0 begins a transfer (and wakes the chip), 1 ends it."""
        if level == 0 and not self._selected:
            self._selected = True
            self._direction = None
            self._written.clear()
            self._listens_us = self.chip.hear(WAKE_BIT, self.chip.clock.now_us)
        elif level == 1 and self._selected:
            self._selected = False
            self._finish()

    def exchange(self, data: bytes) -> bytes:
        """Shift bytes out and in; FF comes back where nobody drives the line."""
        out = bytearray()
        for byte in bytes(data):
            self.chip.clock.advance(0)
            out.append(REVERSED[self._shift(REVERSED[byte])])
        self.bytes_on_wire += len(out)
        self.chip.clock.advance(round(len(out) * 8 * 1_000_000 / self.hertz))
        return bytes(out)

    def _shift(self, byte: int) -> int:
        deaf = self._listens_us is None or self.chip.clock.now_us < self._listens_us
        if not self._selected or deaf or self.hertz > HERTZ_MAX:
            return _FLOATING
        if self._direction is None:
            self._begin(byte)
            return 0x00
        if self._direction == STATUS_READ:
            return READY if self._frame is not None else 0x00
        if self._direction == DATA_READ:
            return self._next_byte()
        if self._direction == DATA_WRITE:
            self._written.append(byte)
        return 0x00

    def _begin(self, direction: int) -> None:
        self._direction = direction
        self._reading = self._frame if direction == DATA_READ else None
        self._position = 0

    def _next_byte(self) -> int:
        if self._reading is None or self._position >= len(self._reading):
            return 0x00
        self._position += 1
        return self._reading[self._position - 1]

    def _finish(self) -> None:
        if self._direction == DATA_WRITE and self._written:
            self.chip.feed(bytes(self._written))
        elif self._reading is not None and self._position >= len(self._reading) - 1:
            if self._frame is self._reading:
                self._frame = None
            self.chip.taken(self._number)
        self._reading = None
