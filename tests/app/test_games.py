"""A game lies in one place: nothing else of the box knows it, and one more can be added."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import games
from firmware.rules import answers
from firmware.rules.errors import Malformed

from .fakes import Box
from .pictures import stock

ROOT = Path(__file__).resolve().parents[2]
TOY = Path(__file__).parent / "toy_game"
LIST = ROOT / "firmware" / "games" / "__init__.py"
# the games and their presets whose names are no everyday words, in any form: Café, HattrickTable
NAMES = re.compile(r"trumpf|quartett|cafe|café|hattrick|swiss|gastro|kneipe", re.IGNORECASE)
# read_deck is told the preset: which categories need a direction is part of the deck's format
KNOWN = {ROOT / "firmware" / "rules" / "deck.py"}


def lines_naming_a_game(folder: Path) -> list[str]:
    """Lines that name a game, outside the folders of the games and the list of those built in."""
    own = [folder / "games" / name for name in games.BUILT_IN]
    return [
        f"{path.relative_to(folder)}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        if path not in KNOWN and not any(path.is_relative_to(place) for place in own)
        for line in path.read_text("utf8").splitlines()
        if NAMES.search(line) and not (path == LIST and line.startswith("BUILT_IN = "))
    ]


def test_no_file_of_the_box_names_a_game_outside_its_folder() -> None:
    assert lines_naming_a_game(ROOT / "firmware") == []


def test_a_name_in_a_wrong_place_is_seen(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "__init__.py").write_text('BUILT_IN = ("hattrick",)\n')
    (tmp_path / "menu.py").write_text("x = 1\n# as the Café has it\n")
    named = ['games/__init__.py: BUILT_IN = ("hattrick",)', "menu.py: # as the Café has it"]
    assert lines_naming_a_game(tmp_path) == named


def test_every_folder_of_a_game_is_in_the_list() -> None:
    folders = {path.parent.name for path in LIST.parent.glob("*/__init__.py")}
    assert folders == set(games.BUILT_IN)
    assert [games.row(name).name for name in games.BUILT_IN] == list(games.BUILT_IN)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy game in a folder of its own, added to the games of the box."""
    shutil.copytree(TOY, tmp_path / "path" / "clapping")
    monkeypatch.syspath_prepend(tmp_path / "path")
    monkeypatch.setattr(games, "_added", [])
    monkeypatch.setattr(answers, "_EVENTS", list(answers._EVENTS))
    from clapping import GAME  # type: ignore[import-not-found]

    games.add(GAME)
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "clapping"]:
        del sys.modules[name]


@pytest.mark.usefixtures("toy")
def test_a_sixth_game_is_chosen_in_the_menu_and_played_to_its_result(tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en")
    for _ in range(len(games.BUILT_IN)):
        box.press("OK")  # from game to game; the added one comes last
    assert "Clapping" in box.words()
    box.press("DOWN", "OK")
    assert box.lit() == "Variant\tSlow"
    assert box.app.page().rows() == ["game", "preset", "claps", "last", "language", "start"]  # type: ignore[attr-defined]
    box.press("DOWN", "OK", "DOWN")
    assert box.lit() == "Last clap\twins"
    box.press("OK", "OK+")
    session = box.app.session
    assert session is not None
    assert session.header["options"] == {"claps": 5, "last": "loses"}
    assert session.header["preset"] == "slow"
    for clap in range(5):
        assert box.lit() == f"Seat {clap % 2 + 1} claps"
        box.press("OK")  # claps
        assert f"Seat {clap % 2 + 1} clapped, {4 - clap} left" in box.words()
        box.press("OK")  # closes what was told
    assert "Clapped out" in box.words()
    assert dict(session.match.result())["scores"] == [1, 0]  # 1 2 1 2 1
    box.press("OK")
    records = [line.record.payload for line in box.journal.lines(1) if line.record is not None]
    first = (
        '{"n":1,"events":[{"is":"clapped","seat":0,"left":4}],"awaits":{"seat":1,"for":"clap"}}'
    )
    assert records[1].split("\t")[1] == first


@pytest.mark.usefixtures("toy")
def test_a_command_of_another_game_is_refused_and_one_of_none_malformed() -> None:
    match = games.open_match({"schiri": 1, "game": "claps", "seats": 2})
    refusal = match.apply({"t": 0, "do": "tap", "card": "A1"}).refusal
    assert refusal is not None
    assert refusal.reason == "not_now"
    with pytest.raises(Malformed, match="is no command"):
        match.apply({"t": 0, "do": "whistle"})


def test_without_it_the_toy_game_is_unknown() -> None:
    with pytest.raises(Malformed):
        games.open_match({"schiri": 1, "game": "claps", "seats": 2})
