"""Checks on the STL files: is it one closed body, printable as it lies, nowhere thin?"""

import numpy as np
import trimesh
from manifold3d import Manifold
from numpy.typing import NDArray

from hardware.case.csg import as_body
from hardware.case.dimensions import Sections, derive

Floats = NDArray[np.float64]
BODIES = {"base": 1, "lid": 1, "caps": 4}
_COUPON_BODIES = 2  # the seat, and the piece of lid
_OVERHANG = -0.72  # z of a normal: steeper than 46 degrees from vertical needs support
_SAMPLES = 1500
_SKIN = 1e-3  # mm: a ray starts just below the surface
_FAR = 400.0  # mm: longer than any body


def check_mesh(part: str, mesh: trimesh.Trimesh, d: Sections) -> list[str]:
    """Everything that can be said of a printed part alone; sentences, none if all is well."""
    faults = []
    if not mesh.is_watertight or not mesh.is_winding_consistent:
        return [f"{part}.stl is not closed: a slicer would have to guess."]
    bodies = len(mesh.split(only_watertight=False))
    wanted = BODIES.get(part, _COUPON_BODIES)
    if bodies != wanted:
        faults.append(f"{part}.stl has {bodies} separate bodies, not {wanted}.")
    return [*faults, *_size(part, mesh, d), *_overhangs(part, mesh, d), *_thin(part, mesh, d)]


def _size(part: str, mesh: trimesh.Trimesh, d: Sections) -> list[str]:
    bed = (d["limits"]["bed_x"], d["limits"]["bed_y"])
    x, y, _ = mesh.extents
    if x > bed[0] or y > bed[1]:
        return [f"{part}.stl is {x:.0f} x {y:.0f} mm; a bed of {bed[0]:.0f} mm is too small."]
    found = derive(d)
    outside = (found["outer_x"], found["outer_y"])
    outer = {
        "base": (*outside, d["case"]["floor"] + d["case"]["inside_z"] + d["case"]["tongue"]),
        "lid": (*outside, d["case"]["lid"] + d["cap"]["ring"]),
    }.get(part)
    if outer is not None and not np.allclose(mesh.extents, outer, atol=0.01):
        return [f"{part}.stl measures {mesh.extents.round(2)}, the dimensions say {outer}."]
    return []


def _overhangs(part: str, mesh: trimesh.Trimesh, d: Sections) -> list[str]:
    """Faces that look down and are not on the bed, joined to patches; short ones are bridges.

    The longest side counts: a ceiling in a wall is carried at its two ends only.
    """
    down = mesh.face_normals[:, 2] < _OVERHANG
    raised = mesh.triangles[:, :, 2].min(axis=1) > mesh.bounds[0][2] + 0.01
    hanging = np.flatnonzero(down & raised)
    if not len(hanging):
        return []
    pairs = mesh.face_adjacency[np.isin(mesh.face_adjacency, hanging).all(axis=1)]
    limit = d["limits"]["bridge"]
    faults = []
    for patch in trimesh.graph.connected_components(pairs, nodes=hanging):
        corners = mesh.triangles[patch].reshape(-1, 3)
        span = float(np.ptp(corners[:, :2], axis=0).max())
        if span > limit:
            x, y, z = corners.mean(axis=0)
            faults.append(
                f"{part}.stl needs support: a ceiling at x {x:.0f}, y {y:.0f}, z {z:.0f} spans "
                f"{span:.1f} mm, and {limit:.0f} mm is the widest that prints freely."
            )
    return faults


def _thin(part: str, mesh: trimesh.Trimesh, d: Sections) -> list[str]:
    thickness, points = thicknesses(mesh)
    thinnest = int(np.argmin(thickness))
    limit = d["limits"]["thinnest"]
    if thickness[thinnest] >= limit:
        return []
    x, y, z = points[thinnest]
    return [
        f"{part}.stl is only {thickness[thinnest]:.2f} mm thick at x {x:.0f}, y {y:.0f}, "
        f"z {z:.0f}; a nozzle needs {limit} mm."
    ]


def thicknesses(mesh: trimesh.Trimesh) -> tuple[Floats, Floats]:
    """Wall thickness (mm) at points spread over the surface, and those points.

    From each point a ray goes straight inwards; where it leaves the body the wall ends.
    """
    # with a seed, so that a wall is thin in every run or in none
    spread, faces = trimesh.sample.sample_surface(mesh, _SAMPLES, seed=7)
    points = np.vstack([spread, mesh.triangles_center])
    normals = np.vstack([mesh.face_normals[faces], mesh.face_normals])
    body = as_body(mesh)
    rays = zip(points - normals * _SKIN, -normals, strict=True)
    return np.array([first_hit(body, *ray) for ray in rays]) + _SKIN, points


def first_hit(body: Manifold, start: Floats, way: Floats) -> float:
    """Distance along a ray (mm; `way` has the length 1) to the body's surface; inf if none."""
    hits = body.ray_cast(tuple(start), tuple(start + way * _FAR))
    return hits[0].distance * _FAR if hits else float("inf")
