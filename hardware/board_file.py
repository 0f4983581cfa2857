"""Reads a board file of the firmware without running it: the only home of pins."""

import ast
from dataclasses import dataclass
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


def read_board(path: Path = BOARD_FILE, north: Path = NORTH_FILE) -> BoardPins:
    """The board's constants. KeyError names one that is missing."""
    found = {
        **_constants(north.read_text(encoding="utf8")),
        **_constants(path.read_text(encoding="utf8")),
    }
    return BoardPins(
        reader_uart=found["READER_UART"],
        reader_tx=found["READER_TX"],
        reader_rx=found["READER_RX"],
        reader_irq=found["READER_IRQ"],
        reader_reset=found["READER_RESET"],
        display_i2c=found["DISPLAY_I2C"],
        display_sda=found["DISPLAY_SDA"],
        display_scl=found["DISPLAY_SCL"],
        north_i2c=found["NORTH_I2C"],
        north_sda=found["NORTH_SDA"],
        north_scl=found["NORTH_SCL"],
        buttons=tuple(found["BUTTON_PINS"]),
        buzzer=found["BUZZER_PIN"],
        keep_alive=found.get("KEEP_ALIVE_PIN"),
    )


def _constants(source: str) -> dict[str, Any]:
    """Names assigned at the top level to a literal, or to const(literal)."""
    found: dict[str, Any] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value: ast.expr = node.value
            if isinstance(value, ast.Call) and value.args:
                value = value.args[0]
            if isinstance(value, (ast.Constant, ast.Tuple)):
                found[node.targets[0].id] = ast.literal_eval(value)
    return found
