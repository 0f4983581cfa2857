"""Reads dimensions.toml and the parts it uses, works out what follows, and hands both to OpenSCAD.

All lengths are millimetres. The coordinate system is that of dimensions.toml.
"""

import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from hardware.carrier.made import MADE, Made, Point, Rectangle, load_made
from hardware.case.sizes import PARTS, Size, load_parts
from hardware.revision import REV1

Sections = Mapping[str, Mapping[str, float]]
Other = tuple[str, dict[str, dict[str, float]], dict[str, dict[str, Size]]]
_CHOICES = ("use", "also")
BUTTONS = ("ok", "down", "up", "jury")
# what the case has an opening or a hole for; check_wiring holds these parts to the firmware's pins
PLACES = {
    "ok": "SW1",
    "down": "SW2",
    "up": "SW3",
    "jury": "SW4",
    "buzzer": "LS1",
    "reset": "SW5",
    "power": "SW6",
    "pico": "U1",
}


def load(
    path: Path = REV1.dimensions, parts: Path = PARTS, board: Path = MADE
) -> dict[str, dict[str, float]]:
    """The sections with the nominal sizes of the parts in use, laid out along x.

    A ValueError names what is not a number, or a part that nobody describes. `board` is the made
    carrier board, if the dimensions use one.
    """
    raw = _read(path)
    sections = {name: dict(values) for name, values in raw.items() if name not in _CHOICES}
    for section, values in sections.items():
        for name, value in values.items():
            if not isinstance(value, (int, float)):
                raise ValueError(f"{path.name}: {section}.{name} must be a number, not {value!r}")
    for section, sizes in load_sizes(path, parts).items():
        sections.setdefault(section, {}).update({name: s.mm for name, s in sizes.items()})
    return _lay_out(sections, load_made(board) if "board" in sections else None)


def load_sizes(path: Path = REV1.dimensions, parts: Path = PARTS) -> dict[str, dict[str, Size]]:
    """The ledger of the parts in use, by section. ValueError names a part that is not there."""
    known = load_parts(parts)
    return {s: _known(known, s, part, path) for s, part in _read(path)["use"].items()}


def others(path: Path, parts: Path = PARTS, board: Path = MADE) -> "list[Other]":
    """For every module of [also]: its section and name, the case with it, and the ledger with it.

    The print stays as it is, so the module lies on the same ledge.
    """
    known, found = load_parts(parts), []
    for section, names in _read(path).get("also", {}).items():
        for name in names:
            d, sizes = load(path, parts, board), _known(known, section, name, path)
            height = _height(d[section])
            d[section] |= {key: size.mm for key, size in sizes.items()}
            d[section]["gap"] += height - _height(d[section])
            found.append((f"{section} {name}", d, load_sizes(path, parts) | {section: sizes}))
    return found


def _height(module: Mapping[str, float]) -> float:
    """A module above its ledge."""
    return module["board_t"] + module.get("glass_t", 0.0)


def _known(
    known: dict[str, dict[str, Size]], section: str, part: str, path: Path
) -> dict[str, Size]:
    if part not in known:
        raise ValueError(f"{path.name}: {section} = {part!r} is not in {PARTS.name}.")
    return known[part]


def _read(path: Path) -> dict[str, dict[str, Any]]:
    return tomllib.loads(path.read_text(encoding="utf8"))


def _lay_out(d: dict[str, dict[str, float]], made: Made | None) -> dict[str, dict[str, float]]:
    """Landing field, screens, buttons, wall: each as far east as the one before it asks."""
    card, screen, buttons = d["card"], d["screen"], d[carrier_of(d)]
    pocket_east = card["centre_x"] + card["sleeve_x"] / 2 + card["play"]
    screen["centre_x"] = pocket_east + screen["gap_west"] + screen["board_x"] / 2
    screen_east = screen["centre_x"] + screen["board_x"] / 2
    if made is not None:
        _place_board(d, made, screen_east + buttons["gap_west"])
    buttons["centre_x"] = screen_east + buttons["gap_west"] + buttons["board_x"] / 2
    d["case"]["inside_x"] = buttons["centre_x"] + buttons["board_x"] / 2 + d["case"]["gap_east"]
    return d


def _place_board(d: dict[str, dict[str, float]], made: Made, west: float) -> None:
    """The made board with its bar at `west`; the bar is what the buttons are on."""
    bar = max(slabs(made.edge))
    d["made"] = numbers(made, west - bar[0])
    d["board"] |= {
        "board_x": bar[2] - bar[0],
        "board_y": bar[3] - bar[1],
        "centre_y": (bar[1] + bar[3]) / 2,
        "outline_x": max(x for x, _ in made.edge) - min(x for x, _ in made.edge),
        "outline_y": max(y for _, y in made.edge) - min(y for _, y in made.edge),
        "hole": min(diameter for _, _, diameter in made.holes),
    }
    d["pico"]["centre_y"] = d["made"]["pico_y"]


