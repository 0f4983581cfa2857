"""The pictures of docs/play.md and docs/cards.md, and those of docs/spieltisch.md and
docs/karten.md in German, taken from the real page.

python -m tests.browser.play_pictures [NAME …]
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect, sync_playwright

from hardware.twin.node import find_node
from host_tools.cards.decks import deck_path
from host_tools.replay.wording import EVENTS
from host_tools.sim.table import messages
from host_tools.web.decks.server import DeckEditor
from tests.conftest import find_program
from tests.support.served import served

from .clicking import Clicker
from .conftest import FLAGS
from .play_desk import MATCH_MS, PlayDesk, own_words, pattern_of
from .shots import english_decks, save

FOLDER = Path(__file__).parents[2] / "docs" / "screens-play"
WIDE = {"width": 1280, "height": 860}
TALL = 1200  # all of a café
PHONE = {"width": 390, "height": 844}
MANY_ANSWERS = 12


def keep(page: Page, name: str) -> None:
    """As it stands, without animation."""
    page.wait_for_timeout(400)
    lang = page.locator("html").get_attribute("lang")
    save(page.screenshot(animations="disabled"), FOLDER / str(lang) / f"{name}.png")


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
    expect(page.locator("#prompt")).to_contain_text(desk.said("for_tap"), timeout=MATCH_MS)
    desk.drawer(page, "Cheating")
    page.get_by_role("button", name=own_words("A copied card", desk.table.lang)).click()
    expect(page.locator("#screen-text")).to_contain_text(
        desk.table.say("tag_bad_seal")[:14], timeout=MATCH_MS
    )
    keep(page, "cheat")


def jury(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Trumpf – Swiss")
    Clicker(page, desk).wait_for_my_turn()
    desk.drawer(page, "Cheating")
    page.get_by_role("button", name=own_words("A dead tag", desk.table.lang)).click()
    desk.drawer(page, "Jury menu")
    page.get_by_role("button", name=desk.table.say("arbiter_hand")).click()
    expect(page.locator("#hint")).to_contain_text("SW-9")
    keep(page, "jury")


def cafe(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Café – Board game", me="nobody", seats=2)
    while desk.table.log.count < 2 * MANY_ANSWERS:
        page.wait_for_timeout(100)
    desk.table.do(messages.Speed(speed=0))
    page.set_viewport_size({"width": WIDE["width"], "height": TALL})
    page.evaluate("document.querySelectorAll('*').forEach(each => each.scrollTo(0, 0))")
    keep(page, "cafe")


def phone(page: Page, desk: PlayDesk) -> None:
    page.set_viewport_size(PHONE)
    desk.start(page, "Trumpf – Gastro", seats=3)
    Clicker(page, desk).wait_for_my_turn()
    page.evaluate("scrollTo(0, 0)")
    keep(page, "phone")


def watched(page: Page, desk: PlayDesk, game: str, seats: int | None, told: str) -> None:
    """Let robots play a match, and open its record at a late step that tells an event `told`."""
    words = re.compile(pattern_of(EVENTS[desk.table.lang][told]))
    desk.start(page, game, me="nobody", seats=seats)
    desk.wait_until_closed(page)
    number = desk.server.add_replay(desk.table.transcript().encode(), "match.ndjson")
    steps = desk.server.replays[number].steps
    at = next(step["n"] for step in steps[len(steps) // 3 :] if words.search(step["text"]))
    page.goto(desk.url(f"/r/{number}?at={at}"))
    expect(page.locator("#views")).to_have_attribute("data-place", str(at), timeout=MATCH_MS)


def replay(page: Page, desk: PlayDesk) -> None:
    watched(page, desk, "Trumpf – Gastro", 3, "round_won")
    keep(page, "replay")


@contextmanager
def deck_page(page: Page, lang: str = "en") -> Iterator[None]:
    with TemporaryDirectory() as folder:
        editor = DeckEditor(Path(folder), deck_path("berge"), lang)
        with served(editor.app) as base:
            page.goto(f"{base}/?key={editor.key}")
            page.locator("#simulate").click()
            expect(page.locator("#balance")).not_to_be_empty(timeout=MATCH_MS)
            page.evaluate("scrollTo(0, 0)")
            yield


PICTURES = (trumpf, cheat, jury, cafe, phone, replay)


def draw_deck(browser: Browser, lang: str) -> None:
    """The page of a deck of one's own, from its top."""
    page = browser.new_page(viewport=WIDE)
    with deck_page(page, lang):
        keep(page, "deck")
    page.close()


def take(browser: Browser, picture: Callable[[Page, PlayDesk], None], lang: str) -> None:
    """One picture at a fresh table."""
    with PlayDesk.opened("cpython", lang=lang) as desk:
        page = browser.new_page(viewport=WIDE)
        desk.open(page)
        picture(page, desk)
        page.close()


def wanted(name: str) -> bool:
    return not sys.argv[1:] or name in sys.argv[1:]


def draw(browser: Browser, lang: str) -> None:
    """The pictures of the guides in one language."""
    for picture in PICTURES:
        if wanted(picture.__name__):
            take(browser, picture, lang)
    if wanted("deck"):
        draw_deck(browser, lang)


def main() -> None:
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = find_node()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=find_program("chromium-headless-shell"), args=list(FLAGS)
        )
        draw(browser, "de")
        with english_decks():
            draw(browser, "en")
        browser.close()


if __name__ == "__main__":
    main()
