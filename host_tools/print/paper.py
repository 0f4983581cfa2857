"""A PDF in our typeface, with the few things that every sheet needs."""

import io
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import segno
from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fonts import TTFFont

from host_tools.cards.art import Art
from host_tools.cards.check_links import paper_claim
from host_tools.cards.public_keys import SigningKey
from host_tools.core.texts import PAPER, round_namer
from host_tools.tournament.view import MatchLine

_FONTS = files("font_source_sans_pro") / "files"
FAMILY = "source"
WEIGHTS = {"": "Regular", "B": "Bold"}
INK = (21, 32, 44)
SOFT = (86, 100, 115)
LINE = (170, 180, 190)
MM_PER_POINT = 25.4 / 72
CLAIM_MM = 26.0
"""A code of some 300 letters: modules of a third of a millimetre, which phones read."""
QUIET_MODULES = 4
"""White modules round a QR code that readers expect (ISO/IEC 18004)."""

SMALLEST = 7.0
"""Points; what is smaller cannot be read on a table."""
LEAST_SHARE = 0.62
"""Of the wanted size: a line that would get smaller goes over two."""
NARROWEST = 55.0
"""Percent: narrower letters run into each other; the rest is cut."""
TIGHT = 1.05
"""Height of one of two rows that stand in the place of one, in heights of its letters."""
LEADING = 1.3
"""Height of a line, in heights of its letters."""

SCRIPTS = (
    ("fontpkg_noto_sans", "files/NotoSans[wdth,wght].ttf"),
    ("pylopdf_fonts_ar", "NotoSansArabic-Variable.ttf"),
    ("pylopdf_fonts_he", "NotoSansHebrew-Variable.ttf"),
    ("pylopdf_fonts_hi", "NotoSansDevanagari-Variable.ttf"),
    ("pylopdf_fonts_th", "NotoSansThai-Variable.ttf"),
    ("pylopdf_fonts_jp", "NotoSansJP-Regular.otf"),
    ("pylopdf_fonts_zh_cn", "NotoSansSC-Regular.otf"),
    ("pylopdf_fonts_ko", "NotoSansKR-Regular.otf"),
)
"""Noto typefaces for other scripts (SIL Open Font License), each in a package of its own, of
the extra `scripts`. Loaded when a name has letters of theirs.
"""

Align = Literal["L", "C", "R"]
Colour = tuple[int, int, int]


