"""Reads a deck file into plain lists and dicts and remembers on which line everything stood."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.cards.data_files import parse
from host_tools.core.errors import UserError
from host_tools.core.own_files import read_text
from host_tools.core.spreadsheet import SheetRow, read_table

# A place in a deck: ("cards", 3, "values", 2)
FieldPath = tuple[str | int, ...]

_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'')
_WITH_UNIT = re.compile(r"([^(\[]+?)\s*[(\[]([^()\[\]]*)[)\]]")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
FACTS = ("title", "unit", "best", "decimals", "joker")
YES = ("1", "true", "yes", "ja", "x")


@dataclass(frozen=True)
class SourceFile:
    """What a file says, unchecked. `line_of` gives the line of a place, from 1."""

    path: Path
    content: dict[str, Any]
    line_of: Callable[[FieldPath], int]


def read_source(path: Path) -> SourceFile:
    """Read a deck file by its suffix. Raises UserError if it cannot be read at all."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UserError("deck_suffix", path=path)
    return reader(path)


def _read_tables(path: Path) -> SourceFile:
    text = read_text(path)
    content = parse(path, text, "no_object_deck")
    return SourceFile(path, content, _Lines(text).line_of)


def _read_csv(path: Path) -> SourceFile:
    """Columns `code`, `name`, one per category; first the rows title, unit, best, decimals."""
    rows = read_table(path)
    # a file is read by rules; guesses are for drafts, where somebody checks them
    if not rows or [cell.lower() for cell in rows[0].cells[:2]] != ["code", "name"]:
        raise UserError("deck_first_line", path=path)
    table = _CsvDeck(path, rows)
    return SourceFile(path, table.content, table.line_of)


_READERS: dict[str, Callable[[Path], SourceFile]] = {
    ".toml": _read_tables,
    ".json": _read_tables,
    ".csv": _read_csv,
}


class _Lines:
    """Finds the entries of `categories` and `cards` in the text of a TOML or JSON file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._entries = {name: self._find_entries(name) for name in ("categories", "cards")}

    def line_of(self, place: FieldPath) -> int:
        """The line of a place; of its entry or the first line if the place itself is missing."""
        entries = self._entries.get(str(place[0]), [])
        if len(place) == 1 or not isinstance(place[1], int) or place[1] >= len(entries):
            return self._line(self._field(str(place[0]), 0, len(self._text)))
        start = entries[place[1]]
        following = place[1] + 1
        end = entries[following] if following < len(entries) else len(self._text)
        at = self._field(str(place[2]), start, end) if len(place) > 2 else start
        return self._line(at or start)

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _field(self, name: str, start: int, end: int) -> int:
        """Where a field is given in a stretch of text; the start if it is not."""
        found = re.compile(rf'["\s{{,]?{re.escape(name)}"?\s*[=:]').search(self._text, start, end)
        # its end, as it may begin with the line end before the field
        return found.end() - 1 if found else start

    def _find_entries(self, name: str) -> list[int]:
        headers = re.finditer(rf"^[ \t]*\[\[{name}\]\]", self._text, re.MULTILINE)
        starts = [header.start() for header in headers]
        found = re.search(rf'(?:^|["\s{{,]){name}"?\s*[=:]\s*\[', self._text, re.MULTILINE)
        return starts or (self._entries_in_array(found.end()) if found else [])

    def _entries_in_array(self, start: int) -> list[int]:
        """Offsets of the braces that open an entry, up to the end of the array."""
        # of the same length, so that offsets stay those of the file
        plain = _STRING.sub(lambda match: "_" * len(match.group()), self._text[start:])
        plain = re.sub(r"#[^\n]*", lambda match: "_" * len(match.group()), plain)
        depth = 0
        starts = []
        for at, letter in enumerate(plain):
            if letter == "{" and depth == 0:
                starts.append(start + at)
            depth += (letter in "{[") - (letter in "}]")
            # the bracket that closes the array itself
            if depth < 0:
                break
        return starts


class _CsvDeck:
    """A deck from rows; the deck's id is the file's name."""

    def __init__(self, path: Path, rows: list[SheetRow]) -> None:
        self._card_lines: list[int] = []
        self._heading_line = rows[0].line
        self._fact_lines: dict[str, int] = {}
        width = max(n for n, cell in enumerate(rows[0].cells, 1) if cell)  # spreadsheets add empty
        categories = [heading_of(cell) for cell in rows[0].cells[2:width]]
        name = path.stem
        self.content: dict[str, Any] = {"id": plain_id(name), "title": name, "cards": []}
        self.content["categories"] = categories
        for row in rows[1:]:
            # a value without a heading is kept, for the checker to find
            cells = row.cells if any(row.cells[width:]) else row.cells[:width]
            if cells[0].lower() in FACTS:
                self._take_fact(row.line, cells[0].lower(), cells[2:], categories)
            else:
                self._take_card(row.line, cells, len(categories))

    def _take_fact(
        self, line: int, name: str, cells: list[str], categories: list[dict[str, Any]]
    ) -> None:
        self._fact_lines[name] = line
        for category, cell in zip(categories, cells, strict=False):
            if cell:
                category[name] = _fact(name, cell)

    def _take_card(self, line: int, cells: list[str], width: int) -> None:
        self._card_lines.append(line)
        card: dict[str, Any] = {"code": cells[0], "name": cells[1] if len(cells) > 1 else ""}
        values = cells[2:]
        # not by the whole form: of J0 or J12 the checker says what is wrong
        if card["code"].startswith("J") and not any(values):
            card["joker"] = True
        else:
            card["values"] = values if len(values) != width else [cell or "-" for cell in values]
        self.content["cards"].append(card)

    def line_of(self, place: FieldPath) -> int:
        """Rows are lines; what belongs to a category stands in the row of that fact."""
        if place[0] == "cards" and len(place) > 1 and isinstance(place[1], int):
            return self._card_lines[place[1]]
        return self._fact_lines.get(str(place[-1]), self._heading_line)


def _fact(name: str, cell: str) -> Any:
    """A category's fact from its cell: number, truth or text."""
    if name == "decimals" and cell.isdecimal():
        return int(cell)
    if name == "joker":
        return cell.lower() in YES
    return cell.lower() if name == "best" else cell


def heading_of(cell: str) -> dict[str, Any]:
    """A category from its heading: a key as it stands, or words such as `Leistung (PS)`."""
    if re.fullmatch(r"[a-z0-9_]+", cell):
        return {"key": cell}
    words = _WITH_UNIT.fullmatch(cell)
    title, unit = (words[1], words[2]) if words else (cell, "")
    return {"key": plain_id(title).replace("-", "_"), "title": title, "unit": unit}


def plain_id(words: str) -> str:
    """Words as the id of a deck, at most 30 letters; what may be one already stays as it is.

    German umlauts become two letters, as our own decks write them.
    """
    if re.fullmatch(r"[a-z0-9_-]+", words):
        return words
    spelt = words.lower().translate(_UMLAUTS)
    letters = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")[:30]
