"""The carrier board as KiCad assembles it, in its case: the STEP file of a release, not our boxes.

What the fit model knows of the board it reads from the board file; here footprints, models and
their heights count as KiCad has placed them.
"""

import operator
import tempfile
from collections.abc import Mapping
from functools import reduce
from pathlib import Path

import cascadio
import trimesh
from manifold3d import Manifold

from hardware.carrier.made import SHEET_Y, load_made
from hardware.case.csg import as_body, in_case, shared_mm3
from hardware.case.dimensions import Sections, derive
from hardware.case.paths import CRUMB_MM3, way_out

_FINE_MM, _FINE_RAD = 0.05, 0.5  # how far the facets may be beside the surface


def bodies(step: bytes, d: Sections) -> dict[str, Manifold]:
    """Board and parts by their names in the file, where they are in the case (mm)."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "board.step", Path(folder) / "board.glb"
        source.write_bytes(step)
        cascadio.step_to_glb(str(source), str(target), _FINE_MM, _FINE_RAD)
        scene = trimesh.load(target)
    assert isinstance(scene, trimesh.Scene)
    # where 0, 0, 0 of KiCad is in the case: y is below zero there, z from the lower side
    east = d["made"]["hole_0_x"] - load_made().holes[0][0]
    home, found = (east, SHEET_Y, derive(d)["buttons_z"]), {}
    for name in scene.graph.nodes_geometry:
        matrix, geometry = scene.graph[name]
        mesh = scene.geometry[geometry].copy()
        mesh.apply_transform(matrix)
        mesh.apply_scale(1000)  # glTF is in metres
        mesh.merge_vertices(merge_tex=True, merge_norm=True, digits_vertex=4)
        found[name] = as_body(mesh).translate(home)
    return found


def check_assembled(step: bytes, d: Sections, printed: Mapping[str, trimesh.Trimesh]) -> list[str]:
    """Sentences: what of the board is in the plastic, or that it has no way into the base."""
    base = in_case("base", printed["base"], d)
    shell = base + in_case("lid", printed["lid"], d)
    placed = bodies(step, d)
    faults = [
        f"KiCad's {name} and the case share {shared:.1f} mm3."
        for name, body in placed.items()
        if (shared := shared_mm3(body, shell)) > CRUMB_MM3
    ]
    whole = reduce(operator.add, placed.values())
    way = way_out("the board as KiCad assembles it", whole, base, "+z", "x")
    return faults if way.free else [*faults, way.sentence()]
