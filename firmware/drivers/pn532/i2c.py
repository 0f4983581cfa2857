"""PN532 over I2C (UM0701-02 section 6.2.4): address 0x24, up to 400 kHz, the chip stretches SCL.

Every read begins with a RDY byte (01: a frame follows) and starts again at the frame's first byte.
Reading more than there is locks up some chips (hydrabus#141, rpieasy#71). So the head is
read first; a NACK makes the chip offer the frame again, which is then read in its exact length.
While it is busy the chip may refuse its address: that means "not ready", not "broken".
"""

from micropython import const

from firmware.drivers.pn532 import errors, frame
from firmware.drivers.pn532.window import Window

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.drivers.pn532.frame import Parser
    from firmware.drivers.seams import Clock, I2cLike, PinLike

_ADDRESS = const(0x24)
_LARGEST = const(1 + 8 + 265 + 1)  # RDY, extended head, body, DCS
_WRITE_TRIES = const(5)
_READ_TRIES = const(5)
_REPLAY_TRIES = const(50)
_REFUSED_US = const(100)  # UM0701-02 6.2.4: a short while after each transfer
_WAKE_US = const(2000)  # the oscillator starts after the address was seen


class I2c:
    """Transport over a bus made with `timeout=` 50 ms (the chip stretches up to 1 ms)."""

    speeds: "tuple[int, ...]" = (400000,)

    def __init__(
        self,
        bus: "I2cLike",
        clock: "Clock",
        irq: "PinLike | None" = None,
        recover: "Callable[[], I2cLike] | None" = None,
    ) -> None:
        """`irq`: a pin that is low while a frame waits. `recover`: frees a stuck bus
        (`bus_recovery.free_bus`) and returns a new bus object."""
        self._bus = bus
        self._clock = clock
        self._irq = irq
        self._recover = recover
        self._window = Window(_LARGEST)
        self._rdy = Window(1)

    def write(self, data: bytes) -> None:
        """Send a frame; BusFault if the chip refuses its address five times."""
        for _ in range(_WRITE_TRIES):
            try:
                self._bus.writeto(_ADDRESS, data)
                return
            except OSError:
                self._clock.sleep_us(_REFUSED_US)
        raise errors.BusFault("I2C: the PN532 does not answer at address 0x24")

    def _ready(self) -> bool:
        """True if a frame waits in the chip."""
        if self._irq is not None:
            return not self._irq()
        rdy = self._rdy.first(1)
        return self._fetch(rdy) and bool(rdy[0] & 1)

    def read(self, parser: "Parser") -> int:
        """Read one frame, if one waits: an ACK in one transfer, anything longer in two."""
        if not self._ready():
            return frame.NOTHING
        found = self._read_bytes(parser, frame.HEAD)
        missing = parser.missing()
        if found != frame.NOTHING or not missing:
            return found
        length = frame.HEAD + missing
        self.write(frame.NACK)
        for _ in range(_REPLAY_TRIES):
            if self._ready():
                parser.reset()
                return self._read_bytes(parser, length)
            self._clock.sleep_us(_REFUSED_US)
        return frame.BAD

    def wake(self) -> None:
        """Call the chip's address: it wakes even if it does not answer yet."""
        self._fetch(self._rdy.first(1))
        self._clock.sleep_us(_WAKE_US)

    def reopen(self, speed: int) -> None:
        """Free a stuck bus, if the board can."""
        if self._recover is not None:
            self._bus = self._recover()

    def _read_bytes(self, parser: "Parser", size: int) -> int:
        view = self._window.first(1 + size)
        if not self._fetch_soon(view) or not view[0] & 1:
            return frame.NOTHING
        for place in range(1, 1 + size):
            found = parser.feed(view[place])
            if found != frame.NOTHING:
                return found
        return frame.NOTHING

    def _fetch_soon(self, into: memoryview) -> bool:
        """Fetch a frame that is there: right after a transfer the address may be refused."""
        for _ in range(_READ_TRIES):
            if self._fetch(into):
                return True
            self._clock.sleep_us(_REFUSED_US)
        return False

    def _fetch(self, into: memoryview) -> bool:
        try:
            self._bus.readfrom_into(_ADDRESS, into)
        except OSError:
            return False
        return True
