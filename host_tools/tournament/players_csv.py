"""A player list from a spreadsheet. Faults name their line."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from host_tools.core.errors import Sentence, UserError
from host_tools.core.names import shown
from host_tools.core.spreadsheet import SheetRow, parse_table, read_table
from host_tools.core.text_check import text_fault
from host_tools.tournament.fields import whole
from host_tools.tournament.model import PLAYER_FIELDS, TEXTS_OF_A_PLAYER, Entrant
from host_tools.tournament.player_names import double_of, full_name, name_key

COLUMNS = {"id": "id"} | {
    heading: name for name, field in PLAYER_FIELDS.items() for heading in field.columns
}
"""What a heading may be called, in German or English."""


def read_players(path: Path) -> list[Entrant]:
    """Read a CSV file, whose first line names the columns.

    Raises UserError with all faults, one a line.
    """
    return _players(read_table(path), str(path))


def parse_players(raw: bytes, name: str) -> list[Entrant]:
    """The players of a CSV file's bytes; `name` is the file's, for faults."""
    return _players(parse_table(raw, name), name)


def parse_pasted(text: str, name: str) -> list[Entrant]:
    """The same of a text that people paste: without headings a line is a name, and a club behind a
    tab, semicolon or comma.
    """
    rows = parse_table(text.encode(), name)
    if rows and not any(cell.lower() in COLUMNS for cell in rows[0].cells):
        # line 0, so that faults name the lines as they were pasted
        rows.insert(0, SheetRow(0, ["name", "club"]))
    return _players(rows, name)


def _players(rows: list[SheetRow], name: str) -> list[Entrant]:
    if not rows:
        raise UserError("list_empty", file=name)
    columns = [COLUMNS.get(heading.lower()) for heading in rows[0].cells]
    if not {"name", "first", "surname"} & set(columns):
        raise UserError("list_nameless", file=name)
    return _PlayersReader(name, columns).read(rows[1:])


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def guarded(cell: object) -> object:
    """A name must not become a formula in a spreadsheet."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _unguarded(cell: str) -> str:
    """As `guarded` found it, so that an exported list is read back."""
    return cell[1:] if cell.startswith(tuple(f"'{start}" for start in FORMULA)) else cell


class _PlayersReader:
    """Collects players and faults."""

    def __init__(self, name: str, columns: list[str | None]) -> None:
        self.name = name
        self.columns = columns
        self.players: list[Entrant] = []
        self.faults: list[Sentence] = []
        self.namesakes: dict[tuple[str, str], list[Entrant]] = defaultdict(list)
        self.seeds: dict[int, int] = {}
        self.ids: dict[str, int] = {}

    def read(self, rows: Iterable[SheetRow]) -> list[Entrant]:
        for row in rows:
            pairs = zip(self.columns, row.cells, strict=False)
            cells = {column: _unguarded(cell) for column, cell in pairs if column}
            if any(cells.values()):
                self._take(row.line, cells)
        if self.faults:
            # all of them: a list of two hundred is not mended line by line
            raise UserError("faults", faults=self.faults)
        return self.players

    def _take(self, line: int, cells: dict[str, str]) -> None:
        texts: dict[str, Any] = {key: cells.get(key, "") for key in TEXTS_OF_A_PLAYER}
        texts["name"] = texts["name"] or full_name(texts["first"], texts["surname"])
        if not texts["name"]:
            self._fault(line, "name", Sentence("fault_missing"))
        for column in ("id", *texts):
            fault = text_fault(cells.get(column, ""))
            if fault is not None:
                self._fault(line, column, fault)
        # faulty players keep their number: the ids of the others do not move when a line is mended
        player_id = cells.get("id") or f"p{len(self.players) + 1:03}"
        player = Entrant(id=player_id, **texts)
        self._tell_apart(line, player)
        numbers = {
            key: self._number(line, key, cells.get(key, ""))
            for key, field in PLAYER_FIELDS.items()
            if field.number
        }
        self._check_seed(line, numbers["seed"])
        if self.ids.setdefault(player_id, line) != line:
            what = Sentence("fault_same_id", id=player_id, earlier=self.ids[player_id])
            self._fault(line, "id", what)
        self.players.append(replace(player, **numbers))

    def _tell_apart(self, line: int, player: Entrant) -> None:
        namesakes = self.namesakes[name_key(player)]
        double = double_of(player, namesakes)
        if player.name and double:
            what = Sentence("fault_same_name", name=player.name, earlier=self.ids[double.id])
            self._fault(line, "name", what)
        namesakes.append(player)

    def _number(self, line: int, column: str, text: str) -> int | None:
        if not text:
            return None
        # from 1; 0 means none only where it is typed at the desk
        number = whole(text) or None
        if number is None:
            self._fault(line, column, Sentence("fault_no_seed", text=shown(text, 20)))
        return number

    def _check_seed(self, line: int, seed: int | None) -> None:
        if seed is not None and self.seeds.setdefault(seed, line) != line:
            what = Sentence("fault_same_seed", seed=seed, earlier=self.seeds[seed])
            self._fault(line, "seed", what)

    def _fault(self, line: int, column: str, what: Sentence) -> None:
        fault = Sentence("list_fault", file=self.name, line=line, column=column, detail=what)
        self.faults.append(fault)
