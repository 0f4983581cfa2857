"""Faults in an electrical model of a box, and what bring-up says of them.

The boxes are those of tests/support/electric.py, which shares nothing with the judge. `right`:
every fault that was named is one of those put in (of several that look the same, one of them).
`unknown`: the report says that something is wrong and that nothing explains it. `wrong`: a fault
that was not there. `good`: a broken box was called good, the worst that can happen.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hardware.twin.harness import ScreenModule, Spot
from host_tools.box.bringup import diagnosis, measuring
from host_tools.box.bringup.diagnosis import Diagnosis
from host_tools.box.bringup.faults import WiringFault
from tests.support.electric import (
    BUTTONS,
    GND,
    LINE_PINS,
    STRIP,
    V33,
    BuiltBox,
    ElectricBox,
    N,
    R,
    S,
    copper_of,
    gp,
    sound,
    wires_of,
)

REVISIONS = ("rev1", "rev2")
FURTHER = "right, further down"
_SHOWN = 3  # of those that look the same, the report prints so many
_SIGNALS = {
    **{gp(n): n for n in (0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 15)}, V33: "3V3", GND: "GND"
}  # fmt: skip


@dataclass(frozen=True)
class Injected:
    """One fault: what it does to a build, and which of the judge's faults name it."""

    name: str
    apply: Callable[[BuiltBox], None]
    accepts: Callable[[WiringFault], bool]


def _kinds(*kinds: str, module: str = "") -> Callable[[WiringFault], bool]:
    return lambda fault: fault.kind in kinds and (not module or fault.module == module)


# -- what can be wrong ---------------------------------------------------------------------------


def singles(revision: str) -> list[Injected]:
    """Every fault that is put in alone."""
    return [
        *_opens(revision), *_swaps(revision), *_shorts(revision), *_of_reader(), *_of_screens(),
        *_of_strip(revision), *_of_supply(revision),
    ]  # fmt: skip


def _opens(revision: str) -> Iterator[Injected]:
    for wire in wires_of(revision):
        yield Injected(f"open {_said(wire)}", _opener(wire), _same_wires(revision, _opener(wire)))


def _swaps(revision: str) -> Iterator[Injected]:
    """Any two wires at one module's plug, or in one bundle at the strip."""
    for one, other in combinations(wires_of(revision), 2):
        if one[1][0] == other[1][0]:
            swap = _swapper(one, other)
            accepts = _same_wires(revision, swap)
            yield Injected(f"swapped {_said(one)}, {_said(other)}", swap, accepts)


def weak_bridges(revision: str) -> list[Injected]:
    """Bridges that are hardly any: their drivers nearly overcome them."""
    return [*_shorts(revision, (20.0,))]


def _shorts(revision: str, ohms: Sequence[float] = (0.1, 2.0)) -> Iterator[Injected]:
    """Any two nets, by solder and by a strand of wire."""
    for (one, one_name), (other, other_name) in combinations(_SIGNALS.items(), 2):
        for ohm in ohms:
            bridge = _bridger(one, other, ohm)
            accepts = _same_wires(revision, bridge, one, other)
            yield Injected(
                f"short {_net(other_name)} {_net(one_name)} {ohm:g} ohm", bridge, accepts
            )


def _net(name: Any) -> str:
    return f"GP{name}" if isinstance(name, int) else str(name)


def _of_reader() -> Iterator[Injected]:
    for state, kinds in {
        "dead": ("silent_reader",), "i2c": ("switches_i2c",), "spi": ("switches_spi",),
        "wants_5v": ("wants_5v",), "antenna": ("antenna",), "glitches": ("glitches",),
    }.items():  # fmt: skip
        yield Injected(f"reader {state}", _setter("reader", state), _kinds(*kinds))


