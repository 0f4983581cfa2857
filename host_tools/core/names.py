"""Texts that people typed: what cannot be shown safely, in a terminal, on a page or on paper."""

import unicodedata

LONGEST_NAME = 80
LONGEST_REASON = 500
_UNSHOWN = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters (ESC moves a terminal's cursor), halves of pairs, line and paragraph ends."""
_TURNS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)
"""Marks that turn the direction of everything behind them. Letters of all scripts need none."""
INSTEAD = "\ufffd"


def unsafe(text: str) -> str:
    """The first character of `text` that no name may hold, "" if there is none."""
    return next((char for char in text if _is_unsafe(char)), "")


def _is_unsafe(char: str) -> bool:
    return char in _TURNS or unicodedata.category(char) in _UNSHOWN


def shown(text: str, longest: int = LONGEST_NAME) -> str:
    """`text` as it may be shown: a mark in the place of unsafe characters, cut after `longest`.
    What is in a log of before stays there as it is.
    """
    safe = "".join(INSTEAD if _is_unsafe(char) else char for char in text)
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"
