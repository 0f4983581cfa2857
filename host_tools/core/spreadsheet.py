"""Tables as spreadsheets save them: one reader for every list that people hand us.

Excel of Windows saves CSV in Windows-1252, "Unicode text" in UTF-16 with tabs, and "CSV UTF-8"
with a byte order mark; LibreOffice what it is told. Why nothing is guessed:
docs/decisions/files-and-prints.md.
"""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from host_tools.core.errors import UserError
from host_tools.core.names import tidy
from host_tools.core.own_files import read_input

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_QUOTED = re.compile(r'"[^"]*"')
# Excel's own hint in the first line of a file
_SEPARATOR = re.compile(r"sep=([,;\t])", re.IGNORECASE)
# no text of people holds these; a workbook, a picture or UTF-32 does
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f]")


@dataclass(frozen=True)
class SheetRow:
    """`line` is the one of the file where the row begins, from 1; cells are `tidy`."""

    line: int
    cells: list[str]


def read_table(path: Path) -> list[SheetRow]:
    """The rows of a CSV file. Raises UserError if it cannot be read or is no text."""
    return parse_table(read_input(path), str(path))


def parse_table(raw: bytes, name: str) -> list[SheetRow]:
    """The rows that are not empty, from comma, semicolon or tab; `name` is told in a UserError."""
    text = decode(raw, name)
    first = text.lstrip("\r\n").splitlines()[:1]
    hint = _SEPARATOR.fullmatch(first[0].strip(" ")) if first else None
    delimiter = hint[1] if hint else _delimiter(first[0] if first else "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows, end = [], 0
    try:
        for cells in reader:
            rows.append(SheetRow(end + 1, [tidy(cell) for cell in cells]))
            end = reader.line_num
    except csv.Error as error:  # a quote that is never closed, or closed before the cell ends
        raise UserError("csv_quote", file=name, line=end + 1) from error
    rows = [row for row in rows if any(row.cells)]
    return rows[1:] if hint else rows


def decode(raw: bytes, name: str) -> str:
    """Bytes of a text file as people save them: UTF-8, UTF-16 with its mark, else Windows-1252."""
    # umlauts in Windows-1252 are practically never valid UTF-8, so the order decides; a library
    # that guesses changes its mind when one name is added
    encodings = ("utf-16",) if raw.startswith(_UTF_16) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _NO_TEXT.search(text):
            break
        return text
    raise UserError("no_text_file", file=name)


def _delimiter(first: str) -> str:
    """What separates the headings; a tab if nothing does, so that "Meier, Anna" stays one cell."""
    bare = _QUOTED.sub("", first)
    return max("\t;,", key=bare.count)
