"""A whole match of every game by ear and keyboard alone: only roles, names, what live regions say
and what the page reads aloud. No colour, no place, no mark of a script is looked at; no mouse.
"""

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from host_tools.replay.engines import resolve
from host_tools.replay.reading import read_transcript
from host_tools.replay.wording import Teller
from host_tools.sim.table.family import Family

from .play_desk import MATCH_MS, PlayDesk
from .test_play_speech import SYNTH, in_words, spoken

MOVES = 5
MOST_MOVES = 400
# the label in the form: seats, and the column of the result in its table
GAMES = {
    "Trumpf – Swiss": (2, "Cards"),
    "Trumpf – Gastro": (8, "Cards"),
    "Trumpf – Kneipe": (6, "Cards"),
    "Quartett": (4, "Quartets"),
    "Hattrick": (6, "Points"),
    "Café – Board game": (2, "Points"),
    "Café – App game": (2, "Points"),
}
LISTEN = """() => {
    // what Chromium tells a screen reader: text that comes into a live region, where it comes
    window.heard = [];
    const live = "[role=log], [role=status], [role=alert]";
    const hear = (node, region) => {
        const text = node.textContent.trim();
        if (text) window.heard.push([region.getAttribute("aria-label") ?? region.role, text]);
    };
    new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
            const region = (target.closest ? target : target.parentElement)?.closest(live);
            if (region) addedNodes.forEach((node) => hear(node, region));
        }
    }).observe(document.body, { childList: true, subtree: true });
}"""
OVER = re.compile("^(The match is over|The result is final)")
DECIDED = "What was decided, one after the other"


def press(button: Locator) -> None:
    """By the key of somebody who has come to it with Tab."""
    button.focus()
    assert button.evaluate("element => element.tabIndex >= 0")
    button.press("Enter")


