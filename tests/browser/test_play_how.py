"""How to play: a page a game with pictures, before the rules by number."""

import re

import pytest
from playwright.sync_api import Page, expect

from host_tools.core.texts import LANGS
from host_tools.games import GAMES

from .play_desk import MATCH_MS, PlayDesk

MOST_WORDS = 360  # a leaflet of one page
STEPS = {
    ("trumpf", "swiss"): 8,
    ("trumpf", "gastro"): 8,
    ("trumpf", "kneipe"): 9,
    ("quartett", ""): 5,
    ("cafe", "board"): 9,
    ("cafe", "app"): 10,
    ("hattrick", ""): 6,
}
PICTURES = {"trumpf": 3 + 1 + 3 + 3, "quartett": 4 + 1 + 2, "cafe": 3, "hattrick": 3 + 3 + 4 + 3}
FIRST = {"trumpf": "TR-1", "quartett": "QU-1", "cafe": "CB-1", "hattrick": "HA-1"}


@pytest.mark.parametrize("lang", LANGS)
def test_every_game_says_in_pictures_how_it_is_played(
    chromium: Page, play: PlayDesk, lang: str
) -> None:
    assert {game for game, _ in STEPS} == set(GAMES)
    for (game, preset), steps in STEPS.items():
        # for everybody: without a key
        chromium.goto(f"{play.base}/how/{game}?lang={lang}&rules={preset}")
        expect(chromium.locator("#how > li")).to_have_count(steps)
        said = chromium.locator(".how .goal, #how > li p").all_inner_texts()
        assert len(" ".join(said).split()) <= MOST_WORDS
        assert not re.search(r"[\[\]=]", re.sub(r"= \S+", "", " ".join(said)))
        expect(chromium.locator(".how .card svg")).to_have_count(PICTURES[game])
        expect(chromium.locator(".how .room")).to_have_count(int(game == "cafe"))
        expect(chromium.locator(".how .room [data-place] title, .how .goal")).not_to_have_count(0)
        expect(chromium.locator("dt").first).to_have_text(FIRST[game])
        steps_end = chromium.locator("#how").bounding_box()
        rules = chromium.locator("#numbers").bounding_box()
        assert steps_end is not None
        assert rules is not None
        assert steps_end["y"] + steps_end["height"] <= rules["y"]  # pictures first
        assert chromium.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_page_says_what_its_variant_and_house_rules_are(chromium: Page, play: PlayDesk) -> None:
    said = {}
    shrinking = "board%20drawing%3Dshrink%20between%3Dboth"
    for rules in ("board", "app", shrinking, "app%20mono%3Dtable"):
        chromium.goto(f"{play.base}/how/cafe?lang=en&rules={rules}")
        expect(chromium.locator("#how > li")).not_to_have_count(0)
        said[rules] = chromium.locator("#how").inner_text()
    board, app, shrink, table = said.values()
    assert "cost 5, jokers 10" in board
    assert "drops by one" not in board
    assert "Guests in hand cost nothing" in app
    assert "cost 5" not in app
    assert "2 if all are of one nation" in app
    assert "drops by one" in shrink
    assert "at each of them" in shrink
    assert "2 if all are of the table's nation" in table
    chromium.get_by_role("link", name="Deutsch").click()
    expect(chromium.locator("#how")).to_contain_text("aus der Nation des Tisches")


def test_door_and_rules_lead_there_and_the_clock_comes_last(
    chromium: Page, play: PlayDesk
) -> None:
    chromium.goto(play.url("/"))
    chromium.get_by_role("link", name="Hattrick", exact=True).click()
    expect(chromium.get_by_role("heading", level=1)).to_have_text("How to play Hattrick")
    play.open(chromium)
    play.start(chromium, "Trumpf – Swiss", me="nobody", seats=2)
    play.drawer(chromium, "Rules")
    link = chromium.locator("#rules-sheet a").first
    expect(link).to_have_text("How to play", timeout=MATCH_MS)
    expect(link).to_have_attribute("href", "/how/trumpf?lang=en&rules=swiss")
    rules = chromium.locator("#rules-sheet dt").all_inner_texts()
    assert rules[:3] == ["TR-1", "TR-2", "TR-3"]
    assert rules[rules.index("TR-9") + 1] == "TR-10"
    assert [rule for rule in rules if rule.startswith("CL")] == rules[-7:]
    answer = chromium.request.get(f"{play.base}/how/poker")
    assert (answer.status, bool(re.match("there is no game poker", answer.text()))) == (404, True)
