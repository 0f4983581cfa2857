"""A player list from a spreadsheet: name, club, seed. Every fault is reported with its line."""

import csv
import io
from collections.abc import Collection, Iterable
from pathlib import Path

from host_tools.errors import UserError
from host_tools.tournament.model import Player, PlayerId

COLUMNS = {
    "name": "name",
    "spieler": "name",
    "player": "name",
    "club": "club",
    "verein": "club",
    "seed": "seed",
    "setzplatz": "seed",
    "id": "id",
}
"""What a heading may be called, in German or English."""


def read_players(path: Path) -> list[Player]:
    """Read a CSV file; raises UserError with all faults, one a line.

    UTF-8 with or without a BOM; a file that is not UTF-8 is taken as Windows-1252, as spreadsheets
    write it. Comma, semicolon or tab. The first line names the columns.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_players(decode(raw, str(path)), str(path))


def decode(raw: bytes, name: str) -> str:
    """Bytes of a text file as people save them."""
    if b"\0" in raw:
        raise UserError(f"{name}: is no text file; save the list as CSV (UTF-8)")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def parse_players(text: str, name: str) -> list[Player]:
    """The players of a CSV text."""
    lines = text.splitlines()
    if not lines:
        raise UserError(f"{name}: is empty; the first line names the columns: name, club, seed")
    delimiter = max(",;\t", key=lines[0].count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    columns = [COLUMNS.get(heading.strip().lower()) for heading in next(reader)]
    if "name" not in columns:
        raise UserError(f"{name}, line 1: no column 'name'; the headings are name, club, seed")
    return _Reader(name, columns).read((reader.line_num, row) for row in reader)


def with_free_ids(taken: Collection[PlayerId], found: list[Player]) -> list[Player]:
    """A second list goes on counting where the first one ended."""
    if not set(taken) & {player.id for player in found}:
        return found
    start = len(taken)
    return [
        Player(id=f"p{start + n:03}", name=player.name, club=player.club, seed=player.seed)
        for n, player in enumerate(found, 1)
    ]


class _Reader:
    """Collects players and faults."""

    def __init__(self, name: str, columns: list[str | None]) -> None:
        self.name = name
        self.columns = columns
        self.players: list[Player] = []
        self.faults: list[str] = []
        self.lines_of: dict[tuple[str, str], int] = {}
        self.seeds: dict[int, int] = {}
        self.ids: dict[str, int] = {}

    def read(self, rows: Iterable[tuple[int, list[str]]]) -> list[Player]:
        for line, row in rows:
            cells = {
                column: cell.strip()
                for column, cell in zip(self.columns, row, strict=False)
                if column
            }
            if any(cells.values()):
                self._take(line, cells)
        if self.faults:
            raise UserError("\n".join(self.faults))
        return self.players

    def _take(self, line: int, cells: dict[str, str]) -> None:
        name, club = cells.get("name", ""), cells.get("club", "")
        if not name:
            self._fault(line, "name", "is missing")
        earlier = self.lines_of.setdefault((name.casefold(), club.casefold()), line)
        if name and earlier != line:
            what = f"{name!r} of the same club stands in line {earlier} already"
            self._fault(line, "name", what)
        seed = self._seed(line, cells.get("seed", ""))
        player_id = cells.get("id") or f"p{len(self.players) + 1:03}"
        if self.ids.setdefault(player_id, line) != line:
            self._fault(line, "id", f"{player_id!r} stands in line {self.ids[player_id]} already")
        self.players.append(Player(id=player_id, name=name, club=club, seed=seed))

    def _seed(self, line: int, text: str) -> int | None:
        if not text:
            return None
        if not text.isdecimal() or int(text) < 1:
            self._fault(line, "seed", f"{text!r} is no number from 1")
            return None
        seed = int(text)
        if self.seeds.setdefault(seed, line) != line:
            self._fault(line, "seed", f"{seed} is given in line {self.seeds[seed]} already")
        return seed

    def _fault(self, line: int, column: str, what: str) -> None:
        self.faults.append(f"{self.name}, line {line}, {column}: {what}")
