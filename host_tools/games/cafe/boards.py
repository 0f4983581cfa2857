"""Café boards as data: board files (TOML or JSON), the project's own and an owner's, checked.

What is checked has its home in `firmware.games.cafe.board`; here it gets a line and a sentence.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from firmware.games.cafe import GAME as BOX_ROW
from firmware.games.cafe.board import NATIONS, NUMBERS, find_problems, natural_key
from host_tools.cards.data_files import DataFiles, parse
from host_tools.core.errors import Sentence, recognised
from host_tools.core.faults import Fault
from host_tools.core.json_types import Json
from host_tools.core.own_files import read_text
from host_tools.games.steps import Move, lay, press

BOARDS = DataFiles("board")
board_ids, board_path = BOARDS.ids, BOARDS.path
PRESETS = tuple(NUMBERS)
OWN_BOARDS = {preset.name: preset.board for preset in BOX_ROW.presets}


@dataclass
class CafeBoardFile:
    """A checked file: `board` is what stands in it, whether or not there are faults."""

    path: Path
    preset: str
    board: dict[str, Any]
    faults: list[Fault] = field(default_factory=list)


def check_board(path: Path) -> CafeBoardFile:
    """Read and check a board file. Raises UserError only if it cannot be read at all."""
    text = read_text(path)
    content = parse(path, text, "no_object_board")
    preset = content.get("preset", "board")
    file = CafeBoardFile(path, str(preset), content)
    # the numbers to check against are a preset's: without one there are none
    if preset not in PRESETS:
        line = _line_of(text, "preset")
        file.faults.append(
            Fault(path, line, "preset", Sentence("board_preset", one=PRESETS[0], other=PRESETS[1]))
        )
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
    BOARDS.refuse_faults(file.faults)
    return file.board


def draw_tables(header: Json, chance: Random) -> Json:
    """The header with a table card at every table of the app's board, twelve of the 24 by lot
    (CA-2); one that names its board itself, or plays on the whole board, as it is.
    """
    own = OWN_BOARDS[header["preset"]]
    if own is None or header["preset"] != "app" or header.get("board", own) != own:
        return header
    tables = load_board(str(own))["tables"]
    cards = chance.sample(NATIONS * NUMBERS["app"][2][1], len(tables))
    drawn = zip(sorted(tables, key=natural_key), cards, strict=True)
    return {
        **header,
        "board": {"tables": {name: {**tables[name], "nation": card} for name, card in drawn}},
    }


def lay_cards(header: Json) -> Move:
    """Tap the table cards in the order of the tables, and start."""
    board = header.get("board")
    if header["preset"] != "app" or not isinstance(board, dict):
        return ()
    tables = board["tables"]
    nations = [tables[name]["nation"] for name in sorted(tables, key=natural_key)]
    cards = [f"{one}{nations[:at].count(one) + 1}" for at, one in enumerate(nations)]
    return (*map(lay, cards), press("ok"))


def sentence(place: str, problem: str, preset: str) -> Sentence:
    """What is wrong, and what the board needs, for people; from a problem of the rules."""
    detail = recognised(problem)
    tables, (one, two, three), (least, most) = NUMBERS[preset]
    needs = {
        "board.tables": Sentence("board_needs_tables", preset=preset, count=tables),
        "board.chairs": Sentence("board_needs_chairs", one=one, two=two, three=three),
        "board.nations": Sentence("board_all_nations", count=most)
        if least == most
        else Sentence("board_most_nations", count=most),
    }
    if place in needs or place.startswith(("board.chairs.", "board.nations.")):
        need = needs[".".join(place.split(".")[:2])]
        return Sentence("board_fault_needs", detail=detail, need=need)
    return Sentence("board_fault", detail=detail)


def _line_of(text: str, place: str) -> int:
    """The line on which a field such as `tables.T05.nation` begins; line 1 if it is nowhere."""
    parts = place.split(".")
    at = 0
    # `tables.T05` is a header in TOML and nested in JSON: T05 alone is found in both
    for part in parts[1:] if parts[0] in ("tables", "chairs", "nations") else parts:
        found = re.compile(rf"\b{re.escape(part)}\b").search(text, at)
        if found is None:
            break
        at = found.start()
    return text.count("\n", 0, at) + 1
