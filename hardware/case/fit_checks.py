"""Does everything fit? Part against part, part against print, and the rules of radio and hands."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import trimesh
from manifold3d import Manifold

from hardware.case.csg import as_body, in_case, shared_mm3
from hardware.case.dimensions import BUTTONS, Sections, derive, posts
from hardware.case.mesh_checks import first_hit
from hardware.case.outlines import Part, antenna, as_box, distance, parts

_SCRATCH_MM3 = 0.5  # boolean operations leave crumbs below this


def check_distances(d: Sections) -> list[str]:
    """The rules that need the dimensions only; sentences, none if all is well."""
    return [
        *_between_parts(d),
        *_heads(d),
        *_radio(d),
        *_card(d),
        *_buttons(d),
        *_screens(d),
        *_inside(d),
    ]


def check_collisions(d: Sections, printed: Mapping[str, trimesh.Trimesh]) -> list[str]:
    """Parts, grown by the clearance, against the printed bodies in their places."""
    air, faults = d["limits"]["clearance"], []
    for name in ("base", "lid"):
        body = in_case(name, printed[name], d)
        for part in [*parts(d), *(_caps_in_place(d) if name == "lid" else [])]:
            volume = shared_mm3(body, as_box(part.grown(air)))
            if volume > _SCRATCH_MM3:
                faults.append(
                    f"{part.name} does not fit into the {name}: with {air} mm of air they share "
                    f"{volume:.1f} mm³."
                )
    return faults + check_posts(d, printed["base"])


def check_posts(d: Sections, base: trimesh.Trimesh) -> list[str]:
    """Under each hole of the carrier board stands a post with a pilot hole, and the board on it.

    The print is met from above: 2.5 mm beside the hole's middle at the board's lower side, in the
    middle at the pilot's end.
    """
    board_z = derive(d)["buttons_z"] + d["case"]["floor"]
    body, faults = as_body(base), []
    for x, y in posts(d):
        wanted = (board_z, board_z, board_z - d["board"]["post_depth"])
        found = tuple(_top(body, x + beside, y) for beside in (2.5, -2.5, 0.0))
        if not np.allclose(found, wanted, atol=0.05):
            faults.append(
                f"the print has no post for the board's hole at x {x:.1f}, y {y:.1f}: plastic is "
                f"met at {', '.join(f'{z:.1f}' for z in found)} mm, not at "
                f"{', '.join(f'{z:.1f}' for z in wanted)}."
            )
    return faults


def _top(body: Manifold, x: float, y: float) -> float:
    """Height of the highest plastic at a place (mm above the bed)."""
    start = np.array([x, y, 200.0])
    return 200.0 - first_hit(body, start, np.array([0.0, 0.0, -1.0]))


def _caps_in_place(d: Sections) -> list[Part]:
    """The flanges, as squares that fit into their circles' outlines: they must stay below."""
    found, cap = derive(d), d["cap"]
    half = cap["flange"] / 2
    flanges = []
    for name in BUTTONS:
        y = found[f"{name}_y"]
        low = (found["button_x"] - half, y - half, found["cap_z"])
        high = (found["button_x"] + half, y + half, found["cap_z"] + cap["flange_t"])
        flanges.append(Part("caps", f"the flange of the cap {name}", "cap", low, high))
    return flanges


def _between_parts(d: Sections) -> list[str]:
    gap = d["limits"]["part_gap"]
    return [
        f"{one.name} and {other.name} are {distance(one, other):.1f} mm apart, less than {gap}."
        for one, other in combinations(parts(d), 2)
        if one.module != other.module and distance(one, other) < gap
    ]


def _heads(d: Sections) -> list[str]:
    """The Pico's screws lie flat: their heads meet neither the headers' plastic nor the socket."""
    found = parts(d)
    return [
        f"{part.name} overlaps {other.name}: its head is too wide."
        for part, other in product(found, found)
        if part.kind == "head" and other.kind in ("pin", "usb") and not distance(part, other)
    ]