def _of_screens() -> Iterator[Injected]:
    for name in (S, N):
        at = {"module": name}
        yield Injected(f"{name} absent", _remover(name), _kinds("absent", **at))
        yield Injected(f"{name} mute", _screen(name, state="dead"), _kinds("mute", **at))
        yield Injected(f"{name} dark", _screen(name, state="dark"), _kinds("dark", **at))
        yield Injected(
            f"{name} no pull-ups", _screen(name, pull_ohm=1e7), _kinds("no_pull_ups", **at)
        )
        for line in ("SDA", "SCL"):
            holds = _screen(name, state=f"holds {line}")
            yield Injected(f"{name} holds {line}", holds, _holds(name, line))
        yield Injected(f"{name} lies", _liar(name), _kinds("false_status", **at))


def _holds(name: str, line: str) -> Callable[[WiringFault], bool]:
    """The module, or solder between that line and ground: the same to any meter."""
    spot = (name, line)

    def accepts(fault: WiringFault) -> bool:
        touches = fault.kind == "bridge" and fault.harness.meets(spot, GND)
        return touches or (fault.kind == "holds" and fault.module == name)

    return accepts


def _of_strip(revision: str) -> Iterator[Injected]:
    for number, button in zip((10, 11, 12, 13), BUTTONS, strict=True):
        opens, stuck = _adder("dead", button), _adder("stuck", button)
        yield Injected(f"button {button} open", opens, _kinds("button", module=button))
        same = _same_wires(revision, _bridger(gp(number), GND, 0.1), gp(number), GND)
        yield Injected(f"button {button} stuck", stuck, same)
    yield Injected("buttons without ground", _all_dead, _kinds("no_button"))
    yield Injected("buzzer dead", _setter("buzzer", "dead"), _kinds("silent_buzzer"))
    yield Injected("buzzer a coil", _setter("buzzer", "coil"), _kinds("coil"))


def _of_supply(revision: str) -> Iterator[Injected]:
    for volt, ohm in ((4.1, 0.4), (3.3, 0.4), (5.0, 5.0)):
        weak = _supplier(volt, ohm)
        yield Injected(f"supply {volt} V, {ohm} ohm", weak, _kinds("supply_low"))
    yield Injected("supply 6.3 V", _supplier(6.3, 0.3), _kinds("supply_high"))
    wires = [
        wire for wire in wires_of(revision) if wire[1][0] == R and wire[1][1] in ("VCC", "GND")
    ]
    for wire in wires:
        contact = _contact(wire, 8.0)
        kinds = _kinds("wants_5v", "glitches", "silent_reader")
        yield Injected(f"bad contact {_said(wire)}", contact, kinds)


def _said(wire: tuple[Spot, Spot]) -> str:
    return "-".join(" ".join(spot) for spot in wire)


def _setter(name: str, value: Any) -> Callable[[BuiltBox], None]:
    return lambda build: setattr(build, name, value)


def _adder(name: str, value: str) -> Callable[[BuiltBox], None]:
    return lambda build: getattr(build, name).add(value)


def _all_dead(build: BuiltBox) -> None:
    build.dead |= set(BUTTONS)


def _supplier(volt: float, ohm: float) -> Callable[[BuiltBox], None]:
    def apply(build: BuiltBox) -> None:
        build.usb_volt, build.usb_ohm = volt, ohm

    return apply


def _contact(wire: tuple[Spot, Spot], ohm: float) -> Callable[[BuiltBox], None]:
    def apply(build: BuiltBox) -> None:
        build.weak[wire] = ohm

    return apply


def _screen(name: str, **changes: Any) -> Callable[[BuiltBox], None]:
    def apply(build: BuiltBox) -> None:
        for field, value in changes.items():
            if name in build.screens:
                setattr(build.screens[name], field, value)

    return apply


def _liar(name: str) -> Callable[[BuiltBox], None]:
    def apply(build: BuiltBox) -> None:
        if name in build.screens:
            build.screens[name].status = 11 - build.screens[name].controller

    return apply


def _remover(name: str) -> Callable[[BuiltBox], None]:
    def apply(build: BuiltBox) -> None:
        build.screens.pop(name, None)

    return apply


def _opener(wire: tuple[Spot, Spot]) -> Callable[[BuiltBox], None]:
    def apply(build: BuiltBox) -> None:
        build.wires = [one for one in build.wires if one != wire]

    return apply


