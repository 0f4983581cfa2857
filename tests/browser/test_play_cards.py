"""Printed cards: label and value of a row stay apart, whatever they hold."""

import pytest
from playwright.sync_api import Page

from .play_desk import PlayDesk

LEAST_GAP = 4
"""Units of the card, which is 170 wide: what the eye still sees as a gap on a small card."""
ROWS = [
    ("Sitzplätze innen", "124"),
    ("Höhe über Meer", "4478 m"),
    ("Gründungsjahr des Hauses", "1888"),
    ("Dominanz / Schartenhöhe", "78,30 km"),
    ("Gewicht mit Ausrüstung", "111.111.111 kg"),
]
DRAWN = """async ([family, rows]) => {
    const { card } = await import("/static/cards.js");
    const face = { kind: "trumpf", code: "A1", name: "Probe", joker: false,
        rows: rows.map(([title, value]) => ({ key: title, title, value })) };
    const drawn = card(face, "big");
    drawn.style.fontFamily = family;
    document.body.append(drawn);
    return [...drawn.querySelectorAll("text")].slice(2).map(text => {
        const box = text.getBBox();
        return [text.textContent, box.x, box.x + box.width];
    });
}"""


@pytest.mark.parametrize("family", ["sans-serif", "DejaVu Sans", "monospace"])
def test_labels_and_values_stay_apart(chromium: Page, play: PlayDesk, family: str) -> None:
    play.open(chromium)
    drawn = chromium.evaluate(DRAWN, [family, ROWS])
    assert [text for text, _, _ in drawn] == [text for row in ROWS for text in row]
    for (title, left, end), (value, begin, right) in zip(drawn[::2], drawn[1::2], strict=True):
        assert begin - end >= LEAST_GAP, (title, value)
        assert left >= 0, title
        assert right <= 170, value
