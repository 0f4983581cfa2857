"""Every wire that may be missing, every two that may have changed places, every module that may be
the wrong one: made from the drawing, and what a box would measure with each.

Nothing is listed by hand but the kinds. What was measured is compared with what each would give;
the nearest ones are the diagnosis.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from hardware.twin.harness import (
    HSU,
    I2C,
    NORTH,
    READER,
    SOUTH,
    SPI,
    STRIP,
    SWITCHES,
    Harness,
    Modules,
    Screen,
    Wire,
)
from hardware.twin.wiring import PICO

_WIRES = Path(__file__).with_name("wires.json")
_LINES = (
    PICO.reader_tx,
    PICO.reader_rx,
    PICO.reader_irq,
    PICO.oled_sda,
    PICO.oled_scl,
    PICO.north_sda,
    PICO.north_scl,
    *PICO.buttons,
)
_SCREEN_LINES = (PICO.oled_sda, PICO.oled_scl, PICO.north_sda, PICO.north_scl)
_READER_LINES = (PICO.reader_rx, PICO.reader_tx)
_SIDES = {SOUTH: (PICO.oled_sda, PICO.oled_scl), NORTH: (PICO.north_sda, PICO.north_scl)}
FARTHEST = 3  # signs that may differ, for a diagnosis to be worth a sentence

Signs = dict[str, Any]


@dataclass(frozen=True)
class Fault:
    """`kind` is a key of the texts; `wires` those concerned; `module` of which connector."""

    kind: str
    harness: Harness
    wires: tuple[Wire, ...] = ()
    module: str = ""


def right(revision: str, modules: Modules) -> Harness:
    """A box that is wired as drawn."""
    drawn = json.loads(_WIRES.read_text(encoding="utf8"))[revision]
    return Harness.of(_read(drawn["wires"]) + _read(drawn["copper"]), modules)


def faults(revision: str, modules: Modules) -> list[Fault]:
    """All single faults of a revision with these modules. Two that join the same pins are one."""
    drawn = json.loads(_WIRES.read_text(encoding="utf8"))[revision]
    wires, copper = _read(drawn["wires"]), _read(drawn["copper"])
    whole = Harness.of(wires + copper, modules)
    found: dict[frozenset[frozenset[Any]], Fault] = {}
    for wire in wires:
        left = tuple(other for other in wires if other != wire)
        _add(found, Fault("missing", Harness.of(left + copper, modules), (wire,)), whole)
    for one, other in combinations(wires, 2):
        for crossed in _crossed(one, other):
            rest = tuple(wire for wire in wires if wire not in (one, other))
            harness = Harness.of(rest + crossed + copper, modules)
            _add(found, Fault("swapped", harness, (one, other)), whole)
    return [*found.values(), *_modules(whole)]


def _read(pairs: list[list[list[str]]]) -> tuple[Wire, ...]:
    return tuple(((one[0], one[1]), (other[0], other[1])) for one, other in pairs)


def _crossed(one: Wire, other: Wire) -> Iterable[tuple[Wire, Wire]]:
    """The two wires with their ends at a common connector exchanged."""
    for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
        if one[a][0] == other[b][0] and one[a] != other[b]:
            yield (one[1 - a], other[b]), (other[1 - b], one[a])


def _add(found: dict[Any, Fault], fault: Fault, whole: Harness) -> None:
    nets = _nets(fault.harness)
    if nets != _nets(whole):
        found.setdefault(nets, fault)


def _nets(harness: Harness) -> frozenset[frozenset[Any]]:
    spots = {spot for wire in harness.wires for spot in wire}
    return frozenset(harness.net(spot) for spot in spots)


def _modules(whole: Harness) -> list[Fault]:
    made = [
        Fault("switches_i2c", whole.with_modules(switches=I2C), module=READER),
        Fault("switches_spi", whole.with_modules(switches=SPI), module=READER),
        Fault("wants_5v", whole.with_modules(wants_5v=True), module=READER),
        Fault("antenna", whole.with_modules(antenna=False), module=READER),
    ]
    for name, field in ((SOUTH, "south"), (NORTH, "north")):
        screen = whole.modules.screens().get(name)
        if screen is None:
            continue
        other = "ssd1306" if screen.controller == "sh1106" else "sh1106"
        lie = 0x03 if screen.controller == "sh1106" else 0x08
        for kind, wrong in (
            ("absent", None),
            ("no_pull_ups", Screen(screen.controller, screen.address, pull_ups=False)),
            ("address", Screen(screen.controller, 0x3D)),
            ("controller", Screen(other, screen.address)),
            ("false_status", Screen(screen.controller, screen.address, status=lie)),
        ):
            made.append(Fault(kind, whole.with_modules(**{field: wrong}), module=name))
    return made


# -- what a box measures -------------------------------------------------------------------------


def expected(harness: Harness) -> Signs:
    """The signs of a box with this harness; None for one that cannot be told."""
    if harness.shorted:
        return {"alive": False}
    signs: Signs = {"alive": True}
    # a silent buzzer is low, and would hold a reader with its reset there
    runs = not harness.in_reset() and not harness.on((READER, "RSTPD_N"), PICO.buzzer)
    for gpio in _LINES:
        level = harness.driven(gpio, runs)
        signs[f"GP{gpio}"] = "floats" if level is None else level
    signs["found"] = _answers(harness)
    signs.update(_reader(harness))
    for number, name in enumerate(SWITCHES):
        arrives = [
            SWITCHES[at] for at, gp in enumerate(PICO.buttons) if harness.on((STRIP, name), gp)
        ]
        signs[f"button {SWITCHES[number]}"] = tuple(arrives) if harness.switch_grounded() else ()
    signs["tone"] = harness.on((STRIP, "BUZZER"), PICO.buzzer)
    for name, lines in _SIDES.items():
        signs[f"window {name}"] = _window(harness, name)
        signs[f"kind {name}"] = _kind(harness, lines)
    return signs


def _answers(harness: Harness) -> frozenset[tuple[int, int, int]]:
    found = set()
    for lines in (_SCREEN_LINES, _READER_LINES):
        for sda in lines:
            for scl in lines:
                stuck = 0 in (harness.driven(sda), harness.driven(scl))
                if sda != scl and not stuck:
                    found |= {(sda, scl, at) for at in harness.answering(sda, scl).values()}
    return frozenset(found)


def _reader(harness: Harness) -> Signs:
    on = {gp for gp in PICO.gpios() if harness.on((READER, "RSTPD_N"), gp)}
    works = (
        harness.powered(READER)
        and harness.modules.switches == HSU
        and harness.on((READER, "SS"), PICO.reader_tx)
        and harness.on((READER, "MOSI"), PICO.reader_rx)
        and not harness.in_reset()
        and not on & {PICO.reader_tx, PICO.buzzer}
    )
    busy = bool(
        on & {*_SCREEN_LINES, PICO.reader_rx}
    )  # transfers or answers reset it now and then
    return {
        "reader": None if works and busy else works,
        "reset": None
        if busy or not works or harness.modules.wants_5v
        else PICO.reader_reset in on,
        "card": None
        if busy
        else works and harness.modules.antenna and not harness.modules.wants_5v,
        "field": None if busy or not works else not harness.modules.wants_5v,
    }


def _window(harness: Harness, name: str) -> tuple[str, int | None]:
    """What a player sees in a window: "whole" and the number of the side for which it was drawn,
    "shifted" (whose number is not asked), or "dark".
    """
    for number, lines in enumerate(_SIDES.values(), 1):
        screen = harness.modules.screens().get(name)
        if screen is not None and _drives(harness, name, lines):
            says = screen.status
            lies = says is not None and (says == 0x08) != (screen.controller == "sh1106")
            return ("shifted", None) if lies else ("whole", number)
    return "dark", None


def _drives(harness: Harness, name: str, lines: tuple[int, int]) -> bool:
    levels = [harness.driven(gpio) for gpio in lines]
    return levels == [1, 1] and name in harness.answering(*lines)


def _kind(harness: Harness, lines: tuple[int, int]) -> tuple[int, str] | None:
    """Address and controller as the box finds them on this bus."""
    for name, screen in harness.modules.screens().items():
        if _drives(harness, name, lines):
            says = {"sh1106": 0x08, "ssd1306": 0x03}[screen.controller]
            status = says if screen.status is None else screen.status
            return screen.address, "sh1106" if status == 0x08 else "ssd1306"
    return None


# -- diagnosis -----------------------------------------------------------------------------------


def distance(measured: Signs, wanted: Signs) -> int:
    """How many signs differ, of those that both know."""
    known = [name for name in measured if measured[name] is not None]
    return sum(
        wanted.get(name) is not None and measured[name] != wanted[name]
        for name in known
        if name in wanted
    )


def diagnose(measured: Signs, revision: str, modules: Modules) -> list[Fault]:
    """What explains the signs best: [] for a box that is right, else all faults that come equally
    near. One `unknown` if nothing comes near.
    """
    whole = right(revision, modules)
    if not distance(measured, expected(whole)):
        return []
    ranked = [
        (distance(measured, expected(fault.harness)), fault) for fault in faults(revision, modules)
    ]
    least = min(far for far, _ in ranked)
    if least > FARTHEST:
        return [Fault("unknown", whole)]
    return [fault for far, fault in ranked if far == least]
