"""The parts list: totals, and whether it fits the wiring, the case and the firmware."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

from hardware.board_file import BoardPins
from hardware.case.dimensions import Sections, posts
from hardware.revision import REV1

BOM = REV1.bom
GROUPS = ("box", "bench", "practice", "battery", "deck")
# firmware/drivers/display.py: the number in the board file for each chip
CONTROLLERS = {"SSD1306": 0, "SSD1309": 0, "SH1106": 1}

# What the case holds of each part, as (section, names of its dimensions). Sizes must be equal.
SIZES = {
    "pico": ("board_x", "board_y"),
    "reader": ("board_x", "board_y"),
    "screen": ("board_x", "board_y"),
    "strip": ("board_x", "board_y"),
    "board": ("outline_x", "outline_y"),
    "switch": ("body", "body"),
    "buzzer": ("diameter",),
    "feet": ("diameter", "height"),
    "charger": ("board_x", "board_y"),
    "pack": ("size_x", "size_y"),
    "rocker": ("slot_y", "slot_z"),
    "card": ("sleeve_x", "sleeve_y"),
}

_BATTERY = ("charger", "pack", "rocker")


@dataclass(frozen=True)
class BomRow:
    """One line of bom.csv; prices in euros a unit."""

    id: str
    quantity: int
    unit: str
    group: str
    part: str
    variant: str
    order_code: str
    avoid: str
    size_mm: str
    wired_as: tuple[str, ...]
    case_section: str
    low_eur: float
    high_eur: float
    basis: str
    alternatives: str
    part_de: str
    variant_de: str
    avoid_de: str

    @property
    def sizes(self) -> tuple[float, ...]:
        """The numbers in `size_mm`."""
        return tuple(float(number) for number in re.findall(r"[\d.]+", self.size_mm))


def load_bom(path: Path = BOM) -> list[BomRow]:
    """The rows. ValueError names a line whose numbers are none."""
    rows = []
    with path.open(encoding="utf8", newline="") as file:
        for line, raw in enumerate(csv.DictReader(file), start=2):
            try:
                rows.append(_row(raw))
            except ValueError as error:
                raise ValueError(f"{path.name}, line {line}: {error}") from error
    return rows


def _row(raw: Mapping[str, str]) -> BomRow:
    """Each column as the type of its field has it."""
    kinds: dict[str, Any] = {
        **BomRow.__annotations__,
        "wired_as": lambda text: tuple(text.split()),
    }
    return BomRow(**{name: kind(raw[name]) for name, kind in kinds.items()})


def totals(rows: Sequence[BomRow]) -> dict[str, tuple[float, float]]:
    """Lowest and highest price of each group, in euros."""
    return {
        group: (
            fsum(row.quantity * row.low_eur for row in rows if row.group == group),
            fsum(row.quantity * row.high_eur for row in rows if row.group == group),
        )
        for group in GROUPS
        if any(row.group == group for row in rows)
    }


# --- checks ------------------------------------------------------------------------------------


def check_bom(
    rows: Sequence[BomRow], d: Sections, types: Mapping[str, str], wires: int, board: BoardPins
) -> list[str]:
    """Sentences; `types` maps each connector of wiring.yml to what it says it is."""
    by_id = {row.id: row for row in rows}
    return [
        *_prices(rows),
        *_wiring(rows, types),
        *_case(rows, d),
        *_screws(by_id, d),
        *_counts(by_id, d, wires, board),
        *_screen(by_id["screen"]),
    ]


def _prices(rows: Sequence[BomRow]) -> list[str]:
    return [
        f"bom.csv: {row.id} needs a group, a quantity and a price band."
        for row in rows
        if row.group not in GROUPS or row.quantity < 1 or not 0 < row.low_eur <= row.high_eur
    ]


def _wiring(rows: Sequence[BomRow], types: Mapping[str, str]) -> list[str]:
    faults = []
    listed = {connector: row for row in rows for connector in row.wired_as}
    for connector, described in types.items():
        row = listed.get(connector)
        if row is None:
            faults.append(f"wiring.yml has {connector}, but bom.csv lists no part for it.")
        elif not described.startswith(row.part):
            faults.append(f'bom.csv buys "{row.part}", but {connector} is wired as "{described}".')
    for row in rows:
        unknown = [connector for connector in row.wired_as if connector not in types]
        if unknown:
            faults.append(f"bom.csv: {row.id} is wired as {unknown[0]}, which wiring.yml lacks.")
        one_board = row.case_section == "board"  # with a connector for each module
        if row.wired_as and len(row.wired_as) != row.quantity and not one_board:
            faults.append(
                f"bom.csv buys {row.quantity} of {row.id}, but {len(row.wired_as)} are wired."
            )
    return faults


def _case(rows: Sequence[BomRow], d: Sections) -> list[str]:
    faults = []
    for row in rows:
        if row.case_section not in SIZES or row.id == "screw_m2":
            continue
        section = d[row.case_section]
        wanted = tuple(section[name] for name in SIZES[row.case_section])
        if sorted(row.sizes) != sorted(wanted):
            faults.append(
                f"bom.csv buys a {row.part} of {row.size_mm} mm, but the case has room for "
                f"{' x '.join(f'{value:g}' for value in wanted)} mm ([{row.case_section}])."
            )
    optional = () if d["case"]["battery"] else _BATTERY
    wanted_places = {name for name in SIZES if name in d and name not in optional}
    missing = wanted_places - {row.case_section for row in rows}
    return faults + [
        f"the case has a place for [{name}], but bom.csv has none." for name in missing
    ]


def _screws(by_id: Mapping[str, BomRow], d: Sections) -> list[str]:
    """Diameter against pilot hole and passage, length against what it passes and enters."""
    lid, pico = d["screws"], d["pico"]
    holders = [("screw_m3", lid["pilot"], lid["passage"], d["case"]["lid"], lid["pilot_depth"])]
    if "board" in d:
        board = d["board"]
        sizes = (board["post_pilot"], board["hole"], board["board_t"], board["post_depth"])
        holders.append(("screw_board", *sizes))
    else:
        sizes = (pico["pilot"], pico["hole"], pico["board_t"], pico["pilot_depth"])
        holders.append(("screw_m2", *sizes))
    faults = []
    for name, pilot, passage, through, depth in holders:
        diameter, length = by_id[name].sizes[-2:]
        if not pilot < diameter < passage:
            faults.append(f"an M{diameter:g} screw ({name}) does not fit the holes.")
        # a screw longer than its hole never clamps
        if not 2 * diameter <= length - through <= depth:
            faults.append(
                f"a screw of {length:g} mm ({name}) enters its hole by {length - through:.1f} mm; "
                f"{2 * diameter:g} to {depth:g} mm is right."
            )
    return faults


def _counts(by_id: Mapping[str, BomRow], d: Sections, wires: int, board: BoardPins) -> list[str]:
    wanted = {
        "switch": (len(board.buttons), "the firmware reads {} buttons"),
        "screw_m3": (4, "the lid has {} posts"),
        "screw_board": (len(posts(d)), "the board has {} holes"),
        "screw_m2": (4, "the Pico has {} holes"),
    }
    faults = [
        f"bom.csv buys {by_id[name].quantity} of {name}, but {reason.format(count)}."
        for name, (count, reason) in wanted.items()
        if name in by_id and by_id[name].quantity != count
    ]
    if by_id["jumper"].quantity < wires:
        faults.append(
            f"bom.csv buys {by_id['jumper'].quantity} jumper wires; wiring.yml has {wires}."
        )
    return faults


def _screen(row: BomRow) -> list[str]:
    if any(chip in row.variant for chip in CONTROLLERS):
        return []
    return [
        f"the firmware drives {', '.join(CONTROLLERS)}; bom.csv buys a screen without any of them."
    ]
