"""The page after the match: no fault on a phone and a wide screen, by day and by night; from it a
step of the replay, and what is shared; from the last card to it, and to the next match.
"""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.host.play.test_after import RECORD
from tests.processes import wait

from .clicking import resize
from .looking import AXE, FAULTS
from .play_desk import PlayDesk
from .test_play_layout import TOO_FAR_RIGHT
from .test_play_seats import phone


def test_after_the_match_to_a_step_and_to_a_phone(chromium: Page, play: PlayDesk) -> None:
    number = play.server.add_replay(RECORD, "match.ndjson", "de")
    key = play.server.replays[number].key
    for width, theme in ((390, "dark"), (1920, "light")):
        resize(chromium, width, 900)
        chromium.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        chromium.goto(play.url(f"/r/{number}/after"))
        expect(chromium.locator("#summary")).to_have_attribute("aria-busy", "false")
        expect(chromium.locator("#won-title")).to_have_text("Beat gewinnt!")
        chromium.evaluate(AXE)
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
    chromium.get_by_role("link", name="Nach der Partie").click()
    chromium.get_by_role("link", name="Schritt 6").click()
    expect(chromium.locator("#views")).to_have_attribute("data-place", "6")


def test_from_the_last_card_to_where_it_turned_and_a_rematch(
    context: BrowserContext, chromium: Page, play: PlayDesk
) -> None:
    play.open(chromium)
    chromium.get_by_label("Trumpf – Gastro").check()
    chromium.get_by_label("I play").select_option("nobody")
    chromium.get_by_label("Strength").select_option("strong")
    chromium.get_by_label("Seats", exact=True).select_option("3")
    chromium.get_by_text("Names", exact=True).click()
    chromium.get_by_label("How the bot at seat 3 plays").select_option("easy")
    play.start(chromium, "Trumpf – Gastro", me="nobody")
    play.look_away(chromium)
    assert [play.table.log.strength(seat) for seat in range(3)] == ["strong", "strong", "easy"]
    winner = chromium.locator("#end-title").inner_text()
    play.press_more(chromium, "Turning points and best moves")
    expect(chromium.locator("#summary")).to_have_attribute("aria-busy", "false")
    expect(chromium.locator("#won-title")).to_have_text(winner)
    turn = chromium.locator(".turns a").first
    at = turn.inner_text().removeprefix("Step ")
    turn.click()
    expect(chromium.locator("#views")).to_have_attribute("data-place", at)
    expect(chromium.locator("#at")).to_have_value(at)

    device = phone(context, play, 1)  # at the table with its own key, not the host's
    play.press_more(device, "Share")
    expect(device).to_have_url(re.compile(r"/r/1/after\?.*#share$"))  # the same analysis
    assert play.table.phones.seat_keys[1] not in device.locator("#link").input_value()
    device.get_by_role("link", name="Back to the table").click()
    expect(device.locator("#end-title")).to_have_text(winner)
    play.press_more(device, "Turning points and best moves")
    device.get_by_role("button", name="Rematch").click()
    expect(device).to_have_url(re.compile(r"/t/1\?seat=2&key="))
    wait(lambda: play.table.log.number == 2 and play.table.log.count > 0)
    assert play.table.log.header["names"] == ["Anna", "Beat", "Chiara"]
    assert [play.table.log.strength(seat) for seat in range(3)] == ["strong", "strong", "easy"]