def _swapper(one: tuple[Spot, Spot], other: tuple[Spot, Spot]) -> Callable[[BuiltBox], None]:
    def apply(build: BuiltBox) -> None:
        if one in build.wires and other in build.wires:
            build.wires = [wire for wire in build.wires if wire not in (one, other)]
            build.wires += [(one[0], other[1]), (other[0], one[1])]

    return apply


def _bridger(one: Spot, other: Spot, ohm: float) -> Callable[[BuiltBox], None]:
    return lambda build: build.shorts.append((one, other, ohm))


# -- was it named? -------------------------------------------------------------------------------


def _same_wires(
    revision: str, apply: Callable[[BuiltBox], None], *bridge: Spot
) -> Callable[[WiringFault], bool]:
    """Does a fault of the judge join the same ends as this one?"""
    build = sound(revision, ("sh1106", "sh1106"))
    apply(build)
    joined = [*build.wires, *copper_of(revision), *((a, b) for a, b, _ in build.shorts)]
    mine = _ends(joined)

    def accepts(fault: WiringFault) -> bool:
        if fault.kind == "load":
            return set(bridge) == {V33, GND}
        if fault.kind == "holds":
            return bool(bridge) and GND in bridge and _holds_one(fault, bridge)
        return not fault.own and _ends(fault.harness.wires) == mine

    return accepts


def _holds_one(fault: WiringFault, bridge: Sequence[Spot]) -> bool:
    lines = {S: (gp(2), gp(3)), N: (gp(4), gp(5))}[fault.module]
    reported = {f"GP{n}" for n in (2, 3, 4, 5) if dict(fault.own).get(f"GP{n}") == 0}
    return any(spot in lines and spot[1] in reported for spot in bridge)


def _ends(wires: Sequence[tuple[Spot, Spot]]) -> frozenset[frozenset[Spot]]:
    """Who is joined with whom, without the plugs between."""
    nets: dict[Spot, set[Spot]] = {}
    for one, other in wires:
        joined = nets.get(one, {one}) | nets.get(other, {other})
        nets.update(dict.fromkeys(joined, joined))
    plugs = ("J1", "J2", "J3")
    rails = {(STRIP, "3V3")}
    kept = (
        frozenset(s for s in net if s[0] not in plugs and s not in rails) for net in nets.values()
    )
    return frozenset(net for net in kept if len(net) > 1)


def judged(build: BuiltBox, seed: int) -> Diagnosis:
    """What bring-up says of a box; one that gets no 3.3 V says nothing at all."""
    box = ElectricBox(build, seed)
    signs: dict[str, Any] = {"alive": False}
    if box.alive:
        signs = measuring.measure(box, box, (S, N)).signs  # type: ignore[arg-type]
    modules = diagnosis.modules_of((S, N), ScreenModule("sh1106"))
    return diagnosis.diagnose(signs, build.revision, modules)


def verdict(found: Diagnosis, injected: Sequence[Injected], build: BuiltBox) -> str:
    """The verdict on what was said of a box with these faults. Three nets that two bridges have
    made one may be told by any of the three bridges.
    """
    if found.is_good:
        return "good"
    if not found.causes:
        return "unknown"
    joined = _ends(
        [*build.wires, *copper_of(build.revision), *((a, b) for a, b, _ in build.shorts)]
    )

    def named(fault: WiringFault) -> bool:
        bridged = fault.kind == "bridge" and any(set(fault.wires[0]) <= net for net in joined)
        return bridged or any(one.accepts(fault) for one in injected)

    if all(any(map(named, alike[:_SHOWN])) for alike in found.causes):
        return "right"
    return FURTHER if all(any(map(named, alike)) for alike in found.causes) else "wrong"


# -- the runs ------------------------------------------------------------------------------------

_PAIRS = (("sh1106", "sh1106"), ("ssd1306", "ssd1306"), ("sh1106", "ssd1306"))
ProofRow = tuple[str, str, Diagnosis]


