"""Makes the printed bodies: OpenSCAD writes its tree of solids, manifold3d evaluates it.

OpenSCAD 2021.01 needs a fraction of a second for the tree and up to a minute for the body itself
(its CGAL; newer versions use manifold, too). A test compares the two ways.
"""

import json
import operator
import re
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from manifold3d import CrossSection, JoinType, Manifold, Mesh64

from hardware.case.dimensions import Sections

Solid = Any  # a Manifold or a CrossSection; manifold3d has no types
_NODE = re.compile(r"(\w+)\((.*)\)( \{|;)")
_ARGUMENT = re.compile(r"(\$?\w+) = (\[[^]]*\]|[^,]+)")


def evaluate(tree: Path) -> trimesh.Trimesh:
    """The body of a .csg file (mm). ValueError: a solid or a line that this does not know."""
    body = _read(tree.read_text(encoding="utf8"))
    if not isinstance(body, Manifold):
        raise ValueError(f"{tree.name} holds no body.")
    return as_mesh(body)


def as_mesh(body: Manifold) -> trimesh.Trimesh:
    """The surface without the seams that joining has left in flat faces."""
    mesh = body.as_original().simplify(1e-4).to_mesh64()
    return trimesh.Trimesh(mesh.vert_properties[:, :3], mesh.tri_verts, process=False)


def as_body(mesh: trimesh.Trimesh) -> Manifold:
    """The other way round."""
    corners = np.array(mesh.vertices, dtype=np.float64, order="C")
    return Manifold(Mesh64(corners, np.array(mesh.faces, dtype=np.uint64, order="C")))


def in_case(part: str, mesh: trimesh.Trimesh, d: Sections) -> Manifold:
    """Base or lid where it is in the case, whose z counts from the floor's inner face."""
    z = {"base": -d["case"]["floor"], "lid": d["case"]["inside_z"]}[part]
    return as_body(mesh).translate((0, 0, z))


def shared_mm3(one: Manifold, other: Manifold) -> float:
    """The volume that two bodies have in common."""
    return float((one ^ other).volume())


def _read(text: str) -> Solid | None:
    heads: list[tuple[str, str]] = []
    children: list[list[Solid | None]] = [[]]
    for line in filter(None, map(str.strip, text.splitlines())):
        node = _NODE.fullmatch(line)
        if node and node[3] != ";":
            heads.append((node[1], node[2]))
            children.append([])
        elif node or line == "}":
            (name, said), inner = (
                ((node[1], node[2]), []) if node else (heads.pop(), children.pop())
            )
            children[-1].append(_solid(name, said, inner))
        else:
            raise ValueError(f"OpenSCAD wrote a line that nobody reads: {line}")
    return _union(children[0])


def _solid(name: str, said: str, inner: Sequence[Solid | None]) -> Solid | None:
    if name == "multmatrix":
        return _moved(_union(inner), np.array(json.loads(said)))
    a: dict[str, Any] = {key: json.loads(value) for key, value in _ARGUMENT.findall(said)}
    match name:
        case "group" | "union" | "color" | "render":
            return _union(inner)
        case "difference":
            first, rest = inner[0], _union(inner[1:])
            return first if first is None or rest is None else first - rest
        case "intersection":
            return None if None in inner else reduce(operator.xor, inner)
        case "hull":
            kept = [solid for solid in inner if solid is not None]
            return type(kept[0]).batch_hull(kept)
        case "cube":
            return Manifold.cube(a["size"], a["center"])
        case "cylinder":
            return Manifold.cylinder(a["h"], a["r1"], a["r2"], int(a["$fn"]), a["center"])
        case "square":
            return CrossSection.square(a["size"], a["center"])
        case "circle":
            return CrossSection.circle(a["r"], int(a["$fn"]))
        case "offset":
            flat = _union(inner)
            return flat and flat.offset(a["r"], JoinType.Round, 2.0, int(a["$fn"]))
        case "linear_extrude":
            flat = _union(inner)
            return flat and flat.extrude(a["height"])
    raise ValueError(f"OpenSCAD wrote a solid that nobody makes: {name}")


def _union(solids: Sequence[Solid | None]) -> Solid | None:
    kept = [solid for solid in solids if solid is not None]
    return reduce(operator.add, kept) if kept else None


def _moved(solid: Solid | None, matrix: "np.ndarray") -> Solid | None:
    if isinstance(solid, CrossSection):
        return solid.transform(matrix[:2][:, [0, 1, 3]])
    return solid and solid.transform(matrix[:3])
