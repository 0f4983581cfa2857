"""An evening at home: the server is killed and started again, and phones come by a code."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from host_tools.games import page_texts
from host_tools.web.table.guesses import MOST_OF_ONE
from tests.support.evening import EveningAtHome, evening

from .play_desk import LIT, MATCH_MS, PlayDesk

TEXTS = page_texts("en")
BACK_MS = 10_000


def begin(page: Page, home: EveningAtHome) -> None:
    """A match of three, with a card in the hand of the one at the page."""
    home.start("--seed", "2")
    home.do(do="speed", speed=1000)
    page.goto(f"{home.base}/t/1?key={home.key}")
    expect(page.locator("#oled")).to_have_attribute("data-rows", LIT, timeout=MATCH_MS)
    start: dict[str, Any] = {"game": "trumpf", "preset": "swiss", "seats": 2}
    home.do(do="start", **start, auto=[1], names=["Mia", "Bot"])
    expect(page.locator("#prompt")).to_contain_text("tap", timeout=MATCH_MS)


def test_a_page_goes_on_by_itself_after_the_server_was_killed(
    chromium: Page, tmp_path: Path
) -> None:
    with evening(tmp_path) as home:
        begin(chromium, home)
        card = chromium.locator("#hand .may").first
        code = card.get_attribute("data-code")
        home.kill()
        expect(chromium.locator("#line")).to_contain_text(TEXTS["lost"])
        card.click()  # held until the table is back
        home.start()
        expect(chromium.locator("#line")).to_have_text(TEXTS["came_back"], timeout=BACK_MS)
        expect(chromium.locator("#problem")).to_have_text("")
        expect(chromium.locator("#news")).to_contain_text(f"Mia presents {code}", timeout=BACK_MS)
        # what the browser kept opens the same table
        chromium.reload()
        expect(chromium.locator("#news")).to_contain_text(f"Mia presents {code}")
        expect(chromium.locator("#seats li")).to_have_count(2)
        expect(chromium.locator("#line")).to_have_text("")


def test_after_a_fresh_start_an_old_page_says_so_and_stops(chromium: Page, tmp_path: Path) -> None:
    with evening(tmp_path) as home:
        begin(chromium, home)
        home.kill()
        home.key = ""
        home.start("--fresh")
        line = chromium.locator("#line")
        expect(line).to_contain_text("this link opens nothing here", timeout=BACK_MS)
        asked: list[str] = []
        chromium.on("request", lambda request: asked.append(request.url))
        chromium.wait_for_timeout(3_000)
        assert asked == []


def test_begin_afresh_on_the_page_of_the_tables(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    old = play.server.key
    chromium.goto(play.url("/"))
    chromium.get_by_text(TEXTS["fresh"], exact=True).first.click()
    chromium.get_by_role("button", name=TEXTS["fresh"]).click()
    chromium.wait_for_url("**/t/2?key=*")
    assert old not in chromium.url
    assert list(play.server.tables) == [2]
    assert chromium.request.get(play.url("/t/1", old)).status == 404
    assert chromium.request.get(play.url("/t/2", old)).status == 403


def test_a_code_that_is_typed_leads_to_a_free_seat(
    chromium: Page, browser: Browser, play: PlayDesk
) -> None:
    play.open(chromium)
    chromium.get_by_text(TEXTS["seat_links"], exact=True).click()
    devices = chromium.locator("#devices")
    code = devices.locator("#table-code").inner_text()
    # what is shared is no link of the host, and the host's own is named as what it is
    assert play.server.key not in (devices.locator("#join-link").get_attribute("href") or "")
    expect(devices.get_by_role("heading", name=TEXTS["host_link"])).to_be_visible()
    expect(devices).to_contain_text(TEXTS["host_link_hint"])
    phone = browser.new_page(viewport={"width": 360, "height": 740})
    try:
        phone.goto(play.base)
        phone.get_by_label(TEXTS["code"]).fill("AAAA")
        phone.get_by_role("button", name=TEXTS["code_go"]).click()
        expect(phone.locator("#problem")).to_contain_text("no table here has this code")
        phone.get_by_label(TEXTS["code"]).fill(code.lower())
        phone.keyboard.press("Enter")
        expect(phone.get_by_role("heading", name=TEXTS["join_title"])).to_be_visible()
        assert play.server.key not in phone.content()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360
        phone.get_by_label(TEXTS["join_name"]).fill("Mia")
        phone.get_by_role("button", name=TEXTS["join"], exact=True).click()
        expect(phone.locator("#phone-note")).to_contain_text("You are in, Mia.")
        expect(chromium.locator("#phones li")).to_contain_text("Mia")
        for _ in range(MOST_OF_ONE):
            answer = phone.request.post(f"{play.base}/code", data="ZZZZ")
        assert answer.status == 429
        # the right one waits, too: else guessing on would tell which it is
        assert phone.request.post(f"{play.base}/code", data=code).status == 429
    finally:
        phone.close()
