"""Reads board.toml and the board file: what sits where on the board, what is joined to what."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hardware import pico_pins
from hardware.board_file import Board
from hardware.revision import REV2
from hardware.wiring import MODULES, End, Harness, Spot

BOARD = REV2.folder / "board.toml"
# where the board's connectors lead, and what must be behind them
BOARD_TARGETS: dict[str, Spot] = {
    **MODULES,
    "button UP": ("SW3", "1"),
    "button DOWN": ("SW2", "1"),
    "button OK": ("SW1", "1"),
    "button JURY": ("SW4", "1"),
    "buzzer": ("R1", "1"),
    "keep alive": ("C3", "1"),
}


@dataclass(frozen=True)
class Part:
    """One part: footprint, place of the middle between its pads (mm), pin -> name and net."""

    ref: str
    kind: str
    value: str
    footprint: str
    x: float
    y: float
    turn: float
    back: bool
    pins: dict[str, tuple[str, str]]
    note: str = ""


@dataclass(frozen=True)
class Plan:
    """The whole board; `rules` are the widths and gaps of [board]."""

    parts: tuple[Part, ...]
    outline: tuple[tuple[float, float], ...]
    rules: Mapping[str, Any]
    nets: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for the program that runs inside KiCad's Python."""
        return asdict(self)


def load_plan(board: Board, path: Path = BOARD) -> Plan:
    """The board's plan. ValueError: a net that ends nowhere."""
    raw = tomllib.loads(path.read_text(encoding="utf8"))
    parts = tuple(_part(part, board, raw["pico"]) for part in raw["part"])
    rules = {name: value for name, value in raw["board"].items() if name != "outline"}
    counts = Counter(net for part in parts for _, net in part.pins.values() if net)
    lonely = sorted(net for net, count in counts.items() if count < 2)
    if lonely:
        raise ValueError(f"board.toml: {lonely[0]} has one end only.")
    outline = tuple((float(x), float(y)) for x, y in raw["board"]["outline"])
    return Plan(parts, outline, rules, tuple(sorted(counts)))


def _part(raw: Mapping[str, Any], board: Board, fixed: Mapping[str, str]) -> Part:
    x, y, turn = (float(value) for value in raw["at"])
    nets = raw.get("nets", [])
    names = raw.get("names", [str(number) for number in range(1, len(nets) + 1)])
    pins = {str(i): pair for i, pair in enumerate(zip(names, nets, strict=True), start=1)}
    if raw["kind"] == "pico":
        pins = _pico(board, fixed)
    return Part(
        raw["ref"], raw["kind"], raw["value"], raw["footprint"], x, y, turn,
        raw.get("back", False), pins, raw.get("note", ""),
    )  # fmt: skip


def net_of(signal: str) -> str:
    """The net of a signal of the board file."""
    return signal.upper().replace(" ", "_")


def _pico(board: Board, fixed: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """All 40 pins; those that nobody uses have no net."""
    signals = {gp: net_of(signal) for signal, gp in board.signals().items()}
    pins = {str(pin): (f"GP{gp}", signals.get(gp, "")) for gp, pin in pico_pins.GP_TO_PIN.items()}
    pins |= {str(pin): (name, fixed.get(name, "")) for name, pin in pico_pins.SUPPLY.items()}
    pins |= {str(pin): ("GND", "GND") for pin in pico_pins.GROUND}
    return dict(sorted(pins.items(), key=lambda pair: int(pair[0])))


def with_wires(plan: Plan, harness: Harness) -> Harness:
    """The harness with the board's copper: each net joins all its pins to its first."""
    ends: dict[str, list[End]] = {}
    for part in plan.parts:
        name = "PICO" if part.kind == "pico" else part.ref
        for pin, (label, net) in part.pins.items():
            if net:
                spot = label if part.kind in ("pico", "header") else pin
                ends.setdefault(net, []).append(End(name, int(pin), spot))
    copper = tuple((joined[0], other) for joined in ends.values() for other in joined[1:])
    return Harness((*harness.wires, *copper), harness.colours, harness.lengths)


def check_plan(plan: Plan) -> list[str]:
    """Sentences: every part lies on the board, the buttons in one row like their holes."""
    faults = [
        f"board.toml: {part.ref} lies outside the board."
        for part in plan.parts
        if not _inside((part.x, part.y), plan.outline)
    ]
    row = [part for part in plan.parts if part.kind == "button" and "B3F" in part.footprint]
    return faults + [
        f"board.toml: {part.ref} is not in one row with {row[0].ref}."
        for part in row
        if part.x != row[0].x
    ]


def _inside(at: tuple[float, float], outline: tuple[tuple[float, float], ...]) -> bool:
    """Is a point inside a polygon? (even-odd rule)"""
    x, y = at
    inside = False
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside
