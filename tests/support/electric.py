"""A box as an electrical network: what its bring-up would measure, worked out from volts and ohms.

The judge of bring-up (host_tools/box/bringup) knows wires and rules; this knows neither. Each
pin is a node, each wire a resistance, each driver a source with its own; the voltages follow
from Kirchhoff (nodal analysis, diodes in turns), and a level is what a threshold makes of a
voltage. Its wires are written down once more, by hand. `ElectricBox.request` answers as
firmware/app/bringup.py does.

Where figures are from: RP2040 data sheet, table 623 (VIL 0.8 V, VIH 2.0 V, pulls 50 to 80 kohm,
4 mA drivers); PN532/C1 data sheet, tables 272 to 280 (inputs 0.3 and 0.7 of the supply, RSTPD_N
0.65 of it, VOH less than 0.4 V below at 4 mA); SSD1306 rev 1.1, table 12-1 (inputs 0.2 and
0.8); the reader's board leaves RSTPD_N at 2.2 V (ESPEasy #3586); modules carry pull-ups of 4.7
or 10 kohm. Assumed: drivers of 20 to 45 ohm in the Pico (4 mA) and 45 to 100 in the PN532,
protection diodes of 0.6 V and 15 ohm. What the pins of a chip without supply do is drawn by
chance.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardware.twin.harness import Spot
from host_tools.box.link import LinkLost

GND: Spot = ("PICO", "GND")
V33: Spot = ("PICO", "3V3(OUT)")
R, S, N, STRIP = "READER", "SCREEN_SOUTH", "SCREEN_NORTH", "STRIP"
BUTTONS = ("UP", "DOWN", "OK", "JURY")
BUTTON_PINS = (10, 11, 12, 13)
I2C_PINS = (2, 3, 4, 5)
LINE_PINS = (1, 0, 6, 2, 3, 4, 5, 10, 11, 12, 13, 15)
_SIDE_PINS = {S: (2, 3), N: (4, 5)}
_VF, _DIODE = 0.6, 15.0
_OPEN = 1e7
CONTROLLERS = {"sh1106": 8, "ssd1306": 3}


def gp(number: int) -> Spot:
    """The spot of a GPIO."""
    return "PICO", f"GP{number}"


_SIGNALS: dict[Spot, Spot] = {
    (R, "SS"): gp(0), (R, "MOSI"): gp(1), (R, "IRQ"): gp(6), (R, "RSTPD_N"): gp(7),
    (S, "SDA"): gp(2), (S, "SCL"): gp(3), (N, "SDA"): gp(4), (N, "SCL"): gp(5),
}  # fmt: skip
_ON_STRIP = {"UP": gp(10), "DOWN": gp(11), "OK": gp(12), "JURY": gp(13), "BUZZER": gp(15)}
_PLUG = {R: "J1", S: "J2", N: "J3"}


def wires_of(revision: str, screens: Iterable[str] = (S, N)) -> list[tuple[Spot, Spot]]:
    """What a builder joins, by hand from the guides. Revision 1 feeds its modules by the strip."""
    there = {R, *screens}
    signals = [(pin, spot) for spot, pin in _SIGNALS.items() if spot[0] in there]
    supply = [(label, (m, label)) for m in (R, S, N) if m in there for label in ("VCC", "GND")]
    if revision == "rev2":
        plugs = [((_PLUG[spot[0]], spot[1]), spot) for _, spot in signals]
        return plugs + [((_PLUG[spot[0]], label), spot) for label, spot in supply]
    strip = [(pin, (STRIP, label)) for label, pin in _ON_STRIP.items()]
    rails = [((STRIP, "3V3" if label == "VCC" else "GND"), spot) for label, spot in supply]
    return [(V33, (STRIP, "3V3")), (GND, (STRIP, "GND")), *strip, *signals, *rails]


def copper_of(revision: str) -> list[tuple[Spot, Spot]]:
    """What the carrier board joins."""
    if revision == "rev1":
        return []
    plugs = [(pin, (_PLUG[spot[0]], spot[1])) for spot, pin in _SIGNALS.items()]
    rails = [(end, (plug, label)) for plug in ("J1", "J2", "J3") for end, label in
             ((V33, "VCC"), (GND, "GND"))]  # fmt: skip
    strip = [(pin, (STRIP, label)) for label, pin in _ON_STRIP.items()]
    return [*plugs, *rails, *strip, (GND, (STRIP, "GND"))]


@dataclass
class ScreenPart:
    """A module with an OLED; `state`: fine, dead, dark (its glass), holds SDA, holds SCL."""

    status: int = 8
    controller: int = 8  # what it is: 8 SH1106, 3 SSD1306
    address: int = 0x3C
    pull_ohm: float = 4700.0
    state: str = "fine"


@dataclass
class BuiltBox:
    """A box as somebody has built it, before the power comes."""

    revision: str
    wires: list[tuple[Spot, Spot]]
    screens: dict[str, ScreenPart]
    shorts: list[tuple[Spot, Spot, float]] = field(default_factory=list)
    weak: dict[tuple[Spot, Spot], float] = field(default_factory=dict)  # ohms of a bad contact
    reader: str = "fine"  # dead, i2c, spi, wants_5v, antenna, glitches
    buzzer: str = "fine"  # dead, coil
    stuck: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)  # buttons that do not close
    usb_volt: float = 5.0
    usb_ohm: float = 0.4


class Spread:
    """What differs from box to box, drawn once for each."""

    def __init__(self, chance: random.Random) -> None:
        at = chance.uniform
        self.chance = chance
        self.pull = at(50e3, 80e3)
        self.driver = at(20, 45)
        self.threshold = at(0.9, 1.9)
        self.reader_driver = at(45, 100)
        self.reset_share = at(0.55, 0.65)
        self.rail = at(3.25, 3.35)
        self.wire = at(0.02, 0.3)
        self.diode_volt = at(0.2, 0.38)
        self.ss_pull = chance.choice((None, None, 1e4))
        self.reset_top = at(9e3, 11e3)
        self.reset_bottom = at(19e3, 21e3)
        self.idle_ohm, self.field_ohm = at(80, 110), at(22, 32)
        self.glass_ohm = at(80, 200)
        self.asleep_ohm = at(5e3, 100e3)
        self.backwards = at(3, 40)
        self.off_outputs = chance.choice(("floats", "high", "low"))
        self.pf = at(30, 90)
        self.adc = at(0.98, 1.02)


def sound(revision: str, controllers: tuple[str, str], pull_ohm: float = 4700.0) -> BuiltBox:
    """A box that is right; its screens' controllers, south and north."""
    parts = {}
    for name, controller in zip((S, N), controllers, strict=True):
        code = CONTROLLERS[controller]
        parts[name] = ScreenPart(code, code, pull_ohm=pull_ohm)
    return BuiltBox(revision, wires_of(revision), parts)


