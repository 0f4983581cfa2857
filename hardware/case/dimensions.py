"""Reads dimensions.toml and the parts it uses, works out what follows, and hands both to OpenSCAD.

All lengths are millimetres. The coordinate system is that of dimensions.toml.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from hardware.carrier.made import MADE, Made, load_made, numbers, slabs
from hardware.case.sizes import PARTS, Size, load_parts
from hardware.revision import REV1

Sections = Mapping[str, Mapping[str, float]]
BUTTONS = ("ok", "down", "up", "jury")


def load(
    path: Path = REV1.dimensions, parts: Path = PARTS, board: Path = MADE
) -> dict[str, dict[str, float]]:
    """The sections with the nominal sizes of the parts in use, laid out along x.

    A ValueError names what is not a number, or a part that nobody describes. `board` is the made
    carrier board, if the dimensions use one.
    """
    raw = _read(path)
    sections = {name: dict(values) for name, values in raw.items() if name != "use"}
    for section, values in sections.items():
        for name, value in values.items():
            if not isinstance(value, (int, float)):
                raise ValueError(f"{path.name}: {section}.{name} must be a number, not {value!r}")
    for section, sizes in load_sizes(path, parts).items():
        sections.setdefault(section, {}).update({name: s.mm for name, s in sizes.items()})
    return _lay_out(sections, load_made(board) if "board" in sections else None)


def load_sizes(path: Path = REV1.dimensions, parts: Path = PARTS) -> dict[str, dict[str, Size]]:
    """The ledger of the parts in use, by section. ValueError names a part that is not there."""
    known, use = load_parts(parts), _use(path)
    for section, part in use.items():
        if part not in known:
            raise ValueError(f"{path.name}: [use] {section} = {part!r} is not in {parts.name}.")
    return {section: known[part] for section, part in use.items()}


def _use(path: Path) -> dict[str, str]:
    """Section -> name of its part."""
    return {section: str(part) for section, part in _read(path)["use"].items()}


def _read(path: Path) -> dict[str, dict[str, float]]:
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
        "hole": min(diameter for _, _, diameter in made.holes),
    }
    d["pico"]["centre_y"] = d["made"]["pico_y"]


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
    return [
        (edge, made[f"{key}_south"], made[f"{key}_east"], made[f"{key}_north"])
        for key, edge in (
            (k.removesuffix("_west"), v) for k, v in made.items() if k.endswith("_west")
        )
        if key.startswith(name)
    ]


def to_scad(d: Sections) -> str:
    """All numbers as OpenSCAD variables `section_name`, and the outlines of the bought parts."""
    from hardware.case.outlines import parts

    lines = ["// Written by `make hardware` from dimensions.toml and parts.toml: change those."]
    lines.append(f'carrier = "{carrier_of(d)}";')
    for section, values in d.items():
        lines += [f"{section}_{name} = {_number(value)};" for name, value in values.items()]
    lines += [f"{name} = {_number(value)};" for name, value in derive(d).items()]
    lines.append(f"posts = {posts(d)};")
    lines.append("part_solids = [")
    for part in parts(d):
        size = [high - low for low, high in zip(part.low, part.high, strict=True)]
        group = _group(part.name, part.kind)
        lines.append(f'    ["{part.kind}", {_vector(part.low)}, {_vector(size)}, "{group}"],')
    lines.append("];")
    return "\n".join(lines) + "\n"


def _group(name: str, kind: str) -> str:
    """What is put in as one; plugs and cables are left out of the pictures of steps."""
    if kind in ("neck", "plug") and "socket" not in name:
        return kind
    if kind == "pico":
        return "pico"
    return name.removeprefix("the ").split("'")[0].split()[-1]


def _number(value: float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _vector(values: "list[float] | tuple[float, float, float]") -> str:
    return "[" + ", ".join(_number(value) for value in values) + "]"
