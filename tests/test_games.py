"""A game in one place: outside of its own folders no file of the laptop's tools names a game."""

import re
from pathlib import Path

import pytest

from host_tools.core.texts import read
from host_tools.games import GAMES

ROOT = Path(__file__).resolve().parent.parent
ROOM = ROOT / "host_tools"
NAMES = re.compile("|".join(GAMES), re.IGNORECASE)
BUILT_IN = "games/__init__.py"


def files() -> list[str]:
    """Every text file of host_tools that lies in no game's folder."""
    found = (path for path in ROOM.rglob("*") if path.suffix in (".py", ".js", ".html", ".css"))
    names = (path.relative_to(ROOM).as_posix() for path in found)
    own = tuple(f"games/{game}/" for game in GAMES)
    return sorted(name for name in names if not name.startswith(own))


def test_only_the_list_of_built_in_games_names_one() -> None:
    naming = {name for name in files() if NAMES.search((ROOM / name).read_text("utf-8"))}
    assert naming == {BUILT_IN}


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