@dataclass
class Voltages:
    """The voltages of one moment, by spot."""

    volts: dict[Spot, float]
    rail_a: float

    def between(self, one: Spot, other: Spot) -> float:
        return self.volts.get(one, 0.0) - self.volts.get(other, 0.0)


class Circuit:
    """Nodes, resistances and diodes of a box; `solve` adds what drives it now."""

    def __init__(self, build: BuiltBox, spread: Spread) -> None:
        self.build, self.spread = build, spread
        self.index: dict[Spot, int] = {}
        self.fixed: list[tuple[Spot, Spot, float]] = []
        self.diodes: list[tuple[Spot, Spot, float]] = []
        self._wire()
        self._parts()
        self._guard()
        size = len(self.index)
        self._base = np.zeros((size, size))
        for one, other, ohm in self.fixed:
            self._add(self._base, one, other, ohm)
        self._base[np.arange(size), np.arange(size)] += 1e-9
        self._conducting: frozenset[int] = frozenset()

    def _wire(self) -> None:
        build, ohm = self.build, self.spread.wire
        for one, other in (*build.wires, *copper_of(build.revision)):
            self._join(one, other, build.weak.get((one, other), ohm))
        for one, other, bridge in build.shorts:
            self._join(one, other, bridge)

    def _parts(self) -> None:
        spread, build = self.spread, self.build
        for name, screen in build.screens.items():
            for line in ("SDA", "SCL"):
                self._join((name, line), (name, "VCC"), screen.pull_ohm)
                if screen.state == f"holds {line}":
                    self._join((name, line), (name, "GND"), 60)
            self.diodes.append(((name, "GND"), (name, "VCC"), spread.backwards))
        self._join((R, "RSTPD_N"), (R, "VCC"), spread.reset_top)
        self._join((R, "RSTPD_N"), (R, "GND"), spread.reset_bottom)
        self.diodes.append(((R, "GND"), (R, "VCC"), spread.backwards))
        if spread.ss_pull or build.reader == "i2c":
            self._join((R, "SS"), (R, "VCC"), spread.ss_pull or 1e4)
        if build.reader == "i2c":
            self._join((R, "MOSI"), (R, "VCC"), 1e4)
        coil = {"coil": 30.0}.get(build.buzzer, _OPEN)
        self._join((STRIP, "BUZZER"), (STRIP, "GND"), coil)
        for button in BUTTONS:
            stuck = 1.0 if button in build.stuck else _OPEN
            self._join((STRIP, button), (STRIP, "GND"), stuck)

    def _guard(self) -> None:
        """Protection diodes of every pin, to its own chip's supply and ground."""
        for number in (*LINE_PINS, 7):
            self._clamp(gp(number), V33, GND)
        pins = {R: ("SS", "MOSI", "IRQ", "RSTPD_N")} | {
            name: ("SDA", "SCL") for name in self.build.screens
        }
        for module, labels in pins.items():
            for label in labels:
                self._clamp((module, label), (module, "VCC"), (module, "GND"))

    def _clamp(self, pin: Spot, plus: Spot, minus: Spot) -> None:
        self.diodes += [(pin, plus, _DIODE), (minus, pin, _DIODE)]
        for spot in (pin, plus, minus):
            self._node(spot)

    def _node(self, spot: Spot) -> int:
        if spot == GND:
            return -1
        return self.index.setdefault(spot, len(self.index))

    def _join(self, one: Spot, other: Spot, ohm: float) -> None:
        self._node(one), self._node(other)
        self.fixed.append((one, other, ohm))

    def _add(self, matrix: Any, one: Spot, other: Spot, ohm: float) -> None:
        a, b, g = self._node(one), self._node(other), 1 / ohm
        for at, beside in ((a, b), (b, a)):
            if at >= 0:
                matrix[at, at] += g
                if beside >= 0:
                    matrix[at, beside] -= g

    def solve(self, parts: Iterable[tuple[Spot, Spot, float]], rail: float) -> Voltages:
        """`parts`: resistances of this moment. `rail`: volts of the regulator, with 0.1 ohm."""
        matrix = self._base.copy()
        currents = np.zeros(len(self.index))
        for one, other, ohm in parts:
            self._add(matrix, one, other, ohm)
        at = self._node(V33)
        matrix[at, at] += 10
        currents[at] += 10 * rail
        conducting = self._conducting
        for _ in range(12):
            volts = self._with_diodes(matrix, currents, conducting)
            now = self._forward(volts, conducting)
            if now == conducting:
                break
            conducting = now
        self._conducting = conducting
        found = {spot: float(volts[i]) for spot, i in self.index.items()}
        found[GND] = 0.0
        return Voltages(found, (rail - found[V33]) * 10)

    def meter(self, one: Spot, other: Spot) -> float:
        """Volts between two spots when 0.4 V come to the first through 1 kohm, unplugged."""
        matrix, currents = self._base.copy(), np.zeros(len(self.index))
        a, b = self._node(one), self._node(other)
        for at, beside, sign in ((a, b, 1), (b, a, -1)):
            matrix[at, at] += 1e-3
            matrix[at, beside] -= 1e-3
            currents[at] += sign * 0.4e-3
        volts = np.linalg.solve(matrix, currents)
        return float(volts[a] - volts[b])

    def _with_diodes(self, matrix: Any, currents: Any, conducting: frozenset[int]) -> Any:
        if conducting:
            matrix, currents = matrix.copy(), currents.copy()
        for number in conducting:
            one, other, ohm = self.diodes[number]
            self._add(matrix, one, other, ohm)
            for spot, sign in ((one, 1), (other, -1)):
                if self._node(spot) >= 0:
                    currents[self._node(spot)] += sign * _VF / ohm
        return np.linalg.solve(matrix, currents)

    def _forward(self, volts: Any, conducting: frozenset[int]) -> frozenset[int]:
        found = set()
        for number, (one, other, _) in enumerate(self.diodes):
            a, b = self._node(one), self._node(other)
            over = (volts[a] if a >= 0 else 0.0) - (volts[b] if b >= 0 else 0.0)
            if over > _VF + (0 if number in conducting else 1e-6):
                found.add(number)
        return frozenset(found)


