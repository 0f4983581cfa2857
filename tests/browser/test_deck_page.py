"""The page on which a deck is made, by keyboard alone: from a pasted table to a folder."""

import base64
import io
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect
from starlette.testclient import TestClient

from host_tools.cards.decks import deck_path, load_deck_file
from host_tools.games.options import deck_options
from host_tools.web.decks import server
from host_tools.web.decks.server import DeckEditor
from host_tools.web.table.server import PlayServer
from tests.host.play.test_own_decks import CARDS, zoo
from tests.support.served import served

from .clicking import resize
from .looking import AXE, FAULTS
from .play_desk import MATCH_MS
from .test_play_layout import WIDTHS

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
SVG = re.compile("^data:image/svg")
JPEG = re.compile("^data:image/jpeg")
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
        by_keyboard(page, "Karten ansehen")
        expect(page.locator("#taking-title")).to_be_focused()
        assert page.locator("tr[data-card]").count() == 0  # nothing is taken yet
        asked = page.get_by_role("group", name="Gewicht")
        expect(asked).to_contain_text("Gewicht: Was heißt 1.345?")
        by_keyboard(page, "1345 kg")
        expect(asked).to_have_count(0)
        golf = "A1, Golf, Leistung 150 PS, Gewicht 1345 kg, Türen 4"
        expect(page.get_by_role("img", name=golf)).to_be_visible()
        by_keyboard(page, "Diese Karten nehmen")
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
        page.evaluate(AXE)
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


READINGS = (
    "Modell;Leistung;Preis\nGolf;1.980 PS;15.500 €\n"
    "Käfer;2'120 PS;281.000,00 €\nEnte;950 PS;900 €\n"
)


def test_a_number_with_two_readings_is_asked_for(chromium: Page, tmp_path: Path) -> None:
    """By the prices in it, 15.500 € is clear; of the power nobody knows but who made the table."""
    page = chromium
    editor = DeckEditor(tmp_path / "cars", None, "en")
    with served(editor.app) as base:
        page.goto(f"{base}/?key={editor.key}&lang=en")
        page.locator("#paste").fill(READINGS.replace("281.000,00", "281.000"))
        page.locator("#take").click()
        questions = page.locator("#taking .question")
        expect(questions).to_have_count(2)
        page.locator("#leave-cards").click()
        expect(page.locator("#paste")).to_be_focused()
        assert page.locator("tr[data-card]").count() == 0
        page.locator("#paste").fill(READINGS)
        page.locator("#take").click()
        expect(questions).to_have_count(0)  # the comma of one price tells what points are
        first = page.get_by_role("img", name="A1, Golf, Leistung 1980 PS, Preis 15500 €")
        expect(first).to_be_visible()
        page.locator("#leave-cards").click()
        page.locator("#paste").fill(READINGS.replace("281.000,00", "281"))
        page.locator("#take").click()
        power = page.get_by_role("group", name="Leistung")
        expect(power.get_by_role("button")).to_have_text(["1980 PS", "1.98 PS"])
        page.get_by_role("group", name="Preis").get_by_role("button", name="15500 €").click()
        expect(questions).to_have_count(1)
        page.locator("#take-cards").click()
        expect(page.locator("#faults")).to_contain_text("1.980 may be 1980 or 1.98")
        page.keyboard.press("Control+s")
        expect(page.locator("#problem")).to_contain_text("first say of the column “Leistung”")
        assert not (tmp_path / "cars" / "deck.toml").exists()
        page.locator("#questions").get_by_role("button", name="1.98 PS").click()
        expect(page.locator("#questions .question")).to_have_count(0)
        page.locator('[data-place="title"]').fill("Cars")
        page.keyboard.press("Control+s")
        expect(page.locator("#said")).to_contain_text("Saved")
    kept = load_deck_file(tmp_path / "cars").deck
    assert kept is not None
    assert [card["values"] for card in kept["cards"]] == [
        [1980, 15500],
        [2120000, 281],
        [950000, 900],
    ]


def test_only_pictures_that_were_taken_are_counted(chromium: Page, tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (60, 40), "navy").save(picture, "PNG")
    contents = {"A1.png": picture.getvalue(), "A2.png": b"no picture", "x.png": picture.getvalue()}
    files: list[FilePayload] = [
        {"name": name, "mimeType": "image/png", "buffer": raw} for name, raw in contents.items()
    ]
    (tmp_path / "zoo.json").write_text(zoo())
    editor = DeckEditor(tmp_path / "made", tmp_path / "zoo.json", "en")
    with served(editor.app) as base:
        chromium.goto(f"{base}/?key={editor.key}&lang=en")
        chromium.locator("#pictures").set_input_files(files)
        said = "1 pictures taken. No pictures: A2.png. No card is called so: x.png."
        expect(chromium.locator("#said")).to_contain_text(said)
        expect(chromium.locator(".shot img")).to_have_count(1)


PAINTED = """async () => {
    const href = document.querySelector("#hand [data-code] image").getAttribute("href");
    const picture = new Image();
    picture.src = href;
    await picture.decode();
    const brush = document.createElement("canvas").getContext("2d");
    brush.drawImage(picture, 0, 0);
    return [...brush.getImageData(2, 2, 1, 1).data].slice(0, 3);
}"""
"""The colour of the picture of a card in the hand."""


