"""Reads the OLED: the letters of the box's own font, found again in a picture.

Two readers need this: people who hear the page instead of seeing it, and the robot hands, which
look for a list item as a person does. The picture is all they get; nothing is asked of the app.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

from firmware.app.canvas import LINE, TOP
from firmware.app.fonts import big, small
from hardware.twin.oled import HEIGHT, WIDTH, Picture

from .make_fonts import SPACES, columns_of, letters_of

_ROWS = 11  # of a small letter: accent, seven rows of body, tail
_BODY = 0x3FE  # neighbouring lines share rows 0 and 10: accents above, tails below
_FULL = 0x7FF
_WORD_GAP = 4  # blank columns between two words: a space of 3 and the gap of 1
_FIELD_GAP = 12  # so many part two fields of a row
_UNKNOWN = "�"
_BIG_ROWS = 14
_BIG = 0x3FFF
_BIG_GAP = 2
_LARGE_X = 26  # where large letters begin
_LARGE_AT = (12, 32)
_LARGE = (1 << 2 * _ROWS) - 1
NO_WORDS: Mapping[str, str] = MappingProxyType({})
_COST = 2
_SURELY = 20
_GROUND = 0x7FE
_USUAL = (0, *range(TOP, HEIGHT - _ROWS + 1, LINE))
_TOPS = (0, *range(TOP, HEIGHT - LINE + 1))  # of the lowest line the tails may be cut off


@dataclass(frozen=True)
class ScreenLine:
    """One line: its top row `y`, its text (fields parted by a tab), and whether it is lit."""

    y: int
    text: str
    lit: bool


def read_screen(picture: Picture, words: Mapping[str, str] = NO_WORDS) -> list[ScreenLine]:
    """The lines of text on the screen, from top to bottom.

    `words`: what `vocabulary` gives, for capitals whose accents the lit item above has swallowed.
    """
    if picture.dark:
        return []
    return [
        ScreenLine(line.y, _dressed(line.text, words), line.lit) if bare else line
        for line, bare in _seen(picture)
    ]


@lru_cache(maxsize=64)
def _seen(picture: Picture) -> tuple[tuple[ScreenLine, bool], ...]:
    """The lines, and whether their capitals have lost their accents. Hands and page ask for the
    same pictures.
    """
    columns = _columns(picture)
    large = _take_large(columns)
    digits = _take_big(columns)
    lines = [*_lines(columns, 1), *((line, False) for line in digits + large)]
    # between the lines beside a picture stands the rule, below the picture
    if any(columns):
        lines += _lines(columns, _SURELY)
    return tuple(sorted(lines, key=lambda pair: pair[0].y))


def _lines(columns: list[int], least: int) -> list[tuple[ScreenLine, bool]]:
    """The lines of small letters worth `least` dots; they are wiped out of `columns`."""
    explained = [0] * WIDTH
    lines = []
    for y in _lines_at(columns, least):
        read = _read_line(columns, y, explained)
        if read is not None:
            lines.append(read)
    for line, _ in lines:
        body = _BODY << line.y
        columns[:] = [
            column & ~body if line.lit or dots & body else column
            for column, dots in zip(columns, explained, strict=True)
        ]
    return lines


def _lines_at(columns: list[int], least: int) -> list[int]:
    """Where lines of small letters begin: the usual places that hold nothing but letters, then
    the places at which most is read; none over another.
    """
    nothing = [0] * WIDTH
    chosen: list[int] = []
    for y in _USUAL:
        read = _read(columns, y, nothing)
        if read.worth >= least and not read.unknown and _are_apart(y, chosen):
            chosen.append(y)
    others = [y for y in _TOPS if _are_apart(y, chosen)]
    worth = {y: _read(columns, y, nothing).worth for y in others}
    for y in sorted(others, key=lambda y: -worth[y]):
        if worth[y] >= least and _are_apart(y, chosen):
            chosen.append(y)
    return sorted(chosen)


def _are_apart(y: int, others: list[int]) -> bool:
    return all(abs(y - other) >= LINE for other in others)


def vocabulary(texts: Iterable[str]) -> dict[str, str]:
    """Every word with a capital that has an accent, by the word without it; those that exist in
    both spellings are left out.
    """
    words = {word for text in texts for word in text.replace("|", " ").split()}
    dressed = {_bare(word): word for word in words if _bare(word) != word}
    return {bare: word for bare, word in dressed.items() if bare not in words}


def _bare(word: str) -> str:
    """Capitals without their accents: those are all that reaches into a letter's top row."""
    return "".join(plain(letter) if letter.isupper() else letter for letter in word)


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


