"""The pictures of docs/play.md and docs/cards.md, and those of docs/spieltisch.md and
docs/karten.md in German, taken from the real page; and docs/play-pages.md, every page at three
widths, by day and by night.

python -m tests.browser.play_pictures [NAME …]
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hardware.twin.node import find_node
from host_tools.cards.decks import deck_path
from host_tools.replay.words import EVENTS
from host_tools.sim.table import autoplay, messages
from host_tools.web.decks.server import DeckEditor
from tests.conftest import find_program
from tests.processes import wait
from tests.support.hall_day import play_groups
from tests.support.served import served

from .clicking import Clicker
from .conftest import FLAGS
from .desk_hall import desk_hall, prepare
from .play_desk import MATCH_MS, PlayDesk, own_words, pattern_of
from .shots import english_decks, save
from .test_hall_pages import beat, lay

FOLDER = Path(__file__).parents[2] / "docs" / "screens-play"
PAGES = FOLDER / "pages"
TABLE = FOLDER.parent / "play-pages.md"
SIZES = {390: 844, 1024: 768, 1440: 900}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SMALL = 0.5
COLOURS = 256
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


def replay_phone(page: Page, desk: PlayDesk) -> None:
    page.set_viewport_size(PHONE)
    watched(page, desk, "Hattrick", 4, "round_over")
    keep(page, "replay-phone")


# -- every page


def lobby(page: Page, desk: PlayDesk) -> None:
    page.goto(desk.url("/"))


def set_up(page: Page, desk: PlayDesk) -> None:
    expect(page.locator(".tile").first).to_be_visible()


def play_until(page: Page, desk: PlayDesk, awaited: str) -> None:
    """Until this is asked of who looks at the page."""
    clicker = Clicker(page, desk)
    clicker.wait_for_my_turn()
    while desk.table.log.awaits["for"] != awaited:
        clicker.move()
        clicker.wait_for_my_turn()


def calling(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Trumpf – Gastro", seats=3)
    play_until(page, desk, "call")


def decided(page: Page, desk: PlayDesk) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(autoplay, "VERDICT_MS", 1 << 40)
        desk.table.do(messages.Speed(speed=10))
        desk.start(page, "Trumpf – Gastro", me="nobody", seats=3)
        expect(page.locator("#go-on")).to_be_visible(timeout=MATCH_MS)


def guided(page: Page, desk: PlayDesk) -> None:
    page.get_by_label(desk.said("guided")).check()
    desk.start(page, "Hattrick", seats=4)
    Clicker(page, desk).wait_for_my_turn()


def asked(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Quartett", seats=3)
    play_until(page, desk, "answer")


def chairs(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Café – Board game", seats=2)
    clicker = Clicker(page, desk)
    for _ in range(MANY_ANSWERS):
        clicker.wait_for_my_turn()
        clicker.move()
    clicker.wait_for_my_turn()
    page.locator("#hand .may").first.click()
    expect(page.locator(".room .chair.may").first).to_be_visible(timeout=MATCH_MS)


def refusal(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Hattrick", seats=3)
    clicker = Clicker(page, desk)
    clicker.wait_for_my_turn()
    clicker.move()
    clicker.wait_for_my_turn()
    desk.table.do(messages.Trick(name="card_again"))
    expect(page.locator("#verdict.refused .rule")).to_be_visible(timeout=MATCH_MS)
    page.locator("#verdict .rule").click()


def ended(page: Page, desk: PlayDesk) -> None:
    desk.play_unseen("gastro", seats=3)
    desk.wait_until_closed(page)


def after_it(page: Page, desk: PlayDesk) -> None:
    ended(page, desk)
    page.locator("#after").click()
    expect(page.locator("#summary")).to_have_attribute("aria-busy", "false", timeout=MATCH_MS)


def own_device(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Hattrick", me="all", seats=3)
    wait(lambda: desk.table.log.count == 1 and not desk.table.runner.busy)
    seat = desk.table.log.awaits["seat"]
    desk.open(page, f"/t/1?seat={seat + 1}", desk.table.phones.seat_keys[seat])
    expect(page.locator("#hand .may").first).to_be_visible(timeout=MATCH_MS)


def step_by_step(page: Page, desk: PlayDesk) -> None:
    watched(page, desk, "Trumpf – Gastro", 3, "round_won")


def settings(page: Page, desk: PlayDesk) -> None:
    desk.drawer(page, "Settings")


def real_box(page: Page, desk: PlayDesk) -> None:
    page.goto(desk.url("/serial"))


def sounds(page: Page, desk: PlayDesk) -> None:
    page.goto(desk.url("/sounds"))


STATES = {
    "Setting up": set_up,
    "A category is to be called": calling,
    "A round is decided": decided,
    "A guided first match": guided,
    "A card is asked for": asked,
    "A guest looks for a chair": chairs,
    "A card is refused, and the rule": refusal,
    "On one's own device": own_device,
    "The end": ended,
    "After the match": after_it,
    "Settings": settings,
    "The tables": lobby,
    "Step by step": step_by_step,
    "A real box": real_box,
    "What the box says by its sounds": sounds,
}


# -- pages of other servers


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


@contextmanager
def in_the_hall(page: Page, address: str) -> Iterator[None]:
    """The groups have been played; at table 3 there is a box on the air."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, players=12)
        (folder / "open").mkdir()
        with desk_hall(folder, folder / "open") as hall:
            play_groups(hall.service)
            beat(hall)
            lay(hall, 0, 3)
            page.goto(f"{hall.base}{address}")
            expect(page.locator("main").get_by_text("Carla").first).to_be_visible(timeout=MATCH_MS)
            yield


