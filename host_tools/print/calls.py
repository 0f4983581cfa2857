"""The call list twice: by slot and table for the speaker, by name for the wall."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from host_tools.core.errors import UserError
from host_tools.print.paper import SOFT, Paper
from host_tools.tournament.state import TournamentState
from host_tools.tournament.swiss import rounds_of
from host_tools.tournament.view import MatchLine, lines
from host_tools.tournament.wording import name_of

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
_PAIRED = (
    _PrintColumn(0.0, 0.09, 13, True),
    _PrintColumn(0.1, 0.37, 11.5),
    _PrintColumn(0.48, 0.37, 11.5),
    _PrintColumn(0.87, 0.13, 11.5, True),
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
    title, slots = state.setup.name, _slots(state, paper)
    by_table = _by_table(found, paper, slots)
    _List(paper, title, paper.words["calls_by_table"]).draw(by_table, _BY_TABLE)
    by_name = _by_name(found, paper, slots)
    _List(paper, title, paper.words["calls_by_name"]).draw(by_name, _BY_NAME)
    return paper.data()


def pairings(state: TournamentState, lang: str, base: str) -> bytes:
    """The last round of a Swiss that is paired: by table, with room for the results, and by
    name.
    """
    if not state.rounds:
        raise UserError("nothing_paired")
    paired, found = state.rounds[-1], lines(state, rounds_of(state)[-1])
    paper = Paper(lang)
    words, slots = paper.words, _slots(state, paper)
    title = words["pairings"].format(round=paired.round, rounds=state.setup.rounds)
    paper.set_title(f"{state.setup.name} – {title}")
    by_table: list[_Row] = [
        (slots(line), (str(line.table), *_sides(line), line.score)) for line in found
    ]
    by_name = _by_name(found, paper, slots)
    if paired.bye:
        without = (name_of(state, paired.bye), words["bye"])
        by_table.append((words["bye"], ("", without[0], "", "")))
        # sorted again: who has no opponent stands among the others
        by_name = sorted([*by_name, ("", (*without, ""))], key=lambda row: sort_key(row[1][0]))
    _List(paper, state.setup.name, title).draw(by_table, _PAIRED)
    _List(paper, state.setup.name, title).draw(by_name, _BY_NAME)
    return paper.data()


_Row = tuple[str, tuple[str, ...]]
"""(heading of its block, cells)."""


def _slots(state: TournamentState, paper: Paper) -> Callable[[MatchLine], str]:
    """The name of a match's slot; of a Swiss they are counted in each round."""
    first: dict[int, int] = {}
    for match in state.matches.values():
        # the plan counts slots on over all rounds (commands/rounds.py)
        first[match.swiss_round] = min(match.slot, first.get(match.swiss_round, match.slot))

    def slot(line: MatchLine) -> str:
        if not line.swiss_round:
            return paper.words["round_slot"].format(slot=line.slot)
        return paper.words["turn"].format(turn=line.slot - first[line.swiss_round] + 1)

    return slot


def _by_table(
    found: Sequence[MatchLine], paper: Paper, slots: Callable[[MatchLine], str]
) -> list[_Row]:
    rows: list[_Row] = []
    for line in found:
        paired = f"{paper.stage_of(line)} · " if line.swiss_round else ""
        heading = paired + slots(line) if line.group else paper.stage_of(line)
        rows.append((heading, (str(line.table or ""), line.id, *_sides(line))))
    return rows


def _sides(line: MatchLine) -> tuple[str, str]:
    """Who plays, in two columns."""
    half = (len(line.names) + 1) // 2
    return " – ".join(line.names[:half]), " – ".join(line.names[half:])


def _by_name(
    found: Sequence[MatchLine], paper: Paper, slots: Callable[[MatchLine], str]
) -> list[_Row]:
    words = paper.words
    rows = []
    for line in found:
        planned = f"{slots(line)}, {words['table']} {line.table}"
        where = planned if line.slot else line.id
        for seat, one in enumerate(line.names):
            other = ", ".join([*line.names[:seat], *line.names[seat + 1 :]])
            rows.append((one, where, f"{words['opponent']} {other}"))
    rows.sort(key=lambda row: sort_key(row[0]))
    shown: list[_Row] = []
    for number, (name, where, against) in enumerate(rows):
        again = number > 0 and rows[number - 1][0] == name
        shown.append(("", ("" if again else name, where, against)))
    return shown


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

    def draw(self, rows: Sequence[_Row], columns: Sequence[_PrintColumn]) -> None:
        self._new_page()
        block = ""
        for heading, cells in rows:
            # no heading stands alone at the foot of a page
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
        self.paper.write_at(MARGIN, 23, WIDTH, self.title, 20, bold=True)
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
