"""The call list twice: by slot and table for the speaker, by name for the wall."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from host_tools.core.errors import UserError
from host_tools.core.texts import round_namer
from host_tools.print.paper import SOFT, Paper
from host_tools.tournament.state import TournamentState
from host_tools.tournament.view import MatchLine, lines

MARGIN = 15.0
TOP = 34.0
BOTTOM = 283.0
WIDTH = 210.0 - 2 * MARGIN
ROW = 6.4


@dataclass(frozen=True)
class _PrintColumn:
    """Where a column stands (share of the width) and how its text is written."""

    start: float
    width: float
    points: float
    bold: bool = False


_BY_TABLE = (
    _PrintColumn(0.0, 0.09, 13, True),
    _PrintColumn(0.1, 0.1, 10),
    _PrintColumn(0.2, 0.37, 11.5),
    _PrintColumn(0.58, 0.42, 11.5),
)
_BY_NAME = (
    _PrintColumn(0.0, 0.34, 11.5, True),
    _PrintColumn(0.35, 0.27, 10),
    _PrintColumn(0.63, 0.37, 10.5),
)


def make(state: TournamentState, lang: str, base: str) -> bytes:
    """Matches that are still to be played."""
    todo = [match for match in state.matches.values() if not match.counts]
    if not todo:
        raise UserError("nothing_to_call")
    # groups first: knock-out matches have no slot
    in_order = sorted(todo, key=lambda match: (match.round is not None, match.slot, match.table))
    found = lines(state, in_order)
    paper = Paper(lang)
    paper.set_title(f"{state.setup.name} – {paper.words['calls_by_table']}")
    names = round_namer(lang)
    _List(paper, state.setup.name, "calls_by_table").draw(_by_table(found, paper, names))
    _List(paper, state.setup.name, "calls_by_name").draw(_by_name(found, paper))
    return paper.data()


_Row = tuple[str, tuple[str, ...]]
"""(heading of its block, cells)."""


def _by_table(
    found: Sequence[MatchLine], paper: Paper, names: Callable[[str], str]
) -> tuple[list[_Row], Sequence[_PrintColumn]]:
    rows: list[_Row] = []
    for line in found:
        slot = paper.words["round_slot"].format(slot=line.slot)
        heading = slot if line.group else names(line.round)
        half = (len(line.names) + 1) // 2
        sides = (" – ".join(line.names[:half]), " – ".join(line.names[half:]))
        rows.append((heading, (str(line.table or ""), line.id, *sides)))
    return rows, _BY_TABLE


def _by_name(
    found: Sequence[MatchLine], paper: Paper
) -> tuple[list[_Row], Sequence[_PrintColumn]]:
    words = paper.words
    rows = []
    for line in found:
        planned = f"{words['slot']} {line.slot}, {words['table']} {line.table}"
        where = planned if line.slot else line.id
        for seat, one in enumerate(line.names):
            other = ", ".join([*line.names[:seat], *line.names[seat + 1 :]])
            rows.append((one, where, f"{words['opponent']} {other}"))
    rows.sort(key=lambda row: sort_key(row[0]))
    shown: list[_Row] = []
    for number, (name, where, against) in enumerate(rows):
        again = number > 0 and rows[number - 1][0] == name
        shown.append(("", ("" if again else name, where, against)))
    return shown, _BY_NAME


def sort_key(name: str) -> str:
    """Where people look for a name: letters with marks stand with those without."""
    plain = unicodedata.normalize("NFKD", name.translate(_UNMARKED))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


# letters that Unicode does not take apart
_UNMARKED = str.maketrans({"ı": "i", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ø": "o", "Ø": "O"})


class _List:
    """Rows over as many pages as they need; a block's heading is repeated on a new page."""

    def __init__(self, paper: Paper, tournament: str, title: str) -> None:
        self.paper = paper
        self.tournament = tournament
        self.title = title
        self.y = 0.0

    def draw(self, content: tuple[Sequence[_Row], Sequence[_PrintColumn]]) -> None:
        rows, columns = content
        self._new_page()
        block = ""
        for heading, cells in rows:
            if self.y > BOTTOM - (2 * ROW if heading != block else 0):
                self._new_page()
                block = ""
            if heading != block:
                self._heading(heading)
                block = heading
            self._row(cells, columns)

    def _new_page(self) -> None:
        self.paper.add_page()
        self.paper.write_at(MARGIN, 15, WIDTH, self.tournament, 10, colour=SOFT)
        self.paper.write_at(MARGIN, 23, WIDTH, self.paper.words[self.title], 20, bold=True)
        page = self.paper.words["page"].format(page=self.paper.page_no())
        self.paper.write_at(MARGIN, 290, WIDTH, page, 8, align="R", colour=SOFT)
        self.y = TOP

    def _heading(self, heading: str) -> None:
        self.y += 2.5
        self.paper.write_at(MARGIN, self.y, WIDTH, heading, 13, bold=True)
        self.y += ROW

    def _row(self, cells: tuple[str, ...], columns: Sequence[_PrintColumn]) -> None:
        if cells[0]:
            self.paper.line_at(MARGIN, self.y - ROW / 2, MARGIN + WIDTH, self.y - ROW / 2)
        for text, column in zip(cells, columns, strict=True):
            x = MARGIN + column.start * WIDTH
            width = column.width * WIDTH
            self.paper.write_at(x, self.y, width, text, column.points, bold=column.bold)
        self.y += ROW