class ElectricBox:
    """Answers the requests of a bring-up (`BoxLink.request`), and shows and plays (`Builder`)."""

    def __init__(self, build: BuiltBox, seed: int) -> None:
        self.chance = random.Random(seed)
        self.spread = Spread(self.chance)
        self.build = build
        self.circuit = Circuit(build, self.spread)
        self.rail = self.spread.rail
        self.on: dict[str, bool] = {}
        self.runs = True
        self.pressed: list[int] = []
        self.card = False
        self.numbers: dict[str, tuple[str, int | None]] = {}
        self._switch_on()

    # -- power -----------------------------------------------------------------------------

    def _switch_on(self) -> None:
        """Modules run if their supply is enough while they run."""
        self.on = dict.fromkeys((R, *self.build.screens), True)
        for _ in range(4):
            picture = self._picture(self._at_rest())
            now = {m: picture.between((m, "VCC"), (m, "GND")) >= self._least(m) for m in self.on}
            if now == self.on:
                break
            self.on = {m: now[m] and self.on[m] for m in self.on}
        self.vsys = self._vsys(picture)
        self.alive = picture.volts[V33] > 2.7 and self.vsys > 1.9 and picture.rail_a < 0.9

    def _least(self, module: str) -> float:
        return 2.9 if module == R else 2.6

    def _vsys(self, picture: Voltages) -> float:
        """Behind cable and diode; the converter takes what the rail gives, at 85 %, and the Pico
        itself 25 mA.
        """
        watt = (max(picture.rail_a, 0) + 0.025) * 3.3 / 0.85
        volt, build = 5.0, self.build
        for _ in range(30):
            volt = max(0.5, build.usb_volt - self.spread.diode_volt - build.usb_ohm * watt / volt)
        return volt

    def _load(self) -> list[tuple[Spot, Spot, float]]:
        spread, parts = self.spread, []
        for module, on in self.on.items():
            ohm = spread.idle_ohm if module == R else spread.glass_ohm
            parts.append(((module, "VCC"), (module, "GND"), ohm if on else spread.asleep_ohm))
        return parts

    # -- what drives what ------------------------------------------------------------------

    def _pin(self, number: int, how: str) -> tuple[Spot, Spot, float]:
        """up or down by its pull, high or low by its driver."""
        ohm = self.spread.pull if how in ("up", "down") else self.spread.driver
        return gp(number), V33 if how in ("up", "high") else GND, ohm

    def _at_rest(self, **changed: str) -> list[tuple[Spot, Spot, float]]:
        """The pins while the box works; `changed`: GP2="low"."""
        how = dict.fromkeys((*I2C_PINS, *BUTTON_PINS), "up")
        how |= {0: "high", 7: "high", 15: "low", 1: "down", 6: "up"}
        how |= {int(name[2:]): way for name, way in changed.items()}
        return [self._pin(number, way) for number, way in how.items()]

    def _looking(self, pull: str, **changed: str) -> list[tuple[Spot, Spot, float]]:
        """The pins while the lines are looked at."""
        how = dict.fromkeys(LINE_PINS, pull) | {7: "high"}
        how |= {int(name[2:]): way for name, way in changed.items()}
        return [self._pin(number, way) for number, way in how.items()]

    def _reader_out(self, runs: bool, out: str, irq: str) -> list[tuple[Spot, Spot, float]]:
        ohm = self.spread.reader_driver
        ways = {"high": "VCC", "low": "GND"}
        if not runs:
            out = irq = self.spread.off_outputs
        hsu = self.build.reader not in ("i2c", "spi", "dead")
        wanted = [("MOSI", out)] if hsu else []
        wanted += [("IRQ", irq)] if self.build.reader != "dead" else []
        return [((R, pin), (R, ways[way]), ohm) for pin, way in wanted if way in ways]

    def _picture(
        self, pins: list[tuple[Spot, Spot, float]], out: str = "high", irq: str = "high",
        also: Iterable[tuple[Spot, Spot, float]] = (),
    ) -> Voltages:  # fmt: skip
        """Twice, should the reader turn out not to run."""
        for runs in (True, False):
            able = runs and self.on[R] and self.build.reader != "dead"
            drive = self._reader_out(able, out, irq)
            picture = self.circuit.solve([*pins, *self._load(), *drive, *also], self.rail)
            self.runs = able and self._is_released(picture)
            if self.runs == able:
                break
        return picture

    def _is_released(self, picture: Voltages) -> bool:
        supply = picture.between((R, "VCC"), (R, "GND"))
        return picture.between((R, "RSTPD_N"), (R, "GND")) >= self.spread.reset_share * supply

    def _level(self, picture: Voltages, number: int) -> int:
        return int(picture.volts.get(gp(number), 0.0) > self.spread.threshold)

    # -- the requests ----------------------------------------------------------------------

    def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """As BoxLink. LinkLost if the supply breaks down."""
        if kind != "bringup":
            return {}
        part = fields["part"]
        reply: dict[str, Any] = {} if part == "picture" else getattr(self, f"_{part}")(fields)
        return reply

    def _end(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _supply(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"vsys_mv": round(1000 * self.vsys * self.spread.adc), "board": ""}

    def _lines(self, fields: dict[str, Any]) -> dict[str, Any]:
        low, high = (self._picture(self._looking(pull)) for pull in ("down", "up"))
        levels = [[n, self._level(low, n), self._level(high, n)] for n in LINE_PINS]
        joined: list[list[int]] = []
        free = self._picture(self._looking("up", GP7="up"))
        stopped = self._picture(self._looking("up", GP7="low"))
        fell = [n for n in LINE_PINS if self._level(free, n) > self._level(stopped, n)]
        joined += [[7, number] for number in fell]
        for way, before in (("up", free), ("low", stopped)):
            for one in LINE_PINS:
                now = self._picture(self._looking("up", GP7=way, **{f"GP{one}": "low"}))
                for other in (*LINE_PINS, 7):
                    if other != one and self._level(before, other) > self._level(now, other):
                        joined.append([one, other])
        return {"levels": levels, "joined": joined, "found": self._found()}

    def _found(self) -> list[list[int]]:
        rest = self._picture(self._looking("up"))
        low = {
            n: self._picture(self._looking("up", **{f"GP{n}": "low"})) for n in (*I2C_PINS, 0, 1)
        }
        found = []
        for sda in I2C_PINS:
            for scl in I2C_PINS:
                for name, screen in self.build.screens.items():
                    pins = (name, "SDA"), (name, "SCL")
                    if sda != scl and self._hears(name, pins, (sda, scl), rest, low, 10e-6):
                        found.append([sda, scl, screen.address])
        if self.build.reader == "i2c" and self.runs:
            for sda, scl in ((0, 1), (1, 0)):
                pins = (R, "MOSI"), (R, "SS")
                if self._hears(R, pins, (sda, scl), rest, low, 10e-6):
                    found.append([sda, scl, 0x24])
        return sorted(map(list, {tuple(row) for row in found}))

    def _hears(
        self, module: str, pins: tuple[Spot, Spot], gpios: tuple[int, int], rest: Voltages,
        low: dict[int, Voltages], within_s: float,
    ) -> bool:  # fmt: skip
        """Do both lines move alone, up and down, in time, and does its ACK arrive?"""
        part = self.build.screens.get(module)
        if not self.on[module] or (part and part.state == "dead"):
            return False
        data, clock = low[gpios[0]], low[gpios[1]]
        moves = (
            self._share(rest, pins[0]) > 0.7 and self._share(rest, pins[1]) > 0.7
            and self._share(data, pins[0]) < 0.3 and self._share(data, pins[1]) > 0.7
            and self._share(clock, pins[1]) < 0.3 and self._share(clock, pins[0]) > 0.7
        )  # fmt: skip
        if not moves or not all(self._level(rest, n) for n in gpios):
            return False
        return all(self._rise_s(n) < within_s for n in gpios) and self._acknowledges(
            pins[0], gpios[0]
        )

    def _share(self, picture: Voltages, pin: Spot) -> float:
        supply = picture.between((pin[0], "VCC"), (pin[0], "GND"))
        return picture.between(pin, (pin[0], "GND")) / max(supply, 0.1)

    def _acknowledges(self, data: Spot, gpio: int) -> bool:
        pull = [(data, (data[0], "GND"), 60.0)]
        return not self._level(self._picture(self._looking("up"), also=pull), gpio)

    def _rise_s(self, number: int) -> float:
        """Through the pull-ups there are; from what a load of 100 kohm does to the line."""
        pins = self._looking("up")
        free = self._picture(pins).volts[gp(number)]
        bent = self._picture(pins, also=[(gp(number), GND, 1e5)]).volts[gp(number)]
        ohm = 1e5 * max(free - bent, 1e-6) / max(bent, 1e-6)
        farad = self.spread.pf * 1e-12 + (15e-9 if self._meets_buzzer(number) else 0)
        return 1.2 * ohm * farad

    def _meets_buzzer(self, number: int) -> bool:
        pull, buzzer = self._looking("up", **{f"GP{number}": "low"}), (STRIP, "BUZZER")
        free = self._picture(self._looking("up")).volts.get(buzzer, 0)
        return free > 1 and self._picture(pull).volts.get(buzzer, 9) < 0.5

    def _screens(self, fields: dict[str, Any]) -> dict[str, Any]:
        rest = self._picture(self._at_rest())
        low = {n: self._picture(self._at_rest(**{f"GP{n}": "low"})) for n in I2C_PINS}
        rows: list[list[Any]] = []
        self.numbers = dict.fromkeys(self.build.screens, ("dark", None))
        for number, gpios in enumerate(_SIDE_PINS.values(), 1):
            heard = []
            for name in self.build.screens:
                pins = (name, "SDA"), (name, "SCL")
                if self._hears(name, pins, gpios, rest, low, 1.3e-6):
                    heard.append(name)
            for name in heard:
                self._show(name, number)
            part = self.build.screens[heard[0]] if heard else ScreenPart(0, 0, 0)
            rows.append([number - 1, bool(heard), part.address, part.status, 0, 0, 0])
        return {"screens": rows}

    def _show(self, name: str, number: int) -> None:
        part = self.build.screens[name]
        if part.state != "dark":
            lies = part.status != part.controller
            self.numbers[name] = ("shifted", None) if lies else ("whole", number)

    def _reader(self, fields: dict[str, Any]) -> dict[str, Any]:
        works = self._talks()
        self.works = works and not (self.build.reader == "glitches" and self.chance.random() < 0.2)
        stops = None
        if self.works:
            self._picture(self._at_rest(GP7="low"))
            stops = not self.runs
        version = "32010607" if works else None
        return {"version": version, "works": self.works, "reset": stops, "baud": 115200}

    def _talks(self) -> bool:
        """Do both directions move, without a reset on the way?"""
        if self.build.reader in ("dead", "i2c", "spi"):
            return False
        found = []
        for way in ("high", "low"):
            picture = self._picture(self._at_rest(GP0=way))
            share = self._share(picture, (R, "SS"))
            found.append(self.runs and (share > 0.7 if way == "high" else share < 0.3))
        for way in ("high", "low"):
            picture = self._picture(self._at_rest(), out=way)
            found.append(self.runs and self._level(picture, 1) == (way == "high"))
        picture = self._picture(self._at_rest(), irq="low")  # low while a frame comes
        found.append(self.runs and self._level(picture, 1) == 1)
        for number in I2C_PINS:  # the screens are refreshed meanwhile
            self._picture(self._at_rest(**{f"GP{number}": "low"}))
            found.append(self.runs)
        return all(found)

    def _field_holds(self) -> bool:
        """With the field on, does the reader keep its supply? LinkLost if the box does not."""
        rest = self._at_rest()
        field_on = [((R, "VCC"), (R, "GND"), self.spread.field_ohm)] if self.on[R] else []
        picture = self._picture(rest, also=field_on)
        self.vsys = self._vsys(picture)
        if picture.volts[V33] < 2.7 or self.vsys < 1.9:
            raise LinkLost("box_silent", name="electric")
        least = 3.4 if self.build.reader == "wants_5v" else 2.9
        return picture.between((R, "VCC"), (R, "GND")) >= least and self.runs

    def _reads(self, fields: dict[str, Any]) -> dict[str, Any]:
        holds = self._field_holds()
        failed = 0 if holds else 20
        if self.build.reader == "glitches" and holds:
            failed = self.chance.randint(1, 19)
        good = 20 - failed if self.card and self.build.reader != "antenna" else 0
        return {"tried": 20, "found": good, "read": good, "failed": failed, "us": 1}

    def _speed(self, fields: dict[str, Any]) -> dict[str, Any]:
        good = 32
        if self.build.reader == "glitches":
            good -= self.chance.randint(0, 8)
        return {"baud": 115200, "sent": 32, "good": good, "bad": 32 - good, "us": 1}

    def _buttons(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"pressed": self.pressed[-64:], "count": len(self.pressed)}

    def _tone(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _flash(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"block_ms": 60, "append_ms": [20] * 16}

    # -- who sits at it --------------------------------------------------------------------

    def say(self, key: str, **values: object) -> None:
        """Nobody reads."""

    def resists(self) -> bool:
        """A meter's 0.4 V, unplugged: no diode conducts, no module runs."""
        idle = [((m, "VCC"), (m, "GND"), self.spread.asleep_ohm) for m in self.on]
        return 0.4 / max(self.circuit.solve(idle, 0.4).rail_a, 1e-9) > 100

    def apart(self) -> bool:
        """The meter beeps below 30 ohm."""
        spots = [(R, "MOSI"), (R, "IRQ"), (R, "RSTPD_N"), (R, "VCC")]
        return not any(
            self._ohms(one, other) < 30 for at, one in enumerate(spots) for other in spots[:at]
        )

    def _ohms(self, one: Spot, other: Spot) -> float:
        """From what 1 kohm to 0.4 V at one end does, the other being ground."""
        volts = self.circuit.meter(one, other)
        return 1000 * volts / max(0.4 - volts, 1e-6)

    def window(self, name: str) -> tuple[str, int | None]:
        return self.numbers.get(name, ("dark", None))

    def press(self, button: str) -> None:
        """Who goes low arrives; lines over which data run come by chance."""
        closed = [] if button in self.build.dead else [((STRIP, button), (STRIP, "GND"), 1.0)]
        rest = self._picture(self._at_rest())
        down = self._picture(self._at_rest(), also=closed)
        busy = [self._picture(self._at_rest(**{f"GP{n}": "low"})) for n in (*I2C_PINS, 0)]
        busy += [
            self._picture(self._at_rest(), out="low"),
            self._picture(self._at_rest(), irq="low"),
        ]
        for at, number in enumerate(BUTTON_PINS):
            falls = self._level(rest, number) and not self._level(down, number)
            strays = self._level(rest, number) and any(not self._level(p, number) for p in busy)
            if falls or (strays and self.chance.random() < 0.5):
                self.pressed.append(at)

    def hears(self) -> bool:
        ends = (STRIP, "BUZZER"), (STRIP, "GND")
        high, low = (self._picture(self._at_rest(GP15=way)) for way in ("high", "low"))
        swing = high.between(*ends) - low.between(*ends)
        return swing > 1.2 and self.build.buzzer != "dead"

    def holds(self, mm: int) -> bool:
        self.card = mm == 0
        return self.card

    def wait(self) -> None:
        """No time passes here."""