class Paper(FPDF):
    """Lengths in millimetres, sizes of letters in points."""

    def __init__(self, lang: str, orientation: Literal["P", "L"] = "P", size: str = "A4") -> None:
        super().__init__(orientation=orientation, unit="mm", format=size)
        self.lang = lang
        self.words = PAPER[lang]
        # a sheet knows where all on it stands; a break would tear a card apart
        self.set_auto_page_break(False)
        # fpdf would inset every cell by a millimetre
        self.c_margin = 0.0
        self.set_creator("Schiri")
        self.set_lang(lang)
        for style, weight in WEIGHTS.items():
            self.add_font(FAMILY, style, str(_FONTS / f"SourceSansPro-{weight}.ttf"))
        face = self.fonts[FAMILY]
        assert isinstance(face, TTFFont)
        self.known = frozenset(face.cmap)
        self.lent: frozenset[int] = frozenset()
        """Letters that typefaces for other scripts have."""
        self.faces: list[str] = []

    def stage_of(self, line: MatchLine) -> str:
        """`Group A`, `Round 3` of a Swiss, or the round of the knock-out."""
        if line.swiss_round:
            return self.words["round_number"].format(round=line.swiss_round)
        group = self.words["group"].format(group=line.group)
        return group if line.group else round_namer(self.lang)(line.round)

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
        """Text whose middle lies at `y`. What is too long for `width` shrinks, then goes over two
        lines, then is condensed; it gets no smaller than `SMALLEST`.
        """
        self.set_font(FAMILY, "B" if bold else "", points)
        self.set_text_color(*colour)
        rows, size, stretch = self._fitted(self.readable(text), width, points)
        self.set_font_size(size)
        self.set_stretching(stretch)
        middle = y - (len(rows) - 1) / 2 * self.font_size * TIGHT
        for row in rows:
            left = x + {"L": 0.0, "C": 0.5, "R": 1.0}[align] * (width - self.get_string_width(row))
            self._write_row(left, middle, row)
            middle += self.font_size * TIGHT
        # else fpdf would stretch all that follows
        self.set_stretching(100)

    def _fitted(self, text: str, width: float, points: float) -> tuple[list[str], float, float]:
        """The rows, the size of their letters in points, and how wide letters are, in percent."""
        needed = self.get_string_width(text)
        if needed <= width:
            return [text], points, 100
        # what is wanted smaller is not enlarged
        smallest = min(points, SMALLEST)
        size = points * width / needed
        if size >= max(smallest, points * LEAST_SHARE):
            return [text], size, 100
        rows = self._halves(text)
        needed = max(map(self.get_string_width, rows))
        # two rows stand in the place of one, so their letters are no larger than this
        most = points if len(rows) == 1 else max(smallest, points * LEAST_SHARE)
        size = min(most, points * width / needed)
        if size >= smallest:
            return rows, size, 100
        stretch = 100 * size / smallest
        if stretch < NARROWEST:
            # cut measures in letters of `points`, as the font is set to here
            rows = [self.cut(row, width * points / smallest * 100 / NARROWEST) for row in rows]
        return rows, smallest, max(stretch, NARROWEST)

    def _halves(self, text: str) -> list[str]:
        """Parted at the space or hyphen that makes the longer half shortest."""
        places = [n for n, letter in enumerate(text, 1) if letter in " -" and n < len(text)]
        if not places:
            return [text]
        # a hyphen stays at the end of its half, a space goes
        parted = ([text[:place].rstrip(), text[place:]] for place in places)
        return min(parted, key=lambda rows: max(map(self.get_string_width, rows)))

    def cut(self, text: str, width: float) -> str:
        """As much of the text as fits into `width`, with an ellipsis if it is not all."""
        if self.get_string_width(text) <= width:
            return text
        while text and self.get_string_width(f"{text}…") > width:
            text = text[:-1]
        return f"{text}…"

    def _write_row(self, left: float, middle: float, row: str) -> None:
        if self.known.issuperset(map(ord, row)):
            # fpdf writes on the base line, a third of a letter below the middle
            self.text(left, middle + self.font_size * 0.33, row)
            return
        # letters of other typefaces, and scripts that are written from the right or joined
        self.set_xy(left, middle - self.font_size / 2)
        self.cell(self.get_string_width(row), self.font_size, row)

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
        """The text with letters that our typeface has, or an installed one for other scripts;
        others (emoji) become `?`.
        """
        missing = {ord(letter) for letter in text} - self.known - self.lent
        if missing:
            self._lend(missing)
        seen = self.known | self.lent
        return "".join(letter if ord(letter) in seen else "?" for letter in text)

    def _lend(self, missing: set[int]) -> None:
        """Load the typefaces that have `missing` letters, if they are installed."""
        for package, file in SCRIPTS:
            path = _installed(package, file)
            if path is None or package in self.fonts or not missing & _letters(path):
                continue
            for style, weight in (("", 400.0), ("B", 700.0)):
                # a typeface of one weight has no axis for it
                axes = {"wght": weight} if "wght" in _axes(path) else None
                self.add_font(package, style, path, variations=axes)
            self.lent |= _letters(path)
            missing = missing - self.lent
            self.faces.append(package)
        if self.faces:
            self.set_fallback_fonts(self.faces, exact_match=False)
            # joins Arabic and Indic letters; fpdf needs uharfbuzz for it
            self.set_text_shaping(find_spec("uharfbuzz") is not None)

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

    def claim_at(
        self, desk: SigningKey | None, base: str, lines: Sequence[str], x: float, y: float
    ) -> None:
        """A QR code by which anybody can check that this desk has printed these lines; nothing
        without a key. `base`: address of the league's page.
        """
        if desk is None:
            return
        # the least correction: with more the modules would get smaller than CLAIM_MM says
        self.qr_at(paper_claim(desk, lines).link(base or "schiri:"), x, y, CLAIM_MM, error="l")
        hint = self.words["check_here"]
        self.write_at(x, y + CLAIM_MM + 1, CLAIM_MM, hint, SMALLEST, align="C", colour=SOFT)

    def qr_at(self, text: str, x: float, y: float, size: float, error: str = "m") -> None:
        """A QR code with its quiet zone inside `size`, drawn as bars: sharp at any size."""
        # not every phone reads Micro QR codes
        rows = [bytes(row) for row in segno.make(text, error=error, micro=False).matrix]
        module = size / (len(rows) + 2 * QUIET_MODULES)
        self.set_fill_color(0)
        for down, row in enumerate(rows):
            for start, length in _runs(row):
                left = x + (start + QUIET_MODULES) * module
                top = y + (down + QUIET_MODULES) * module
                self.rect(left, top, length * module, module, style="F")

    def art_at(self, art: Art, x: float, y: float, width: float, height: float) -> None:
        """A picture that fills the place; of what is longer than it the middle is seen."""
        wide, high = art.size
        scale = max(width / wide, height / high)
        left, top = x + (width - wide * scale) / 2, y + (height - high * scale) / 2
        with self.rect_clip(x, y, width, height):
            self.image(io.BytesIO(art.svg.encode()), left, top, wide * scale, high * scale)

    def data(self) -> bytes:
        return bytes(self.output())


@cache
def _installed(package: str, file: str) -> str | None:
    """The path of a typeface, if its package is installed."""
    if find_spec(package) is None:
        return None
    path = Path(str(files(package))) / file
    return str(path) if path.exists() else None


@cache
def _axes(path: str) -> frozenset[str]:
    """What a variable typeface may vary; nothing for others."""
    with TTFont(path, lazy=True) as face:
        return (
            frozenset(axis.axisTag for axis in face["fvar"].axes)
            if "fvar" in face
            else frozenset()
        )


@cache
def _letters(path: str) -> frozenset[int]:
    return frozenset(TTFont(path, lazy=True).getBestCmap())


def _runs(row: bytes) -> list[tuple[int, int]]:
    """(start, length) of the dark stretches of a row."""
    found: list[tuple[int, int]] = []
    for place, dark in enumerate(row):
        if dark and found and sum(found[-1]) == place:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        elif dark:
            found.append((place, 1))
    return found
