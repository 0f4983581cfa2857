"""The page after the match: no fault on a phone and a wide screen, by day and by night; from it a
step of the replay, and what is shared.
"""

from playwright.sync_api import Page, expect

from tests.host.play.test_after import RECORD

from .play_desk import PlayDesk
from .test_play_layout import AXE, FAULTS, TOO_FAR_RIGHT


def test_after_the_match_to_a_step_and_to_a_phone(chromium: Page, play: PlayDesk) -> None:
    number = play.server.add_replay(RECORD, "match.ndjson", "de")
    key = play.server.replays[number].key
    for width, theme in ((390, "dark"), (1920, "light")):
        chromium.set_viewport_size({"width": width, "height": 900})
        chromium.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        chromium.goto(play.url(f"/r/{number}/after"))
        expect(chromium.locator("#summary")).to_have_attribute("aria-busy", "false")
        expect(chromium.locator("#won-title")).to_have_text("Beat gewinnt!")
        chromium.evaluate(AXE.read_text(encoding="utf8"))
        assert chromium.evaluate(FAULTS, "body") == []
        assert chromium.evaluate(TOO_FAR_RIGHT, width) == []
    chromium.get_by_label("Ab Schritt").fill("3")
    chromium.get_by_label("Ab Schritt").blur()
    link = chromium.locator("#link").input_value()
    assert link.endswith(f"/r/{number}?key={key}&at=3")
    expect(chromium.locator("#code")).to_have_attribute(
        "src", f"/r/{number}/share.svg?at=3&key={play.server.key}"
    )
    chromium.goto(link)  # as somebody who was given it
    expect(chromium.locator("#told")).to_contain_text("Anna sagt b an")
    chromium.get_by_role("link", name="Nach dem Spiel").click()
    chromium.get_by_role("link", name="Schritt 6").click()
    expect(chromium.locator("#views")).to_have_attribute("data-place", "6")
