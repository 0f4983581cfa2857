"""What a box with a given harness would measure, as signs by name; and what of it is uncertain.

Wires and modules decide: `hardware/twin/harness.py` says what is joined to what. A sign is what
the box or its builder saw. Where physics leaves several things possible (a module without
supply may hold its lines low or let them float), the sign is a `OneOf` or ANY. None: nothing is
said of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from hardware.twin.harness import (
    GROUND,
    HSU,
    I2C,
    NORTH,
    READER,
    READER_ADDRESS,
    SOUTH,
    STRIP,
    SUPPLY,
    SWITCHES,
    Harness,
    Spot,
)
from hardware.twin.wiring import PICO

FLOATS = "floats"
SCREEN_LINES = (PICO.oled_sda, PICO.oled_scl, PICO.north_sda, PICO.north_scl)
READER_LINES = (PICO.reader_rx, PICO.reader_tx)
LINES = (*READER_LINES, PICO.reader_irq, *SCREEN_LINES, *PICO.buttons, PICO.buzzer)
SIDES = {SOUTH: (PICO.oled_sda, PICO.oled_scl), NORTH: (PICO.north_sda, PICO.north_scl)}
_STATUS = {"sh1106": 0x08, "ssd1306": 0x03}  # low four bits of the status byte
_PINS = ("VCC", "GND", "SDA", "SCL")
_SPARSE = ("answers ", "joined ")  # signs that are there or not: none of these is told as False

Signs = dict[str, Any]


@dataclass(frozen=True)
class OneOf:
    """Any of these values is possible."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Anything:
    """Here anything is possible: two drivers fight, or a part without supply does what it will."""


ANY = Anything()


def fits(value: Any, wanted: Any) -> bool:
    """May a box for which `wanted` is expected measure `value`?"""
    if wanted is None or wanted is ANY:
        return True
    return value in wanted.values if isinstance(wanted, OneOf) else value == wanted


def of(signs: Signs, name: str) -> Any:
    """The sign of this name; None: not known."""
    return signs.get(name, False) if name.startswith(_SPARSE) else signs.get(name)


def answers(sda: int, scl: int, address: int) -> str:
    """The name of the sign that somebody answers there."""
    return f"answers SDA GP{sda} SCL GP{scl} {address:#04x}"


def joined(one: int, other: int) -> str:
    """The name of the sign that one of two lines follows the other."""
    return f"joined GP{min(one, other)} GP{max(one, other)}"


def expected(harness: Harness) -> Signs:
    """The signs of a box with this harness."""
    if harness.shorted:
        return {"alive": False}
    nets = _Nets(harness)
    backwards = any(nets.state(module) == "reversed" for module in nets.modules)
    signs: Signs = {"alive": OneOf((True, False)) if backwards else True}
    signs |= {"supply": OneOf(("fine", "low")) if backwards else "fine"}
    signs |= {"ohms": True, "apart": _are_apart(harness)}
    signs |= {f"GP{gpio}": nets.level(gpio) for gpio in LINES}
    signs |= _joined(nets)
    signs |= _answers(nets)
    signs |= _reader(nets)
    signs |= _buttons(nets)
    signs["tone"] = _tone(nets)
    for name, lines in SIDES.items():
        signs[f"window {name}"] = _window(nets, name)
        signs[f"kind {name}"] = _kind(nets, lines)
    return signs


def _are_apart(harness: Harness) -> bool:
    """What a meter says at the reader's plug; over USB its drivers hide it."""
    spots = [(READER, label) for label in ("MOSI", "IRQ", "RSTPD_N", "VCC")]
    return not any(harness.meets(one, other) for one, other in combinations(spots, 2))


