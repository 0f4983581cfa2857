"""What is joined to what in one box, wired right or wrong, and what the Pico's pins see of it.

A spot is a connector and the label of one of its pins, as in hardware/*/wiring.yml: ("READER",
"SS"). Pins of one label on one connector are one spot. The twin acts by this, and bring-up judges
by it what a box has measured (host_tools/box/bringup).
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

from hardware.twin.wiring import PICO

Spot = tuple[str, str]
Wire = tuple[Spot, Spot]

READER, SOUTH, NORTH, STRIP = "READER", "SCREEN_SOUTH", "SCREEN_NORTH", "STRIP"
SUPPLY, GROUND = ("PICO", "3V3(OUT)"), ("PICO", "GND")
SWITCHES = ("UP", "DOWN", "OK", "JURY")
HSU, I2C, SPI = "hsu", "i2c", "spi"
READER_ADDRESS = 0x24  # UM0701-02, 6.2.4, without the bit for read and write


@dataclass(frozen=True)
class ScreenModule:
    """A module with an OLED. `status` is what it answers in the low four bits of its status byte;
    `controller` what it is.
    """

    controller: str = "ssd1306"
    address: int = 0x3C
    pull_ups: bool = True
    status: int | None = None


@dataclass(frozen=True)
class Modules:
    """The parts at the wires' ends. None: no screen there. `switches`: the reader's DIP switches.
    `wants_5v`: a reader whose supply collapses when its field goes on. `antenna`: whether it has
    one that works.
    """

    south: ScreenModule | None = ScreenModule()
    north: ScreenModule | None = None
    switches: str = HSU
    wants_5v: bool = False
    antenna: bool = True

    def screens(self) -> dict[str, ScreenModule]:
        """The screens that are there, by their connector."""
        both = {SOUTH: self.south, NORTH: self.north}
        return {name: screen for name, screen in both.items() if screen is not None}


def _drawn() -> tuple[Wire, ...]:
    """The wires of a box that is right."""
    ends: list[tuple[str, Spot]] = [
        (f"GP{PICO.reader_tx}", (READER, "SS")),
        (f"GP{PICO.reader_rx}", (READER, "MOSI")),
        (f"GP{PICO.reader_irq}", (READER, "IRQ")),
        (f"GP{PICO.reader_reset}", (READER, "RSTPD_N")),
        (f"GP{PICO.oled_sda}", (SOUTH, "SDA")),
        (f"GP{PICO.oled_scl}", (SOUTH, "SCL")),
        (f"GP{PICO.north_sda}", (NORTH, "SDA")),
        (f"GP{PICO.north_scl}", (NORTH, "SCL")),
        *((f"GP{gp}", (STRIP, name)) for gp, name in zip(PICO.buttons, SWITCHES, strict=True)),
        (f"GP{PICO.buzzer}", (STRIP, "BUZZER")),
        ("GND", (STRIP, "GND")),
    ]
    for module in (READER, SOUTH, NORTH):
        ends += [("3V3(OUT)", (module, "VCC")), ("GND", (module, "GND"))]
    return tuple((("PICO", label), spot) for label, spot in ends)


@dataclass(frozen=True)
class Harness:
    """Wires and modules of one box."""

    wires: tuple[Wire, ...] = _drawn()
    modules: Modules = field(default_factory=Modules)

    def with_modules(self, **changes: object) -> "Harness":
        """The same wires to other modules."""
        return replace(self, modules=replace(self.modules, **changes))  # type: ignore[arg-type]

    @cached_property
    def _nets(self) -> dict[Spot, frozenset[Spot]]:
        nets: dict[Spot, frozenset[Spot]] = {}
        for one, other in self.wires:
            joined = nets.get(one, frozenset((one,))) | nets.get(other, frozenset((other,)))
            nets.update(dict.fromkeys(joined, joined))
        return nets

    def net(self, spot: Spot) -> frozenset[Spot]:
        """Every spot joined to this one, itself included."""
        return self._nets.get(spot, frozenset((spot,)))

    def meets(self, spot: Spot, other: Spot) -> bool:
        """Are the two joined?"""
        return other in self.net(spot)

    def on(self, spot: Spot, gpio: int) -> bool:
        """Does this spot hang on that GPIO?"""
        return self.meets(spot, ("PICO", f"GP{gpio}"))

    @property
    def shorted(self) -> bool:
        """3.3 V and ground are joined: nothing on the Pico runs."""
        return self.meets(SUPPLY, GROUND)

    def powered(self, module: str) -> bool:
        """Has this module its supply, the right way round?"""
        return self.meets((module, "VCC"), SUPPLY) and self.meets((module, "GND"), GROUND)

    def spots_at(self, gpio: int) -> frozenset[Spot]:
        """What hangs on a GPIO."""
        return self.net(("PICO", f"GP{gpio}"))

    # -- what a pin sees -----------------------------------------------------------------

    def driven(self, gpio: int, reader_runs: bool = True) -> int | None:
        """The level that the outside gives a GPIO while nothing happens; None: it floats.

        `reader_runs`: powered and not held in reset.
        """
        key = gpio, reader_runs
        if key not in self._levels:
            self._levels[key] = self._driven(gpio, reader_runs)
        return self._levels[key]

    @cached_property
    def _levels(self) -> dict[tuple[int, bool], int | None]:
        """What `driven` has found: every call of the firmware's in the VM asks for each pin."""
        return {}

    def _driven(self, gpio: int, reader_runs: bool) -> int | None:
        spots = self.spots_at(gpio)
        if GROUND in spots:
            return 0
        if SUPPLY in spots or self._pulled_up(spots):
            return 1
        return 1 if reader_runs and self._is_reader_output(spots) else None

    def _pulled_up(self, spots: frozenset[Spot]) -> bool:
        """A module's resistors lead to its VCC: they pull without its ground, too."""
        for name, screen in self.modules.screens().items():
            fed = self.meets((name, "VCC"), SUPPLY)
            if screen.pull_ups and fed and spots & {(name, "SDA"), (name, "SCL")}:
                return True
        in_i2c = self.modules.switches == I2C and self.powered(READER)
        return in_i2c and bool(spots & {(READER, "SS"), (READER, "MOSI")})

    def _is_reader_output(self, spots: frozenset[Spot]) -> bool:
        """HSU_TX and IRQ rest high."""
        outputs = {(READER, "IRQ")}
        if self.modules.switches == HSU:
            outputs.add((READER, "MOSI"))
        return self.powered(READER) and bool(spots & outputs)

    def in_reset(self) -> bool:
        """Is RSTPD_N tied to ground?"""
        return self.meets((READER, "RSTPD_N"), GROUND)

    def switch_grounded(self) -> bool:
        """Have the buttons, and the buzzer beside them, their ground?"""
        return self.meets((STRIP, "GND"), GROUND)

    def answering(self, sda: int, scl: int) -> dict[str, int]:
        """Which modules answer at which address on an I2C bus of these two GPIOs."""
        found = {
            name: screen.address
            for name, screen in self.modules.screens().items()
            if self._listens(name, ("SDA", sda), ("SCL", scl))
        }
        if self.modules.switches == I2C and self._listens(READER, ("MOSI", sda), ("SS", scl)):
            found[READER] = READER_ADDRESS
        return found

    def _listens(self, module: str, data: tuple[str, int], clock: tuple[str, int]) -> bool:
        lines = (data, clock)
        if self.meets((module, data[0]), (module, clock[0])):
            return False  # joined lines carry no message
        return self.powered(module) and all(self.on((module, pin), gp) for pin, gp in lines)
