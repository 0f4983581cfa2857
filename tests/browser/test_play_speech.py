"""The page speaks: what a screen reader hears, by a browser's voice that only records here."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from host_tools.games import page_texts
from host_tools.sim.table import messages
from tests.processes import wait

from .play_desk import MATCH_MS, PlayDesk, open_drawer

# a double of the browser's own interface: headless Chromium has no voices
SYNTH = """
window.spoken = [];
window.voices = [
  {name: "Afar", lang: "en-GB", localService: false},
  {name: "Here", lang: "en-US", localService: true},
  {name: "Hier", lang: "de-DE", localService: true}];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", {value: {
  getVoices: () => window.voices,
  cancel() { window.spoken.push(["cancel"]); },
  speak(words) {
    window.spoken.push([words.voice.name, words.lang, words.text]);
    setTimeout(() => words.onend(), 0);
  },
}});
"""
SAID = {
    "de": {
        "Höhe 4,5 m": "Höhe 4 Komma 5 Meter",
        "46,15 °": "46 Komma 1 5 Grad",
        "1 min, 4 min": "1 Minute, 4 Minuten",
        "16,90 €": "16 Euro 90",
        "281.000,00 €": "281000 Euro",
        "−3,0 km/h": "minus 3 Komma 0 Kilometer pro Stunde",
        "Erstbesteigung 1865": "Erstbesteigung 1865",
        "A1, E4 und 12 Karten": "A1, E4 und 12 Karten",
        "4634 m gewinnt. Beat 2,2 km.": "4634 Meter gewinnt. Beat 2 Komma 2 Kilometer.",
    },
    "en": {
        "4.5 m": "4 point 5 metres",
        "1 m": "1 metre",
        "281,000.50 €": "281000 euros 50",
        "2,2 km": "2 point 2 kilometres",
        "1,5 l/100 km": "1 point 5 litres per hundred kilometres",
        "12 men": "12 men",
        "no. 3": "no. 3",
    },
}


@pytest.mark.parametrize("lang", ["de", "en"])
def test_numbers_are_said_as_people_say_them(chromium: Page, play: PlayDesk, lang: str) -> None:
    chromium.goto(f"{play.base}/how/trumpf")
    assert in_words(chromium, list(SAID[lang]), lang) == list(SAID[lang].values())


def in_words(page: Page, texts: list[str], lang: str) -> list[str]:
    """As a voice is given them."""
    said: list[str] = page.evaluate(
        """async ([texts, words]) => {
            const { asSaid } = await import("/static/spoken.js");
            return texts.map((text) => asSaid(text, words));
        }""",
        [texts, page_texts(lang)["spoken_numbers"]],
    )
    return said


def spoken(page: Page) -> list[str]:
    """What was said so far."""
    return [words[2] for words in page.evaluate("spoken") if len(words) > 1]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_table_and_phone_speak_once_they_are_asked_to(context: BrowserContext, lang: str) -> None:
    with PlayDesk.opened("cpython", lang=lang) as play:
        play.table.do(messages.Start(game="hattrick", seats=3, names=["Anna", "Beat", "Cem"]))
        wait(lambda: play.table.log.count == 1 and not play.table.runner.busy)
        awaited = play.table.log.awaits["seat"]
        links = {"/t/1": None, f"/t/1?seat={awaited + 1}": play.table.phones.seat_keys[awaited]}
        for path, key in links.items():
            page = context.new_page()
            page.add_init_script(SYNTH)
            page.goto(play.url(path, key))
            expect(page.locator("#prompt")).not_to_be_empty(timeout=MATCH_MS)
            open_drawer(page, play.said("menu"))
            toggle = page.get_by_role("button", name=play.said("speak"))
            expect(toggle).to_have_attribute("aria-pressed", "false")
            assert page.evaluate("spoken") == []  # off by default
            toggle.press("Enter")
            expect(toggle).to_have_attribute("aria-pressed", "true")
            prompt = page.locator("#prompt").inner_text()
            page.wait_for_function("n => spoken.length >= n", arg=2)
            voice = {"en": ["Here", "en-US"], "de": ["Hier", "de-DE"]}[lang]
            assert page.evaluate("spoken.map((one) => one.slice(0, 2))")[:2] == [voice, voice]
            assert spoken(page)[:2] == [play.said("speech_on"), prompt]
            page.reload()  # it is remembered
            open_drawer(page, play.said("menu"))
            expect(toggle).to_have_attribute("aria-pressed", "true")
            if key is None:  # both pages are of one device
                toggle.press("Enter")
        card = page.locator("#hand [data-code]").first
        card.focus()
        name = card.get_attribute("aria-label")
        page.wait_for_function("name => spoken.some((one) => one[2] === name)", arg=name)
        card.press("Enter")
        decided = page.locator("#said p").last
        wait(lambda: play.table.log.count > 1)
        page.wait_for_function(
            "() => spoken.some((one) => one[2] === document.querySelector('#said p:last-child')"
            ".textContent)"
        )
        assert decided.inner_text() in spoken(page)
        toggle.press("Enter")
        expect(toggle).to_have_attribute("aria-pressed", "false")
        count = len(spoken(page))
        card.focus()
        page.reload()
        open_drawer(page, play.said("menu"))
        expect(toggle).to_have_attribute("aria-pressed", "false")
        assert spoken(page) == []
        assert count > 0


@pytest.mark.parametrize("lang", ["de", "en"])
def test_a_device_without_a_voice_says_so(context: BrowserContext, lang: str) -> None:
    with PlayDesk.opened("cpython", lang=lang) as play:
        # voices of a service in the internet do not count, nor those of other languages
        page = context.new_page()
        page.add_init_script(SYNTH)
        play.open(page)
        page.evaluate("voices = [voices[0], {lang: 'fr-FR', localService: true}]")
        open_drawer(page, play.said("menu"))
        toggle = page.get_by_role("button", name=play.said("speak"))
        toggle.click()
        expect(page.locator("#problem")).to_have_text(play.said("speech_no_voice"))
        expect(toggle).to_have_attribute("aria-pressed", "false")
        assert page.evaluate("spoken") == []