def of_singles(
    step: int = 1, seed: int = 1, which: Callable[[str], list[Injected]] = singles
) -> Iterator[ProofRow]:
    """Every single fault, of both revisions, with both controllers; one in `step` of them."""
    number = 0
    for revision in REVISIONS:
        faults = which(revision)
        for controllers in _PAIRS[:2]:
            for injected in faults:
                number += 1
                if number % step:
                    continue
                build = sound(revision, controllers)
                injected.apply(build)
                found = judged(build, seed + number)
                yield (
                    f"{revision} {controllers[0]} {injected.name}",
                    verdict(found, [injected], build),
                    found,
                )


def of_pairs(count: int, seed: int = 2) -> Iterator[ProofRow]:
    """Two different faults at random."""
    chance = random.Random(seed)
    lists = {revision: singles(revision) for revision in REVISIONS}
    for number in range(count):
        revision = chance.choice(REVISIONS)
        two = chance.sample(lists[revision], 2)
        build = sound(revision, chance.choice(_PAIRS))
        for injected in two:
            injected.apply(build)
        found = judged(build, seed + number)
        name = " + ".join(injected.name for injected in two)
        yield f"{revision} {name}", verdict(found, two, build), found


def of_sound(count: int, seed: int = 3) -> Iterator[ProofRow]:
    """Boxes that are right, with the spread of what is bought; a screen may be set to 0x3D."""
    chance = random.Random(seed)
    for number in range(count):
        build = sound(chance.choice(REVISIONS), chance.choice(_PAIRS))
        for screen in build.screens.values():
            screen.pull_ohm = chance.choice((2.2e3, 4.7e3, 10e3)) * chance.uniform(0.9, 1.1)
            screen.address = chance.choice((0x3C, 0x3C, 0x3D))
        build.usb_volt, build.usb_ohm = chance.uniform(4.75, 5.25), chance.uniform(0.1, 0.6)
        for wire in build.wires:
            build.weak[wire] = chance.uniform(0.02, 0.4)
        found = judged(build, seed + number)
        yield f"sound {number}", "right" if found.is_good else "wrong", found


def of_garbage(count: int, seed: int = 4) -> Iterator[ProofRow]:
    """Measurements that no box makes: every sign by chance."""
    chance = random.Random(seed)
    modules = diagnosis.modules_of((S, N), ScreenModule("sh1106"))
    for number in range(count):
        signs = _garbage(chance)
        found = diagnosis.diagnose(signs, chance.choice(REVISIONS), modules)
        reported = "good" if found.is_good else "wrong" if found.causes else "unknown"
        yield f"garbage {number}", reported, found


def _garbage(chance: random.Random) -> dict[str, Any]:
    pick = chance.choice
    signs: dict[str, Any] = {"alive": True, "supply": pick(("fine", "fine", "low", "high"))}
    signs |= {f"GP{n}": pick(("floats", 0, 1)) for n in LINE_PINS}
    for name in (S, N):
        signs[f"kind {name}"] = pick(((0x3C, "sh1106"), (0x3D, "ssd1306"), (0, "nobody")))
        signs[f"window {name}"] = pick(
            (("dark", None), ("whole", 1), ("whole", 2), ("shifted", None))
        )
    for name in ("reader", "reset", "tone", "line"):
        signs[name] = pick((True, False))
    for name in ("field", "card"):
        signs[name] = pick((True, False, "some"))
    for button in BUTTONS:
        signs[f"button {button}"] = tuple(b for b in BUTTONS if chance.random() < 0.4)
    for sda, scl in ((2, 3), (3, 2), (4, 5), (5, 4), (2, 5)):
        if chance.random() < 0.4:
            signs[f"answers SDA GP{sda} SCL GP{scl} 0x3c"] = True
    for one, other in combinations(LINE_PINS, 2):
        if chance.random() < 0.03:
            signs[f"joined GP{min(one, other)} GP{max(one, other)}"] = True
    return signs


def tally(rows: Iterator[ProofRow]) -> tuple[Counter[str], list[str]]:
    """How many boxes had each verdict, and all that was wrong."""
    counts: Counter[str] = Counter()
    amiss = []
    for name, reported, found in rows:
        counts[reported] += 1
        if reported in ("wrong", "good"):
            named = [f"{fault.kind} {fault.module}" for fault in found.all_faults()[:4]]
            amiss.append(f"{name} is {reported}: {named}")
    return counts, amiss
