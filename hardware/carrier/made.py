"""The carrier board as KiCad made it: edge and holes from its STEP file, parts from pcbnew.

The case of revision 2 is drawn round this. It is kept in rev2/board.json, so that the case can be
made without KiCad, too; `check_made` tells when board.toml says something else. Lengths are mm, in
the coordinates of board.toml.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from hardware.carrier.layout import SHEET_Y
from hardware.carrier.plan import Plan
from hardware.revision import REV2

MADE = REV2.folder / "board.json"
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # west, south, east, north
Pad = tuple[float, float, float, float, float]  # x, y, width, height, drill
_SCREW_HOLE = 3.0  # narrower holes of the STEP file are pads, vias and bosses
_ENTITY = re.compile(r"#(\d+) = (\w+)\((.*?)\);\n", re.DOTALL)
_NUMBER = re.compile(r"-?\d[\d.E+-]*")


@dataclass(frozen=True)
class Placed:
    """A part on the board: middle of its pads, side, outline, pads."""

    at: Point
    back: bool
    body: Box
    pads: tuple[Pad, ...]


@dataclass(frozen=True)
class Made:
    """The edge as a polygon, screw holes (x, y, diameter), parts by reference."""

    edge: tuple[Point, ...]
    holes: tuple[tuple[float, float, float], ...]
    parts: dict[str, Placed]


def load_made(path: Path = MADE) -> Made:
    """What `make hardware` wrote when it last had KiCad."""
    raw = json.loads(path.read_text(encoding="utf8"))
    edge, holes = ([tuple(values) for values in raw[name]] for name in ("edge", "holes"))
    return Made(
        tuple(edge), tuple(holes), {ref: _placed(raw["parts"][ref]) for ref in raw["parts"]}
    )


def _placed(raw: dict[str, Any]) -> Placed:
    pads = tuple(tuple(pad) for pad in raw["pads"])
    return Placed(tuple(raw["at"]), raw["back"], tuple(raw["body"]), pads)


def read_made(board: Path) -> Made:
    """From KiCad's products beside the board file: carrier.step and parts.json."""
    edge, holes = read_step((board.with_suffix(".step")).read_text(encoding="utf8"))
    raw = json.loads(board.with_name("parts.json").read_text(encoding="utf8"))
    return Made(edge, holes, {ref: _placed(raw[ref]) for ref in sorted(raw)})


def write_made(made: Made, path: Path = MADE) -> None:
    """One line for each part, so that a change can be read in a diff."""
    parts = ",\n".join(
        f'"{ref}": {json.dumps(vars(part))}' for ref, part in sorted(made.parts.items())
    )
    path.write_text(
        f'{{"edge": {json.dumps(made.edge)},\n"holes": {json.dumps(made.holes)},\n'
        f'"parts": {{\n{parts}\n}}}}\n',
        encoding="utf8",
    )


# --- the STEP file (ISO 10303-21) --------------------------------------------------------------


def read_step(text: str) -> tuple[tuple[Point, ...], tuple[tuple[float, float, float], ...]]:
    """The lower face of a board: its outer edge, and its screw holes."""
    entities = {int(m[1]): (m[2], m[3]) for m in _ENTITY.finditer(text)}
    lines: list[tuple[Point, Point]] = []
    holes = set()
    for kind, values in entities.values():
        if kind != "EDGE_CURVE":
            continue
        start, end, curve = _references(values)[:3]
        one, two = (_point(entities, _references(entities[v][1])[0]) for v in (start, end))
        if one[2] != two[2] or one[2] != 0.0:
            continue
        if entities[curve][0] == "LINE":
            lines.append((_in_plan(one), _in_plan(two)))
        elif entities[curve][0] == "CIRCLE":
            axis = _references(entities[curve][1])[0]
            radius = float(_NUMBER.findall(entities[curve][1])[-1])
            middle = _in_plan(_point(entities, _references(entities[axis][1])[0]))
            holes.add((*middle, round(2 * radius, 4)))
    return _polygon(lines), tuple(sorted(hole for hole in holes if hole[2] >= _SCREW_HOLE))


def _references(values: str) -> list[int]:
    return [int(number) for number in re.findall(r"#(\d+)", values)]


def _point(entities: dict[int, tuple[str, str]], number: int) -> tuple[float, float, float]:
    x, y, z = _NUMBER.findall(entities[number][1].split(",(")[1])
    return float(x), float(y), float(z)


def _in_plan(point: tuple[float, float, float]) -> Point:
    """KiCad's y grows to the south from the sheet's edge, STEP turns it."""
    return round(point[0], 4), round(SHEET_Y + point[1], 4)


def _polygon(lines: Iterable[tuple[Point, Point]]) -> tuple[Point, ...]:
    """Edges joined end to end, from the westernmost corner of the south. ValueError: torn."""
    after = dict(lines)
    here = first = min(after, key=lambda point: (point[1], point[0]))
    corners = [first]
    while (here := after.get(here, first)) != first and len(corners) < len(after):
        corners.append(here)
    if len(corners) != len(after) or here != first or not _square(corners):
        raise ValueError("carrier.step: the board's edge is not one closed line of right angles.")
    return tuple(corners)


def _square(corners: list[Point]) -> bool:
    """Does every side run along x or y?"""
    return all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise([*corners, corners[0]]))


# --- against the plan --------------------------------------------------------------------------


def check_made(made: Made, plan: Plan) -> list[str]:
    """Sentences: what board.toml says and the made board does not."""
    wanted = {
        "edge": sorted(plan.outline),
        "screw holes": sorted((p.x, p.y) for p in plan.parts if p.kind == "hole"),
        **{p.ref: [(p.x, p.y)] for p in plan.parts},
    }
    found = {
        "edge": sorted(made.edge),
        "screw holes": sorted(hole[:2] for hole in made.holes),
        **{ref: [part.at] for ref, part in made.parts.items()},
    }
    return [
        f"board.json has the {name} at {_places(found.get(name, []))}, board.toml at "
        f"{_places(wanted.get(name, []))}: run `make hardware` with KiCad."
        for name in sorted({*wanted, *found})
        if not _near(wanted.get(name, []), found.get(name, []))
    ]


def check_joints(made: Made) -> list[str]:
    """Sentences: no part from the other side is soldered under a button, which must lie flat."""
    return [
        f"board.toml: a joint of {ref} lies under {name}, which would not sit flat."
        for name in ("SW1", "SW2", "SW3", "SW4")
        for ref, part in made.parts.items()
        if part.back != made.parts[name].back
        and any(pad[4] and _within(pad, made.parts[name].body) for pad in part.pads)
    ]


def _within(pad: Pad, body: Box) -> bool:
    west, south, east, north = body
    return west < pad[0] < east and south < pad[1] < north


def _near(one: list[Point], other: list[Point]) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) < 0.002
        for p, q in zip(one, other, strict=True)
        for a, b in zip(p, q, strict=True)
    )


def _places(points: list[Point]) -> str:
    return ", ".join(f"{x:g} {y:g}" for x, y in points) or "no place"
