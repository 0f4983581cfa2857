"""Texts that people typed: what cannot be shown safely, in a terminal, on a page or on paper."""

import re
import unicodedata

LONGEST_NAME = 80
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


def unsafe(text: str) -> str:
    """The first character of `text` that no name may hold, "" if there is none."""
    # each with the one before it: at the beginning a space, behind which a joiner joins nothing
    pairs = zip(f" {text}", text, strict=False)
    return next((char for before, char in pairs if _is_unsafe(char, before)), "")


def stacked(text: str) -> bool:
    """True if a letter of `text` carries more marks than any script has."""
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            return True
    return False


def _is_unsafe(char: str, before: str) -> bool:
    if char in _JOINERS:
        return unicodedata.category(before) not in _JOINED
    return char in _BLANK or unicodedata.category(char) in _UNSHOWN


def cut(text: str, longest: int = LONGEST_ECHO) -> str:
    """The beginning of a text, with a mark if something is missing."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def shown(text: str, longest: int = LONGEST_NAME) -> str:
    """`text` as it may be shown: a mark in the place of unsafe characters, cut after `longest`.
    What is in a restored log stays there as it is.
    """
    text = text[: longest + 1]  # somebody may hand in megabytes
    pairs = zip(f" {text}", text, strict=False)
    safe = "".join(INSTEAD if _is_unsafe(char, before) else char for before, char in pairs)
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"
