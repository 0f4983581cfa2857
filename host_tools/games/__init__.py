"""The games that are built in. A folder a game holds all that it has on the laptop; its row `GAME`
says so (host_tools/games/base.py). The only list of their names outside of those folders.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from host_tools.core.texts import Texts
from host_tools.games.base import Game
from host_tools.games.cafe import GAME as CAFE
from host_tools.games.hattrick import GAME as HATTRICK
from host_tools.games.quartett import GAME as QUARTETT
from host_tools.games.steps import Say
from host_tools.games.table import TableView
from host_tools.games.trumpf import GAME as TRUMPF

GAMES: dict[str, Game] = {game.name: game for game in (TRUMPF, QUARTETT, CAFE, HATTRICK)}


def game_of(header: dict[str, Any]) -> Game:
    """The game of a header that the rules have accepted."""
    return GAMES[header["game"]]


def table_view(
    header: dict[str, Any],
    match: Any,
    say: Say,
    seed: int | None = None,
    faultless: bool = True,
) -> TableView:
    """The table of a match that was just opened (`TableView` says what the arguments are)."""
    return game_of(header).table(header, match, say, seed, faultless)


def texts_of(context: str) -> Texts:
    """The texts of a context: those that games share and those of every game."""
    return Texts(context, *(game.folder for game in GAMES.values()))


def page_texts(lang: str) -> Mapping[str, str]:
    """The texts of the pages of the virtual table."""
    return _PAGES[lang]


_PAGES = texts_of("table")


def scripts() -> tuple[Path, dict[str, str]]:
    """The folder of the games, and the scripts in it: `<game>/page.js` draws a game on a page."""
    folder = Path(__file__).parent
    names = [path.relative_to(folder).as_posix() for path in folder.glob("*/*.js")]
    return folder, {name: name for name in names}
