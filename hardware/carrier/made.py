"""The carrier board as it lies in its KiCad file: edge, holes, parts and what their pads join.

Needs no KiCad. The case of revision 2 is drawn round this, and the pictures of soldering are drawn
from it. Lengths are mm; x runs to the east as in the file, y to the north from SHEET_Y.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from hardware.carrier import sexpr
from hardware.revision import REV2

MADE = REV2.folder / "board" / "carrier.kicad_pcb"
SHEET_Y = 200.0  # the case's y grows to the north, KiCad's to the south
Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]  # west, south, east, north
Pad = tuple[float, float, float, float, float]  # x, y, width, height, drill
_SCREW_HOLE = 3.0  # narrower holes without copper are bosses of parts
_UNUSED = "unconnected-"  # how KiCad names the net of a pin that nobody uses


@dataclass(frozen=True)
class Joint:
    """A pin and its net; `name` is what the schematic's symbol calls the pin."""

    ref: str
    pin: str
    name: str
    net: str


@dataclass(frozen=True)
class Placed:
    """A part on the board: middle of its pads, side, outline, pads, value, footprint."""

    at: Point
    back: bool
    body: Rectangle
    pads: tuple[Pad, ...]
    value: str = ""
    footprint: str = ""


@dataclass(frozen=True)
class Made:
    """The edge as a polygon, screw holes (x, y, diameter), parts by reference, used pins."""

    edge: tuple[Point, ...]
    holes: tuple[tuple[float, float, float], ...]
    parts: dict[str, Placed]
    joints: tuple[Joint, ...] = ()


def load_made(path: Path = MADE) -> Made:
    """The board of a .kicad_pcb. ValueError: no file of KiCad, or an edge that is not closed."""
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> Made:
    text = path.read_text(encoding="utf8")
    # filled copper stands last in the file: thousands of lines that nothing here needs
    board = sexpr.parse(text.partition("\n\t(zone")[0] + ("\n)" if "\n\t(zone" in text else ""))
    feet = sorted(sexpr.every(board, "footprint"), key=_ref)
    holes = {hole for foot in feet for hole in _holes(foot)}
    lines = [_line(line) for line in sexpr.every(board, "gr_line") if _on(line, "Edge.Cuts")]
    return Made(
        _polygon(lines),
        tuple(sorted(holes)),
        {_ref(foot): _placed(foot) for foot in feet},
        in_order(joint for foot in feet for joint in _joints(foot)),
    )


def in_order(joints: Iterable[Joint]) -> tuple[Joint, ...]:
    """Used pins, the Pico's first: every list of a board is in the same order."""
    used = (joint for joint in joints if joint.net and not joint.net.startswith(_UNUSED))
    return tuple(sorted(set(used), key=lambda j: (j.ref != "U1", j.ref, int(j.pin))))


# --- a footprint -------------------------------------------------------------------------------


def _property(foot: sexpr.Node, name: str) -> str:
    return next(str(p[2]) for p in sexpr.every(foot, "property") if p[1] == name)


def _ref(foot: sexpr.Node) -> str:
    return _property(foot, "Reference")


def _on(node: sexpr.Node, *layers: str) -> bool:
    return bool({*sexpr.first(node, "layer"), *sexpr.first(node, "layers")} & set(layers))


def _numbers(node: sexpr.Node, name: str) -> list[float]:
    return [float(word) for word in sexpr.first(node, name)]


def _turned(foot: sexpr.Node, x: float, y: float) -> Point:
    """A place within a footprint as one of the board."""
    at_x, at_y, turn = (*_numbers(foot, "at"), 0.0)[:3]
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return round(at_x + x * cos + y * sin, 4), round(SHEET_Y - (at_y - x * sin + y * cos), 4)


def _pad(foot: sexpr.Node, pad: sexpr.Node) -> Pad:
    x, y, turn = (*_numbers(pad, "at"), 0.0)[:3]
    wide, high = _numbers(pad, "size")
    if round(turn) % 180 == 90:
        wide, high = high, wide
    return (*_turned(foot, x, y), wide, high, (*_numbers(pad, "drill"), 0.0)[0])


