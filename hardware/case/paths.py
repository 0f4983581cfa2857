"""Can every part get to its place? A search for the way out, over lift, shift and tilt.

What goes in comes out the same way, so the search starts at home and ends in the open. Each part
is moved as a body through what the guide has put in before it: along `out`, sideways along `side`,
and tilted in that plane. Clearance is in the bodies: parts are `limits.clearance` larger sideways
than they are.
"""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import trimesh
from manifold3d import Manifold

from hardware.case.csg import as_body, in_case, shared_mm3
from hardware.case.dimensions import BUTTONS, Sections, derive, posts
from hardware.case.outlines import Part, as_box, parts

_STEP = 0.5  # mm, of lift and of shift
_TURN = 1.0  # degrees
_REACH, _LEAN = 12, 25  # steps of shift, and of tilt, each way
_OFF = 0.05  # mm: a part hangs that far above what it lies on
CRUMB_MM3 = 0.05  # that two bodies may share: what boolean operations leave
_PATIENCE = 4000  # places; an open way needs one for each step of lift
# what goes in, in the order of the guide: module or printed part, way out, way aside
_ORDER = (
    ("the Pico", "+z", "x"),
    ("the board", "+z", "x"),
    ("the charger", "+z", "y"),
    ("the pack", "+z", "x"),
    ("the switch", "-x", "y"),
    ("the strip", "+z", "x"),
    ("the reader", "+z", "x"),
    ("the south screen", "+z", "y"),
    ("the north screen", "+z", "y"),
    ("caps", "+z", "x"),
    ("lid", "+z", "x"),
)
# plugged in from outside when the box is shut, or drawn only
_LATER = ("neck", "lit")
GridCell = tuple[int, int, int]


@dataclass(frozen=True)
class Way:
    """How a part gets out: its places from home on, as (lift, shift, tilt) in mm and degrees."""

    name: str
    free: bool
    places: tuple[tuple[float, float, float], ...]
    tried: int

    def sentence(self) -> str:
        """Where it binds."""
        lift, shift, tilt = self.places[-1]
        return (
            f"{self.name} cannot be put in: on the best way it binds {lift:g} mm above its place "
            f"(shifted {shift:g} mm, tilted {tilt:g} degrees; {self.tried} places tried)."
        )


def check_paths(d: Sections, printed: Mapping[str, trimesh.Trimesh]) -> list[str]:
    """Sentences: parts that have a place and no way there, screws that no screwdriver reaches."""
    stuck = [way.sentence() for way in ways(d, printed) if not way.free]
    return stuck + _drivers(d, printed)


def ways(d: Sections, printed: Mapping[str, trimesh.Trimesh]) -> list[Way]:
    """The way of each part, through what was put in before it."""
    fixed = in_case("base", printed["base"], d)
    found = []
    for name, out, side in _ORDER:
        solid, loose = _bodies(name, d, printed)
        if not loose.is_empty():
            found.append(way_out(name, loose, fixed, out, side))
            fixed += solid
    return found


def _bodies(
    name: str, d: Sections, printed: Mapping[str, trimesh.Trimesh]
) -> tuple[Manifold, Manifold]:
    """A part as it is, and grown by the clearance."""
    if name in printed:
        solid = _in_place(name, d, printed[name])
        return solid, solid
    members = [p for p in parts(d) if p.module == name and _goes_along(p)]
    grown = [part.grown(d["limits"]["clearance"]) for part in members]
    return _body(members), _body(grown)


def _goes_along(part: Part) -> bool:
    """Plugs are on the modules before they go in; those of a hand-wired Pico come later."""
    later = part.name in ("the Pico's plugs",) or part.kind == "head"
    return part.name == "the switch's neck" or not (part.kind in _LATER or later)


def _body(members: Iterable[Part]) -> Manifold:
    return sum(map(as_box, members), Manifold())


def _in_place(name: str, d: Sections, mesh: trimesh.Trimesh) -> Manifold:
    """Lid and caps where they belong; in the file the caps stand in a row, OK first."""
    if name == "lid":
        return in_case("lid", mesh, d)
    found, apart = derive(d), d["cap"]["flange"] + 4
    caps = sorted(as_body(mesh).decompose(), key=lambda cap: cap.bounding_box()[0])
    return sum(
        (
            cap.translate((found["button_x"] - i * apart, found[f"{name}_y"], found["cap_z"]))
            for i, (cap, name) in enumerate(zip(caps, BUTTONS, strict=True))
        ),
        Manifold(),
    )


