"""Three small prints cut from base and lid: try button, screen and reader before the case."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import trimesh

from hardware.case.dimensions import Sections, carrier_of, derive

_PLATE = 1.2  # mm: joins what was cut from the base
_BELOW = 4.0  # mm of the columns under the seat
_APART = 4.0  # mm between the seat and its piece of lid
_RAIL = 1.6  # mm: two rails stand for the case's walls and carry the piece of lid
COUPONS = ("coupon_button", "coupon_window", "coupon_reader")


def windows(d: Sections) -> dict[str, tuple[float, float, float, float, float]]:
    """x, y, width, depth and lowest z of what each coupon cuts from the case (mm)."""
    found, seat, screen, reader = derive(d), d["seat"], d["screen"], d["reader"]
    rim = 2 * (seat["fit"] + seat["rim"]) + 2
    carrier = d[carrier_of(d)]
    x = carrier["centre_x"] - carrier["board_x"] / 2 - rim / 2 + 0.5
    wall = d["case"]["wall"]
    sizes = {
        "window": (screen["board_x"] + rim, screen["board_y"] + rim + 2 * screen["slide"]),
        "reader": (reader["board_x"] + rim, reader["board_y"] + rim),
    }
    middles = {
        "window": (screen["centre_x"], screen["south_y"], found["screen_z"]),
        "reader": (reader["centre_x"], reader["centre_y"], found["reader_z"]),
    }
    corner = (x, -wall, found["outer_x"] - wall - x, found["ok_y"] + 8.5 + wall)
    cut = {"coupon_button": (*corner, found["buttons_z"] - _BELOW)}
    for name, (inner, deep) in sizes.items():
        (cx, cy, z), wide = middles[name], inner + 2 * (_RAIL + 0.4)
        cx -= 2.0 if name == "window" else 0.0  # clear of the next cap's hole
        cut[f"coupon_{name}"] = (cx - wide / 2, cy - deep / 2, wide, deep, z - _BELOW)
    return cut


def build(
    d: Sections, printed: Mapping[str, trimesh.Trimesh], folder: Path
) -> dict[str, trimesh.Trimesh]:
    """Write the coupons' STL files into `folder`; return their meshes."""
    made = {}
    for name, cut in windows(d).items():
        case = d["case"]
        rails = 0.0 if name == "coupon_button" else case["inside_z"] - cut[-1]
        made[name] = _coupon(printed["base"], printed["lid"], case["floor"], rails, *cut)
        made[name].export(folder / f"{name}.stl")
    return made


def _coupon(
    base: trimesh.Trimesh,
    lid: trimesh.Trimesh,
    floor: float,
    rails: float,
    x: float,
    y: float,
    wide: float,
    deep: float,
    z: float,
) -> trimesh.Trimesh:
    """A slice of the base from z upwards on a plate; beside it the piece of lid above it.

    `rails`: height of the lid above z, where no wall of the case carries it.
    """
    seat = _cut(base, (x, y, z + floor), (wide, deep, 100.0))
    seat.apply_translation((-x, -y, -z - floor + _PLATE - 0.01))
    plate = trimesh.creation.box(bounds=((0, 0, 0), (wide, deep, _PLATE)))
    bodies = [seat, plate]
    if rails:
        bodies += [
            trimesh.creation.box(bounds=((at, 0, 0), (at + _RAIL, deep, _PLATE + rails)))
            for at in (0, wide - _RAIL)
        ]
    joined: trimesh.Trimesh = trimesh.boolean.union(bodies, engine="manifold")
    piece = _cut(lid, (x, y, -1.0), (wide, deep, 100.0))
    piece.apply_translation((wide + _APART - x, -y, 0))
    both = trimesh.util.concatenate([joined, piece])
    assert isinstance(both, trimesh.Trimesh)
    return both


def _cut(
    mesh: trimesh.Trimesh, low: tuple[float, float, float], size: tuple[float, float, float]
) -> trimesh.Trimesh:
    high = tuple(np.add(low, size))
    kept: trimesh.Trimesh = trimesh.boolean.intersection(
        [mesh, trimesh.creation.box(bounds=(low, high))], engine="manifold"
    )
    return kept
