"""The GPIOs of the box and what they are soldered to. A pin used in another way than wired is an
error.
"""

from hardware.twin.errors import TwinError
from hardware.twin.panel import Buttons
from hardware.twin.pn532.chip import Pn532Chip
from hardware.twin.wiring import Wiring

_IN, _OUT = 0, 1  # machine.Pin
_PULL_UP = 1
_IRQ_FALLING, _IRQ_RISING = 4, 8  # machine.Pin of the rp2 port: GPIO_IRQ_EDGE_FALL, _RISE


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
        self._watched: dict[int, int] = {}
        self.edges = 0  # bit n: GPn has had an edge that its handler has not been told of
        buttons.on_edge = self._edge

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

    def watch(self, gpio: int, trigger: int) -> None:
        """`machine.Pin.irq`: `trigger` is the sum of the edges wanted, 0 ends it. An edge that was
        before is forgotten, as gpio_set_irq_enabled of the SDK does.
        """
        if trigger not in (0, _IRQ_FALLING, _IRQ_RISING, _IRQ_FALLING | _IRQ_RISING):
            raise TwinError(f"GP{gpio} was asked for interrupts at {trigger}: no known edge.")
        if gpio not in self._wiring.buttons or self._modes.get(gpio) != _IN:
            raise TwinError(f"GP{gpio} is no open button; the twin has no interrupts of it.")
        self._watched[gpio] = trigger
        self.edges &= ~(1 << gpio)

    def take_edges(self) -> int:
        """What `edges` says, once: several edges of a pin since the last time are one."""
        edges, self.edges = self.edges, 0
        return edges

    def release(self) -> None:
        """A reset of the Pico lets go of every pin."""
        self._modes.clear()
        self._out.clear()
        self._watched.clear()
        self.edges = 0
        self._chip.set_reset(1)

    def _edge(self, number: int, level: int) -> None:
        gpio = self._wiring.buttons[number]
        if self._watched.get(gpio, 0) & (_IRQ_RISING if level else _IRQ_FALLING):
            self.edges |= 1 << gpio

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