def test_its_pictures_are_on_the_cards_at_the_table(
    chromium: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the one that the page opens, before it is saved; then wherever an own deck is played or
    printed.
    """
    monkeypatch.setenv("SCHIRI_DECKS", str(tmp_path / "kept"))
    (tmp_path / "zoo.json").write_text(zoo())
    navy = io.BytesIO()
    Image.new("RGB", (60, 40), (0, 0, 128)).save(navy, "PNG")
    png = {"mimeType": "image/png", "buffer": navy.getvalue()}
    files: list[FilePayload] = [{"name": f"{code}.png", **png} for code in CARDS]
    editor = DeckEditor(tmp_path / "made", tmp_path / "zoo.json", "en")
    with served(editor.app) as base:
        chromium.goto(f"{base}/?key={editor.key}")
        chromium.locator("#pictures").set_input_files(files)
        expect(chromium.locator(".shot img")).to_have_count(len(CARDS))
        chromium.locator("#play").click()
        table = chromium.locator("#at-table a").get_attribute("href")
        chromium.keyboard.press("Control+s")
        expect(chromium.locator("#said")).to_contain_text("Saved")
        chromium.goto(str(table))
        chromium.locator("#setup button[type=submit]").click()
        expect(chromium.locator("#hand [data-code] image").first).to_be_attached(timeout=MATCH_MS)
        assert chromium.evaluate(PAINTED) == pytest.approx([0, 0, 128], abs=3)  # JPEG is not exact
    kept = load_deck_file("zoo")
    assert kept.path == tmp_path / "kept" / "zoo" / "deck.toml"
    assert sorted(kept.pictures) == CARDS  # what `schiri cards` prints
    server = PlayServer("cpython", "en")
    server.open_table()
    try:
        answer = TestClient(server.app, base_url="http://127.0.0.1").get("/art/zoo/B2.svg")
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.content == kept.pictures["B2"].read_bytes()
    finally:
        server.close()


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


PRICES = "Modell\tPreis\nGolf\t281.000,00 €\nKäfer\t9.500,50 €\nGolf\t € 1.000.000\n"


def test_the_page_greets_shows_the_card_and_keeps_pictures(chromium: Page, tmp_path: Path) -> None:
    page = chromium
    editor = DeckEditor(tmp_path / "new", None, "de")
    with served(editor.app) as base:
        page.goto(f"{base}/?key={editor.key}&lang=de")
        expect(page.locator("#fault-count")).to_contain_text("Füge eine Tabelle ein")
        assert page.locator("#faults li").count() == 0
        expect(page.locator("#preview-panel")).to_be_hidden()
        page.locator('[data-place="title"]').fill("Große Autos")
        expect(page.locator('[data-place="id"]')).to_have_value("grosse_autos")
        page.locator("#paste").fill(PRICES)
        page.locator("#take").click()
        page.locator("#take-cards").click()
        expect(page.locator("#fault-count")).to_have_text("Keine Fehler.")
        expect(page.locator("#faults")).to_contain_text("„Golf“ steht auf mehreren Karten: A1, A3")
        preview = page.locator("#preview")
        expect(preview).to_have_attribute("aria-label", "A1 Golf")
        assert preview.locator("text").all_text_contents() == [
            *("A1", "Golf", "Preis", "281.000,00 €")
        ]
        assert preview.locator(".called").count() == 0
        page.locator('[data-place="cards[1].name"]').focus()
        expect(preview).to_have_attribute("aria-label", "A2 Käfer")
        expect(preview.locator("image")).to_have_attribute("href", SVG)
        picture = io.BytesIO()
        Image.new("RGB", (60, 40), "navy").save(picture, "PNG")
        file = {"name": "x.png", "mimeType": "image/png", "buffer": picture.getvalue()}
        chooser = page.locator("tr[data-card='1'] input[type=file]")
        chooser.set_input_files([file])
        expect(preview.locator("image")).to_have_attribute("href", JPEG)
        assert chooser.evaluate("input => input.files.length") == 0  # the same can be chosen again
        page.locator("#paste-panel summary").click()
        page.locator("#paste").fill(PRICES.replace("Käfer", "Ente\t7\nKäfer"))
        page.locator("#take").click()
        page.locator("#take-cards").click()
        expect(page.locator("#grid tbody tr")).to_have_count(4)
        expect(page.locator("tr[data-card='2'] .shot img")).to_have_count(1)
        expect(page.locator(".shot img")).to_have_count(1)
        page.locator('[data-place="id"]').fill("Nicht so!")
        expect(page.locator("#faults")).to_contain_text("kleine Buchstaben")
        expect(page.locator("#faults")).not_to_contain_text("[a-z")
        page.locator('[data-place="id"]').fill("so")
        cell = page.locator('[data-place="cards[1].values[0]"]')
        cell.fill("1.281.000,00 €")  # as typed from elsewhere
        expect(page.locator("#fault-count")).to_have_text("Keine Fehler.")
        page.keyboard.press("Control+s")
        expect(page.locator("#said")).to_contain_text("Gespeichert")
    kept = load_deck_file(tmp_path / "new").deck
    assert kept is not None
    assert [card["values"] for card in kept["cards"]] == [
        [28100000],
        [128100000],
        [950050],
        [100000000],
    ]
