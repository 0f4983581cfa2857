"""A game lies in one place: nothing else of the box knows it, and one more can be added."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_tags.deck_card import deck_number
from firmware import games
from firmware.rules import answers
from firmware.rules.errors import Malformed
from host_tools.games import add_game, remove_game

from .fakes import Box
from .pictures import stock

ROOT = Path(__file__).resolve().parents[2]
DOUBT = ROOT / "examples" / "doubt"
MINI = {"categories": [], "cards": [{"code": code, "values": []} for code in ("A1", "A2")]}
LIST = ROOT / "firmware" / "games" / "__init__.py"
# the games and their presets whose names are no everyday words, in any form: Café, HattrickTable
NAMES = re.compile(r"trumpf|quartett|cafe|café|hattrick|swiss|gastro|kneipe", re.IGNORECASE)


def lines_naming_a_game(folder: Path) -> list[str]:
    """Lines that name a game, outside the folders of the games and the list of those built in."""
    own = [folder / "games" / name for name in games.BUILT_IN]
    return [
        f"{path.relative_to(folder)}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        if not any(path.is_relative_to(place) for place in own)
        for line in path.read_text("utf8").splitlines()
        if NAMES.search(line) and not (path == LIST and line.startswith("BUILT_IN"))
    ]


def test_no_file_of_the_box_names_a_game_outside_its_folder() -> None:
    assert lines_naming_a_game(ROOT / "firmware") == []


def test_every_folder_of_a_game_is_in_the_list() -> None:
    folders = {path.parent.name for path in LIST.parent.glob("*/__init__.py")}
    assert folders == set(games.BUILT_IN)
    assert [games.row(name).name for name in games.BUILT_IN] == list(games.BUILT_IN)


@pytest.fixture
def doubt() -> Iterator[None]:
    """The example that is not built in, added to the games of the box."""
    add_game(DOUBT)
    yield
    remove_game("doubt")
    answers._EVENTS[:] = [table for table in answers._EVENTS if "turned_up seat card" not in table]


@pytest.mark.usefixtures("doubt")
def test_a_sixth_game_is_chosen_in_the_menu_and_played_to_its_result(tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en")
    for _ in range(len(games.BUILT_IN) - 1):
        box.press("OK")  # from game to game; the added one comes last
    assert "I Doubt It" in box.words()
    rows = box.app.page().rows()  # type: ignore[attr-defined]
    assert rows == ["game", "deck", "seats", "options", "language", "volume", "start"]
    box.press("DOWN", "DOWN", *["OK"] * 4)
    assert box.lit() == "Seats\t2"  # from 3, as the game before has it, over 6
    box.press("DOWN", "OK")
    assert box.lit() == "Piles\t8"
    box.press("OK", "DOWN")
    assert "It ends when 5 piles were | taken." in box.words()
    box.press("OK", "JURY")
    number = deck_number("gipfel")
    box.lay_card(number, "A1")  # a card of the deck chooses it
    box.press("OK+")
    session = box.app.session
    assert session is not None
    assert session.header["options"] == {"piles": 5}
    box.press("OK")  # seat 1 begins

    def news() -> str:
        texts = []
        while type(box.app.page()).__name__ == "Message":
            texts.append(box.words().replace(" | ", " "))
            box.press("OK")
        return " / ".join(texts)

    box.lay_card(number, "A1")
    assert "Which letter?" in box.words()
    box.press("OK")
    assert "Seat 1 names A." in news()
    box.press("OK")  # seat 2 doubts it, and is wrong
    told = news()
    assert "Seat 1 has laid A1." in told
    assert "Seat 2 takes the pile: 1." in told
    box.lay_card(number, "A2")
    box.press("OK")
    news()
    for code in ("B1", "A3", "B2", "A4"):  # seat 1's last one is of the letter: DB-5
        box.lay_card(number, code)
        told = news()
    assert "Seat 1 has laid A4." in told
    assert "No cards left!" in box.words()
    # seat 2: four, and the one it took, less two laid
    assert dict(session.match.result())["scores"] == [0, -3]
    box.press("OK")
    records = [line.record.payload for line in box.journal.lines(1) if line.record is not None]
    first = '{"n":1,"events":[{"is":"began","seat":0}],"awaits":{"seat":0,"for":"claim"}}'
    assert records[1].split("\t")[1] == first


@pytest.mark.usefixtures("doubt")
def test_a_command_of_another_game_is_refused_and_one_of_none_malformed() -> None:
    match = games.open_match({"schiri": 1, "game": "doubt", "seats": 2, "deck": MINI})
    refusal = match.apply({"t": 0, "do": "ask", "seat": 1, "card": "A1"}).refusal
    assert refusal is not None
    assert refusal.reason == "not_now"
    with pytest.raises(Malformed, match="is no command"):
        match.apply({"t": 0, "do": "doubtless"})


def test_without_it_the_example_is_unknown() -> None:
    with pytest.raises(Malformed):
        games.open_match({"schiri": 1, "game": "doubt", "seats": 2, "deck": MINI})