def _placed(foot: sexpr.Node) -> Placed:
    pads = [(pad[1], _pad(foot, pad)) for pad in sexpr.every(foot, "pad")]
    named = [pad for number, pad in pads if number] or [pad for _, pad in pads]
    xs, ys = [pad[0] for pad in named], [pad[1] for pad in named]
    middle = (round((min(xs) + max(xs)) / 2, 4), round((min(ys) + max(ys)) / 2, 4))
    every_pad = tuple(pad for _, pad in pads)
    return Placed(
        middle, _on(foot, "B.Cu"), _body(foot, every_pad), every_pad,
        _property(foot, "Value"), str(foot[1]).partition(":")[2],
    )  # fmt: skip


def _body(foot: sexpr.Node, pads: tuple[Pad, ...]) -> Rectangle:
    """The box round a part's drawing; of a hole or a test point, round its pads."""
    boxes = [
        _box(foot, shape)
        for kind in ("fp_line", "fp_rect", "fp_circle")
        for shape in sexpr.every(foot, kind)
        if _on(shape, "F.Fab", "B.Fab")
    ] or [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h, _ in pads]
    wests, souths, easts, norths = zip(*boxes, strict=True)
    box = (min(wests), min(souths), max(easts), max(norths))
    return (round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2))


def _box(foot: sexpr.Node, shape: sexpr.Node) -> Rectangle:
    """Round one stroke, its width included."""
    pen = float(sexpr.first(next(sexpr.every(shape, "stroke")), "width")[0]) / 2
    if shape[0] == "fp_circle":
        middle, rim = _numbers(shape, "center"), _numbers(shape, "end")
        (x, y), far = _turned(foot, *middle), math.dist(middle, rim) + pen
        return x - far, y - far, x + far, y + far
    ends = [_turned(foot, *_numbers(shape, name)) for name in ("start", "end")]
    (x1, x2), (y1, y2) = (sorted(values) for values in zip(*ends, strict=True))
    return x1 - pen, y1 - pen, x2 + pen, y2 + pen


def _holes(foot: sexpr.Node) -> list[tuple[float, float, float]]:
    pads = [_pad(foot, pad) for pad in sexpr.every(foot, "pad") if pad[2] == "np_thru_hole"]
    return [(x, y, drill) for x, y, _, _, drill in pads if drill >= _SCREW_HOLE]


def _joints(foot: sexpr.Node) -> list[Joint]:
    return [
        Joint(_ref(foot), pad[1], "".join(sexpr.first(pad, "pinfunction")), net[-1])
        for pad in sexpr.every(foot, "pad")
        if pad[1] and (net := sexpr.first(pad, "net"))
    ]


# --- the edge ----------------------------------------------------------------------------------


def _line(line: sexpr.Node) -> tuple[Point, Point]:
    (x1, y1), (x2, y2) = (_numbers(line, name) for name in ("start", "end"))
    return (round(x1, 4), round(SHEET_Y - y1, 4)), (round(x2, 4), round(SHEET_Y - y2, 4))


def _polygon(lines: list[tuple[Point, Point]]) -> tuple[Point, ...]:
    """Edges joined end to end, whichever way each was drawn. ValueError: torn, or slanting."""
    if not lines:
        raise ValueError("the board has no edge.")
    beside: dict[Point, list[Point]] = {}
    for one, other in lines:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    here = min(beside, key=lambda point: (point[1], point[0]))
    corners = [here]
    while onward := [point for point in beside[here] if point not in corners]:
        here = max(onward)
        corners.append(here)
    closed = all(len(ends) == 2 for ends in beside.values()) and corners[0] in beside[here]
    if len(corners) != len(lines) or not closed or not _square(corners):
        raise ValueError("the board's edge is not one closed line of right angles.")
    return tuple(corners)


def _square(corners: list[Point]) -> bool:
    """Does every side run along x or y?"""
    return all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise([*corners, corners[0]]))


# --- checks ------------------------------------------------------------------------------------


def check_made(made: Made) -> list[str]:
    """Sentences: buttons that lie flat, in one row like the lid's holes."""
    row = {name: made.parts[name].at[0] for name in ("SW1", "SW2", "SW3", "SW4")}
    crooked = [
        f"the board has {name} at x {x:g}, not in one row with SW1."
        for name, x in row.items()
        if x != row["SW1"]
    ]
    return crooked + [
        f"on the board a joint of {ref} lies under {name}, which would not sit flat."
        for name in row
        for ref, part in made.parts.items()
        if part.back != made.parts[name].back
        and any(pad[4] and _within(pad, made.parts[name].body) for pad in part.pads)
    ]


def _within(pad: Pad, body: Rectangle) -> bool:
    west, south, east, north = body
    return west < pad[0] < east and south < pad[1] < north
