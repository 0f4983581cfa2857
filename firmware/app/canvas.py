"""Letters, digits, lists and pictures on the 128 x 64 screen.

x and y are dots from the top left corner. Letters are codes, and their dots are laid on the frame
from where they lie: a letter taken out of a text would be a new text, which MicroPython looks up
among all names it knows (docs/decisions/tap.md).
"""

import framebuf
from micropython import const

from .fonts import big as _big
from .fonts import large as _large
from .fonts import small as _small

WIDTH = const(128)
HEIGHT = const(64)
TOP = const(12)  # the first line below the top bar
LINE = const(10)  # from one line of small letters to the next
ICON = const(22)
STATUS = const(54)  # in a match: the line that stands below every page

_SMALL_GAP = const(1)
_BIG_GAP = const(2)
_SPACE = const(3)
_MORE = "…"
# letters that nobody drew, and those that stand for them (passports do the same)
_INSTEAD = (
    "ÞTh þth ÐD ðd ĐD đd ÆAe æae ŒOe œoe ØO øo ŁL łl ÝY ýy ÿy ÃA ÕO ÌI ÒO ÙU ŐO őo ŰU űu ĄA ąa ĘE "
    "ęe ŃN ŚS ŹZ ŘR ĚE ĎD ďd ŤT ťt ŇN ňn ŮU ĽL ľl ĂA ăa ȘS șs ȚT țt "
)
_TRANSPARENT = const(0)
_OTHERS = const(128)  # the first code behind ASCII
_ICON_ROWS = const(24)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any