OTHERS: dict[str, Callable[[Page], AbstractContextManager[None]]] = {
    "A deck of one's own": deck_page,
    "The public board": partial(in_the_hall, address="/?lang=en"),
    "A table of the hall, live": partial(in_the_hall, address="/table/3?lang=en"),
    "For a video stream": partial(in_the_hall, address="/overlay?table=3&lang=en"),
}


def shots_of(page: Page, title: str, name: str) -> str:
    """A line of the table, which begins with the text of its pictures."""
    shots = [(width, theme) for width in SIZES for theme in THEMES]
    names = [shrunk(page, f"{name}-{width}-{theme}", width, theme) for width, theme in shots]
    return " | ".join([title, *(f"![](screens-play/pages/{one}.png)" for one in names)])


def draw_pages(browser: Browser) -> None:
    """Every page in `STATES` and `OTHERS`, and the table of them."""
    PAGES.mkdir(parents=True, exist_ok=True)
    shots = [(width, theme) for width in SIZES for theme in THEMES]
    heads = [f"{width}, {theme}" for width, theme in shots]
    rows = [" | ".join(["page", *heads]), "|".join(["---"] * (1 + len(heads)))]
    for title, state in STATES.items():
        with PlayDesk.opened("cpython") as desk:
            page = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]})
            page.emulate_media(reduced_motion="reduce")
            desk.open(page)
            state(page, desk)
            rows.append(shots_of(page, title, state.__name__))
            page.close()
    for title, opened in OTHERS.items():
        page = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]})
        with opened(page):
            rows.append(shots_of(page, title, re.sub(r"\W+", "_", title.lower())))
        page.close()
    told = "Made by `python -m tests.browser.play_pictures pages`; at half their size."
    lines = ["# Every page of the virtual table", "", told, "", *rows, ""]
    TABLE.write_text("\n".join(lines), "utf-8")


def shrunk(page: Page, name: str, width: int, theme: Literal["light", "dark"]) -> str:
    """One picture of the page as it stands."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": SIZES[width]})
    page.wait_for_timeout(200)
    save(page.screenshot(animations="disabled"), PAGES / f"{name}.png", SMALL, COLOURS)
    return name


PICTURES = (trumpf, cheat, jury, cafe, hattrick, quartett, phone, replay, replay_phone)


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
            if wanted("pages"):
                draw_pages(browser)
        browser.close()


if __name__ == "__main__":
    main()
