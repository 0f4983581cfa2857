"""The menu for arbiters' training: every trick by name, those of the games first."""

from host_tools.core.texts.table import LANGUAGES
from host_tools.games import GAMES
from host_tools.games.base import Trick
from host_tools.sim.table.cheats.texts import TEXTS

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
GAME_OF = {name: game.name for game in GAMES.values() for name in game.tricks}
"""The game of a trick; what works in all games is not here."""
CHEATS: dict[str, Trick] = {
    **{name: trick for game in GAMES.values() for name, trick in game.tricks.items()},
    **{name: Trick(rule, *TEXTS[name]) for name, rule in _RULES.items()},
}


def cheat_texts(lang: str) -> dict[str, dict[str, str]]:
    """For every trick its button and what becomes of it."""
    column = LANGUAGES.index(lang)
    return {
        name: {"button": trick.button[column], "told": trick.told[column]}
        for name, trick in CHEATS.items()
    }
