"""The games that the box can play.

A game is a package with a row `GAME` (firmware/rules/game.py). Rows, rules and pages are imported
when they are needed: the box never holds two games in memory.
"""

from micropython import const

from firmware.rules.errors import Malformed
from firmware.rules.fields import need_int, need_list, one_of

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware.app.page import Page
    from firmware.app.table import Table
    from firmware.rules.game import Game
    from firmware.rules.match import Match

VERSION = 1
# The folders beside this file, in the order of the menu. A game that is added on the laptop
# (host_tools/games/loading.py) is last in it, also in the copy that such a firmware is built from.
BUILT_IN: "tuple[str, ...]" = ("trumpf", "quartett", "cafe", "hattrick")


def names() -> "tuple[str, ...]":
    """The names of all games, in the order of the menu."""
    return BUILT_IN


def row(name: str) -> "Game":
    """The row of a game of `names()`."""
    found: "Game" = _from(package_of(name), "GAME")
    return found


def package_of(name: str) -> str:
    """The dotted name of the package of a built-in game."""
    return "firmware.games." + name


def open_match(header: "dict[str, object]") -> "Match":
    """Open a match; `deck`, `board` are objects already. Raises Malformed with the field."""
    return rules_of(row(check_header(header)))(header)


def rules_of(game: "Game") -> "Callable[[dict[str, object]], Match]":
    """The class of a game's matches."""
    module, name = game.rules
    found: "type[Match]" = _from(game.package + "." + module, name)
    return found


def page_of(game: "Game") -> "type[Table]":
    """The class of the page on which a game is played: `page(app, session)`."""
    module, name = game.page
    found: "type[Table]" = _from(game.package + "." + module, name)
    return found


def page_before(game: "Game", preset: "str | None") -> "type[Page] | None":
    """The class of the page that comes before a match with this preset, if there is one."""
    for each in game.presets:
        if each.name == preset and each.before is not None:
            module, name = each.before
            found: "type[Page]" = _from(game.package + "." + module, name)
            return found
    return None


def _from(module: str, name: str) -> "Any":
    return getattr(__import__(module, None, None, (name,)), name)


def check_header(header: "dict[str, object]") -> str:
    """Check what all games share and return the game. Each game checks its own fields."""
    if type(header) is not dict:
        raise Malformed("header", "is not an object")
    if need_int(header, "schiri") != VERSION:
        raise Malformed("schiri", "is not version 1")
    game = one_of(header, "game", names())
    seats = need_int(header, "seats")
    if "names" in header:
        given = need_list(header, "names")
        if len(given) != seats:
            raise Malformed("names", "needs one name per seat")
        for name in given:
            if type(name) is not str:
                raise Malformed("names", "holds something that is not a string")
    return game