class _Nets:
    """A harness, asked about what hangs on a line and who drives it."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.modules = (READER, *harness.modules.screens())
        self._on = {gpio: harness.spots_at(gpio) for gpio in PICO.gpios()}
        gpios = {("PICO", f"GP{gpio}"): gpio for gpio in PICO.gpios()}
        self._lines = {
            gpio: {gpios[s] for s in net if s in gpios} for gpio, net in self._on.items()
        }
        self._state = {module: self._state_of(module) for module in self.modules}
        self.in_reset = harness.in_reset()
        reset, held = (READER, "RSTPD_N"), ("PICO", f"GP{PICO.reader_reset}")
        up = harness.meets(reset, held) or harness.meets(reset, SUPPLY)
        self.runs = up and not self.in_reset

    def at(self, gpio: int) -> frozenset[Spot]:
        return self._on[gpio]

    def state(self, module: str) -> str:
        """on, no_ground, reversed or off."""
        return self._state[module]

    def _state_of(self, module: str) -> str:
        meets, plus, minus = self.harness.meets, (module, "VCC"), (module, "GND")
        if meets(minus, SUPPLY):
            return "reversed"
        if not meets(plus, SUPPLY):
            return "off"
        return "on" if meets(minus, GROUND) else "no_ground"

    def touches(self, gpio: int) -> set[str]:
        """The modules that a line leads to."""
        return {module for module, _ in self.at(gpio) if module in self.modules}

    def others(self, gpio: int) -> set[int]:
        """The other lines of the box on the same net."""
        return self._lines[gpio] - {gpio}

    def is_output(self, spot: Spot) -> bool:
        """HSU_TX and IRQ are driven by the reader, both ways."""
        is_hsu = self.harness.modules.switches == HSU
        return spot == (READER, "IRQ") or (spot == (READER, "MOSI") and is_hsu)

    def is_driven(self, gpio: int) -> bool:
        """Does the reader, or the box at RSTPD_N, drive this line?"""
        return PICO.reader_reset in self.others(gpio) or any(map(self.is_output, self.at(gpio)))

    def resets(self, gpio: int) -> bool:
        """Is RSTPD_N there, and not at the pin that holds it high?"""
        held = PICO.reader_reset in self.others(gpio)
        return (READER, "RSTPD_N") in self.at(gpio) and not held

    def is_unsure(self, gpio: int) -> bool:
        """Is there a module without its supply, so that nobody knows what its pins do?"""
        supply_here = {label for module, label in self.at(gpio) if module in self.modules}
        states = {self.state(module) for module in self.touches(gpio)}
        return bool(states - {"on"}) or bool(supply_here & {"VCC", "GND"})

    def level(self, gpio: int) -> Any:
        """What it is while pulled both ways."""
        net = self.at(gpio)
        if GROUND in net:
            return 0
        if SUPPLY in net or PICO.reader_reset in self.others(gpio):
            return 1
        drives = any(map(self.is_output, net))
        if self.is_unsure(gpio) or (READER, "RSTPD_N") in net or (drives and not self.runs):
            return self._unsure_level(gpio)
        if drives or self.is_pulled_up(gpio):
            return 1
        weak = {(READER, "SS"), (READER, "MOSI")} & net  # some modules have pull-ups there
        return OneOf((FLOATS, 1)) if weak else FLOATS

    def _unsure_level(self, gpio: int) -> Any:
        states = {self.state(module) for module in self.touches(gpio)}
        screens = self.touches(gpio) - {READER}
        labels = {label for module, label in self.at(gpio) if module in screens}
        if len(screens) == 1 and states == {"no_ground"} and labels <= {"SDA", "SCL"}:
            screen = self.harness.modules.screens()[next(iter(screens))]
            # its pull-ups lead to VCC and need no ground
            return 1 if screen.pull_ups else ANY
        if len(screens) == 1 and states == {"off"} and labels <= {"SDA", "SCL"}:
            fed = any(self._feeds((next(iter(screens)), label)) for label in _PINS)
            return ANY if fed else OneOf((FLOATS, 0))
        return ANY

    def _feeds(self, spot: Spot) -> bool:
        """May current come in here, and out at the module's other pins? Also from another module
        that is half awake.
        """
        net = self.harness.net(spot)
        shares = spot[1] == "VCC" and any(m != spot[0] and m in self.modules for m, _ in net)
        return shares or SUPPLY in net or ("PICO", f"GP{PICO.reader_reset}") in net

    def is_pulled_up(self, gpio: int) -> bool:
        """By a module's resistors, to a supply that is there."""
        screens = self.harness.modules.screens()
        for module, label in self.at(gpio):
            is_line = module in screens and label in ("SDA", "SCL")
            if is_line and screens[module].pull_ups and self.state(module) == "on":
                return True
        in_i2c = self.harness.modules.switches == I2C and self.state(READER) == "on"
        return in_i2c and bool(self.at(gpio) & {(READER, "SS"), (READER, "MOSI")})


