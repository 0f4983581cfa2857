"""The words of the box, and the language in which it says them."""

from firmware.app.start_menu import LANGUAGES
from firmware.app.words import Words
from firmware.games import names, row
from host_tools.core.texts import ORIGINAL


def box_language(lang: str) -> str:
    """`lang` if the box knows it, else English: the laptop may have more languages."""
    return lang if lang in LANGUAGES else ORIGINAL


def box_words(lang: str, *games: str) -> Words:
    """The words of the box for these games, or for all of its games."""
    return Words(box_language(lang), *(row(name).package for name in games or names()))