class _Read(NamedTuple):
    """What stands in eleven rows: letters (with the gap before each) and their dots by column."""

    letters: list[tuple[int, str, tuple[int, ...]]]
    lit: bool
    below_lit: bool

    @property
    def worth(self) -> int:
        """Dots that are explained by letters; a spot that is none costs."""
        return sum(_dots(glyph) for _, _, glyph in self.letters) - _COST * self.unknown

    @property
    def unknown(self) -> int:
        """Spots that are no letters."""
        return sum(letter.endswith(_UNKNOWN) for _, letter, _ in self.letters)


def _read(picture_columns: list[int], y: int, explained: list[int]) -> _Read:
    columns = [column >> y & _FULL for column in picture_columns]
    if not any(columns):
        return _Read([], False, False)
    # Canvas.rows lights rows 1 to 10 of the chosen item, over the whole width
    lit = columns[0] & _GROUND == columns[WIDTH - 1] & _GROUND == _GROUND
    if lit:
        columns = [column ^ _GROUND for column in columns]
    below_lit = sum(column & 1 for column in columns) > WIDTH // 2
    if below_lit:  # the lit item above reaches into row 0 and hides all accents there
        columns = [column & ~1 for column in columns]
    hanging = [dots >> y & 1 for dots in explained]
    rows = _FULL >> max(y + _ROWS - HEIGHT, 0)
    return _Read(_decode(columns, hanging, rows), lit, below_lit)


def _read_line(columns: list[int], y: int, explained: list[int]) -> tuple[ScreenLine, bool] | None:
    """The line whose top row is `y`, and whether it stands below the lit item.

    `explained` gets the dots of its letters, and has those of the lines above: a tail that hangs
    into this line is no accent.
    """
    read = _read(columns, y, explained)
    text = "\t".join(_readable("".join(letter for _, letter, _ in read.letters)))
    if not text:
        return None
    for x, _, glyph in read.letters:
        for offset, dots in enumerate(glyph):
            explained[x + offset] |= dots << y
    return ScreenLine(y, text, read.lit), read.below_lit


def _dressed(text: str, words: Mapping[str, str]) -> str:
    """With the accents of the words that are known."""
    return "".join(words.get(part, part) for part in re.split(r"(\s+)", text))


def _readable(text: str) -> list[str]:
    """The fields without what was no letters: pictures and big digits."""
    fields = (
        " ".join(
            word.strip(_UNKNOWN)
            for word in field.split(" ")
            if 2 * word.count(_UNKNOWN) < len(word)
        )
        for field in text.split("\t")
    )
    return [field for field in fields if field]


def _columns(picture: Picture) -> list[int]:
    """The dots of every column, the uppermost in bit 0."""
    rows = [f"{row:0{WIDTH}b}" for row in reversed(picture.rows)]
    return [int("".join(dots), 2) for dots in zip(*rows, strict=True)]


def _decode(
    columns: list[int], hanging: list[int], rows: int
) -> list[tuple[int, str, tuple[int, ...]]]:
    """Where each letter begins, the letter (with the gap before it), and its dots. `rows`: those
    that are on the screen.
    """
    found: list[tuple[int, str, tuple[int, ...]]] = []
    blank = _FIELD_GAP
    x = 0
    while x < WIDTH:
        if not columns[x] & _BODY:
            blank += 1
            x += 1
            continue
        letter, glyph = _letter(columns, x, hanging, rows) if blank else (_UNKNOWN, ())
        gap = _between(blank) if found else ""
        if letter != _UNKNOWN or gap or not found or not found[-1][1].endswith(_UNKNOWN):
            found.append((x, gap + letter, glyph))
        blank = 0
        x += max(len(glyph), 1)
    return found


def _between(blank: int) -> str:
    if blank >= _FIELD_GAP:
        return "\t"
    return " " if blank >= _WORD_GAP else ""


def _letter(
    columns: list[int], x: int, hanging: list[int], rows: int
) -> tuple[str, tuple[int, ...]]:
    """The widest letter that stands at column `x` with a blank column behind it; of those with
    the same body the one with the fewest accents that explains every dot of the top row.
    """
    fitting = [
        (glyph, letter)
        for glyph, letter in _glyphs(_BODY & rows).get(columns[x] & _BODY, ())
        if _matches(columns, x, glyph, rows)
    ]
    for glyph, letter in fitting:
        seen = columns[x : x + len(glyph)]
        over = hanging[x : x + len(glyph)]
        if not any(a & ~(g | h) & 1 for a, g, h in zip(seen, glyph, over, strict=True)):
            return letter, glyph
    # something above that is no letter hangs into this line
    return (fitting[0][1], fitting[0][0]) if fitting else (_UNKNOWN, ())


def _matches(columns: list[int], x: int, glyph: tuple[int, ...], rows: int) -> bool:
    """Equal in the body; what the letter has in the shared rows must be lit there."""
    behind = x + len(glyph)
    if behind > WIDTH or (behind < WIDTH and columns[behind] & _BODY):
        return False
    return all(
        not ((seen ^ dots) & _BODY & rows or dots & rows & ~seen)
        for seen, dots in zip(columns[x:behind], glyph, strict=True)
    )


