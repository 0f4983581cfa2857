"""The GPIOs of the box and what they are soldered to. A pin used in another way than wired is an
error.
"""

from hardware.twin.errors import TwinError
from hardware.twin.panel import Buttons
from hardware.twin.pn532.chip import Pn532Chip
from hardware.twin.wiring import Wiring

_IN, _OUT = 0, 1  # machine.Pin
_PULL_UP = 1


class Pins:
    """Modes and levels. Between power-on and `open` a pin floats; the reader's board pulls RSTPD_N
    up.
    """

    def __init__(self, wiring: Wiring, buttons: Buttons, chip: Pn532Chip) -> None:
        self._wiring = wiring
        self._buttons = buttons
        self._chip = chip
        self._modes: dict[int, int] = {}
        self._out: dict[int, int] = {}

    def open(self, gpio: int, mode: int, pull: int) -> None:
        """`machine.Pin(gpio, mode, pull)`."""
        wanted = self._wanted(gpio)
        if mode != wanted:
            raise TwinError(
                f"GP{gpio} is opened in mode {mode}, but what hangs on it needs {wanted}."
            )
        if gpio in self._wiring.buttons and pull != _PULL_UP:
            raise TwinError(f"GP{gpio} is a button to ground and was opened without PULL_UP.")
        self._modes[gpio] = mode
        if mode == _OUT:
            self._drive(gpio)

    def set(self, gpio: int, level: int) -> None:
        """Set the output latch; it shows on the wire once the pin is an output."""
        self._wanted(gpio)
        self._out[gpio] = level
        if self._modes.get(gpio) == _OUT:
            self._drive(gpio)

    def levels(self) -> int:
        """Bit n is the level of GPn, as far as the pin is open."""
        bits = 0
        for gpio, mode in self._modes.items():
            level = self._out.get(gpio, 0) if mode == _OUT else self._outside(gpio)
            bits |= level << gpio
        return bits

    def level(self, gpio: int) -> int:
        """The level of one open pin."""
        if gpio not in self._modes:
            raise TwinError(f"GP{gpio} is read but was never opened.")
        return self.levels() >> gpio & 1

    def release(self) -> None:
        """A reset of the Pico lets go of every pin."""
        self._modes.clear()
        self._out.clear()
        self._chip.set_reset(1)

    def _wanted(self, gpio: int) -> int:
        wiring = self._wiring
        if gpio in (wiring.reader_reset, wiring.led):
            return _OUT
        if gpio in (*wiring.buttons, wiring.reader_irq):
            return _IN
        raise TwinError(f"Nothing hangs on GP{gpio} that could be used as a plain pin.")

    def _outside(self, gpio: int) -> int:
        if gpio == self._wiring.reader_irq:
            return self._chip.irq
        return self._buttons.levels[self._wiring.buttons.index(gpio)]

    def _drive(self, gpio: int) -> None:
        if gpio == self._wiring.reader_reset:
            self._chip.set_reset(self._out.get(gpio, 0))
