"""The words of board, desk and print in one place per language, and how they are looked up."""

from collections.abc import Callable, Mapping

from host_tools.core.texts.board import BOARD, ROUNDS
from host_tools.core.texts.desk import DESK

LANGS = ("de", "en")
DEFAULT = "de"
TEXTS: dict[str, dict[str, str]] = {lang: BOARD[lang] | DESK[lang] for lang in LANGS}


def chosen(asked: str | None, accepted: str = "") -> str:
    """The language: what was asked for, else the first of an Accept-Language that we have."""
    if asked in LANGS:
        return str(asked)
    for part in accepted.split(","):
        code = part.partition(";")[0].strip()[:2].lower()
        if code in LANGS:
            return code
    return DEFAULT


def round_namer(lang: str) -> Callable[[str], str]:
    """A function from a round (`1/8`, `final`) to its name for people."""
    names: Mapping[str, str] = ROUNDS[lang]
    return lambda name: names.get(name, name)
