"""Reads the OLED: the letters of the box's own font, found again in a picture.

Two readers need this: people who hear the page instead of seeing it, and the robot hands, which
look for a list item as a person does. The picture is all they get; nothing is asked of the app.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from firmware.app.canvas import LINE, TOP
from firmware.app.fonts import small
from hardware.twin.oled import HEIGHT, WIDTH, Picture

_ROWS = 11  # of a small letter: accent, seven rows of body, tail
_BODY = 0x3FE  # neighbouring lines share rows 0 and 10: accents above, tails below
_FULL = 0x7FF
_WORD_GAP = 4  # blank columns between two words: a space of 3 and the gap of 1
_FIELD_GAP = 12  # so many part two fields of a row
_UNKNOWN = "�"
# Below another line a tail of that line looks like their accent; the plain letter is likelier.
_RARE = frozenset("ŠŽÊÎÔÛČĞÅ")
_LINES = (0, *range(TOP, HEIGHT - _ROWS + 1, LINE))
_OTHER_LINES = tuple(y for y in range(TOP, HEIGHT - _ROWS + 1) if y not in _LINES)


@dataclass(frozen=True)
class ScreenLine:
    """One line: its top row `y`, its text (fields parted by a tab), and whether it is lit."""

    y: int
    text: str
    lit: bool


def read_screen(picture: Picture) -> list[ScreenLine]:
    """The lines of text on the screen, from top to bottom."""
    if picture.dark:
        return []
    columns = _columns(picture)
    found = {y: line for y in _LINES if (line := _read_line(columns, y)) is not None}
    for y in _OTHER_LINES:
        if all(abs(y - other) >= LINE for other in found):
            line = _read_line(columns, y)
            if line is not None and _UNKNOWN not in line.text:
                found[y] = line
    return [found[y] for y in sorted(found)]


def lit_line(lines: list[ScreenLine]) -> ScreenLine | None:
    """The chosen item of the list on the screen, if there is a list."""
    return next((line for line in lines if line.lit), None)


def likeness(seen: str, wanted: str) -> int:
    """How many letters of `wanted` the line begins with; accents and gaps do not count."""
    count = 0
    for left, right in zip(plain(seen), plain(wanted), strict=False):
        if left != right:
            break
        count += 1
    return count


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Without accents, spaces and unread letters: what survives a crowded screen."""
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c) and c not in " \t\xa0�")


def _read_line(picture_columns: list[int], y: int) -> ScreenLine | None:
    columns = [column >> y & _FULL for column in picture_columns]
    if all(column & 1 for column in columns):
        # the lit item above reaches into row 0 and hides all accents there
        columns = [column & ~1 for column in columns]
    # Canvas.rows lights rows 1 to 10 of the chosen item, over the whole width
    lit = columns[0] & 0x7FE == columns[WIDTH - 1] & 0x7FE == 0x7FE
    if lit:
        columns = [column ^ 0x7FE for column in columns]
    text = "\t".join(_readable(_decode(columns, crowded=y > TOP)))
    return ScreenLine(y, text, lit) if text else None


def _readable(text: str) -> list[str]:
    """The fields without what was no letters: pictures and big digits."""
    fields = (
        " ".join(word for word in field.split(" ") if _UNKNOWN not in word or len(word) > 3)
        for field in text.split("\t")
    )
    return [field for field in fields if field]


def _columns(picture: Picture) -> list[int]:
    """The dots of every column, the uppermost in bit 0."""
    rows = [f"{row:0{WIDTH}b}" for row in reversed(picture.rows)]
    return [int("".join(dots), 2) for dots in zip(*rows, strict=True)]


def _decode(columns: list[int], crowded: bool) -> str:
    text = ""
    blank = _FIELD_GAP
    x = 0
    while x < WIDTH:
        if not columns[x] & _BODY:
            blank += 1
            x += 1
            continue
        letter, width = _letter(columns, x, crowded)
        text += _between(blank) if text else ""
        text += letter if letter != _UNKNOWN or not text.endswith(_UNKNOWN) else ""
        blank = 0
        x += width
    return text


def _between(blank: int) -> str:
    if blank >= _FIELD_GAP:
        return "\t"
    return " " if blank >= _WORD_GAP else ""


def _letter(columns: list[int], x: int, crowded: bool) -> tuple[str, int]:
    """The widest letter that stands at column `x` with a blank column behind it."""
    for glyph, letter in _glyphs().get(columns[x] & _BODY, ()):
        width = len(glyph)
        if x + width < WIDTH and columns[x + width] & _BODY:
            continue
        if _matches(columns, x, glyph) and not (crowded and letter in _RARE):
            return letter, width
    return _UNKNOWN, 1


def _matches(columns: list[int], x: int, glyph: tuple[int, ...]) -> bool:
    """Equal in the body; what the letter has in the shared rows must be lit there."""
    if x + len(glyph) > WIDTH:
        return False
    for offset, dots in enumerate(glyph):
        seen = columns[x + offset]
        if (seen ^ dots) & _BODY or dots & ~seen & _FULL:
            return False
    return True


@lru_cache(maxsize=1)
def _glyphs() -> dict[int, list[tuple[tuple[int, ...], str]]]:
    """First column's body -> letters that begin so, the one with the most dots first."""
    table: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for place, letter in enumerate(small.LETTERS):
        start, end = (_start(place), _start(place + 1))
        glyph = [small.LOW[at] | small.HIGH[at] << 8 for at in range(start, end)]
        while not glyph[0] & _BODY:  # the hook of a j reaches out below the letter before it
            del glyph[0]
        table.setdefault(glyph[0] & _BODY, []).append((tuple(glyph), letter))
    for letters in table.values():
        letters.sort(key=lambda pair: (-len(pair[0]), -sum(d.bit_count() for d in pair[0])))
    return table


def _start(place: int) -> int:
    return int.from_bytes(small.STARTS[2 * place : 2 * place + 2], "little")
