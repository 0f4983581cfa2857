"""Reading the OLED from its dots alone: every screen of the scripts, against what was drawn."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import framebuf
import pytest

from firmware.app.canvas import WIDTH, Canvas
from firmware.app.inspecting import screen_text
from firmware.games.trumpf.rules import Trumpf
from hardware.twin.oled import HEIGHT, Picture

from .fakes import Box, words_in
from .pictures import LANGUAGES, SCRIPTS, stock
from .sample_decks import DECKS
from .screen_text import ScreenLine, likeness, lit_line, read_screen, vocabulary
from .script import Script

BLANKS = str.maketrans("", "", " \t\xa0")
Drawn = list[tuple[int, int, str, bool]]
"""x, y, the text, and whether it was cut off at its limit."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """What the canvas was told to write since it was cleared."""
    texts: Drawn = []
    clear, write = Canvas.clear, Canvas._write

    def clears(canvas: Canvas) -> None:
        texts.clear()
        clear(canvas)

    def writes(canvas: Canvas, font: Any, x: int, y: int, text: str, limit: int, ink: int) -> int:
        too_low = y + (14 if font is canvas.digits else 10) > HEIGHT
        texts.append((x, y, text, too_low or x + font.width(text) > min(limit, WIDTH)))
        return write(canvas, font, x, y, text, limit, ink)

    monkeypatch.setattr(Canvas, "clear", clears)
    monkeypatch.setattr(Canvas, "_write", writes)
    return texts


def picture_of(pixels: bytes | bytearray) -> Picture:
    rows = []
    for y in range(HEIGHT):
        dots = (pixels[(y >> 3) * WIDTH + x] >> (y & 7) & 1 for x in range(WIDTH))
        rows.append(int("".join(str(dot) for dot in dots), 2))
    return Picture(tuple(rows))


def words_of(language: str) -> dict[str, str]:
    """The words of the box and of the decks, as the page of a table knows them."""
    decks = [str(deck) for deck in DECKS.values()]
    quoted = [text for deck in decks for text in deck.split("'")]
    return vocabulary([*words_in(language).tables, *quoted])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_letter_is_read_and_the_box_says_what_stands_on_its_screen(
    tmp_path: Path, drawn: Drawn, path: Path, language: str
) -> None:
    """The dots against what was drawn, and `screen` with `text` against the dots; a list is told
    with all its items.
    """
    stock(tmp_path)
    words = words_of(language)
    box = Box(tmp_path, language)
    wrong: list[str] = []

    def shot(name: str, pixels: bytes) -> None:
        lines = read_screen(picture_of(pixels), words)
        wrong.extend(read_wrongly(name, lines, drawn))
        wrong.extend(said_wrongly(name, lines, drawn, screen_text(box.app)))

    Script(box, shot).run(path)
    assert wrong == []


def read_wrongly(name: str, lines: list[ScreenLine], drawn: Drawn) -> Iterator[str]:
    seen: dict[int, str] = {}
    for line in lines:
        seen[line.y] = seen.get(line.y, "") + line.text
    told: dict[int, list[tuple[int, str, bool]]] = {}
    for x, y, text, cut in drawn:
        if text.translate(BLANKS):
            told.setdefault(y, []).append((x, text, cut))
    for y, texts in told.items():
        expected = "".join(text for _, text, _ in sorted(texts)).translate(BLANKS)
        got = seen.get(y, "").translate(BLANKS)
        if got != expected and not any(cut for _, _, cut in texts):
            yield f"{name} {y}: {expected!r} was read as {got!r}"


def said_wrongly(
    name: str, seen: list[ScreenLine], drawn: Drawn, said: dict[str, Any]
) -> Iterator[str]:
    cut = {y for _, y, text, is_cut in drawn if is_cut or text.endswith("…")}
    rows = [row.translate(BLANKS) for row in [said["title"], *said["rows"]]]
    by_row: dict[int, str] = {}
    for line in seen:
        by_row[line.y] = by_row.get(line.y, "") + line.text.translate(BLANKS)
    for y, text in by_row.items():
        if y not in cut and text not in rows:
            yield f"{name} {y}: {text!r} is not among {rows}"
    lit = lit_line(seen)
    chosen = None if said["chosen"] is None else rows[1 + said["chosen"]]
    if (lit is None) != (chosen is None):
        yield f"{name}: {lit} is lit, {chosen!r} is said to be"
    elif lit is not None and lit.y not in cut and lit.text.translate(BLANKS) != chosen:
        yield f"{name}: {lit.text!r} is lit, {chosen!r} is said to be"


def drawn_picture(draw: Any) -> Picture:
    """What the box's own canvas draws."""
    pixels = bytearray(WIDTH * HEIGHT // 8)
    draw(Canvas(framebuf.FrameBuffer(pixels, WIDTH, HEIGHT, framebuf.MONO_VLSB)))
    return picture_of(pixels)


def test_a_list_is_read_with_its_lit_item() -> None:
    items = ["Höhe\t4634 m", "Größe\t2,2 km", "✓ T05 FR\tFRf1 FRm2", "← zurück"]
    lines = read_screen(drawn_picture(lambda canvas: canvas.rows(12, items, 2)))
    assert [line.text for line in lines] == items
    assert lit_line(lines) == ScreenLine(32, "✓ T05 FR\tFRf1 FRm2", True)


def test_below_the_lit_item_letters_have_no_accents() -> None:
    lines = read_screen(drawn_picture(lambda canvas: canvas.rows(12, ["← back", "I am Anna"], 0)))
    assert [line.text for line in lines] == ["← back", "I am Anna"]


@pytest.mark.parametrize("text", ["Düsseldorf ist groß", "Karte 10 liegt: 3,5 €", "Gygy jqp"])
def test_single_lines_are_read(text: str) -> None:
    lines = read_screen(drawn_picture(lambda canvas: canvas.text(0, 0, text)))
    assert [line.text for line in lines] == [text]


def test_pictures_are_no_letters() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.icon(0, 14, "STOP")
        canvas.text(26, 12, "Diese Karte")

    assert [line.text for line in read_screen(drawn_picture(draw))] == ["Diese Karte"]


def test_a_dark_screen_says_nothing() -> None:
    assert read_screen(Picture((0,) * HEIGHT)) == []


def test_likeness_forgives_accents_and_gaps() -> None:
    assert likeness("Öpnv Anbindung\t7 min", "OPNVAnbindung") == 1  # case counts
    assert likeness("Höhe\t3 m", "Hohe") == 4


@pytest.mark.parametrize("seats", range(2, 9))
def test_nothing_on_the_page_of_a_trumpf_card_covers_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    """With a pot as well: small letters have ten rows, the digits of the pot fourteen."""
    areas: list[tuple[int, int, int, int]] = []
    clear, write = Canvas.clear, Canvas._write

    def clears(canvas: Canvas) -> None:
        areas.clear()
        clear(canvas)

    def writes(canvas: Canvas, font: Any, x: int, y: int, text: str, limit: int, ink: int) -> int:
        end = write(canvas, font, x, y, text, limit, ink)
        if text.strip():
            areas.append((x, y, end, y + (14 if font is canvas.digits else 10)))
        return end

    stock(tmp_path)
    box = Box(tmp_path, "en")
    box.set_choice(game="trumpf", preset="gastro", seats=seats, deck="gipfel")
    box.press("OK+", "OK", "OK")  # the first seat begins, and calls
    monkeypatch.setattr(Canvas, "clear", clears)
    monkeypatch.setattr(Canvas, "_write", writes)
    monkeypatch.setattr(Trumpf, "pot_size", lambda match: 16)
    box.app.redraw()
    box.step()
    assert "Pot 16" in box.words() or ("Pot" in box.words() and "16" in box.words())
    covered = [
        (one, other)
        for one, other in itertools.combinations(areas, 2)
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]
    assert covered == []