def slabs(edge: tuple[Point, ...]) -> list[Rectangle]:
    """A board with right angles as boxes from west to east."""
    boxes: list[Rectangle] = []
    xs = sorted({x for x, _ in edge})
    for west, east in pairwise(xs):
        middle = (west + east) / 2
        ys = sorted(
            a[1]
            for a, b in zip(edge, edge[1:] + edge[:1], strict=True)
            if min(a[0], b[0]) < middle < max(a[0], b[0])
        )
        boxes += [
            (west, south, east, north) for south, north in zip(ys[::2], ys[1::2], strict=True)
        ]
    return boxes


def numbers(made: Made, east: float) -> dict[str, float]:
    """The case's section [made]: every place, the board moved to the east by `east`."""
    found: dict[str, float] = {}
    for number, (x, y, _) in enumerate(made.holes):
        found |= {f"hole_{number}_x": x + east, f"hole_{number}_y": y}
    boxes = {f"slab_{number}": box for number, box in enumerate(slabs(made.edge))}
    boxes |= {ref: part.body for ref, part in made.parts.items() if ref[0] == "J"}
    boxes |= {ref: made.parts[ref].body for ref in ("SW5", "SW6")}
    for name, (west, south, far_east, north) in boxes.items():
        found |= {f"{name}_west": west + east, f"{name}_south": south,
                  f"{name}_east": far_east + east, f"{name}_north": north}  # fmt: skip
    for name, ref in PLACES.items():
        found |= {f"{name}_x": made.parts[ref].at[0] + east, f"{name}_y": made.parts[ref].at[1]}
    return {name: round(value, 4) for name, value in found.items()}


def carrier_of(d: Sections) -> str:
    """The section of what carries the buttons: the strip of revision 1, or a carrier board."""
    return "strip" if "strip" in d else "board"


def derive(d: Sections) -> dict[str, float]:
    """Positions and heights that follow from the given ones; the one home of these formulas."""
    case, cap, switch = d["case"], d["cap"], d["switch"]
    lid_z, carrier = case["inside_z"], d[carrier_of(d)]
    screen, reader = d["screen"], d["reader"]
    top = lid_z + case["lid"]
    # The cap's socket rests on the plunger, its flange play_z below the lid.
    cap_z = lid_z - cap["play_z"] - cap["flange_t"]
    return {
        "outer_x": case["inside_x"] + 2 * case["wall"],
        "outer_y": case["inside_y"] + 2 * case["wall"],
        "outer_z": case["floor"] + case["inside_z"] + case["lid"],
        "pocket_x": d["card"]["sleeve_x"] + 2 * d["card"]["play"],
        "pocket_y": d["card"]["sleeve_y"] + 2 * d["card"]["play"],
        "card_z": top - d["card"]["depth"],
        "reader_z": lid_z - reader["gap"] - reader["board_t"],
        "screen_z": lid_z - screen["gap"] - screen["glass_t"] - screen["board_t"],
        "cap_z": cap_z,
        "cap_height": case["lid"] + cap["rise"] + cap["flange_t"],
        "jury_height": case["lid"] + cap["jury_rise"] + cap["flange_t"],
        "buttons_z": cap_z + cap["socket_depth"] - switch["height"] - carrier["board_t"],
        "charger_centre_y": d["charger"]["wall_gap"] + d["charger"]["board_y"] / 2,
        **_buttons(d),
    }


def _buttons(d: Sections) -> dict[str, float]:
    """Where the buttons and the buzzer are, and where the Pico lies."""
    if "made" in d:
        made, names = d["made"], (*BUTTONS, "buzzer", "reset", "power")
        places = {f"{name}_y": made[f"{name}_y"] for name in names}
        return {"pico_centre_x": made["pico_x"], "button_x": made["ok_x"], **places}
    pico_x = d["case"]["inside_x"] - d["pico"]["wall_gap"] - d["pico"]["board_x"] / 2
    strip = d["strip"]
    first_x = (strip["board_x"] - (strip["rows"] - 1) * strip["pitch"]) / 2
    first_y = (strip["board_y"] - (strip["columns"] - 1) * strip["pitch"]) / 2
    west = strip["centre_x"] - strip["board_x"] / 2 + first_x
    south = strip["centre_y"] - strip["board_y"] / 2 + first_y
    return {
        "pico_centre_x": pico_x,
        "button_x": west + strip["switch_row"] * strip["pitch"],
        "plug_x": west + strip["plug_row"] * strip["pitch"],
        "strip_first_y": south,
        **{f"{n}_y": south + strip[n] * strip["pitch"] for n in (*BUTTONS, "buzzer")},
    }


def posts(d: Sections) -> list[list[float]]:
    """Where the carrier board has holes, and so the case its posts; none for the strip."""
    made = d.get("made", {})
    count = sum(name.startswith("hole_") for name in made) // 2
    return [[made[f"hole_{n}_x"], made[f"hole_{n}_y"]] for n in range(count)]


def boxes(d: Sections, name: str) -> list[tuple[float, float, float, float]]:
    """Rectangles of the made board whose names begin so: west, south, east, north."""
    made = d["made"]
    found = [key[:-5] for key in made if key.startswith(name) and key.endswith("_west")]
    return [
        (made[f"{n}_west"], made[f"{n}_south"], made[f"{n}_east"], made[f"{n}_north"])
        for n in found
    ]
