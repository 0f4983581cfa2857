"""Letters, digits, lists and pictures on the 128 x 64 screen.

x and y are dots from the top left corner. A letter is made into a small picture when it is first
drawn, and kept: after that drawing it is one `blit` and costs no memory.
"""

import framebuf
from micropython import const

from .fonts import big as _big
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
_SPACES = " \xa0"  # the second one does not break a line
_MISSING = "?"
# a letter that nobody drew, and those that stand for it (passports do the same)
_INSTEAD = (
    "ÞTh þth ÐD ðd ĐD đd ÆAe æae ŒOe œoe ØO øo ŁL łl ÝY ýy ÿy ÃA ÕO ÌI ÒO ÙU ŐO őo ŰU űu ĄA ąa ĘE "
    "ęe ŃN ŚS ŹZ ŘR ĚE ĎD ďd ŤT ťt ŇN ňn ŮU ĽL ľl ĂA ăa ȘS șs ȚT țt "
)
_TRANSPARENT = const(0)
_LETTER_ROWS = const(16)  # two bytes a column, the lower one empty below the small letters
_MOST_KEPT = const(2)
_TWICE = b"\x00\x03\x0c\x0f\x30\x33\x3c\x3f\xc0\xc3\xcc\xcf\xf0\xf3\xfc\xff"  # four dots as eight

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any


class Font:
    """The letters of a generated module of `fonts/`."""

    def __init__(self, data: "Any", gap: int) -> None:
        self.letters: str = data.LETTERS
        self.gap = gap
        self._data = data
        # of the letters drawn so far: a FrameBuffer of 16 rows (None: a space), and its width
        self.pictures: "dict[str, Any]" = {}
        self.widths: "dict[str, int]" = {}
        for space in _SPACES:
            self.pictures[space] = None
            self.widths[space] = _SPACE

    def columns(self, letter: str) -> bytes:
        """Rows 0 to 7 of every column, then rows 8 to 15; what nobody drew is told with other
        letters, else a question mark.
        """
        place = self.letters.find(letter)
        if place < 0:
            at = _INSTEAD.find(letter)
            if at >= 0 and self.letters.find("T") >= 0:
                return self._side_by_side(_INSTEAD[at + 1 : _INSTEAD.find(" ", at)])
            place = max(self.letters.find(_MISSING), 0)
        starts = self._data.STARTS
        first = starts[2 * place] + 256 * starts[2 * place + 1]
        behind = starts[2 * place + 2] + 256 * starts[2 * place + 3]
        return self._data.LOW[first:behind] + self._data.HIGH[first:behind]  # type: ignore[no-any-return]

    def _side_by_side(self, letters: str) -> bytes:
        low, high = b"", b""
        for letter in letters:
            columns = self.columns(letter)
            wide = len(columns) // 2
            gap = bytes(self.gap) if low else b""
            low += gap + columns[:wide]
            high += gap + columns[wide:]
        return low + high

    def draw(self, letter: str) -> None:
        """Make the picture of a letter."""
        columns = self.columns(letter)
        self.widths[letter] = len(columns) // 2
        self.pictures[letter] = _picture(columns)

    def width(self, text: str) -> int:
        """Dots from the first column to the last."""
        widths = self.widths
        try:
            total = sum(map(widths.__getitem__, text))  # at a sixth of the time of a loop
        except KeyError:
            for letter in text:
                if letter not in widths:
                    self.draw(letter)
            total = sum(map(widths.__getitem__, text))
        return total + self.gap * (len(text) - 1) if text else 0


