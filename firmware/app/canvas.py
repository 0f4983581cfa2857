"""Letters, digits, lists and pictures on the 128 x 64 screen.

x and y are dots from the top left corner. A line of text is put together in one buffer and laid on
the frame in one `blit`, so drawing costs no memory.
"""

import framebuf
from micropython import const

from .fonts import big as _big
from .fonts import small as _small

WIDTH = const(128)
HEIGHT = const(64)
TOP = const(12)  # the first line below the top bar
LINE = const(10)  # from one line of small letters to the next
BIG_HEIGHT = const(14)
ICON = const(22)

_SMALL_GAP = const(1)
_BIG_GAP = const(2)
_SPACE = const(3)
_SPACES = " \xa0"  # the second one does not break a line
_MISSING = "?"
_TRANSPARENT = const(0)
_BLANK = bytes(256)  # a line of text without a dot: two rows of bytes, one a column

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any


class Font:
    """Looks letters up in a generated module of `fonts/`."""

    def __init__(self, data: "Any", gap: int) -> None:
        self.letters: str = data.LETTERS
        self.starts: bytes = data.STARTS
        self.low: bytes = data.LOW
        self.high: bytes = data.HIGH
        self.gap = gap

    def place(self, letter: str) -> int:
        """The number of a letter, -1 for a space; one that nobody drew is a question mark."""
        if letter in _SPACES:
            return -1
        found = self.letters.find(letter)
        return found if found >= 0 else max(self.letters.find(_MISSING), 0)

    def start(self, place: int) -> int:
        """The first column of a letter."""
        return self.starts[2 * place] + 256 * self.starts[2 * place + 1]

    def width(self, text: str) -> int:
        """Dots from the first column to the last."""
        total = 0
        for letter in text:
            place = self.place(letter)
            wide = _SPACE if place < 0 else self.start(place + 1) - self.start(place)
            total += wide + self.gap
        return max(total - self.gap, 0)


class Canvas:
    """Draws on `frame`, a framebuf of 128 x 64 in MONO_VLSB."""

    def __init__(self, frame: "Any") -> None:
        self.frame = frame
        self.small = Font(_small, _SMALL_GAP)
        self.digits = Font(_big, _BIG_GAP)
        self._columns = bytearray(2 * WIDTH)
        self._line = framebuf.FrameBuffer(self._columns, WIDTH, 16, framebuf.MONO_VLSB)

    def clear(self) -> None:
        """All dots off."""
        self.frame.fill(0)

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

    def _write(self, font: "Font", x: int, y: int, text: str, limit: int, ink: int) -> int:
        columns = self._columns
        columns[:] = _BLANK
        limit = min(limit, WIDTH)
        for letter in text:
            x = self._letter(font, letter, x, limit) + font.gap
        if not ink:
            for at in range(2 * WIDTH):
                columns[at] ^= 0xFF
        self.frame.blit(self._line, 0, y, 1 - ink)  # the ground stays as it is
        return x

    def _letter(self, font: "Font", letter: str, x: int, limit: int) -> int:
        place = font.place(letter)
        if place < 0:
            return x + _SPACE
        columns = self._columns
        low = font.low
        high = font.high
        for at in range(font.start(place), font.start(place + 1)):
            if 0 <= x < limit:
                columns[x] = low[at]
                columns[WIDTH + x] = high[at]
            x += 1
        return x

    def wrap(self, text: str, width: int) -> "list[str]":
        """The lines of a sentence, each at most `width` dots of small letters."""
        lines: "list[str]" = []
        line = ""
        for word in text.split(" "):
            longer = line + " " + word if line else word
            if line and self.small.width(longer) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
        return lines

    def sentence(self, x: int, y: int, text: str, most: int = 4) -> int:
        """A sentence in at most `most` lines from (x, y). Returns y below the last one."""
        for line in self.wrap(text, WIDTH - x)[:most]:
            self.text(x, y, line)
            y += LINE
        return y

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
        fit = (HEIGHT - y) // LINE
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
        self.text(2, y, left, edge, ink)
