"""A PDF in our typeface, with the few things that every sheet needs."""

from importlib.resources import files
from typing import Literal

import segno
from fpdf import FPDF
from fpdf.fonts import TTFFont

from host_tools.core.texts import PAPER

_FONTS = files("font_source_sans_pro") / "files"
FAMILY = "source"
WEIGHTS = {"": "Regular", "B": "Bold"}
INK = (21, 32, 44)
SOFT = (86, 100, 115)
LINE = (170, 180, 190)
MM_PER_POINT = 25.4 / 72
QUIET_MODULES = 4
"""White modules round a QR code that readers expect (ISO/IEC 18004)."""

LEADING = 1.3
"""Height of a line, in heights of its letters."""

Align = Literal["L", "C", "R"]
Colour = tuple[int, int, int]


class Paper(FPDF):
    """Lengths in millimetres, sizes of letters in points."""

    def __init__(self, lang: str, orientation: Literal["P", "L"] = "P", size: str = "A4") -> None:
        super().__init__(orientation=orientation, unit="mm", format=size)
        self.words = PAPER[lang]
        self.set_auto_page_break(False)
        self.c_margin = 0.0
        self.set_creator("Schiri")
        self.set_lang(lang)
        for style, weight in WEIGHTS.items():
            self.add_font(FAMILY, style, str(_FONTS / f"SourceSansPro-{weight}.ttf"))
        face = self.fonts[FAMILY]
        assert isinstance(face, TTFFont)
        self.known = frozenset(face.cmap)

    def write_at(
        self,
        x: float,
        y: float,
        width: float,
        text: str,
        points: float,
        *,
        bold: bool = False,
        align: Align = "L",
        colour: Colour = INK,
    ) -> None:
        """One line whose middle lies at `y`; it shrinks until it fits into `width`."""
        shown = self.readable(text)
        self.set_font(FAMILY, "B" if bold else "", points)
        needed = self.get_string_width(shown)
        if needed > width:
            self.set_font_size(points * width / needed)
        height = self.font_size
        self.set_text_color(*colour)
        left = x + {"L": 0.0, "C": 0.5, "R": 1.0}[align] * (width - self.get_string_width(shown))
        self.text(left, y + height * 0.33, shown)

    def wrap_at(
        self, x: float, y: float, width: float, text: str, points: float, colour: Colour = INK
    ) -> float:
        """Text from `y` down, in as many lines as it needs; returns the y below it."""
        self.set_font(FAMILY, "", points)
        self.set_text_color(*colour)
        self.set_xy(x, y)
        self.multi_cell(width, self.font_size * LEADING, self.readable(text), align="L")
        return self.get_y()

    def readable(self, text: str) -> str:
        """The text with letters that the typeface has; others (Chinese, emoji) become `?`."""
        return "".join(letter if ord(letter) in self.known else "?" for letter in text)

    def line_at(self, x1: float, y1: float, x2: float, y2: float, *, thick: float = 0.2) -> None:
        """A line in the colour of ink."""
        self.set_draw_color(*(LINE if thick <= 0.2 else INK))
        self.set_line_width(thick)
        self.line(x1, y1, x2, y2)

    def box_at(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        thick: float = 0.3,
        colour: Colour = INK,
    ) -> None:
        """An empty frame, to be written into."""
        self.set_draw_color(*colour)
        self.set_line_width(thick)
        self.rect(x, y, width, height)

    def qr_at(self, text: str, x: float, y: float, size: float) -> None:
        """A QR code with its quiet zone inside `size`, drawn as bars: sharp at any size."""
        rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
        module = size / (len(rows) + 2 * QUIET_MODULES)
        self.set_fill_color(0)
        for down, row in enumerate(rows):
            for start, length in _runs(row):
                left = x + (start + QUIET_MODULES) * module
                top = y + (down + QUIET_MODULES) * module
                self.rect(left, top, length * module, module, style="F")

    def data(self) -> bytes:
        return bytes(self.output())


def _runs(row: bytes) -> list[tuple[int, int]]:
    """(start, length) of the dark stretches of a row."""
    found: list[tuple[int, int]] = []
    for place, dark in enumerate(row):
        if dark and found and sum(found[-1]) == place:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        elif dark:
            found.append((place, 1))
    return found