class Listener:
    """Plays what the page says, as it says it; the first of what it may do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.said = page.get_by_role("log", name=DECIDED).get_by_role("paragraph")
        self.hand = page.get_by_role("region", name="Your cards")

    def prompt(self) -> str:
        """What is to be done, once it is to be done here; "" once the match is over."""
        mine = re.compile(f"^It is your turn: |{OVER.pattern}")
        told = self.page.get_by_role("status").filter(has_text=mine)
        expect(told).to_be_visible(timeout=MATCH_MS)
        expect(self.hand).to_have_attribute("aria-busy", "false")
        text = told.inner_text()
        return "" if OVER.match(text) else text.removeprefix("It is your turn: ")

    def play(self, moves: int) -> None:
        """So many moves, or all of them; then the seat plays by itself, if there is more to play:
        a short match may be over by then.
        """
        for asked in islice(iter(self.prompt, ""), moves):
            before = self.said.count()
            self._do(asked)
            expect(self.said.nth(before)).to_be_attached(timeout=MATCH_MS)
        if not self.prompt():
            final = self.page.get_by_role("status").filter(has_text="The result is final.")
            expect(final).to_be_visible(timeout=MATCH_MS)  # the table confirms it
            return
        press(self.page.locator("summary").get_by_text("New match", exact=True))
        self.page.get_by_role("checkbox", name="Anna plays by itself").press("Space")

    def _do(self, asked: str) -> None:
        if asked == "seat a guest":
            self._seat()
        elif asked.startswith("choose a place"):
            press(self._button("^Chair "))
        elif asked == "too few points: go back, or leave":
            press(self._button("^Nothing else is possible"))
        elif asked == "ask for a card":
            quartets = self._buttons("^Lay quartet ")
            press((quartets if quartets.count() else self._buttons("^Ask .* for ")).first)
        elif asked == "hand over the card or deny it":
            wanted = re.findall(r"\b[A-H][1-4]\b", self.said.last.inner_text())[-1]
            cards = self._buttons(f"^Tap {wanted},")
            press((cards if cards.count() else self._buttons("^I do not have it")).first)
        elif asked == "lay a quartet or be done":
            quartets = self._buttons("^Lay quartet ")
            press((quartets if quartets.count() else self._buttons("^(Done|No more)")).first)
        elif asked == "call a category":
            press(self._button("(high|low)"))
        elif asked == "tap a new table card":
            press(self._button("^(Tap table card|No )"))
        else:
            press(self._button("^Tap (?!.*not possible now)"))

    def _seat(self) -> None:
        """A guest that may sit somewhere; else to the bar, or the end of the turn."""
        guests = self._buttons("^Tap (?!.*not possible now)")
        if guests.count():
            press(guests.first)
            press(self._button("^Chair "))
        elif self._buttons("^End the turn").count():
            press(self._button("^End the turn"))
        else:
            press(self._button("^Guest to the bar"))
            press(self._button("^Tap "))

    def _buttons(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(name))

    def _button(self, name: str) -> Locator:
        return self._buttons(name).first


def _told(text: str) -> tuple[list[str], dict[str, Any]]:
    """What the record says: its sentences as `schiri replay` tells them, and the result."""
    transcript = read_transcript(text.encode(), "played")
    assert transcript.result is not None
    teller = Teller(resolve(transcript.header.content, "en"), "en")
    told = []
    for step in transcript.steps:
        assert step.answer is not None
        answer = step.answer.content
        if step.command.content["do"] != "tick" or answer.get("events"):
            sentence = teller.sentence(step.command.content, answer)
            told.append(re.sub(r" \(rule [A-Z]+-\d+\)", "", sentence))  # on the page a button
    return told, transcript.result.content["result"]


def _set_up(
    context: BrowserContext, play: PlayDesk, game: str, seats: int, deck: str = ""
) -> Page:
    page = context.new_page()
    page.add_init_script(SYNTH)
    page.goto(play.url("/t/1"))
    press(page.locator("summary").get_by_text("Menu", exact=True))
    press(page.get_by_role("button", name="Read aloud"))
    expect(page.get_by_role("button", name="Read aloud")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("radio", name=game, exact=True).press("Space")
    if deck:
        page.get_by_role("combobox", name="Deck", exact=True).press_sequentially(deck)
    count = page.get_by_role("combobox", name="Seats", exact=True)
    count.press_sequentially(str(seats))
    expect(count).to_have_value(str(seats))
    page.evaluate(LISTEN)
    press(page.get_by_role("button", name="Play", exact=True))
    return page


def _check(page: Page, play: PlayDesk, unit: str) -> None:
    """The end says the result of the record, and all that the record tells was heard and read."""
    rows = page.get_by_role("table").filter(has_text="Place").get_by_role("row")
    expect(page.get_by_role("heading", name=re.compile("wins?!|shared win"))).to_be_visible(
        timeout=MATCH_MS
    )
    heads = rows.first.get_by_role("columnheader").all_inner_texts()
    at = heads.index(unit)
    told = [row.get_by_role("cell").all_inner_texts() for row in rows.all()[1:]]
    expected, result = _told(play.table.transcript())
    numbers = result.get("counts") or result["scores"]
    names = play.table.log.header["names"]
    order = [seat for level in result["ranking"] for seat in level]
    assert [(cells[1], cells[at]) for cells in told] == [
        (names[seat], str(numbers[seat])) for seat in order
    ]
    heard = [text for region, text in page.evaluate("heard") if region == DECIDED]
    assert [re.sub(r" rule [A-Z]+-\d+$", "", text) for text in heard] == expected


@pytest.mark.long  # not in `make test`: in a rush on a busy machine a tap was seen to get lost
@pytest.mark.parametrize("moves", [MOVES, MOST_MOVES])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_by_ear(
    context: BrowserContext, play: PlayDesk, game: str, moves: int
) -> None:
    seats, unit = GAMES[game]
    page = _set_up(context, play, game, seats)
    Listener(page).play(moves)
    _check(page, play, unit)


ROBOTS = [("Hattrick", 3), ("Café – App game", 2)]


@pytest.mark.parametrize(
    ("game", "seats"),
    [("Quartett", 3), *(pytest.param(*one, marks=pytest.mark.long) for one in ROBOTS)],
)
def test_a_match_is_begun_by_ear_and_the_robots_play_on(
    context: BrowserContext, play: PlayDesk, game: str, seats: int
) -> None:
    page = _set_up(context, play, game, seats)
    Listener(page).play(2)
    _check(page, play, GAMES[game][1])


def test_a_short_match_is_played_by_ear_and_read_aloud(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deck of six cards: two each. All that was decided is read, in its order."""
    deck = {
        "id": "zoo",
        "title": "Zoo",
        "preset": "gastro",
        "categories": [{"key": "kg", "title": "Weight", "unit": "kg", "best": "high"}],
        "cards": [
            {"code": code, "name": f"Beast {code}", "values": [value]}
            for value, code in enumerate(["A1", "A2", "A3", "A4", "B1", "B2"], 2)
        ],
    }
    (tmp_path / "zoo.json").write_text(json.dumps(deck))
    monkeypatch.setenv("SCHIRI_DECKS", str(tmp_path))
    with PlayDesk.opened("cpython") as play:
        play.table.evening.family = Family(tmp_path / "family.jsonl")
        page = _set_up(context, play, "Trumpf – Gastro", 3, "Zoo")
        Listener(page).play(MOST_MOVES)
        _check(page, play, "Cards")
        told, _ = _told(play.table.transcript())
        texts = in_words(page, told, "en")
        aloud = spoken(page)
        said = iter(aloud)
        assert all(any(wanted in one for one in said) for wanted in texts)
        assert any(re.search(r"Weight: .*\d kilograms", one) for one in aloud)
        won = int(0 in play.table.log.result["ranking"][0])
        assert play.table.evening.family.figures("Anna")["won"] == won
