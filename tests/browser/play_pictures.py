"""The pictures of docs/play.md and docs/spieltisch.md, taken from the real page.

python -m tests.browser.play_pictures
"""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from .clicking import Clicker
from .conftest import FLAGS
from .play_desk import MATCH_MS, PlayDesk
from .test_play_replay import some_transcript

FOLDER = Path(__file__).parents[2] / "docs" / "screens-play"
WIDE = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
COLOURS = 64
MANY_ANSWERS = 12


def keep(page: Page, name: str) -> None:
    """A small PNG: few colours, no animation."""
    page.wait_for_timeout(400)
    raw = page.screenshot(animations="disabled")
    picture = Image.open(io.BytesIO(raw)).convert("RGB").quantize(COLOURS)
    picture.save(FOLDER / f"{name}.png", optimize=True)


def trumpf(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Trumpf – Swiss")
    clicker = Clicker(page, desk)
    clicker.wait_for_my_turn()
    while desk.table.log.awaits["for"] != "call" or desk.table.log.count < MANY_ANSWERS:
        clicker.move()
        clicker.wait_for_my_turn()
    keep(page, "trumpf")


def cheat(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Trumpf – Swiss", me="all")
    expect(page.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
    page.get_by_text("Cheating (for training)").click()
    page.get_by_role("button", name="A copied card").click()
    expect(page.locator("#screen-text")).to_contain_text(
        desk.table.say("tag_bad_seal")[:14], timeout=MATCH_MS
    )
    keep(page, "cheat")


def cafe(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Café – Board game", me="nobody", seats=2)
    while desk.table.log.count < 3 * MANY_ANSWERS:
        page.wait_for_timeout(100)
    page.get_by_role("button", name="Paused").click()
    keep(page, "cafe")


def hattrick(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Hattrick", seats=4)
    clicker = Clicker(page, desk)
    for _ in range(3):
        clicker.wait_for_my_turn()
        clicker.move()
    clicker.wait_for_my_turn()
    keep(page, "hattrick")


def quartett(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Quartett", seats=3)
    Clicker(page, desk).wait_for_my_turn()
    keep(page, "quartett")


def phone(page: Page, desk: PlayDesk) -> None:
    page.set_viewport_size(PHONE)
    desk.start(page, "Trumpf – Gastro", seats=3)
    Clicker(page, desk).wait_for_my_turn()
    page.evaluate("scrollTo(0, 0)")
    keep(page, "phone")


def replay(page: Page, desk: PlayDesk) -> None:
    number = desk.server.add_replay(some_transcript(), "match.ndjson")
    page.goto(desk.url(f"/r/{number}?at=4"))
    expect(page.locator("#told")).to_contain_text("wins")
    keep(page, "replay")


PICTURES = (trumpf, cheat, cafe, hattrick, quartett, phone, replay)


def take(browser: Browser, picture: Callable[[Page, PlayDesk], None]) -> None:
    """One picture at a fresh table."""
    with PlayDesk.opened("cpython") as desk:
        page = browser.new_page(viewport=WIDE)
        desk.open(page)
        picture(page, desk)
        page.close()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(FLAGS)
        )
        for picture in PICTURES:
            take(browser, picture)
        browser.close()


if __name__ == "__main__":
    main()
