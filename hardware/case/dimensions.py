"""Reads dimensions.toml, works out what follows from it, and hands both to OpenSCAD.

All lengths are millimetres. The coordinate system is that of dimensions.toml.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
Sections = Mapping[str, Mapping[str, float]]


def load(path: Path = FOLDER / "dimensions.toml") -> dict[str, dict[str, float]]:
    """The sections of the file. A ValueError names what is not a number."""
    sections: dict[str, dict[str, float]] = tomllib.loads(path.read_text(encoding="utf8"))
    for section, values in sections.items():
        for name, value in values.items():
            if not isinstance(value, (int, float)):
                raise ValueError(f"{path.name}: {section}.{name} must be a number, not {value!r}")
    return sections


def derive(d: Sections) -> dict[str, float]:
    """Positions and heights that follow from the given ones; the one home of these formulas."""
    case, cap, switch = d["case"], d["cap"], d["switch"]
    lid_z = case["inside_z"]
    strip, screen, reader, pico = d["strip"], d["screen"], d["reader"], d["pico"]
    first_hole_x = (strip["board_x"] - (strip["rows"] - 1) * strip["pitch"]) / 2
    first_hole_y = (strip["board_y"] - (strip["columns"] - 1) * strip["pitch"]) / 2
    west = strip["centre_x"] - strip["board_x"] / 2
    # The flange stays below the lid by play_z; the plunger fills the cap's socket.
    cap_z = lid_z - cap["play_z"] - cap["flange_t"]
    top = lid_z + case["lid"]
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
        "cap_height": top + cap["rise"] - cap_z,
        "jury_height": top - cap["jury_sink"] - cap_z,
        "strip_z": cap_z + cap["socket_depth"] - switch["height"] - strip["board_t"],
        "strip_first_y": strip["centre_y"] - strip["board_y"] / 2 + first_hole_y,
        "button_x": west + first_hole_x + strip["switch_row"] * strip["pitch"],
        "plug_x": west + first_hole_x + strip["plug_row"] * strip["pitch"],
        "pico_centre_x": case["inside_x"] - pico["wall_gap"] - pico["board_x"] / 2,
        "charger_centre_y": d["charger"]["wall_gap"] + d["charger"]["board_y"] / 2,
    }


def to_scad(d: Sections) -> str:
    """All numbers as OpenSCAD variables `section_name`, and the outlines of the bought parts."""
    from hardware.case.outlines import parts

    lines = ["// Written by `make hardware` from dimensions.toml. Change that file, not this one."]
    for section, values in d.items():
        lines += [f"{section}_{name} = {_number(value)};" for name, value in values.items()]
    lines += [f"{name} = {_number(value)};" for name, value in derive(d).items()]
    lines.append("part_solids = [")
    for part in parts(d):
        size = [high - low for low, high in zip(part.low, part.high, strict=True)]
        lines.append(f'    ["{part.kind}", {_vector(part.low)}, {_vector(size)}],')
    lines.append("];")
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _vector(values: "list[float] | tuple[float, float, float]") -> str:
    return "[" + ", ".join(_number(value) for value in values) + "]"
