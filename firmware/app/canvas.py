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
_HALF = const(64)
_SHARED_GAP = const(8)
_MIDDLE_Y = const(26)  # of big digits that stand alone
_BLANK = const(32)
_ABOVE = const(4)  # rows that big digits stand out above small letters
_LEFT = const(0)
_MIDDLE = const(1)
_RIGHT = const(2)
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
    from collections.abc import Sequence
    from typing import Any

    from .view import ViewPart, WrappedText


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
        raw = text.encode()
        widths = self.widths
        gap = self.gap
        total = -gap
        for code in raw if len(raw) == len(text) else self.codes(text):
            total += widths[code] + gap
        return max(total, 0)

    def view(self, code: int) -> memoryview:
        """The dots of a letter and of all behind it; kept in `views`."""
        starts = self._data.STARTS
        view = self._dots[starts[2 * code] + 256 * starts[2 * code + 1] :]
        self.views[code] = view
        return view


class Canvas:
    """Draws on `frame`, a framebuf of 128 x 64 in MONO_VLSB, for the player at seat `side`.

    What a page shows is a value, a list of parts (docs/adding-a-screen.md), each a tuple:

        ("text", x, y, text)                 small letters, cut at the right edge
        ("ends", y, left, right, number)     at both ends of a line; `left` gives way with "…";
                                             `number` in big digits behind `right`, "" for none
        ("digits", y, left, middle, right)   big digits, "" for none
        ("large", x, y, text)                large letters
        ("icon", x, y, name)                 a picture of `fonts/icons.py`
        ("middle", y, text)                  small letters
        ("hint", text, rule)                 last line; the rule only if there is room for it
        ("lines", x, y, sentences)           wrapped, one below the other, as many as fit; a list
                                             of names and one of numbers share two lines
        ("rows", y, items, chosen)           a list; -1: nothing is lit
        ("seats", y, names, numbers, turn, clock)    two seats: names, big numbers, an arrow at the
                                             one on turn, and between them the clock, "" for none
        ("framed", texts)                    by side
        ("bar", title, clock, stopped, late)         above every page
        ("standing", numbers, seat, more)            below every page of a match
    """

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

    def draw(self, parts: "Sequence[ViewPart]") -> None:
        """Add these parts to the picture."""
        for part in parts:
            if part[0] == "text":
                self._write(self.small, part[1], part[2], part[3], WIDTH, 1)
            else:
                _DRAWN[part[0]](self, *part[1:])

    def _near_seat(self) -> int:
        """The seat of two that looks at this picture: what is drawn by it differs by side."""
        self.has_sides = True
        return self.side

    # -- the parts --

    def _bar(self, title: str, clock: str, stopped: bool, late: bool) -> None:
        """The clock at the right end, two strokes beside it while it is stopped; behind it a mark
        while somebody takes long (CL-7).
        """
        edge = self.right(0, "!") - 4 if late else WIDTH
        if clock:
            edge = self.right(0, clock, edge) - 8
        if stopped:
            self.frame.fill_rect(edge + 1, 2, 2, 7, 1)
            self.frame.fill_rect(edge + 4, 2, 2, 7, 1)
        self._write(self.small, 0, 0, self.fitted(title, edge), edge, 1)
        self.frame.hline(0, TOP - 1, WIDTH, 1)

    def _standing(self, numbers: "Sequence[object]", seat: "int | None", more: str) -> None:
        """The number of each seat, an arrow at the seat on turn, and what else the game says. Of
        two seats the near one stands first.
        """
        if len(numbers) == 2:
            near = self._near_seat()
            text = "%s : %s" % (numbers[near], numbers[1 - near])
            if seat is not None:
                text = "→" + text if seat == near else text + " ←"
        else:
            marks = ["→" if place == seat else "" for place in range(len(numbers))]
            text = " ".join([mark + str(number) for mark, number in zip(marks, numbers)])
        x = self._write(self.small, 0, STATUS, text, WIDTH, 1) + 6
        if more:
            self.right(STATUS, self.fitted(more, WIDTH - x))

    def _ends(self, y: int, left: str, right: str, number: str) -> None:
        edge = WIDTH
        if number:
            edge = self._digits_at(y - _ABOVE, number, _RIGHT) - 3
        if right:
            edge = self.right(y, right, edge) - 4
        self._write(self.small, 0, y, self.fitted(left, edge), WIDTH, 1)

    def _digits(self, y: int, left: str, middle: str, right: str) -> None:
        self._digits_at(y, left, _LEFT)
        self._digits_at(y, middle, _MIDDLE)
        self._digits_at(y, right, _RIGHT)

    def _seats(
        self,
        y: int,
        names: "Sequence[str]",
        numbers: "Sequence[int]",
        turn: "int | None",
        clock: str,
    ) -> None:
        """Those of the player who looks at this screen on the left."""
        near = self._near_seat()
        far = 1 - near
        self.text(0, y, names[near], _HALF)
        self.right(y, names[far])
        left = "→ %d" if turn == near else "%d"
        right = "%d ←" if turn == far else "%d"
        self._digits(y + LINE + 1, left % numbers[near], clock, right % numbers[far])

    def _middle(self, y: int, text: str) -> None:
        self.text(max((WIDTH - self.small.width(text)) // 2, 0), y, text)

    def _hint(self, text: str, rule: str) -> None:
        x = self.text(0, STATUS, text)
        if x + self.small.width(rule) < WIDTH:
            self.right(STATUS, rule)

    def _lines(self, x: int, y: int, sentences: "Sequence[WrappedText]") -> None:
        for sentence in sentences:
            if type(sentence) is str:
                lines = self.wrap(sentence, WIDTH - x)
            else:
                lines = self._shared(sentence[0], sentence[1], WIDTH - x)
            for line in lines:
                if y + LINE <= self.bottom:
                    self._write(self.small, x, y, line, WIDTH, 1)
                y += LINE

    def _shared(self, names: "Sequence[str]", numbers: "Sequence[str]", width: int) -> "list[str]":
        """On two lines; of long names the first letters."""
        half = (len(names) + 1) // 2
        words = []
        for name, number in zip(names, numbers):
            number = ": " + number
            room = (width + _SHARED_GAP) // half - _SHARED_GAP - self.small.width(number)
            words.append(self.fitted(name, room) + number)
        return ["  ".join(words[:half]), "  ".join(words[half:])]

    def _framed(self, texts: "Sequence[str]") -> None:
        self.frame.rect(0, 0, WIDTH, HEIGHT, 1)
        self._digits_at(_MIDDLE_Y, texts[self._near_seat()], _MIDDLE)

    # -- text --

    def text(self, x: int, y: int, text: str, limit: int = WIDTH, ink: int = 1) -> int:
        """Small letters, cut at column `limit`. `ink` 0 = dark letters on a lit ground.

        Returns the column behind the text.
        """
        return self._write(self.small, x, y, text, limit, ink)

    def right(self, y: int, text: str, edge: int = WIDTH) -> int:
        """Small letters that end at column `edge`; returns where they begin."""
        x = max(edge - self.small.width(text), 0)
        self._write(self.small, x, y, text, WIDTH, 1)
        return x

    def _digits_at(self, y: int, text: str, place: int) -> int:
        """Big digits, 14 rows, at the left edge (`place` 0), in the middle (1) or at the right
        edge (2); returns where they begin.
        """
        x = WIDTH
        if text:
            x = max((WIDTH - self.digits.width(text)) * place // 2, 0)
            self._write(self.digits, x, y, text, WIDTH, 1)
        return x

    def large(self, x: int, y: int, text: str) -> None:
        """Large letters in rows `y` to `y` + 21; capitals fill `y` + 4 to `y` + 17. As many as fit
        up to the right edge.
        """
        self._write(self.letters, x, y, self.fitted(text, (WIDTH - x) // 2), WIDTH, 1)

    def _write(self, font: "Font", x: int, y: int, text: str, limit: int, ink: int) -> int:
        limit = min(limit, WIDTH)
        gap = font.gap
        widths = font.widths
        letter = font.letter
        blit = self.frame.blit
        raw = text.encode()
        if not font.views:
            font.views = [None] * len(widths)
        views = font.views
        palette = None if ink else self._dark
        ground = 1 - ink  # stays as it is
        for code in raw if len(raw) == len(text) else font.codes(text):
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
        over = small.width(text) - width
        if over <= 0:
            return text
        codes = small.codes(text)
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
        small = self.small
        codes = small.codes(text)
        if len(codes) != len(text):
            text = _spelled(text)
            codes = small.codes(text)
        lines: "list[str]" = []
        start = 0
        blank = used = 0  # the last one of this line, and the dots up to it
        wide = -small.gap
        for at in range(len(codes)):
            wide += small.widths[codes[at]] + small.gap
            if codes[at] == _BLANK:
                blank = at
                used = wide
            elif wide > width and blank > start:
                lines.append(text[start:blank])
                start = blank + 1
                wide -= used + small.gap
        lines.append(text[start:])
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


# part -> how it is drawn; the commonest, "text", in `draw` itself
_DRAWN: "dict[str, Any]" = {
    "ends": Canvas._ends,
    "digits": Canvas._digits,
    "large": Canvas.large,
    "icon": Canvas.icon,
    "middle": Canvas._middle,
    "hint": Canvas._hint,
    "lines": Canvas._lines,
    "rows": Canvas.rows,
    "seats": Canvas._seats,
    "framed": Canvas._framed,
    "bar": Canvas._bar,
    "standing": Canvas._standing,
}


def _instead(letter: str) -> str:
    """The letters that stand for one that nobody drew; "" for none."""
    at = _INSTEAD.find(letter) if letter > "\x7f" else -1
    return _INSTEAD[at + 1 : _INSTEAD.find(" ", at)] if at >= 0 else ""


def _spelled(text: str) -> str:
    """The text in letters that were drawn."""
    return "".join([_instead(letter) or letter for letter in text])
