"""The page on which a deck is made, by keyboard alone: from a pasted table to a folder."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from host_tools.cards.decks import deck_path, load_deck_file
from host_tools.games.options import deck_options
from host_tools.web.decks import server
from host_tools.web.decks.server import DeckEditor
from tests.support.served import served

from .clicking import resize
from .test_play_layout import AXE, FAULTS, WIDTHS

CARS = (
    "Modell\tLeistung (PS)\tGewicht in kg\tTüren\n"
    "Golf\t150 PS\t1.345\t4\nKäfer\t44\t820\tviele\nEnte\t29\t590\t4\n"
)
DROP = """([data, where]) => {
    const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
    const carried = new DataTransfer();
    carried.items.add(new File([bytes], "any.png", { type: "image/png" }));
    for (const type of ["dragover", "drop"]) document.querySelector(where).dispatchEvent(
        new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""
PASTE = """([place, text]) => {
    const carried = new DataTransfer();
    carried.setData("text", text);
    document.querySelector(`[data-place="${place}"]`).dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true }));
}"""
LABEL = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"


def by_keyboard(page: Page, name: str) -> None:
    """Tab until the control of that name has the focus, and press it."""
    for _ in range(80):
        page.keyboard.press("Tab")
        label = page.evaluate(LABEL)
        if label.strip() == name:
            page.keyboard.press("Enter")
            return
    raise AssertionError(name)


def test_a_deck_is_made_by_keyboard(
    chromium: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = chromium
    monkeypatch.setattr(server, "MATCHES", 200)
    editor = DeckEditor(tmp_path / "autos", None, "en")
    with served(editor.app) as base:
        page.goto(f"{base}/?key={editor.key}&lang=de")
        expect(page.locator("#fault-count")).not_to_have_text("")
        page.locator("#paste").focus()
        page.keyboard.insert_text(CARS)
        by_keyboard(page, "Karten daraus machen")
        expect(page.locator("#said")).to_contain_text("Karten: 3, Kategorien: 3")
        wrong = page.locator('[data-place="cards[1].values[2]"]')
        expect(wrong).to_have_attribute("aria-invalid", "true")
        wrong.focus()
        page.keyboard.press("ArrowDown")  # along the column, and back
        page.keyboard.press("ArrowUp")
        page.keyboard.insert_text("2")
        for place, text in (("title", "Autos"), ("id", "autos")):
            page.locator(f'[data-place="{place}"]').focus()
            page.keyboard.insert_text(text)
        expect(page.locator("#fault-count")).to_have_text("Keine Fehler.")
        page.get_by_text("Partien simulieren").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#balance")).to_contain_text("Leistung")
        picture = io.BytesIO()
        Image.new("RGB", (60, 40), "navy").save(picture, "PNG")
        file = {"name": "käfer.png", "mimeType": "image/png", "buffer": picture.getvalue()}
        page.locator("#pictures").set_input_files([file])
        expect(page.locator(".shot img")).to_have_count(1)
        page.evaluate(DROP, [base64.b64encode(picture.getvalue()).decode(), "tr[data-card='2']"])
        expect(page.locator(".shot img")).to_have_count(2)
        page.evaluate(PASTE, ["cards[2].values[1]", "585\t2"])
        expect(page.locator('[data-place="cards[2].values[2]"]')).to_have_value("2")
        page.locator("#undo").click()
        expect(page.locator('[data-place="cards[2].values[2]"]')).to_have_value("4")
        page.locator("#pdf").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#printed a")).to_be_focused()
        page.evaluate(AXE.read_text(encoding="utf8"))
        page.emulate_media(color_scheme="light")
        assert page.evaluate(FAULTS, "html") == []
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(FAULTS, "html") == []
        for width in WIDTHS:
            resize(page, width, 900)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Control+s")
        expect(page.locator("#said")).to_contain_text("Gespeichert")
        page.emulate_media(color_scheme=None)
    file_kept = load_deck_file(tmp_path / "autos")
    assert file_kept.deck is not None
    assert [card["values"] for card in file_kept.deck["cards"]] == [
        [150, 1345, 4],
        [44, 820, 2],
        [29, 590, 4],
    ]
    assert [category["best"] for category in file_kept.deck["categories"]] == [
        "high",
        "low",
        "high",
    ]
    assert [code for code in file_kept.pictures] == ["A2", "A3"]


def test_house_rules_for_the_deck_card(chromium: Page, tmp_path: Path) -> None:
    editor = DeckEditor(tmp_path / "pubs", deck_path("kneipe"), "en")
    with served(editor.app) as base:
        chromium.goto(f"{base}/?key={editor.key}&lang=en")
        expect(chromium.get_by_label("Rules")).to_have_value("kneipe")
        chromium.locator("#options summary").click()
        chromium.get_by_label("Ties").select_option(label="the tied")
        expect(chromium.locator("#options")).to_contain_text(
            "Only those who tied play on for the pot."
        )
        expect(chromium.locator("#options summary")).to_have_text("House rules: 1 changed")
        chromium.get_by_label("Rules").select_option("swiss")
        expect(chromium.locator("#options")).to_be_hidden()  # the league decides
        chromium.get_by_label("Rules").select_option("gastro")
        chromium.get_by_label("Ties").select_option("tied")
        chromium.get_by_role("button", name="Save").click()
        expect(chromium.locator("#said")).to_contain_text("deck.toml")
    kept = load_deck_file(tmp_path / "pubs" / "deck.toml")
    brought = deck_options(kept, {})
    assert brought is not None
    assert brought == ("trumpf", "gastro", (("tie_scope", "tied"),))