class Font:
    """The letters of a generated module of `fonts/`. `widths`: dots by code."""

    def __init__(self, data: "Any", gap: int) -> None:
        self.gap = gap
        self.widths: bytes = data.WIDTHS
        self._data = data
        self._dots = memoryview(data.DOTS)
        self.views: "list[memoryview | None]" = []  # by code, both as they are needed
        stride = len(data.DOTS) // ((data.ROWS + 7) // 8)
        # what `blit` takes in place of a FrameBuffer: dots, width, rows, format, stride
        self.letter: "list[Any]" = [b"", 0, data.ROWS, framebuf.MONO_VLSB, stride]
        self._text = (
            ""  # the last one that is not ASCII, and its codes: it is measured, then drawn
        )
        self._codes = bytearray()

    def codes(self, text: str) -> "bytes | bytearray":
        """The code of each letter; two for one that is told with two others."""
        if not self.views:
            self.views = [None] * len(self.widths)
        raw = text.encode()
        if len(raw) == len(text):
            return raw
        if text != self._text:
            self._codes = self._other_codes(raw)
            self._text = text
        return self._codes

    def _other_codes(self, raw: bytes) -> bytearray:
        codes = bytearray()
        add = codes.append
        at = 0
        behind = 0  # the letter that is not ASCII
        for byte in raw:
            if byte < _OTHERS:
                add(byte)
            elif at >= behind:
                behind = at + (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4)
                self._add_other(codes, raw[at:behind])
            at += 1
        return codes

    def _add_other(self, codes: bytearray, letter: bytes) -> None:
        code = self._code_of(letter)
        instead = _instead(str(letter, "utf8")) if code == self._data.MISSING else ""
        if instead:
            codes.extend(instead.encode())
        else:
            codes.append(code)

    def _code_of(self, letter: bytes) -> int:
        data = self._data
        at: int = data.OTHERS.find(letter)
        if at < 0:
            return int(data.MISSING)
        over = at - 2 * data.PAIRS
        return _OTHERS + (data.PAIRS + over // 3 if over > 0 else at // 2)

    def width(self, text: str) -> int:
        """Dots from the first column to the last."""
        return self.wide(self.codes(text))

    def wide(self, codes: "bytes | bytearray") -> int:
        """The same of codes."""
        widths = self.widths
        gap = self.gap
        total = -gap
        for code in codes:
            total += widths[code] + gap
        return max(total, 0)

    def view(self, code: int) -> memoryview:
        """The dots of a letter and of all behind it; kept in `views`."""
        starts = self._data.STARTS
        view = self._dots[starts[2 * code] + 256 * starts[2 * code + 1] :]
        self.views[code] = view
        return view


class Canvas:
    """Draws on `frame`, a framebuf of 128 x 64 in MONO_VLSB, for the player at seat `side`."""

    def __init__(self, frame: "Any") -> None:
        self.frame = frame
        self.side = 0
        self.has_sides = False  # what was drawn looks different from another side
        self.small = Font(_small, _SMALL_GAP)
        self.digits = Font(_big, _BIG_GAP)
        self.letters = Font(_large, _BIG_GAP)
        self.bottom = HEIGHT  # the first row that is no page's
        # turns dots around: dark letters on a lit ground
        self._dark = framebuf.FrameBuffer(bytearray((0b01, 0b00)), 2, 1, framebuf.MONO_VLSB)

    def clear(self) -> None:
        """All dots off."""
        self.frame.fill(0)
        self.has_sides = False

    def near_seat(self) -> int:
        """The seat of two that looks at this picture: what is drawn by it differs by side."""
        self.has_sides = True
        return self.side

    # -- text --

    def text(self, x: int, y: int, text: str, limit: int = WIDTH, ink: int = 1) -> int:
        """Small letters, cut at column `limit`. `ink` 0 = dark letters on a lit ground.

        Returns the column behind the text.
        """
        return self._write(self.small, x, y, text, limit, ink)

    def right(self, y: int, text: str, edge: int = WIDTH) -> int:
        """Small letters that end at column `edge`; returns where they begin."""
        x = max(edge - self.small.width(text), 0)
        self.text(x, y, text)
        return x

    def centre(self, y: int, text: str, left: int = 0, edge: int = WIDTH) -> None:
        """Small letters in the middle between two columns."""
        self.text(max(left + (edge - left - self.small.width(text)) // 2, left), y, text, edge)

    def big(self, x: int, y: int, text: str) -> int:
        """Big digits, 14 rows. Returns the column behind them."""
        return self._write(self.digits, x, y, text, WIDTH, 1)

    def big_right(self, y: int, text: str, edge: int = WIDTH) -> None:
        """Big digits that end at column `edge`."""
        self.big(max(edge - self.digits.width(text), 0), y, text)

    def big_centre(self, y: int, text: str, left: int = 0, edge: int = WIDTH) -> None:
        """Big digits in the middle between two columns."""
        self.big(left + (edge - left - self.digits.width(text)) // 2, y, text)

    def large(self, x: int, y: int, text: str) -> None:
        """Large letters in rows `y` to `y` + 21; capitals fill `y` + 4 to `y` + 17."""
        self._write(self.letters, x, y, text, WIDTH, 1)

    def large_fitted(self, x: int, y: int, text: str) -> None:
        """Large letters from `x` to the right edge."""
        self.large(x, y, self.fitted(text, (WIDTH - x) // 2))

    def _write(self, font: "Font", x: int, y: int, text: str, limit: int, ink: int) -> int:
        limit = min(limit, WIDTH)
        gap = font.gap
        widths = font.widths
        letter = font.letter
        blit = self.frame.blit
        codes = font.codes(text)
        views = font.views
        palette = None if ink else self._dark
        ground = 1 - ink  # stays as it is
        for code in codes:
            width = widths[code]
            behind = x + width
            if behind > limit:
                width = limit - x
            if width > 0:
                letter[0] = views[code] or font.view(code)
                letter[1] = width  # of its columns, the first ones
                blit(letter, x, y, ground, palette)
            x = behind + gap
        return x

    def fitted(self, text: str, width: int) -> str:
        """The text, or as much of its beginning as fits with "…" behind it; the number of a seat
        at its end (`short_name`) stays.
        """
        small = self.small
        codes = small.codes(text)
        over = small.wide(codes) - width
        if over <= 0:
            return text
        if len(codes) != len(text):
            return self.fitted(_spelled(text), width)
        tail = text[-2:] if text[-2:-1] == " " else ""
        fits = len(text) - len(tail)
        if not fits:
            return text
        over += small.width(_MORE) + small.gap
        while fits and over > 0:
            fits -= 1
            over -= small.widths[codes[fits]] + small.gap
        return text[:fits] + _MORE + tail

    def wrap(self, text: str, width: int) -> "list[str]":
        """The lines of a sentence, each at most `width` dots of small letters."""
        space = _SPACE + 2 * _SMALL_GAP
        lines: "list[str]" = []
        line: "list[str]" = []
        used = 0
        for word in text.split(" "):
            wide = self.small.width(word)
            if line and used + space + wide > width:
                lines.append(" ".join(line))
                line = []
            used = used + space + wide if line else wide
            if line or word:
                line.append(word)
        lines.append(" ".join(line))
        return lines

    # -- shapes --

    def icon(self, x: int, y: int, name: str) -> None:
        """A picture of `fonts/icons.py`."""
        from .fonts import icons

        picture = (getattr(icons, name), icons.SIZE, _ICON_ROWS, framebuf.MONO_VLSB)
        self.frame.blit(picture, x, y, _TRANSPARENT)

    def rows(self, y: int, items: "list[str]", chosen: int) -> None:
        """As many items as fit below `y`; the chosen one is on a lit ground and in sight.

        A TAB in an item parts it: what follows ends at the right edge.
        """
        fit = (self.bottom - y) // LINE
        first = max(0, min(chosen - fit // 2, len(items) - fit))
        for number in range(first, min(first + fit, len(items))):
            if number == chosen:
                self.frame.fill_rect(0, y + 1, WIDTH, LINE, 1)
            self._item(y, items[number], 0 if number == chosen else 1)
            y += LINE

    def _item(self, y: int, item: str, ink: int) -> None:
        left, _, right = item.partition("\t")
        edge = WIDTH - 2
        if right:
            edge -= self.small.width(right)
            self.text(edge, y, right, WIDTH, ink)
        self.text(2, y, self.fitted(left, edge - 3), edge, ink)


def _instead(letter: str) -> str:
    """The letters that stand for one that nobody drew; "" for none."""
    at = _INSTEAD.find(letter) if letter > "\x7f" else -1
    return _INSTEAD[at + 1 : _INSTEAD.find(" ", at)] if at >= 0 else ""


def _spelled(text: str) -> str:
    """The text in letters that were drawn."""
    return "".join([_instead(letter) or letter for letter in text])
