"""The GPIOs of the box and what is soldered to them. A pin used in another way than the drawing
wants is an error; wires that are soldered in another way than drawn are what the harness says.

As an open-drain output every drawn line may be used, and then read: so a bus is freed, and so a
box looks at its own wires.
"""

from collections.abc import Callable, Iterable

from hardware.twin.errors import TwinError
from hardware.twin.harness import READER, STRIP, SWITCHES, Harness
from hardware.twin.panel import PanelButtons
from hardware.twin.pn532.chip import Pn532Chip, PowerMode
from hardware.twin.wiring import PICO

_IN, _OUT, _OPEN_DRAIN = 0, 1, 2  # machine.Pin
_PULL_UP = 1
_IRQ_FALLING, _IRQ_RISING = 4, 8  # machine.Pin of the rp2 port: GPIO_IRQ_EDGE_FALL, _RISE
_SUPPLY_PIN = 29  # VSYS through a divider by three


class Pins:
    """Modes and levels. Between power-on and `open` a pin floats; the reader's board pulls RSTPD_N
    up.

    `held(gpio)` tells whether a screen holds that line low, `clocked(gpio)` is told of a pulse on
    it.
    """

    def __init__(self, buttons: PanelButtons, chip: Pn532Chip, harness: Harness) -> None:
        self._buttons = buttons
        self._chip = chip
        self._harness = harness
        self._modes: dict[int, int] = {}
        self._pulls: dict[int, int] = {}
        self._out: dict[int, int] = {}
        self._watched: dict[int, int] = {}
        self._looked_at: set[int] = set()
        self.edges = 0  # bit n: GPn has had an edge that its handler has not been told of
        self.held: Callable[[int], bool] = lambda gpio: False
        self.clocked: Callable[[int], None] = lambda gpio: None
        buttons.on_edge = self._edge
        self.reset_reader(1)

    def open(self, gpio: int, mode: int, pull: int) -> None:
        """`machine.Pin(gpio, mode, pull)`."""
        self._check_wired(gpio)
        if mode == _OPEN_DRAIN:
            self._looked_at.add(gpio)
        elif mode != _IN or gpio not in self._looked_at:
            self._check_use(gpio, mode, pull)
        if mode != _OPEN_DRAIN and self._is_wanted(gpio, mode, pull):
            self._looked_at.discard(gpio)
        self._modes[gpio] = mode
        self._pulls[gpio] = pull
        if mode != _IN:
            self._drive(gpio)
        elif self._harness.on((READER, "RSTPD_N"), gpio):
            self.reset_reader(1)  # its board pulls it up

    def set(self, gpio: int, level: int) -> None:
        """Set the output latch; it shows on the wire once the pin is an output."""
        self._check_wired(gpio)
        rises = level and not self._out.get(gpio, 0)
        self._out[gpio] = level
        if self._modes.get(gpio, _IN) != _IN:
            self._drive(gpio)
            if rises:
                self.clocked(gpio)

    def take(self, gpios: Iterable[int]) -> None:
        """A UART, I2C or PWM takes these pins over."""
        for gpio in gpios:
            self._modes.pop(gpio, None)
            self._looked_at.discard(gpio)

    def is_plain(self, gpio: int) -> bool:
        """Was it opened as a plain pin, so that no UART or I2C has it?"""
        return gpio in self._modes

    def reset_reader(self, level: int) -> None:
        """What drives RSTPD_N gives it this level; without supply the chip is off all the same."""
        harness = self._harness
        self._chip.set_reset(level if harness.powered(READER) and not harness.in_reset() else 0)

    def pulse(self, gpios: Iterable[int]) -> None:
        """Data run over these pins: a reader with its RSTPD_N there is reset by them."""
        if any(self._harness.on((READER, "RSTPD_N"), gpio) for gpio in gpios):
            self.reset_reader(0)
            self.reset_reader(1)

    def levels(self) -> int:
        """Bit n is the level of GPn, as far as the pin is open."""
        bits = 0
        for gpio, mode in self._modes.items():
            latch = self._out.get(gpio, 0)
            driven = mode == _OUT or (mode == _OPEN_DRAIN and not latch)
            bits |= (latch if driven else self._outside(gpio)) << gpio
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
        if gpio not in PICO.buttons or self._modes.get(gpio) != _IN:
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
        self._looked_at.clear()
        self.edges = 0
        self.reset_reader(1)

    def _edge(self, number: int, level: int) -> None:
        for gpio, trigger in self._watched.items():
            if self._is_switched(gpio, number) and trigger & (
                _IRQ_RISING if level else _IRQ_FALLING
            ):
                self.edges |= 1 << gpio

    def _is_switched(self, gpio: int, number: int) -> bool:
        """Does switch `number` pull this GPIO to ground?"""
        harness = self._harness
        return harness.switch_grounded() and harness.on((STRIP, SWITCHES[number]), gpio)

    def _check_wired(self, gpio: int) -> None:
        if gpio not in PICO.gpios() and gpio != _SUPPLY_PIN:
            raise TwinError(f"Nothing hangs on GP{gpio} that could be used as a plain pin.")

    def _check_use(self, gpio: int, mode: int, pull: int) -> None:
        wanted = self._wanted(gpio)
        if wanted is None:
            raise TwinError(f"Nothing hangs on GP{gpio} that could be used as a plain pin.")
        if mode != wanted:
            raise TwinError(
                f"GP{gpio} is opened in mode {mode}, but what hangs on it needs {wanted}."
            )
        if gpio in PICO.buttons and pull != _PULL_UP:
            raise TwinError(f"GP{gpio} is a button to ground and was opened without PULL_UP.")

    def _is_wanted(self, gpio: int, mode: int, pull: int) -> bool:
        return mode == self._wanted(gpio) and (mode == _OUT or pull == _PULL_UP)

    def _wanted(self, gpio: int) -> int | None:
        if gpio in (PICO.reader_reset, PICO.led, PICO.keep_alive):
            return _OUT
        if gpio in (*PICO.buttons, PICO.reader_irq, _SUPPLY_PIN):
            return _IN
        return None

    def _outside(self, gpio: int) -> int:
        """What an open switch, a module or else the pin's own pull makes of it."""
        spots = self._harness.spots_at(gpio)
        pressed = [number for number, level in enumerate(self._buttons.levels) if not level]
        if self.held(gpio) or any(self._is_switched(gpio, number) for number in pressed):
            return 0
        if any(gp != gpio and self._harness.on(("PICO", f"GP{gp}"), gpio) for gp in self._low()):
            return 0
        runs = self._chip.power is not PowerMode.OFF
        if (READER, "IRQ") in spots and runs:
            return self._chip.irq
        driven = self._harness.driven(gpio, runs)
        return int(self._pulls[gpio] == _PULL_UP) if driven is None else driven

    def _low(self) -> list[int]:
        """The lines that the box itself pulls low as open drains."""
        return [
            gpio
            for gpio, mode in self._modes.items()
            if mode == _OPEN_DRAIN and not self._out.get(gpio, 0)
        ]

    def _drive(self, gpio: int) -> None:
        if self._harness.on((READER, "RSTPD_N"), gpio):
            self.reset_reader(self._out.get(gpio, 0))
