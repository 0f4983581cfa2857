"""Texts that people typed: what cannot be shown safely, in a terminal, on a page or on paper."""

import re
import unicodedata
from collections.abc import Iterator

LONGEST_NAME = 80
"""Letters, as people count them: a letter with its accents, joiners and signs is one, and so is a
family in one picture.
"""
LONGEST_AT_TABLE = 20
"""Letters of what somebody is called at a table."""
LONGEST_REASON = 500
LONGEST_ECHO = 200
"""Of a value that an error repeats."""
_UNSHOWN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Control characters (ESC moves a terminal's cursor), marks nobody sees (some turn the direction
of everything behind them, others make two names of one), private letters, halves of pairs, line
and paragraph ends.
"""
_BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Letters, marks and signs that nobody sees either."""
_JOINERS = frozenset("\u200c\u200d")
"""Between letters of Arabic and Indian scripts they are part of the spelling, elsewhere unseen."""
_JOINED = {"Lo", "Mn", "Mc"}  # letters without case, as those scripts have, and their marks
_ZWJ = "\u200d"
_PICTURES = {"So", "Sk"}
"""What ZWJ joins to one picture: signs, and behind a person the colour of the skin."""
_AS_PICTURE = "\ufe0f"
_SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
"""Choose how a picture or a Chinese letter of a name is drawn; behind others nobody sees them."""
_VIRAMA = 9  # combining class: behind it a joiner says how the letter before ends (Malayalam)
_POINTS = 11
"""Code points of the longest letter known, a family of four with a skin colour each."""
MOST_MARKS = 4
"""So many marks may stand on one letter: Tibetan and Hebrew need them."""
INSTEAD = "\ufffd"
_SPACES = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_ENDS = " \t\r\n"
"""What a pasted text brings at its ends."""


def tidy(text: str) -> str:
    """The one spelling of a text that people typed, pasted or saved: letters composed (NFC),
    spaces of every kind one space, none at the ends. Control characters stay, to be refused.
    """
    # some systems write letter and accent apart: the same name would be two players
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip(_ENDS)


def folded(text: str) -> str:
    """A name as it is compared: `tidy`, and no matter which case."""
    return tidy(text).casefold()


def slug(name: str) -> str:
    """`Zürich Cup 2026` → `zurich-cup-2026`, at most 64 characters."""
    # apart into letter and mark, of which ASCII keeps the letter
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64] or "tournament"


def unsafe(text: str) -> str:
    """The first character of `text` that no name may hold, "" if there is none."""
    return next((char for char, is_safe in _judged(text) if not is_safe), "")


def graphemes(text: str) -> list[str]:
    """The letters of a text as people count them (Unicode, UAX #29)."""
    if text.isascii():
        return list(text)
    import regex  # only where there is something to tell apart

    found: list[str] = regex.findall(r"\X", text)
    return found


def too_long(text: str, longest: int = LONGEST_NAME) -> bool:
    """Has `text` more than `longest` letters? Bounded: a letter may hold joiners without end."""
    if len(text) <= longest:
        return False
    return len(text) > longest * _POINTS or len(graphemes(text)) > longest


def within(text: str, most: int) -> str:
    """The beginning of a name that takes at most so many bytes, in whole letters."""
    size = 0
    kept = []
    for letter in graphemes(text):
        size += len(letter.encode())
        if size > most:
            break
        kept.append(letter)
    # nobody's first letter takes that many, but a text may
    return "".join(kept).rstrip() or text.encode()[:most].decode(errors="ignore")


def stacked(text: str) -> bool:
    """True if a letter of `text` carries more marks than any script has."""
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            return True
    return False


def _judged(text: str) -> Iterator[tuple[str, bool]]:
    """Every character, and whether a name may hold it there."""
    # at the ends spaces, with which a joiner joins nothing
    for before, char, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if char in _JOINERS:
            yield char, _joins(before, char, after)
        elif char in _SELECTORS:
            yield char, unicodedata.category(before) in ("So", "Lo")
        else:
            yield char, char not in _BLANK and unicodedata.category(char) not in _UNSHOWN


def _joins(before: str, joiner: str, after: str) -> bool:
    """Does a joiner change what is seen? Elsewhere it would make two names of one."""
    if unicodedata.category(before) in _JOINED and before != _AS_PICTURE:
        is_end = unicodedata.combining(before) == _VIRAMA
        return is_end or unicodedata.category(after) in _JOINED
    is_picture = before == _AS_PICTURE or unicodedata.category(before) in _PICTURES
    return joiner == _ZWJ and is_picture and unicodedata.category(after) == "So"


def cut(text: str, longest: int = LONGEST_ECHO) -> str:
    """The beginning of a text, with a mark if something is missing."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def shown(text: str, longest: int = LONGEST_NAME) -> str:
    """`text` as it may be shown: a mark in the place of unsafe characters, cut after `longest`
    letters. What is in a restored log stays there as it is.
    """
    text = text[: longest * _POINTS + 1]  # somebody may hand in megabytes
    safe = "".join(char if is_safe else INSTEAD for char, is_safe in _judged(text))
    return f"{''.join(graphemes(safe)[: longest - 1])}…" if too_long(safe, longest) else safe