def _joined(nets: _Nets) -> Signs:
    """Who follows whom; None where a driver, or a module without supply, may be in the way."""
    found: Signs = {}
    unsure = [gp for gp in (*LINES, PICO.reader_reset) if nets.is_unsure(gp)]
    for one, other in permutations(unsure, 2):
        found[joined(one, other)] = None
    for gpio in LINES:
        # what is tied to a supply follows nobody
        if {GROUND, SUPPLY} & nets.at(gpio):
            continue
        for other in nets.others(gpio) & {*LINES, PICO.reader_reset}:
            strong = nets.is_driven(gpio) or (READER, "RSTPD_N") in nets.at(gpio)
            found[joined(gpio, other)] = ANY if strong or gpio in unsure else True
        if any(map(nets.is_output, nets.at(gpio))):  # what it does in reset, nobody knows
            found.setdefault(joined(gpio, PICO.reader_reset), ANY)
        if (READER, "RSTPD_N") in nets.at(gpio):  # low, it stops the reader
            for other in {*READER_LINES, PICO.reader_irq, PICO.reader_reset} - {gpio}:
                found[joined(gpio, other)] = ANY
    return found


def _answers(nets: _Nets) -> Signs:
    found: Signs = {}
    # as the box looks: for screens on their four lines, for the reader on its two
    for lines, wanted in ((SCREEN_LINES, None), (READER_LINES, READER_ADDRESS)):
        for sda, scl in permutations(lines, 2):
            for module, address in nets.harness.answering(sda, scl).items():
                hears = (module == READER) == (wanted is not None)
                if hears and not any(_is_stuck(nets, gpio) for gpio in (sda, scl)):
                    sure = all(map(nets.is_pulled_up, (sda, scl)))
                    sure = sure and not any(_is_slow(nets, gpio) for gpio in (sda, scl))
                    found[answers(sda, scl, address)] = True if sure else ANY
    return found


def _is_stuck(nets: _Nets, gpio: int) -> bool:
    return bool({GROUND, SUPPLY} & nets.at(gpio))


def _is_slow(nets: _Nets, gpio: int) -> bool:
    """Somebody drives it, or the buzzer's capacity hangs on it."""
    reader = (READER, "RSTPD_N") in nets.at(gpio)
    return nets.is_driven(gpio) or reader or (STRIP, "BUZZER") in nets.at(gpio)


def _reader(nets: _Nets) -> Signs:
    """`reader` answers now, `reset` RSTPD_N stops it, `field` it stays awake with its field on,
    `line` its answers are whole, `card` it reads a tag.
    """
    harness, reset = nets.harness, PICO.reader_reset
    there = (
        nets.state(READER) == "on"
        and harness.modules.switches == HSU
        and harness.on((READER, "SS"), PICO.reader_tx)
        and harness.on((READER, "MOSI"), PICO.reader_rx)
        and not nets.in_reset
        and not any(_is_stuck(nets, gpio) for gpio in READER_LINES)
        # bytes on its line, or the pin of the silent buzzer, would pull RSTPD_N low
        and not nets.resets(PICO.reader_tx)
        and not nets.resets(PICO.buzzer)
    )
    if not there:
        # None: the box tries no reset on a reader that does not answer
        return {"reader": False, "reset": OneOf((None, False)), **_unknown()}
    if _reader_fights(nets):
        return {"reader": ANY, "reset": ANY, **_unknown()}
    if not harness.on((READER, "RSTPD_N"), reset):  # its own divider leaves 2.2 V: enough or not
        tied = harness.meets((READER, "RSTPD_N"), SUPPLY)
        works = True if tied else OneOf((True, False))
        return {"reader": works, "reset": OneOf((None, False)), **_unknown()}
    if harness.meets((READER, "RSTPD_N"), SUPPLY):
        return {"reader": ANY, "reset": ANY, **_unknown()}
    if harness.modules.wants_5v:
        weak = {"line": ANY, "card": OneOf((False, "some"))}
        return {"reader": True, "reset": ANY, "field": False, **weak}
    reads = True if harness.modules.antenna else OneOf((False, "some"))
    return {"reader": True, "reset": True, "field": True, "line": True, "card": reads}


def _unknown() -> Signs:
    return {"field": ANY, "line": ANY, "card": ANY}


