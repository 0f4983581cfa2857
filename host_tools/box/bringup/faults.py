"""Every wire that may be missing, every two that may have changed places or touch, every module
that may be dead or the wrong one: made from the drawing. What each would measure: `signs`.

Nothing is listed by hand but the kinds.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from hardware.twin.harness import (
    GROUND,
    I2C,
    NORTH,
    READER,
    SOUTH,
    SPI,
    STRIP,
    SUPPLY,
    SWITCHES,
    Harness,
    Modules,
    ScreenModule,
    Spot,
    Wire,
)
from hardware.twin.wiring import PICO
from host_tools.box.bringup import signs
from host_tools.box.bringup.signs import ANY, NOBODY, Signs, expected

_WIRES = Path(__file__).with_name("wires.json")
SCREEN_SIDES = ((SOUTH, "south"), (NORTH, "north"))
# how likely, and how urgent, a kind is among those that look the same: the first is told first
_RANKS = {"reversed": -1, "bridge": 1, "swapped": 1}


@dataclass(frozen=True)
class WiringFault:
    """`kind` is a key of the texts; `wires` those concerned; `module` of which connector.

    `harness` is what is joined; None for what no wire can tell, whose signs are `own` beside
    those of a box that is right.
    """

    kind: str
    harness: Harness
    wires: tuple[Wire, ...] = ()
    module: str = ""
    own: tuple[tuple[str, Any], ...] = field(default=(), compare=False)

    @cached_property
    def signs(self) -> Signs:
        """What a box with it measures."""
        return expected(self.harness) | dict(self.own)

    @property
    def rank(self) -> int:
        """Its place among those that look the same."""
        modules = {spot[0] for wire in self.wires for spot in wire} & {READER, SOUTH, NORTH}
        # two wires of one plug are exchanged more easily than those of two
        far = 2 if self.kind == "swapped" and len(modules) > 1 else 0
        return _RANKS.get(self.kind, 0) + far


def revisions() -> list[str]:
    """Of which the wires are drawn."""
    return list(_drawn())


def right(revision: str, modules: Modules) -> Harness:
    """A box that is wired as drawn."""
    drawn = _drawn()[revision]
    # copper: what a carrier board joins by itself, none of revision 1
    return Harness(_read(drawn["wires"]) + _read(drawn["copper"]), modules)


@cache
def _drawn() -> Any:
    return json.loads(_WIRES.read_text(encoding="utf8"))


@cache
def faults(revision: str, modules: Modules) -> tuple[WiringFault, ...]:
    """All single faults of a revision with these modules. Two that join the same pins are one."""
    drawn = _drawn()[revision]
    wires, copper = _read(drawn["wires"]), _read(drawn["copper"])
    whole = Harness(wires + copper, modules)
    found: dict[frozenset[frozenset[Any]], WiringFault] = {}
    for wire in wires:
        left = tuple(other for other in wires if other != wire)
        _add(found, WiringFault("missing", Harness(left + copper, modules), (wire,)), whole)
    for one, other in _nets_by_twos(whole):
        joined = Harness((*wires, *copper, (one, other)), modules)
        _add(found, WiringFault("bridge", joined, ((one, other),)), whole)
    for one_wire, other_wire in combinations(wires, 2):
        for crossed in _crossed(one_wire, other_wire):
            rest = tuple(wire for wire in wires if wire not in (one_wire, other_wire))
            harness = Harness(rest + crossed + copper, modules)
            kind = "reversed" if _is_reversed(harness) else "swapped"
            _add(found, WiringFault(kind, harness, (one_wire, other_wire)), whole)
    return (*found.values(), *_modules(whole), *_unwired(whole))


def _read(pairs: list[list[list[str]]]) -> tuple[Wire, ...]:
    return tuple(((one[0], one[1]), (other[0], other[1])) for one, other in pairs)


def _nets_by_twos(whole: Harness) -> Iterator[tuple[Spot, Spot]]:
    """A spot of each of two nets, the last of a wire: where modules and buttons are."""
    ends = {whole.net(wire[1]): wire[1] for wire in reversed(whole.wires)}
    names = {whole.net(SUPPLY): SUPPLY, whole.net(GROUND): GROUND}
    spots = [names.get(net, spot) for net, spot in ends.items() if len(net) > 1]
    return combinations(sorted(spots), 2)


def _is_reversed(harness: Harness) -> bool:
    return any(
        harness.meets((module, "GND"), SUPPLY) and harness.meets((module, "VCC"), GROUND)
        for module in (READER, SOUTH, NORTH)
    )


def _crossed(one: Wire, other: Wire) -> Iterable[tuple[Wire, Wire]]:
    """The two wires with their ends at a common connector exchanged."""
    for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
        if one[a][0] == other[b][0] and one[a] != other[b]:
            yield (one[1 - a], other[b]), (other[1 - b], one[a])


def _add(found: dict[Any, WiringFault], fault: WiringFault, whole: Harness) -> None:
    nets = _nets(fault.harness)
    # exchanging two wires of one net changes nothing, so nothing would show it
    if nets != _nets(whole):
        found.setdefault(nets, fault)


def _nets(harness: Harness) -> frozenset[frozenset[Any]]:
    spots = {spot for wire in harness.wires for spot in wire}
    return frozenset(harness.net(spot) for spot in spots)


def _modules(whole: Harness) -> list[WiringFault]:
    """The wrong modules that the twin can be built with."""
    made = [
        WiringFault("switches_i2c", whole.with_modules(switches=I2C), module=READER),
        WiringFault("switches_spi", whole.with_modules(switches=SPI), module=READER),
        WiringFault("wants_5v", whole.with_modules(wants_5v=True), module=READER),
        WiringFault("antenna", whole.with_modules(antenna=False), module=READER),
    ]
    for name, side in SCREEN_SIDES:
        screen = whole.modules.screens().get(name)
        if screen is None:
            continue
        other = "ssd1306" if screen.controller == "sh1106" else "sh1106"
        # a module that is the other one and answers as this one: the box sets up the wrong one
        lie = 0x08 if screen.controller == "sh1106" else 0x03
        for kind, wrong in (
            ("absent", None),
            ("no_pull_ups", replace(screen, pull_ups=False)),
            ("false_status", ScreenModule(other, screen.address, status=lie)),
        ):
            made.append(WiringFault(kind, whole.with_modules(**{side: wrong}), module=name))
    return made


def _unwired(whole: Harness) -> Iterator[WiringFault]:
    """What joins nothing and parts nothing: a part that is dead, a supply that is weak."""
    reader_lines = {f"GP{gpio}": ANY for gpio in (*signs.READER_LINES, PICO.reader_irq)}
    nothing = {"field": ANY, "line": ANY, "card": ANY}
    some = {"reader": ANY, "reset": ANY, **nothing}
    dead = {"reader": False, "reset": ANY, **nothing, **reader_lines}
    # GP0, 1, 6, 7: the reader's TX, RX, IRQ and RSTPD_N
    dead |= {signs.joined(a, b): None for a, b in combinations((0, 1, 6, 7), 2)}
    yield _with(whole, "silent_reader", READER, **dead)
    yield _with(whole, "glitches", READER, **some)
    yield _with(whole, "supply_low", "", supply="low", **some)
    yield _with(whole, "supply_high", "", supply="high")
    yield _with(whole, "load", "", ohms=False)
    yield _with(whole, "silent_buzzer", STRIP, tone=False)
    # a coil conducts to ground, a piezo does not
    yield _with(whole, "coil", STRIP, tone=ANY, **{f"GP{PICO.buzzer}": 0})
    for button in SWITCHES:
        yield _with(whole, "button", button, **{f"button {button}": ()})
    yield _with(whole, "no_button", STRIP, **{f"button {button}": () for button in SWITCHES})
    for name, screen in whole.modules.screens().items():
        lines = signs.SIDES[name]
        dark = {f"window {name}": ("dark", None)}
        yield _with(whole, "dark", name, **dark)
        mute = {f"kind {name}": NOBODY, signs.answers(*lines, screen.address): False, **dark}
        yield _with(whole, "mute", name, **mute)
        for line in lines:
            yield _with(whole, "holds", name, **{f"GP{line}": 0}, **mute)


def _with(whole: Harness, kind: str, module: str, **own: Any) -> WiringFault:
    return WiringFault(kind, whole, module=module, own=tuple(own.items()))
