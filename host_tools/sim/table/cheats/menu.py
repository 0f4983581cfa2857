"""The menu for arbiters' training: every trick by name, those of the games first."""

from host_tools.games import GAMES, texts_of
from host_tools.games.base import Trick

_RULES = {
    "two": "reliability",
    "pull": "reliability",
    "foreign": "FORMAT",
    "empty": "FORMAT",
    "torn": "FORMAT",
    "copied": "security",
    "dead": "SW-9",
    "cut": "CL-2",
    "flash": "reliability",
    "unplug": "link",
}
_BUTTONS, _TOLD = texts_of("trick"), texts_of("trick told")
GAME_OF = {name: game.name for game in GAMES.values() for name in game.tricks}
"""The game of a trick; what works in all games is not here."""
CHEATS: dict[str, Trick] = {
    **{name: trick for game in GAMES.values() for name, trick in game.tricks.items()},
    **{name: Trick(rule) for name, rule in _RULES.items()},
}


def cheat_texts(lang: str) -> dict[str, dict[str, str]]:
    """For every trick its button and what becomes of it."""
    return {name: {"button": _BUTTONS[lang][name], "told": _TOLD[lang][name]} for name in CHEATS}
