"""Loads and checks board files (TOML or JSON).

What is checked has its home in `firmware.games.cafe.board`; here it gets a line and a sentence.
"""

import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import card_tags
from firmware.games.cafe.board import NUMBERS, find_problems
from host_tools.core.errors import UserError
from host_tools.core.faults import Fault

_FOLDER = Path(card_tags.__file__).parent / "boards"
PRESETS = tuple(NUMBERS)
OWN_BOARDS = {"board": "cafe", "app": "cafe_app"}  # preset -> id where a header names none


@dataclass
class BoardFile:
    """A checked file: `board` is what stands in it, whether or not there are faults."""

    path: Path
    preset: str
    board: dict[str, Any]
    faults: list[Fault] = field(default_factory=list)


def board_ids() -> list[str]:
    """The ids of the project's own boards, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def board_path(id_or_path: str | Path) -> Path:
    """The file of a known id, else the path itself. Raises UserError if there is neither."""
    if str(id_or_path) in board_ids():
        return _FOLDER / f"{id_or_path}.toml"
    path = Path(id_or_path)
    if not path.is_file():
        known = ", ".join(board_ids())
        raise UserError(f"{id_or_path}: no such board; known are {known}, or give a file.")
    return path


def check_board(path: Path) -> BoardFile:
    """Read and check a board file. Raises UserError only if it cannot be read at all."""
    text = _read_text(path)
    content = _parse(path, text)
    preset = content.get("preset", "board")
    file = BoardFile(path, str(preset), content)
    if preset not in PRESETS:
        line = _line_of(text, "preset")
        file.faults.append(Fault(path, line, "preset", f"must be {' or '.join(PRESETS)}."))
        return file
    for place, problem in find_problems(content, preset):
        name = place.removeprefix("board.")
        file.faults.append(
            Fault(path, _line_of(text, name), name, sentence(place, problem, preset))
        )
    return file


def load_board(id_or_path: str | Path) -> dict[str, Any]:
    """The `board` object of TRANSCRIPT.md. Raises UserError if there is none or it has faults."""
    file = check_board(board_path(id_or_path))
    if file.faults:
        more = len(file.faults) - 1
        rest = f" ({more} more: schiri boards check)" if more else ""
        raise UserError(f"{file.faults[0]}{rest}")
    return file.board


def sentence(place: str, problem: str, preset: str) -> str:
    """What is wrong, and what the board needs, for people; from a problem of the rules."""
    tables, (one, two, three), (least, most) = NUMBERS[preset]
    needs = {
        "board.tables": f"a {preset} needs {tables} tables",
        "board.chairs": f"it needs {one} chairs at one table, {two} at two and {three} at three",
        "board.nations": f"every nation has {most} tables"
        if least == most
        else f"no nation has more than {most} tables",
    }
    if place in needs or place.startswith(("board.chairs.", "board.nations.")):
        need = needs[".".join(place.split(".")[:2])]
        return f"{problem}; {need}."
    return f"{problem}."


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text; save it as UTF-8.") from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: not JSON: {error.msg}.") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not TOML: {error}.") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}:1: a board is an object with tables.")
    return content


def _line_of(text: str, place: str) -> int:
    """The line on which a field such as `tables.T05.nation` begins; line 1 if it is nowhere."""
    parts = place.split(".")
    at = 0
    for part in parts[1:] if parts[0] in ("tables", "chairs", "nations") else parts:
        found = re.compile(rf"\b{re.escape(part)}\b").search(text, at)
        if found is None:
            break
        at = found.start()
    return text.count("\n", 0, at) + 1
