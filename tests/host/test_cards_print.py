"""Cards on paper, read back from the PDF: whole texts, embedded letters, sides in register."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image
from pypdf import PageObject, PdfReader

from host_tools.cards.art import back_art, card_art, guest_art
from host_tools.cards.decks import load_deck
from host_tools.cli import schiri
from host_tools.print.cards import grid
from host_tools.print.sizes import PAPERS, SIZES

MM = 72 / 25.4
DECK = """
id = "auto"
title = "Straßenkreuzer"
link = "https://example.org/{code}"
categories = [
  { key = "v", title = "Höchstgeschwindigkeit auf der Rennstrecke", unit = "km/h", best = "high"},
  { key = "s", title = "Beschleunigung", unit = "s", best = "low", decimals = 1 },
]
cards = [
  { code = "A1", name = "Çağlayan Öztürk", values = [250, "9,5"] },
  { code = "A2", name = "VW Käfer", values = [120, "-"], link = "https://example.org/own" },
]
"""


def printed(out: Path, *words: str) -> list[PageObject]:
    """The pages that `schiri cards …` writes."""
    done = CliRunner().invoke(schiri, ["cards", *words, "--lang", "de"])
    assert done.exit_code == 0, done.output
    return list(PdfReader(io.BytesIO(out.read_bytes())).pages)


def places(page: PageObject, word: str) -> list[tuple[int, int]]:
    """Where the texts with `word` begin, in whole millimetres from the upper left corner."""
    found = []

    def note(text: str, cm: list[float], tm: list[float], *_: Any) -> None:
        if word in text:
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            found.append((round(x / MM), round((float(page.mediabox.height) - y) / MM)))

    page.extract_text(visitor_text=note)
    return found


@pytest.mark.parametrize(
    ("card", "paper", "columns", "rows", "left", "top"),
    [  # 4 x 62 = 248 of 297, 2 x 100 of 210; 5 x 57.15 = 285.75; 3 x 88.9 = 266.7 of 279.4
        ("large", "a4", 4, 2, 24.5, 5.0),
        ("large", "letter", 4, 2, 15.7, 7.95),
        ("bridge", "a4", 5, 2, 5.625, 16.1),
        ("bridge", "letter", 3, 3, 22.225, 6.35),
        ("tile", "a4", 4, 6, 15.0, 13.5),
        ("badge", "a4", 2, 5, 19.4, 13.55),
    ],
)
def test_as_many_cards_as_fit_stand_in_the_middle_of_the_sheet(
    card: str, paper: str, columns: int, rows: int, left: float, top: float
) -> None:
    cells = grid(SIZES[card], PAPERS[paper])
    assert (cells.columns, cells.rows) == (columns, rows)
    assert (cells.left, cells.top) == (pytest.approx(left), pytest.approx(top))


@pytest.mark.parametrize(
    ("size", "paper", "flip", "fronts", "right", "low"),
    [  # 34 cards; what is left for the last sheet, and in which half of the page its backs stand
        ("large", "a4", "long", 2, False, True),  # landscape, over the upper edge
        ("large", "a4", "short", 2, True, False),  # landscape, like a book
        ("bridge", "letter", "long", 7, True, False),  # upright, like a book
        ("bridge", "letter", "short", 7, False, True),
    ],
)
def test_backs_stand_behind_their_fronts(
    tmp_path: Path, size: str, paper: str, flip: str, fronts: int, right: bool, low: bool
) -> None:
    """The front of the first card of the last sheet stands in the upper left corner; its back is
    in the upper right one, or in the lower left one upside down.
    """
    out = tmp_path / "out.pdf"
    words = ("deck", "kneipe", "-o", str(out), "--size", size, "--paper", paper, "--flip", flip)
    front, reverse = printed(out, *words)[-2:]
    width, height = (float(side) / MM for side in front.mediabox[2:])
    assert len(places(front, "Kneipen-Quartett")) == fronts
    titles = places(reverse, "Kneipen-Quartett")  # twice on each back
    assert len(titles) == 2 * fronts
    card, (left, top) = SIZES[size], grid(SIZES[size], PAPERS[paper]).front(0)
    behind_x = width - left - card.width if right else left
    behind_y = height - top - card.height if low else top
    inside = [
        (x, y)
        for x, y in titles
        if behind_x < x < behind_x + card.width and behind_y < y < behind_y + card.height
    ]
    assert len(inside) == 2


def test_a_card_shows_its_values_and_what_is_best_and_its_letters_are_embedded(
    tmp_path: Path,
) -> None:
    (tmp_path / "deck.toml").write_text(DECK, encoding="utf8")
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (40, 90), "red").save(tmp_path / "pictures" / "A1.png")
    out = tmp_path / "out.pdf"
    front, reverse = printed(out, "deck", str(tmp_path), "-o", str(out))
    text = front.extract_text().replace("\n", " ")
    for part in ("A1", "Çağlayan Öztürk", "250 km/h", "9,5 s", "–", "Straßenkreuzer", "50 mm"):
        assert part in text
    assert "Höchstgeschwindigkeit auf der Rennstrecke" in text
    assert len(front.images) == 1  # A2 has none
    for page in (front, reverse):
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            face = font.get_object()["/DescendantFonts"][0].get_object()
            assert "/FontFile2" in face["/FontDescriptor"].get_object()


def test_a_picture_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "deck.toml").write_text(DECK, encoding="utf8")
    (tmp_path / "pictures").mkdir()
    broken = tmp_path / "pictures" / "A1.jpg"
    broken.write_bytes(b"no picture")
    done = CliRunner().invoke(
        schiri, ["cards", "deck", str(tmp_path), "-o", str(tmp_path / "o.pdf")]
    )
    assert str(broken) in str(done.exception)


@pytest.mark.parametrize(
    ("batch", "cards", "sheets", "words"),
    [
        ("guests", 100, 5, ["Großbritannien", "Frau", "JKm2"]),
        ("tables", 24, 1, ["Türkei", "Tisch", "AF2"]),
        ("hattrick", 60, 6, ["20", "G"]),
        ("jury", 2, 1, ["Frau Graf", "Jury"]),
        ("badges", 1, 1, ["İpek", "Aarau 2026", "7"]),
    ],
)
def test_what_other_games_and_the_desk_need_is_printed(
    tmp_path: Path, batch: str, cards: int, sheets: int, words: list[str]
) -> None:
    out, players = tmp_path / "out.pdf", tmp_path / "players.csv"
    players.write_text("id;name\n7;İpek\n", encoding="utf8")
    more = {
        "jury": ["Frau Graf", "Herr Moser"],
        "badges": [str(players), "--event", "Aarau 2026"],
    }
    line = ["cards", batch, *more.get(batch, []), "-o", str(out), "--lang", "de", "--json"]
    done = CliRunner().invoke(schiri, line)
    told = json.loads(done.output)
    assert (told["cards"], told["sheets"]) == (cards, sheets)
    pages = PdfReader(io.BytesIO(out.read_bytes())).pages
    assert len(pages) == 2 * sheets
    text = " ".join(page.extract_text() for page in pages)
    assert [word for word in words if word not in text] == []


def fills(page: PageObject) -> set[str]:
    """The colours of areas on a page, as PDF writes them: three parts of one."""
    content = page.get_contents()
    assert content is not None
    found = re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) rg", content.get_data().decode("latin-1"))
    return {"#" + "".join(f"{round(255 * float(part)):02x}" for part in three) for three in found}


def test_the_pictures_of_the_table_stand_on_paper_too(tmp_path: Path) -> None:
    """Every colour of a card's picture is on its sheet; the snow and the flag of the Dufourspitze,
    the salmon of Sushi Kawa, the hat of a guest, the cap of Hattrick's blue.
    """
    deck = load_deck("berge")
    front, back, *_ = printed(
        tmp_path / "deck.pdf", "deck", "berge", "-o", str(tmp_path / "deck.pdf")
    )
    for card in deck["cards"][:8]:
        assert set(re.findall(r'fill="(#\w+)"', card_art(deck, card).svg)) <= fills(front)
    assert set(re.findall(r'fill="(#\w+)"', back_art("S").svg)) - {"#fff6e2"} <= fills(back)
    guests, *_ = printed(tmp_path / "g.pdf", "guests", "-o", str(tmp_path / "g.pdf"))
    assert set(re.findall(r'fill="(#\w+)"', guest_art("AFf1").svg)) <= fills(guests)
    words = guests.extract_text()
    assert "AFf1" in words
    assert "Frau" in words
