"""▲ and ▼ show the direction in force (TR-5, SW-2), for every deck with every preset."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware.games import open_match
from host_tools.cards.decks import deck_ids, deck_path, load_deck, load_deck_file
from host_tools.cli import schiri
from host_tools.core.json_types import Json
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.games.deck_rules import directions, overruled
from host_tools.print import faces
from host_tools.sim.table.table_state import note_of
from host_tools.web.decks.server import DeckEditor

PRESETS = ("swiss", "gastro", "kneipe")
EVERY = [(deck, preset) for deck in deck_ids() for preset in PRESETS]


def expected(deck: str, preset: str | None) -> list[str]:
    """As the file has it, worked out without the program; by SW-2 always the higher one."""
    text = deck_path(deck).read_text("utf-8")
    own = re.findall(r'^\s*\{ key = .* best = "(\w+)"', text, re.MULTILINE)
    assert len(own) == len(load_deck(deck)["categories"])
    return ["high"] * len(own) if preset == "swiss" else own


def written_for(deck: str, preset: str, folder: Path) -> Path:
    """The deck in a file of its own that names this preset, without house rules of another one."""
    text = deck_path(deck).read_text("utf-8")
    text = re.sub(r'^preset = "\w+"', f'preset = "{preset}"', text, flags=re.MULTILINE)
    text = re.sub(r"^options = .*\n", "", text, flags=re.MULTILINE)
    path = folder / f"{deck}.toml"
    path.write_text(text, encoding="utf-8")
    assert load_deck_file(path).preset == preset
    return path


def printed(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arrows of the first card in the PDF, from above."""
    drawn: list[str] = []
    monkeypatch.setattr(
        faces, "_arrow", lambda _paper, _x, _y, up: drawn.append("high" if up else "low")
    )
    out = path.with_suffix(".pdf")
    done = CliRunner().invoke(schiri, ["cards", "deck", str(path), "-o", str(out)])
    assert done.exit_code == 0, done.output
    return drawn


def of_box(header: Json, place: int) -> str:
    """What the box writes before a called category, in its own words on its own page."""
    from firmware.games.trumpf.page import TrumpfTable

    page: Any = object.__new__(TrumpfTable)
    page._deck = open_match(header).deck  # type: ignore[attr-defined]
    return {"▲": "high", "▼": "low"}[page._marked_category(place)[0]]


@pytest.mark.parametrize(("deck", "preset"), EVERY)
def test_every_place_shows_what_wins(
    deck: str, preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = expected(deck, preset)
    places = range(len(right))
    header = {"schiri": 1, "game": "trumpf", "preset": preset, "seats": 2, "deck": load_deck(deck)}
    assert directions(header["deck"], preset) == right
    assert [of_box(header, place) for place in places] == right
    view = table_view(header, open_match(header), box_words("en").get, 1)
    code = next(card["code"] for card in header["deck"]["cards"] if not card.get("joker"))
    face = view.face(code)
    assert face is not None
    assert [row["best"] for row in face["rows"]] == right
    path = written_for(deck, preset, tmp_path)
    cards = sum(1 for card in header["deck"]["cards"] if not card.get("joker"))
    assert printed(path, monkeypatch) == right * cards
    shown = CliRunner().invoke(schiri, ["decks", "show", str(path)])
    assert shown.exit_code == 0, shown.output
    arrows = [{"▲": "high", "▼": "low"}[arrow] for arrow in re.findall("[▲▼]", shown.output)]
    assert arrows == right
    assert on_the_deck_page(path, tmp_path) == right


def on_the_deck_page(path: Path, folder: Path) -> list[str]:
    """The card that the page of the deck's maker draws."""
    editor = DeckEditor(folder / "edited", path, "en", "cpython")
    file = load_deck_file(path)
    assert file.deck is not None
    number = next(n for n, card in enumerate(file.deck["cards"]) if not card.get("joker"))
    face = editor._face(file.deck, editor._first, number, "en")
    return [row["best"] for row in face["rows"]]


def test_the_shipped_decks_are_printed_as_they_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for deck in deck_ids():
        path = tmp_path / f"{deck}.toml"
        path.write_bytes(deck_path(deck).read_bytes())
        preset = load_deck_file(deck).preset
        cards = sum(1 for card in load_deck(deck)["cards"] if not card.get("joker"))
        assert printed(path, monkeypatch) == expected(deck, preset) * cards
        monkeypatch.undo()
    assert "low" not in expected("berge", load_deck_file("berge").preset)
    assert expected("gastro", load_deck_file("gastro").preset).count("low") == 2


def test_what_the_variant_overrules_is_said() -> None:
    berge = load_deck("berge")
    assert overruled(berge, "swiss") == ["Erstbesteigung"]
    assert overruled(berge, "gastro") == []
    assert overruled(berge, None) == []
    note = note_of({"preset": "swiss", "deck": berge}, "de")
    assert "höhere Wert" in note
    assert "Erstbesteigung" in note
    assert note_of({"preset": "gastro", "deck": berge}, "de") == ""
    checked = CliRunner().invoke(schiri, ["decks", "check", "berge"])
    assert "Erstbesteigung" in checked.output
    assert checked.exit_code == 0


@pytest.mark.parametrize(("count", "hint"), [(27, True), (28, False), (36, False), (37, True)])
def test_a_swiss_deck_has_28_to_36_cards(count: int, hint: bool, tmp_path: Path) -> None:
    """SW-1."""
    path = tmp_path / "deck.toml"
    rows = "".join(
        f'[[cards]]\ncode = "{letter}{number}"\nname = "{letter}{number}"\nvalues = [{number}]\n'
        for letter, number in list(product("ABCDEFGHIJ", "1234"))[:count]
    )
    path.write_text(
        'id = "deck"\ntitle = "Deck"\npreset = "swiss"\n'
        f'categories = [{{ key = "v", title = "V", unit = "", best = "high" }}]\n{rows}'
    )
    done = CliRunner().invoke(schiri, ["decks", "check", str(path)])
    assert ("SW-1" in done.output) == hint, done.output
    assert done.exit_code == 0


@pytest.mark.parametrize(("preset", "dropped"), [("swiss", 6), ("swiss", 7), ("gastro", 7)])
def test_a_deck_too_small_for_the_championship_is_told_so(
    preset: str, dropped: int, tmp_path: Path
) -> None:
    """SW-1: 28 to 36 cards; berge has 34."""
    path = written_for("berge", preset, tmp_path)
    heads, *cards = re.split(r"(?m)^(?=\s*\{ code = )", path.read_text("utf-8"))
    closing = cards[-1].partition("\n")[2]
    path.write_text(heads + "".join(cards[:-dropped]) + closing, "utf-8")
    checked = CliRunner().invoke(schiri, ["decks", "check", str(path)])
    assert checked.exit_code == 0, checked.output
    told = "has 28 to 36 cards (SW-1), not 27." in " ".join(checked.output.split())
    assert told == (preset == "swiss" and dropped == 7)
