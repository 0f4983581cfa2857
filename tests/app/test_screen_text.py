"""What the box says of its screen, against what was drawn there: every screen of the scripts."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from firmware.app.canvas import WIDTH, Canvas
from firmware.app.inspecting import screen_text
from firmware.games.trumpf.rules import Trumpf
from hardware.twin.oled import HEIGHT

from .fakes import Box
from .pictures import LANGUAGES, SCRIPTS, stock
from .script import Script

BLANKS = str.maketrans("", "", " \t\xa0")


class Drawn(NamedTuple):
    """A text that the canvas was told to write."""

    y: int
    x: int
    text: str
    cut: bool  # at its limit
    lit: bool  # dark letters on a lit ground


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Drawn]:
    """All that the canvas was told to write since it was cleared."""
    texts: list[Drawn] = []
    clear, write = Canvas.clear, Canvas._write

    def clears(canvas: Canvas) -> None:
        texts.clear()
        clear(canvas)

    def writes(canvas: Canvas, font: Any, x: int, y: int, text: str, limit: int, ink: int) -> int:
        too_low = y + (14 if font is canvas.digits else 10) > HEIGHT
        cut = too_low or x + font.width(text) > min(limit, WIDTH) or text.endswith("…")
        texts.append(Drawn(y, x, text.translate(BLANKS), cut, not ink))
        return write(canvas, font, x, y, text, limit, ink)

    monkeypatch.setattr(Canvas, "clear", clears)
    monkeypatch.setattr(Canvas, "_write", writes)
    return texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_box_says_what_stands_on_its_screen(
    tmp_path: Path, drawn: list[Drawn], path: Path, language: str
) -> None:
    """`screen` with `text`; a list is told with all its items."""
    stock(tmp_path)
    box = Box(tmp_path, language)
    wrong: list[str] = []

    def shot(name: str, _pixels: bytes) -> None:
        seen = list(drawn)  # to answer, the box draws once more
        wrong.extend(said_wrongly(name, seen, screen_text(box.app)))

    Script(box, shot).run(path)
    assert wrong == []


def said_wrongly(name: str, seen: list[Drawn], said: dict[str, Any]) -> Iterator[str]:
    rows = [row.translate(BLANKS) for row in [said["title"], *said["rows"]]]
    lines = [list(line) for _, line in itertools.groupby(sorted(seen), lambda one: one.y)]
    whole = [line for line in lines if not any(one.cut for one in line)]
    for line in whole:
        text = "".join(one.text for one in line)
        if text and text not in rows:
            yield f"{name}: {text!r} is not among {rows}"
    lit = ["".join(one.text for one in line) for line in lines if any(one.lit for one in line)]
    chosen = [] if said["chosen"] is None else [rows[1 + said["chosen"]]]
    if len(lit) != len(chosen):
        yield f"{name}: {lit} is lit, {chosen} is said to be"
    for line in whole:
        text = "".join(one.text for one in line)
        if any(one.lit for one in line) and text not in chosen:
            yield f"{name}: {text!r} is lit, {chosen} is said to be"


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
