"""The words of the box, and the language in which it says them."""

from firmware.app.start_menu import LANGUAGES
from firmware.app.words import Words
from firmware.games import names, row
from host_tools.core.texts import ORIGINAL


def box_language(lang: str) -> str:
    """`lang` if the box knows it, else English: the laptop may have more languages."""
    return lang if lang in LANGUAGES else ORIGINAL


def proper_name(game: str, preset: object, lang: str) -> str:
    """A game as people call it, with its variant if it has any."""
    if game not in names():
        return f"{game} {preset}" if preset else game
    say = box_words(lang, game).get
    said = say(f"game_{game}")
    known = preset and preset in [one.name for one in row(game).presets]
    return f"{said} {say(f'preset_{preset}')}" if known else said


def box_words(lang: str, *games: str) -> Words:
    """The words of the box for these games, or for all of its games."""
    return Words(box_language(lang), *(row(name).package for name in games or names()))
