"""What explains what was measured: the fewest faults whose signs, together, are those measured.

A fault is only named if everything that it would change was measured as it says, and a set of
faults only if it leaves no sign unexplained. Else nothing is named: that is `unknown`, and the
signs that are not right are told as they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from hardware.twin.harness import NORTH, SOUTH, Modules, ScreenModule
from host_tools.box.bringup.faults import SCREEN_SIDES, WiringFault, faults, right
from host_tools.box.bringup.signs import ANY, NOBODY, Signs, expected, fits, of

_FEW = 3  # signs of which anything may be said without being called vague
_VAGUEST = 1
_CHEAPEST = 2  # what a single fault costs; an unlikely or a vague one more
_DEAREST = (99, 0)
MOST = 3  # faults at once that are still looked for
OTHER_ADDRESS = 0x3D
_ALIKE = tuple[WiringFault, ...]


@dataclass(frozen=True)
class Diagnosis:
    """`causes`: of each fault, all that look the same, the likeliest first. `strange`: the signs
    that are not those of a box that is right. `unasked`: those that nobody tried or answered.
    `notes`: what the box has dealt with by itself. `lost`: the part at which it fell silent.
    """

    causes: tuple[_ALIKE, ...] = ()
    strange: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    notes: tuple[WiringFault, ...] = ()
    lost: str = ""

    @property
    def is_unknown(self) -> bool:
        """Something is wrong, and nothing explains it."""
        return bool(self.strange) and not self.causes

    @property
    def is_good(self) -> bool:
        """Everything was tried, and there is nothing to do."""
        return not (self.causes or self.strange or self.unasked or self.lost)

    def all_faults(self) -> tuple[WiringFault, ...]:
        """All that may be meant."""
        return tuple(fault for alike in self.causes for fault in alike)


def diagnose(measured: Signs, revision: str, modules: Modules) -> Diagnosis:
    """What is wrong with a box that measured this; `modules`: the screens that are built in."""
    if measured.get("alive") is False:
        dead = [f for f in faults(revision, modules) if fits(False, f.signs["alive"])]
        return Diagnosis((_ranked(dead),), ("alive",))
    built_in = adopted(measured, modules)
    wanted = expected(right(revision, built_in))
    strange = tuple(name for name in _names(measured, wanted) if _differs(measured, wanted, name))
    unasked = tuple(name for name in wanted if name in _ASKED and measured.get(name) is None)
    causes = _causes(measured, wanted, strange, faults(revision, built_in)) if strange else ()
    if measured.get("lost") or "reader" in strange:  # the rest could not be asked
        unasked = ()
    notes = tuple(
        WiringFault("address", right(revision, built_in), module=name)
        for name, screen in built_in.screens().items()
        if screen.address == OTHER_ADDRESS
    )
    return Diagnosis(causes, strange, unasked, notes, str(measured.get("lost", "")))


_ASKED = ("tone", "card", "field", "line", "supply", "ohms", "apart")


def adopted(measured: Signs, modules: Modules) -> Modules:
    """The modules with the controllers and addresses that the box has found: the parts list allows
    either. A screen that is silent is taken to be as the other one; people buy two alike.
    """
    found = {
        name: ScreenModule(reported[1], reported[0])
        for name, _ in SCREEN_SIDES
        if (reported := measured.get(f"kind {name}")) not in (None, NOBODY)
    }
    heard = next(iter(found.values()), None)
    built_in = modules.screens()
    south, north = (
        found.get(name) or (heard if name in built_in else None) or built_in.get(name)
        for name, _ in SCREEN_SIDES
    )
    return replace(modules, south=south, north=north)


def _names(measured: Signs, wanted: Signs) -> Iterator[str]:
    """The signs that can be compared: those measured, and those that come or not."""
    yield from (name for name, value in measured.items() if value is not None)
    # once the lines were measured, "joined …" and "answers …" that are not there say something
    if "GP0" in measured:
        yield from (
            name
            for name in wanted
            if name not in measured and of(wanted, name) is True and of(measured, name) is False
        )


def _differs(measured: Signs, wanted: Signs, name: str) -> bool:
    return not fits(of(measured, name), of(wanted, name))


def _causes(
    measured: Signs, wanted: Signs, strange: Sequence[str], candidates: Sequence[WiringFault]
) -> tuple[_ALIKE, ...]:
    """The fewest faults that together explain every strange sign."""
    by_cover: dict[frozenset[str], list[WiringFault]] = {}
    for fault in candidates:
        cover = _cover(measured, wanted, strange, fault)
        if cover:
            by_cover.setdefault(cover, []).append(fault)
    for cover, alike in by_cover.items():
        alike.sort(key=lambda fault: _place(fault, cover))
    whole = frozenset(strange)
    best: tuple[frozenset[str], ...] = ()
    least = _DEAREST
    for count in range(1, MOST + 1):
        # so many are dearer, unless modules are reversed: that is the one kind below `_CHEAPEST`
        if count * _CHEAPEST >= least[0]:
            break
        for covers in combinations(by_cover, count):
            if frozenset().union(*covers) == whole:
                cost = _cost(covers, by_cover)
                if cost < least:
                    best, least = covers, cost
    return tuple(tuple(by_cover[cover]) for cover in best)


def _place(fault: WiringFault, cover: frozenset[str]) -> tuple[int, int]:
    """Among those that look the same: who says what comes, before who lets anything come."""
    loose = sum(of(fault.signs, name) in (None, ANY) for name in cover)
    return min(loose // _FEW, _VAGUEST), fault.rank


def _cost(
    covers: Sequence[frozenset[str]], by_cover: dict[frozenset[str], list[WiringFault]]
) -> tuple[int, int]:
    """How unlikely and how vague the faults are together; what is explained twice. Two modules
    that are not there are likelier than wires of two modules that have changed places.
    """
    prices = (min(sum(_place(fault, cover)) for fault in by_cover[cover]) for cover in covers)
    return _CHEAPEST * len(covers) + sum(prices), sum(map(len, covers))


def _cover(
    measured: Signs, wanted: Signs, strange: Sequence[str], fault: WiringFault
) -> frozenset[str]:
    """The strange signs that this fault explains; none if it contradicts what was measured."""
    signs, firm = fault.signs, 0
    covered = set()
    for name in {*_names(measured, signs), *strange}:
        value = of(measured, name)
        if value is None:
            continue
        if fits(value, of(signs, name)):
            if name in strange:
                covered.add(name)
                firm += of(signs, name) is not None
        # what this fault leaves as it is in a good box, another fault may explain
        elif name not in strange or of(signs, name) != of(wanted, name):
            return frozenset()
    # a fault that says nothing of any of them explains none
    return frozenset(covered) if firm else frozenset()


def _ranked(alike: Sequence[WiringFault]) -> _ALIKE:
    return tuple(sorted(alike, key=lambda fault: fault.rank))


def modules_of(screens: Sequence[str], screen: ScreenModule) -> Modules:
    """A box with these windows."""
    return Modules(
        south=screen if SOUTH in screens else None, north=screen if NORTH in screens else None
    )
