"""The pictures of docs/play.md and docs/spieltisch.md, taken from the real page.

python -m tests.browser.play_pictures [NAME …]
"""

import io
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import find_program

from .clicking import Clicker
from .conftest import FLAGS
from .play_desk import MATCH_MS, PlayDesk

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
    page.get_by_text("Cheating").click()
    page.get_by_role("button", name="A copied card").click()
    expect(page.locator("#screen-text")).to_contain_text(
        desk.table.say("tag_bad_seal")[:14], timeout=MATCH_MS
    )
    keep(page, "cheat")


def jury(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Trumpf – Swiss")
    Clicker(page, desk).wait_for_my_turn()
    page.get_by_text("Cheating").click()
    page.get_by_role("button", name="A dead tag").click()
    page.get_by_text("Jury menu").click()
    page.get_by_role("button", name="Card by hand").click()
    expect(page.locator("#hint")).to_contain_text("SW-9")
    keep(page, "jury")


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


def watched(page: Page, desk: PlayDesk, game: str, seats: int | None, told: str) -> None:
    """Let robots play a match, and open its record at a late step that tells `told`."""
    desk.start(page, game, me="nobody", seats=seats)
    desk.wait_until_closed(page)
    number = desk.server.add_replay(desk.table.transcript().encode(), "match.ndjson")
    steps = desk.server.replays[number].steps
    at = next(step["n"] for step in steps[len(steps) // 3 :] if told in step["text"])
    page.goto(desk.url(f"/r/{number}?at={at}"))
    expect(page.locator("#views")).to_have_attribute("data-place", str(at), timeout=MATCH_MS)


def replay(page: Page, desk: PlayDesk) -> None:
    watched(page, desk, "Trumpf – Gastro", 3, "wins")
    keep(page, "replay")


def replay_phone(page: Page, desk: PlayDesk) -> None:
    page.set_viewport_size(PHONE)
    watched(page, desk, "Hattrick", 4, "Round over")
    keep(page, "replay-phone")


PICTURES = (trumpf, cheat, jury, cafe, hattrick, quartett, phone, replay, replay_phone)


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
            executable_path=find_program("chromium-headless-shell"), args=list(FLAGS)
        )
        for picture in PICTURES:
            if not sys.argv[1:] or picture.__name__ in sys.argv[1:]:
                take(browser, picture)
        browser.close()


if __name__ == "__main__":
    main()