class Large:
    """The small letters with every dot as 2 x 2: capitals of 14 rows, as high as the big digits.

    Two texts are kept, 0.4 kB each: verdicts name the same few people.
    """

    def __init__(self, small: "Font") -> None:
        self._small = small
        self._kept: "dict[str, Any]" = {}

    def width(self, text: str) -> int:
        """Dots from the first column to the last."""
        return 2 * self._small.width(text)

    def picture(self, text: str) -> "Any":
        """The whole text, on 24 rows."""
        picture = self._kept.get(text)
        if picture is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            picture = self._kept[text] = self._double(text)
        return picture

    def _double(self, text: str) -> "Any":
        small = self._small
        width = 2 * small.width(text)
        rows = bytearray(3 * width)
        at = 0
        for letter in text:
            if small.pictures[letter] is not None:
                columns = small.columns(letter)
                wide = len(columns) // 2
                for column in range(wide):
                    low = columns[column]
                    x = at + 2 * column
                    rows[x] = rows[x + 1] = _TWICE[low & 15]
                    x += width
                    rows[x] = rows[x + 1] = _TWICE[low >> 4]
                    x += width
                    rows[x] = rows[x + 1] = _TWICE[columns[wide + column] & 15]
            at += 2 * (small.widths[letter] + small.gap)
        return framebuf.FrameBuffer(rows, width, 24, framebuf.MONO_VLSB)


class Canvas:
    """Draws on `frame`, a framebuf of 128 x 64 in MONO_VLSB, for the player at seat `side`."""

    def __init__(self, frame: "Any") -> None:
        self.frame = frame
        self.side = 0
        self.has_sides = False  # what was drawn looks different from another side
        self.small = Font(_small, _SMALL_GAP)
        self.digits = Font(_big, _BIG_GAP)
        self.letters: "Any" = Large(self.small)
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
        palette = None if ink else self._dark
        limit = min(limit, WIDTH)
        end = x + font.width(text)  # every letter is drawn now
        if font is self.letters:
            if text:
                picture = self.letters.picture(text)  # type: ignore[attr-defined]
                self.frame.blit(picture, x, y, _TRANSPARENT)
            return end
        pictures = font.pictures
        widths = font.widths
        gap = font.gap
        ground = 1 - ink  # stays as it is
        blit = self.frame.blit
        for letter in text:
            picture = pictures[letter]
            behind = x + widths[letter]
            if end > limit and behind > limit and picture is not None:
                picture = _cut(font.columns(letter), limit - x)
            if picture is not None:
                blit(picture, x, y, ground, palette)
            x = behind + gap
        return x

    def fitted(self, text: str, width: int) -> str:
        """The text, or as much of its beginning as fits with "…" behind it; the number of a seat
        at its end (`short_name`) stays.
        """
        tail = text[-2:] if text[-2:-1] == " " else ""
        short = text
        text = text[: len(text) - len(tail)]
        while text and self.small.width(short) > width:
            text = text[:-1]
            short = text + "…" + tail
        return short

    def wrap(self, text: str, width: int) -> "list[str]":
        """The lines of a sentence, each at most `width` dots of small letters."""
        space = _SPACE + 2 * _SMALL_GAP
        lines: "list[str]" = []
        line = ""
        used = 0
        for word in text.split(" "):
            wide = self.small.width(word)
            if line and used + space + wide > width:
                lines.append(line)
                line = ""
            if line:
                line += " " + word
                used += space + wide
            else:
                line = word
                used = wide
        lines.append(line)
        return lines

    # -- shapes --

    def icon(self, x: int, y: int, name: str) -> None:
        """A picture of `fonts/icons.py`."""
        from .fonts import icons

        picture = bytearray(getattr(icons, name))
        size = icons.SIZE
        self.frame.blit(
            framebuf.FrameBuffer(picture, size, 24, framebuf.MONO_VLSB), x, y, _TRANSPARENT
        )

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


def _cut(columns: bytes, most: int) -> "Any":
    """The first columns of a letter at the edge; None if there are none."""
    if most <= 0:
        return None
    wide = len(columns) // 2
    return _picture(columns[:most] + columns[wide : wide + most])


def _picture(columns: bytes) -> "Any":
    """What `Font.columns` gives, ready to be laid on the frame."""
    wide = len(columns) // 2
    return framebuf.FrameBuffer(bytearray(columns), wide, _LETTER_ROWS, framebuf.MONO_VLSB)
