"""A game in one place: outside of its own folders no file that runs on the laptop names a game.
The one list of those that are built in is the box's: tests/app/test_games.py.
"""

import re
from pathlib import Path

import pytest

from host_tools.core.texts import read
from host_tools.games import GAMES

ROOT = Path(__file__).resolve().parent.parent
ROOM = ROOT / "host_tools"
NAMES = re.compile("|".join(GAMES), re.IGNORECASE)
ROOMS = ("host_tools", "card_tags", "schiri", "hardware/twin")
KINDS_OF_FILE = (".py", ".js", ".html", ".css")


def test_no_file_of_the_laptop_names_a_game() -> None:
    own = [ROOM / "games" / game for game in GAMES]
    files = [
        path
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.suffix in KINDS_OF_FILE
        if not any(path.is_relative_to(folder) for folder in own)
    ]
    assert len(files) > 300
    assert [path for path in files if NAMES.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_no_other_game(game: str) -> None:
    others = [f"games.{other}" for other in GAMES if other != game]
    for path in (ROOM / "games" / game).rglob("*.py"):
        text = path.read_text("utf-8")
        assert not [other for other in others if other in text], path


@pytest.mark.parametrize("game", GAMES)
def test_a_row_has_everything_that_the_laptop_asks_for(game: str) -> None:
    row = GAMES[game]
    assert row.name == game
    assert row.demos
    assert (ROOM / "games" / game / "page.js").is_file()
    for lang in ("de", "en"):  # tests/host/test_catalogue.py says more
        texts = read(row.folder / f"{lang}.po")
        assert set(row.tricks) == set(texts["trick"]) == set(texts["trick told"])
    assert all(trick.action is not None for trick in row.tricks.values())
