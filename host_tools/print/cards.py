"""Cards to print and cut: fronts and backs on sheets of A4 or US letter, in register for printing
on both sides. What a face looks like stands in faces.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from host_tools.print.paper import LINE, SOFT, Paper
from host_tools.print.sizes import PAPERS, CardSize

Face = Callable[[Paper, float, float], None]
"""Draws one side of a card with its upper left corner at (x, y), in millimetres."""


LEAST_MARGIN = 4.8
"""Millimetres; most printers cannot print on the outermost 4 to 5."""
STICKER_MM = 25.0
"""Diameter of the round NTAG stickers of the parts list (hardware/rev1/BUILD.md)."""
_CHECK_MM = 50.0
_SCALE_ROOM_MM = 13.0
_CROSS_MM = 1.5
_MARK_GAP = 1.0
_MARK_MM = 4.0


@dataclass(frozen=True)
class Grid:
    """How the cards of a size stand on a sheet: edge to edge, in the middle of it."""

    paper: CardSize
    card: CardSize
    columns: int
    rows: int

    @property
    def left(self) -> float:
        return (self.paper.width - self.columns * self.card.width) / 2

    @property
    def top(self) -> float:
        return (self.paper.height - self.rows * self.card.height) / 2

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def landscape(self) -> bool:
        return self.paper.width > self.paper.height

    def front(self, place: int) -> tuple[float, float]:
        """Upper left corner of a place's front; places count along the rows."""
        row, column = divmod(place, self.columns)
        return self.left + column * self.card.width, self.top + row * self.card.height

    def upright(self, flip: str) -> bool:
        """Whether the sheet is turned like a page of a book, so that a back stands upright as its
        front does; else it is turned over its upper edge, and the backs are drawn upside down.
        """
        return (flip == "long") != self.landscape

    def back(self, place: int, flip: str) -> tuple[float, float]:
        """Upper left corner of the back behind that front. `flip`: the edge of the paper over
        which the printer turns it.
        """
        x, y = self.front(place)
        if self.upright(flip):
            return self.paper.width - x - self.card.width, y
        return x, self.paper.height - y - self.card.height


def grid(card: CardSize, paper: CardSize) -> Grid:
    """The way of the paper on which more cards find room; upright if both are equal."""
    ways = (paper, CardSize(paper.height, paper.width))
    return max((_filled(card, way) for way in ways), key=lambda found: found.count)


def _filled(card: CardSize, paper: CardSize) -> Grid:
    # edge to edge: one cut serves two cards
    columns = int((paper.width - 2 * LEAST_MARGIN) // card.width)
    rows = int((paper.height - 2 * LEAST_MARGIN) // card.height)
    return Grid(paper, card, columns, rows)


@dataclass(frozen=True)
class Print:
    """What is printed. `sticker`: mark its place on the backs; without `back` fronts only."""

    title: str
    fronts: Sequence[Face]
    back: Face | None
    card: CardSize
    sticker: bool = True


def make(what: Print, lang: str, paper: str = "a4", flip: str = "long") -> bytes:
    """The sheets as a PDF; behind every sheet of fronts that of their backs."""
    cells = grid(what.card, PAPERS[paper])
    sheet = Paper(lang, "L" if cells.landscape else "P", paper)
    sheet.set_title(what.title)
    for first in range(0, len(what.fronts), cells.count):
        faces = what.fronts[first : first + cells.count]
        _new_sheet(sheet, cells)
        for place, face in enumerate(faces):
            face(sheet, *cells.front(place))
        _crosses(sheet, cells)
        if what.back is not None:
            _new_sheet(sheet, cells)
            for place in range(len(faces)):
                _turned_back(sheet, what, cells, place, flip)
            _crosses(sheet, cells)
    return sheet.data()


def _turned_back(sheet: Paper, what: Print, cells: Grid, place: int, flip: str) -> None:
    x, y = cells.back(place, flip)
    middle = (x + what.card.width / 2, y + what.card.height / 2)
    assert what.back is not None
    with sheet.rotation(0 if cells.upright(flip) else 180, *middle):
        what.back(sheet, x, y)
        if what.sticker:
            _sticker(sheet, *middle)


def _sticker(sheet: Paper, x: float, y: float) -> None:
    """Where the sticker goes: in the middle of the back, as the box reads it best."""
    radius = STICKER_MM / 2
    sheet.set_draw_color(*SOFT)
    sheet.set_line_width(0.15)
    sheet.set_dash_pattern(dash=1.2, gap=0.8)
    sheet.circle(x, y, radius)
    sheet.set_dash_pattern()
    for along, across in ((1.0, 0.0), (0.0, 1.0)):
        near, far = radius + 0.5, radius + 3
        for side in (-1, 1):
            start = (x + side * near * along, y + side * near * across)
            sheet.line(*start, x + side * far * along, y + side * far * across)


def _new_sheet(sheet: Paper, cells: Grid) -> None:
    """Marks to cut along, outside the cards, and a line that shows the printer's scale."""
    sheet.add_page()
    right, bottom = cells.paper.width - cells.left, cells.paper.height - cells.top
    sheet.set_draw_color(0)
    sheet.set_line_width(0.15)
    for column in range(cells.columns + 1):
        x = cells.left + column * cells.card.width
        sheet.line(x, cells.top - _MARK_GAP - _MARK_MM, x, cells.top - _MARK_GAP)
        sheet.line(x, bottom + _MARK_GAP, x, bottom + _MARK_GAP + _MARK_MM)
    for row in range(cells.rows + 1):
        y = cells.top + row * cells.card.height
        sheet.line(cells.left - _MARK_GAP - _MARK_MM, y, cells.left - _MARK_GAP, y)
        sheet.line(right + _MARK_GAP, y, right + _MARK_GAP + _MARK_MM, y)
    _scale(sheet, cells)


def _scale(sheet: Paper, cells: Grid) -> None:
    """Along the margin that has room for it."""
    upright = cells.left >= _SCALE_ROOM_MM
    # left out rather than drawn on the cards
    if not upright and cells.top < _SCALE_ROOM_MM:
        return
    x, y = (cells.left - 8.5, cells.paper.height / 2)
    if not upright:
        x, y = cells.paper.width / 2, cells.top - 8.5
    with sheet.rotation(90 if upright else 0, x, y):
        sheet.line_at(x - _CHECK_MM / 2, y, x + _CHECK_MM / 2, y, thick=0.3)
        reminder = sheet.words["scale_check"]
        sheet.write_at(x - 40, y - 2.6, 80, reminder, 7, align="C", colour=SOFT)


def _crosses(sheet: Paper, cells: Grid) -> None:
    """Small crosses at the corners of the cards, for printers that leave the margin white."""
    sheet.set_draw_color(*LINE)
    sheet.set_line_width(0.1)
    for column in range(cells.columns + 1):
        for row in range(cells.rows + 1):
            x = cells.left + column * cells.card.width
            y = cells.top + row * cells.card.height
            sheet.line(x - _CROSS_MM, y, x + _CROSS_MM, y)
            sheet.line(x, y - _CROSS_MM, x, y + _CROSS_MM)