def _reader_fights(nets: _Nets) -> bool:
    """Does anybody else drive one of its lines, or does RSTPD_N hang on a line in use?"""
    tx, rx, reset = PICO.reader_tx, PICO.reader_rx, PICO.reader_reset
    spots = {tx: (READER, "SS"), rx: (READER, "MOSI"), reset: (READER, "RSTPD_N")}
    for gpio, spot in spots.items():
        foreign = {s for s in nets.at(gpio) if s[0] == READER and s != spot}
        # a button's pin is an input with a pull-up: it drives nothing
        if foreign or nets.others(gpio) - set(PICO.buttons):
            return True
    busy = {*SCREEN_LINES, rx, PICO.reader_irq}
    return any((READER, "RSTPD_N") in nets.at(gpio) for gpio in busy)


def _buttons(nets: _Nets) -> Signs:
    """What arrives when one is pressed; None if data run over a button's line."""
    busy = {*READER_LINES, PICO.reader_irq, *SCREEN_LINES}
    touched = [nets.others(gp) & busy or nets.touches(gp) for gp in PICO.buttons]
    if any(touched):
        return {f"button {name}": ANY for name in SWITCHES}
    grounded = nets.harness.switch_grounded()
    # the buzzer's pin is low while it is silent: some ground
    as_good = (STRIP, "GND") in nets.at(PICO.buzzer) and not grounded
    found: Signs = {}
    for name in SWITCHES:
        arrives = tuple(
            SWITCHES[at]
            for at, gpio in enumerate(PICO.buttons)
            if (grounded or as_good)
            and (STRIP, name) in nets.at(gpio)
            and not _is_held(nets, gpio)
        )
        found[f"button {name}"] = OneOf((arrives, ())) if as_good else arrives
    return found


def _is_held(nets: _Nets, gpio: int) -> bool:
    """Low already: by ground, or by the silent buzzer's pin."""
    return GROUND in nets.at(gpio) or PICO.buzzer in nets.others(gpio)


def _tone(nets: _Nets) -> Any:
    gpio = PICO.buzzer
    if (STRIP, "BUZZER") not in nets.at(gpio):
        return False
    if _is_stuck(nets, gpio) or not nets.harness.switch_grounded():
        return ANY  # through a whisker of solder, or by a ground that others hold, it may be heard
    others = nets.others(gpio) - set(PICO.buttons)
    return ANY if others or nets.touches(gpio) else True


def _hears(nets: _Nets, name: str, lines: tuple[int, int]) -> bool:
    """Does this module answer on these lines? None of them may be stuck."""
    stuck = any(_is_stuck(nets, gpio) or PICO.buzzer in nets.others(gpio) for gpio in lines)
    return not stuck and name in nets.harness.answering(*lines)


def _is_clean(nets: _Nets, lines: tuple[int, int]) -> bool:
    pulled = all(map(nets.is_pulled_up, lines))
    driven = any(_is_slow(nets, gp) or PICO.reader_tx in nets.others(gp) for gp in lines)
    return pulled and not driven


def _window(nets: _Nets, name: str) -> Any:
    """What a player sees in a window: "whole" and the number of the side for which it was drawn,
    "shifted" (whose number is not asked), or "dark".
    """
    screen = nets.harness.modules.screens().get(name)
    for number, lines in enumerate(SIDES.values(), 1):
        if screen is not None and _hears(nets, name, lines):
            lies = screen.status is not None and (screen.status == 0x08) != (
                screen.controller == "sh1106"
            )
            # the glass of an SH1106 begins at column 2 of its memory, that of an SSD1306 at 0
            seen = ("shifted", None) if lies else ("whole", number)
            return seen if _is_clean(nets, lines) else OneOf((("dark", None), seen))
    return "dark", None


def _kind(nets: _Nets, lines: tuple[int, int]) -> Any:
    """Address and controller as the box finds them on this bus; NOBODY without."""
    there = [tell for tell in _reports(nets, lines)]
    if not there:
        return NOBODY
    if len(there) == 1 and _is_clean(nets, lines):
        return there[0]
    return OneOf((*there, NOBODY)) if not _is_clean(nets, lines) else OneOf(tuple(there))


NOBODY = (0, "nobody")


def _reports(nets: _Nets, lines: tuple[int, int]) -> Iterator[tuple[int, str]]:
    for name, screen in nets.harness.modules.screens().items():
        if _hears(nets, name, lines):
            status = _STATUS[screen.controller] if screen.status is None else screen.status
            yield screen.address, "sh1106" if status == 0x08 else "ssd1306"
