"""The words of board, desk and print in one place per language, and how they are looked up."""

from collections.abc import Callable, Mapping

from host_tools.core.errors import UserError
from host_tools.core.refusal import in_words
from host_tools.core.texts.board import BOARD, ROUNDS
from host_tools.core.texts.desk import DESK
from host_tools.tournament.state import State
from host_tools.tournament.telling import name_of

LANGS = ("de", "en")
DEFAULT = "de"
TEXTS: dict[str, dict[str, str]] = {lang: BOARD[lang] | DESK[lang] for lang in LANGS}


def chosen(wish: str | None, accepted: str = "") -> str:
    """The language: what was asked for, else the first of an Accept-Language that we have."""
    if wish in LANGS:
        return str(wish)
    for part in accepted.split(","):
        code = part.partition(";")[0].strip()[:2].lower()
        if code in LANGS:
            return code
    return DEFAULT


def refused(error: UserError, state: State, lang: str) -> str:
    """Why something was refused, with names instead of ids: pages show no ids."""
    return said(error.sentence, state, lang)


def said(sentence: str, state: State, lang: str) -> str:
    """A sentence of the tournament in the language of a page."""
    return in_words(sentence, lang, lambda player: name_of(state, player))


def round_namer(lang: str) -> Callable[[str], str]:
    """A function from a round (`1/8`, `final`) to its name for people."""
    names: Mapping[str, str] = ROUNDS[lang]
    return lambda name: names.get(name, name)
