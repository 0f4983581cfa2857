"""The games that are built in. A folder a game holds all that it has on the laptop; its row `GAME`
says so (host_tools/games/base.py). The only list of their names outside of those folders.
"""

from pathlib import Path
from typing import Any

from host_tools.core.texts.table import LANGUAGES
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


def page_texts(lang: str) -> dict[str, str]:
    """The words of all games for the pages of the virtual table."""
    column = LANGUAGES.index(lang)
    games = [game.words.page for game in GAMES.values()]
    return {key: pair[column] for page in games for key, pair in page.items()}


def scripts() -> tuple[Path, dict[str, str]]:
    """The folder of the games, and the scripts in it: `<game>/page.js` draws a game on a page."""
    folder = Path(__file__).parent
    names = [path.relative_to(folder).as_posix() for path in folder.glob("*/*.js")]
    return folder, {name: name for name in names}
