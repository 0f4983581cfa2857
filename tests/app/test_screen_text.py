"""Reading the OLED from its dots alone: every picture of docs/screens, against what was drawn."""

from pathlib import Path
from typing import Any

import pytest

from firmware.app.canvas import WIDTH, Canvas
from hardware.twin.oled import HEIGHT, Picture
from host_tools.sim.table.screen_text import read_screen, vocabulary

from .fakes import Box, words_in
from .pictures import LANGUAGES, SCRIPTS, stock
from .sample_decks import DECKS
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


def picture_of(pixels: bytes) -> Picture:
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
def test_every_letter_of_every_screen_is_read(
    tmp_path: Path, drawn: Drawn, path: Path, language: str
) -> None:
    stock(tmp_path)
    words = words_of(language)
    wrong: list[str] = []

    def shot(name: str, pixels: bytes) -> None:
        seen: dict[int, str] = {}
        for line in read_screen(picture_of(pixels), words):
            seen[line.y] = seen.get(line.y, "") + line.text
        told: dict[int, list[tuple[int, str, bool]]] = {}
        for x, y, text, cut in drawn:
            if text.translate(BLANKS):
                told.setdefault(y, []).append((x, text, cut))
        for y, texts in told.items():
            expected = "".join(text for _, text, _ in sorted(texts)).translate(BLANKS)
            got = seen.get(y, "").translate(BLANKS)
            if got != expected and not any(cut for _, _, cut in texts):
                wrong.append(f"{name} {y}: {expected!r} was read as {got!r}")

    Script(Box(tmp_path, language), shot).run(path)
    assert wrong == []