@lru_cache(maxsize=2)
def _glyphs(body: int) -> dict[int, list[tuple[tuple[int, ...], str]]]:
    """First column's body -> letters that begin so: the widest first, then those without accents,
    then those with the longest tails.
    """
    table: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for letter, glyph in _drawn(small):
        while not glyph[0] & body:  # the hook of a j reaches out below the letter before it
            del glyph[0]
        table.setdefault(glyph[0] & body, []).append((tuple(glyph), letter))
    for letters in table.values():
        letters.sort(key=lambda pair: (-len(pair[0]), _accent(pair[0]), -_dots(pair[0])))
    return table


def _accent(glyph: tuple[int, ...]) -> int:
    return sum(dots & 1 for dots in glyph)


def _dots(glyph: tuple[int, ...]) -> int:
    return sum(dots.bit_count() for dots in glyph)


def _drawn(font: Any) -> Iterator[tuple[str, list[int]]]:
    """The letters of a font with their columns, the uppermost dot in bit 0."""
    for letter in letters_of(font):
        if letter not in SPACES:
            yield letter, columns_of(font, letter)


# -- large letters: small ones, every dot as 2 x 2 ------------------------------------------------


def _take_large(columns: list[int]) -> list[ScreenLine]:
    """The lines of large letters, right of a picture or alone; they are wiped out of `columns`."""
    lines = []
    for y, left in product(_LARGE_AT, (0, _LARGE_X)):
        halved = _halved(columns, y, left)
        if not halved or not any(halved):
            continue
        hanging = [int(bool(lines))] * WIDTH  # tails of the line above reach into this one
        letters = _decode([*halved, *[0] * (WIDTH - len(halved))], hanging, _FULL)
        text = "".join(letter for _, letter, _ in letters)
        if letters and _UNKNOWN not in text:
            lines.append(ScreenLine(y, text.replace("\t", " "), False))
            columns[left:] = [dots & ~(_LARGE << y) for dots in columns[left:]]
    return lines


def _halved(columns: list[int], y: int, begin: int) -> list[int]:
    """The columns from `begin` on with one dot for 2 x 2; [] if some are not alike."""
    halved = []
    for left, right in zip(columns[begin::2], columns[begin + 1 :: 2], strict=True):
        rows = [(left >> y & _LARGE) >> 2 * row & 3 for row in range(_ROWS)]
        if left >> y & _LARGE != right >> y & _LARGE or any(row in (1, 2) for row in rows):
            return []
        halved.append(sum(1 << place for place, row in enumerate(rows) if row))
    return halved


# -- big digits -----------------------------------------------------------------------------------


def _take_big(columns: list[int]) -> list[ScreenLine]:
    """The lines of big digits; they are wiped out of `columns`, for the small letters' sake."""
    lines = []
    for y in range(HEIGHT - _BIG_ROWS + 1):
        for text, spots in _big_runs(columns, y):
            lines.append(ScreenLine(y, text, False))
            for x in spots:
                columns[x] &= ~(_BIG << y)
    return lines


def _big_runs(columns: list[int], y: int) -> list[tuple[str, range]]:
    """Runs of neighbouring big letters with a digit or an arrow among them."""
    begins = _big_glyphs()
    seen = [column >> y & _BIG for column in columns]
    runs: list[tuple[str, range]] = []
    for x in [x for x, dots in enumerate(seen) if dots in begins]:
        if runs and x < runs[-1][1].stop:
            continue
        letter, width = _big_letter(seen, x)
        if width and runs and x - runs[-1][1].stop <= _BIG_GAP:
            runs[-1] = (runs[-1][0] + letter, range(runs[-1][1].start, x + width))
        elif width:
            runs.append((letter, range(x, x + width)))
    return [(text, spots) for text, spots in runs if any(c.isdigit() or c in "→←" for c in text)]


def _big_letter(seen: list[int], x: int) -> tuple[str, int]:
    """The big letter that begins in column `x`, and how wide it is; 0 if there is none."""
    for letter, glyph in _big_glyphs()[seen[x]]:
        behind = x + len(glyph)
        alone = not (x and seen[x - 1]) and (behind >= WIDTH or not seen[behind])
        if alone and seen[x:behind] == glyph:
            return letter, len(glyph)
    return "", 0


@lru_cache(maxsize=1)
def _big_glyphs() -> dict[int, list[tuple[str, list[int]]]]:
    """First column -> big letters that begin so."""
    table: dict[int, list[tuple[str, list[int]]]] = {}
    for letter, glyph in _drawn(big):
        table.setdefault(glyph[0], []).append((letter, glyph))
    return table
