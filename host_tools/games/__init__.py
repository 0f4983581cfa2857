"""The games: those that are built in, and those that were added (loading.py). A folder a game has
all of it that lies on the laptop; its row `GAME` says so (host_tools/games/base.py). Which games
are built in says firmware/games/__init__.py alone.
"""

import importlib
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from firmware.games import BUILT_IN
from host_tools.core.texts import Texts
from host_tools.games.base import Game
from host_tools.games.loading import LAPTOP, installed_games, load_game, unload_game
from host_tools.games.steps import Say
from host_tools.games.table_view import TableView

GAMES: dict[str, Game] = {
    name: importlib.import_module(f"host_tools.games.{name}").GAME for name in BUILT_IN
}
_folders: dict[str, Path] = {}


def add_game(folder: Path, name: str = "") -> Game:
    """Have the game in this folder too, called as the folder is; again is no fault. UserError."""
    folder = folder.resolve()
    name = name or folder.name
    if _folders.get(name) != folder:
        GAMES[name] = load_game(name, folder)
        _folders[name] = folder
    return GAMES[name]


def remove_game(name: str) -> None:
    """Be without an added game again."""
    unload_game(name)
    del GAMES[name], _folders[name]


def folder_of(name: str) -> Path | None:
    """Where an added game lies; None for one that is built in."""
    return _folders.get(name)


def game_of(header: dict[str, Any]) -> Game:
    """The game of a header that the rules have accepted."""
    return GAMES[header["game"]]


def drawn(header: dict[str, Any], seed: int) -> dict[str, Any]:
    """A header with what is drawn by lot before the match of this seed."""
    # not the numbers that deal the hands: those would follow from what is drawn
    return game_of(header).drawn(header, random.Random(f"drawn/{seed}"))


def table_view(
    header: dict[str, Any],
    match: Any,
    say: Say,
    seed: int | None = None,
    faultless: bool = True,
    strengths: Sequence[str] = (),
) -> TableView:
    """The table of a match that was just opened (`TableView` says what the arguments are)."""
    return game_of(header).table(header, match, say, seed, faultless, strengths)


def page_texts(lang: str) -> Mapping[str, str]:
    """The texts of the pages of the virtual table."""
    return _PAGES[lang]


_PAGES = Texts("table")
# asked at every look-up: the texts of a game that is added later are found as well
Texts.games = lambda: tuple(game.folder for game in GAMES.values())


def scripts() -> dict[str, Path]:
    """Name in the address -> file: `<game>/page.js` draws a game on a page; without one of its own
    it is the one here.
    """
    usual = Path(__file__).parent / "page.js"
    folders = {name: Path(__file__).parent / name for name in GAMES}
    folders |= {name: folder / LAPTOP for name, folder in _folders.items()}
    own = {
        f"{name}/{path.name}": path
        for name, folder in folders.items()
        for path in folder.glob("*.js")
    }
    return {f"{name}/page.js": usual for name in folders} | own


# last: games import from this module
for _name, _folder in installed_games().items():
    add_game(_folder, _name)
