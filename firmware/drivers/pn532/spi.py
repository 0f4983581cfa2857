"""PN532 over SPI (UM0701-02 section 6.2.5): mode 0, least significant bit first, up to 5 MHz.

The Pico's controller sends the most significant bit first only, so every byte goes through a
table. The first byte after NSS falls says what follows: 01 a frame to the chip, 02 the status
(bit 0: a frame waits), 03 a frame from the chip.
"""

from micropython import const

from firmware.drivers.pn532 import frame
from firmware.drivers.pn532.window import Window

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.pn532.frame import Parser
    from firmware.drivers.seams import Clock, PinLike, SpiLike

# as they leave an MSB-first controller
_DATA_WRITE = b"\x80"
_STATUS_READ = b"\x40"
_DATA_READ = b"\xc0"
_STATUS_READY = const(0x80)

_LARGEST = const(8 + 265 + 2)
_SELECT_US = const(2)  # NSS to first clock
_WAKE_US = const(2000)  # NSS low this long wakes a sleeping chip


def _reversed_bits(byte: int) -> int:
    return sum(1 << (7 - bit) for bit in range(8) if byte >> bit & 1)


class Spi:
    """Transport over a bus in mode 0 and a select pin that is high when idle."""

    speeds: "tuple[int, ...]" = (1000000,)

    def __init__(
        self, bus: "SpiLike", select: "PinLike", clock: "Clock", irq: "PinLike | None" = None
    ) -> None:
        """`irq`: a pin that is low while a frame waits; without it the status is read."""
        self._bus = bus
        self._select = select
        self._clock = clock
        self._irq = irq
        self._reversed = bytes([_reversed_bits(byte) for byte in range(256)])
        self._window = Window(_LARGEST)
        self._status = bytearray(1)

    def write(self, data: bytes) -> None:
        """Send a frame."""
        view = self._window.first(len(data))
        for place in range(len(data)):
            view[place] = self._reversed[data[place]]
        self._begin(_DATA_WRITE)
        self._bus.write(view)
        self._select(1)

    def _ready(self) -> bool:
        """True if a frame waits in the chip."""
        if self._irq is not None:
            return not self._irq()
        self._begin(_STATUS_READ)
        self._bus.readinto(self._status, 0)
        self._select(1)
        return bool(self._status[0] & _STATUS_READY)

    def read(self, parser: "Parser") -> int:
        """Read one frame, if one waits: its head tells how much more to read."""
        if not self._ready():
            return frame.NOTHING
        self._begin(_DATA_READ)
        found = self._take(parser, frame.HEAD)
        while found == frame.NOTHING and parser.missing():
            found = self._take(parser, parser.missing())
        self._select(1)
        return found

    def wake(self) -> None:
        """Hold NSS low long enough for the chip's oscillator to start."""
        self._select(0)
        self._clock.sleep_us(_WAKE_US)
        self._select(1)

    def reopen(self, speed: int) -> None:
        """Release the chip; SPI has nothing else that can get stuck."""
        self._select(1)

    def _begin(self, direction: bytes) -> None:
        self._select(0)
        self._clock.sleep_us(_SELECT_US)
        self._bus.write(direction)

    def _take(self, parser: "Parser", count: int) -> int:
        view = self._window.first(count)
        self._bus.readinto(view, 0)
        for place in range(count):
            found = parser.feed(self._reversed[view[place]])
            if found != frame.NOTHING:
                return found
        return frame.NOTHING
