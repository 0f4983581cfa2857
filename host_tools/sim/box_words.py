"""The words of the box, for all of its games."""

from firmware.app.words import Words
from firmware.games import names, row


def box_words(lang: str) -> Words:
    """The words of the box for all of its games, in "de" or "en"."""
    return Words(lang, *(row(name).package for name in names()))
