"""Cards on the page: label and value of a row stay apart; pictures, letters, contrast."""

import re

import pytest
from playwright.sync_api import Page

from host_tools.cards import art
from host_tools.cards.decks import load_deck
from host_tools.games.decks import CardLooks

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
    document.documentElement.style.setProperty("--narrow", family);
    const face = { kind: "trumpf", code: "A1", name: "Probe", joker: false,
        rows: rows.map(([title, value]) => ({ key: title, title, value })) };
    const drawn = card(face, "big");
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


PICTURES = """async faces => {
    const { card } = await import("/static/cards.js");
    const drawn = faces.map(face => card(face, "big"));
    document.body.append(...drawn);
    const images = drawn.map(one => one.querySelector("image"));
    for (const image of images) await new Promise((done, failed) => {
        const loaded = new Image();
        loaded.onload = done;
        loaded.onerror = () => failed(image.getAttribute("href"));
        loaded.src = image.getAttribute("href");
    });
    return drawn.map(one => [one.querySelector("svg").textContent,
        one.getAttribute("aria-label")]);
}"""


def test_every_kind_of_card_shows_its_picture(chromium: Page, play: PlayDesk) -> None:
    """The browser can draw them; nation and sex, and the colour of Hattrick, are letters too."""
    play.open(chromium)
    swiss = CardLooks(load_deck("berge", "en")).of("A2")
    faces = [
        {"kind": "trumpf", "code": "A2", "name": "Matterhorn", "rows": [], **swiss},
        {"kind": "guest", "code": "CUf2", "nation": "CU", "sex": "f"},
        {"kind": "guest", "code": "JKm1", "nation": "JK", "sex": "m"},
        {"kind": "hattrick", "code": "G7", "suit": "G", "value": 7},
    ]
    for face in faces[1:]:
        name = face.get("suit", face["code"])
        face |= {"art": art.address(None, name), "colour": "#123456"}
    mountain, woman, joker, hat = chromium.evaluate(PICTURES, faces)
    assert mountain[0] == "A2Matterhorn"
    assert woman[0] == "CUf ♀CUf2"
    assert joker[0].startswith("★m ♂")
    assert "G" in hat[0]


CONTRAST = """async faces => {
    const { card } = await import("/static/cards.js");
    const shown = faces.map(face => card(face, "big"));
    document.body.append(...shown);
    return shown.flatMap(one => [...one.querySelectorAll("text")].map(text => {
        const row = text.closest("g.row")?.querySelector("rect");
        const head = row ? null : one.querySelector("path:not(.up, .down)");
        const inHead = head && text.getBBox().y < 34 && text.classList.contains("white");
        const ground = row && getComputedStyle(row).fill !== "rgba(0, 0, 0, 0)" ? row
            : inHead ? head : one.querySelector(".paper");
        return [text.textContent, getComputedStyle(text).fill, getComputedStyle(ground).fill];
    }));
}"""


def light(colour: str) -> float:
    """Relative luminance of WCAG 2."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_text_on_cards_has_contrast(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    deck = load_deck("kneipe", "en")
    row = {"key": "x", "title": "Capacity", "value": "190 guests", "best": "high"}
    rows = [row, {**row, "key": "y"}, {**row, "key": "z"}]
    faces = [
        {"kind": "trumpf", "name": "Eel", "rows": rows, "called": "y", "code": code, "best": best}
        | CardLooks(deck).of(code)
        for code, best in (("A1", True), ("B2", False), ("H4", False))
    ]
    found = chromium.evaluate(CONTRAST, faces)
    assert len(found) == 3 * (2 + 6)
    for text, ink, ground in found:
        high, low = sorted((light(ink), light(ground)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ink, ground)
