"""Reads a board file of the firmware without running it: the only home of pins."""

import ast
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hardware.revision import REV1, ROOT

BOARD_FILE = REV1.board_file
NORTH_FILE = ROOT / "firmware" / "boards" / "north_screen.py"


@dataclass(frozen=True)
class BoardPins:
    """GP numbers and buses as the firmware uses them; `buttons` are up, down, OK, JURY."""

    reader_uart: int
    reader_tx: int
    reader_rx: int
    reader_irq: int
    reader_reset: int
    display_i2c: int
    display_sda: int
    display_scl: int
    north_i2c: int
    north_sda: int
    north_scl: int
    buttons: tuple[int, ...]
    buzzer: int
    keep_alive: int | None = None  # revision 2: pulses a load, so that a power bank stays on

    def signals(self) -> dict[str, int]:
        """What each GP is for, in words."""
        named = {
            "reader TX": self.reader_tx,
            "reader RX": self.reader_rx,
            "reader IRQ": self.reader_irq,
            "reader reset": self.reader_reset,
            "south screen SDA": self.display_sda,
            "south screen SCL": self.display_scl,
            "north screen SDA": self.north_sda,
            "north screen SCL": self.north_scl,
        }
        buttons = zip(("UP", "DOWN", "OK", "JURY"), self.buttons, strict=True)
        found = {**named, **{f"button {n}": p for n, p in buttons}, "buzzer": self.buzzer}
        return found if self.keep_alive is None else {**found, "keep alive": self.keep_alive}


# fields that the board file does not call by their own name
_NAMES = {"buttons": "BUTTON_PINS", "buzzer": "BUZZER_PIN", "keep_alive": "KEEP_ALIVE_PIN"}


def read_board(path: Path = BOARD_FILE) -> BoardPins:
    """The board's constants. KeyError names one that is missing."""
    found = {"KEEP_ALIVE_PIN": None, **constants(NORTH_FILE), **constants(path)}
    names = [each.name for each in fields(BoardPins)]
    return BoardPins(**{name: found[_NAMES.get(name, name.upper())] for name in names})


def constants(path: Path) -> dict[str, Any]:
    """Names assigned at the top level to a literal, or to const(literal)."""
    found: dict[str, Any] = {}
    for node in ast.parse(path.read_text(encoding="utf8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value: ast.expr = node.value
            if isinstance(value, ast.Call) and value.args:
                value = value.args[0]
            with suppress(ValueError):
                found[node.targets[0].id] = ast.literal_eval(value)
    return found