def way_out(name: str, loose: Manifold, fixed: Manifold, out: str, side: str) -> Way:
    """Best first: as far out as possible, as little aside as possible."""
    move = _Mover(loose, out, side)
    far = _until_open(loose, fixed, out)
    home: GridCell = (0, 0, 0)
    before: dict[GridCell, GridCell] = {home: home}
    queue = [(0.0, home)]
    best, tried = home, 0
    while queue and tried < _PATIENCE:
        _, here = heapq.heappop(queue)
        tried += 1
        if shared_mm3(move.to(here), fixed) > CRUMB_MM3:
            continue
        best = max(best, here)
        if here[0] * _STEP >= far:
            return Way(name, True, _trail(here, before), tried)
        for place in _beside(here):
            if place not in before:
                before[place] = here
                heapq.heappush(queue, (_cost(place), place))
    return Way(name, False, _trail(best, before), tried)


def _cost(place: GridCell) -> float:
    lift, shift, tilt = place
    return abs(shift) + abs(tilt) - 2.0 * lift


def _beside(place: GridCell) -> list[GridCell]:
    lift, shift, tilt = place
    steps = ((1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (-1, 0, 0))
    found = [(lift + a, shift + b, tilt + c) for a, b, c in steps]
    return [p for p in found if p[0] >= 0 and abs(p[1]) <= _REACH and abs(p[2]) <= _LEAN]


def _trail(
    place: GridCell, before: Mapping[GridCell, GridCell]
) -> tuple[tuple[float, float, float], ...]:
    trail = [place]
    while before[trail[-1]] != trail[-1]:
        trail.append(before[trail[-1]])
    return tuple((i * _STEP, j * _STEP, k * _TURN) for i, j, k in reversed(trail))


class _Mover:
    """A body that can be lifted, shifted, and tilted about its middle."""

    def __init__(self, body: Manifold, out: str, side: str) -> None:
        sign = -1.0 if out[0] == "-" else 1.0
        self._out = sign * np.eye(3)["xyz".index(out[1])]
        self._side = np.eye(3)["xyz".index(side)]
        self._axis = np.abs(np.cross(self._out, self._side))
        box = np.array(body.bounding_box()).reshape(2, 3)
        self._middle = box.mean(axis=0)
        self._body = body.translate(tuple(-self._middle))

    def to(self, place: GridCell) -> Manifold:
        """The body at a place."""
        lift, shift, tilt = place
        turned = self._body.rotate(tuple(self._axis * tilt * _TURN)) if tilt else self._body
        way = self._out * (lift * _STEP + _OFF) + self._side * (shift * _STEP)
        return turned.translate(tuple(self._middle + way))


def _until_open(loose: Manifold, fixed: Manifold, out: str) -> float:
    """Lift after which nothing is beside the part any more."""
    axis = "xyz".index(out[1])
    own, theirs = loose.bounding_box(), fixed.bounding_box()
    far = theirs[axis + 3] - own[axis] if out[0] == "+" else own[axis + 3] - theirs[axis]
    return float(far)


def _drivers(d: Sections, printed: Mapping[str, trimesh.Trimesh]) -> list[str]:
    """A screwdriver stands on each screw of the Pico or the board, straight up to the sky."""
    fixed = in_case("base", printed["base"], d)
    carrier = [p for p in parts(d) if p.module in ("the Pico", "the board")]
    fixed += _body(p for p in carrier if p.kind not in (*_LATER, "head", "pico", "board", "plug"))
    return [
        f"no screwdriver reaches the screw at x {x:.1f}, y {y:.1f}."
        for x, y, z, wide in _screws(d)
        if shared_mm3(Manifold.cylinder(100, wide / 2).translate((x, y, z)), fixed) > CRUMB_MM3
    ]


def _screws(d: Sections) -> list[tuple[float, float, float, float]]:
    """The upper sides of their heads, and the width of the head: no driver is wider."""
    heads = [part for part in parts(d) if part.kind == "head"]
    found = [
        ((p.low[0] + p.high[0]) / 2, (p.low[1] + p.high[1]) / 2, p.high[2], p.high[0] - p.low[0])
        for p in heads
    ]
    if "board" in d:
        top = derive(d)["buttons_z"] + d["board"]["board_t"] + _OFF
        found += [(x, y, top, d["screws"]["head"]) for x, y in posts(d)]
    return found