def _radio(d: Sections) -> list[str]:
    """Metal near the coil detunes it (research, wiring pitfall 8)."""
    coil, limits = antenna(d), d["limits"]
    rules = {
        "screen": limits["antenna_to_screen"],
        "pico": limits["antenna_to_metal"],
        "pack": limits["antenna_to_metal"],
        "charger": limits["antenna_to_charger"],
    }
    near = [
        (part.name, distance(coil, part), rules[part.kind])
        for part in parts(d)
        if part.kind in rules
    ]
    inset, x, y = d["screws"]["inset"], d["case"]["inside_x"], d["case"]["inside_y"]
    for at in ((inset, inset), (x - inset, inset), (inset, y - inset), (x - inset, y - inset)):
        screw = Part("screw", "a screw", "screw", (*at, 0), (*at, coil.high[2]))
        near.append(("a lid screw", distance(coil, screw), limits["antenna_to_screw"]))
    pico = next(part for part in parts(d) if part.kind == "pico")
    for x, y in posts(d):
        screw = Part("screw", "a screw", "screw", (x, y, pico.low[2]), (x, y, pico.low[2]))
        wifi = replace(pico, high=(pico.low[0], *pico.high[1:]))  # its end away from USB
        near.append(("a board screw", distance(wifi, screw), limits["wifi_to_screw"]))
    return [
        f"{name} is {found:.1f} mm from the antenna; it needs {wanted:.0f} mm."
        for name, found, wanted in near
        if found < wanted
    ]


def _card(d: Sections) -> list[str]:
    case, card, limits, found = d["case"], d["card"], d["limits"], derive(d)
    coil = antenna(d)
    faults = []
    skin = case["lid"] - card["depth"]
    if skin < limits["thinnest"]:
        faults.append(f"the lid is {skin:.1f} mm thin under the card.")
    air = found["card_z"] - coil.high[2]
    if air > limits["antenna_to_card"]:
        faults.append(
            f"the card lies {air:.1f} mm above the antenna; a sticker is read up to about 10 mm, "
            f"and {limits['antenna_to_card']:.0f} mm is the limit here."
        )
    for axis in ("centre_x", "centre_y"):
        if card[axis] != d["reader"][axis]:
            faults.append(f"the antenna is not under the middle of the card: {axis} differs.")
    below = d["feet"]["height"] + case["floor"]
    for name, z, wanted in (
        ("the card", found["card_z"], limits["card_to_table"]),
        ("the antenna", coil.low[2], limits["antenna_to_table"]),
    ):
        if z + below < wanted:
            faults.append(
                f"{name} is {z + below:.1f} mm above the table; a metal table needs {wanted} mm."
            )
    return faults


def _buttons(d: Sections) -> list[str]:
    """What no chain of stacks.py and no mesh can tell."""
    cap, found, faults = d["cap"], derive(d), []
    if cap["flange"] < cap["hole"] + 1.5:
        faults.append("a cap falls out: its flange is no wider than the hole.")
    places = sorted(found[f"{name}_y"] for name in BUTTONS)
    if min(b - a for a, b in pairwise(places)) - cap["flange"] < 0.4:
        faults.append("two caps touch: the switches lie too close together.")
    return faults


def _screens(d: Sections) -> list[str]:
    """The lines of sight are in stacks.py; here: what one could look past."""
    screen = d["screen"]
    spare = screen["glass_y"] / 2 - screen["lit_y"] / 2 + screen["lit_off"]
    if screen["margin_near"] > spare:
        return ["the screen window is deeper than the glass: one could look past it."]
    return []


def _inside(d: Sections) -> list[str]:
    case = d["case"]
    room = (case["inside_x"], case["inside_y"], case["inside_z"] + case["lid"])
    return [
        f"{part.name} stands out of the case."
        for part in parts(d)
        if part.kind not in ("neck", "usb")
        and part.name != "the board's lever"
        and any(part.low[i] < -0.01 or part.high[i] > room[i] + 0.01 for i in (0, 1, 2))
    ]
