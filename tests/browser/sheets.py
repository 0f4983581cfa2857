"""Every page of ours at five widths, by day and by night, a sheet each, into build/sheets.

python -m tests.browser.sheets [PART OF A TITLE …]
"""

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hardware.twin.node import find_node
from host_tools.core.texts import TEXTS
from host_tools.sim.table import autoplay, messages
from host_tools.tournament.actions import signups
from host_tools.web.desk.pages import MENU
from tests.conftest import find_program
from tests.processes import wait
from tests.support.hall_day import play_groups, play_knock_out

from .clicking import Clicker, resize
from .conftest import FLAGS, SIZE
from .desk_hall import PASSWORD, empty_desk
from .draw_desk import at_noon, settle
from .play_desk import MATCH_MS, PlayDesk
from .play_pictures import MANY_ANSWERS, deck_page, watched
from .shots import english_decks
from .test_hall_pages import beat, lay

FOLDER = Path(__file__).parents[2] / "build" / "sheets"
WIDTHS = {360: 640, 768: 1024, 1024: 768, 1440: 900, 1920: 1080}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SCALE = 0.28
GAP = 8
GROUND = "#888"
QUALITY = 72
REFIT_MS = 1200
"""A screen in the hall looks once a second how large its letters may be."""


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
    desk.start(page, "Hattrick", seats=4, button="teach")
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
    desk.press_more(page, "Turning points and best moves")
    expect(page.locator("#summary")).to_have_attribute("aria-busy", "false", timeout=MATCH_MS)


def own_device(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Hattrick", me="all", seats=3)
    wait(lambda: desk.table.log.count == 1 and not desk.table.runner.busy)
    seat = desk.table.log.awaits["seat"]
    desk.open(page, f"/t/1?seat={seat + 1}", desk.table.phones.seat_keys[seat])
    expect(page.locator("#hand .may").first).to_be_visible(timeout=MATCH_MS)


def step_by_step(page: Page, desk: PlayDesk) -> None:
    watched(page, desk, "Trumpf – Gastro", 3, "round_won")


def joining(page: Page, desk: PlayDesk) -> None:
    page.goto(desk.url("/t/1/join"))


def how(page: Page, desk: PlayDesk) -> None:
    page.goto(desk.url("/how/trumpf"))


def settings(page: Page, desk: PlayDesk) -> None:
    desk.drawer(page, "Settings")


STATES = {
    "The door": set_up,
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
    "Joining with a phone": joining,
    "How to play": how,
    "Step by step": step_by_step,
}
NOON = {
    "The public board": "/",
    "Groups": "/groups",
    "Ranking": "/ranking",
    "Where do I play?": "/find?q=a",
    "A player": "/player/p001",
    "The map of the hall": "/map",
    "Signing up": "/signup",
    "Checking a signature": "/verify",
    "Tables on the air": "/tables",
    "A table on the air": "/table/3",
    "For a video stream": "/overlay?table=3",
    "The screen in the hall": "/?kiosk=1&turn=300",
    "The wall": "/wall",
    "The desk's login": "/desk/login",
}
DESK = [
    *(f"/desk/{page}" for page in MENU if page != "home"),
    "/desk",
    "/desk/match/C-6",
    "/desk/match/A-1?cards_a=12&cards_b=20&preview=1",
    "/desk/player/p001",
]
EVENING = {
    "The knock-out": "/tree",
    "Desk in the evening": "/desk",
    "Desk in the evening: honours": "/desk/honours",
}


def desk_title(address: str) -> str:
    """The page's own name in the menu; what is not in the menu, by its address."""
    page = address.removeprefix("/desk").strip("/").split("?")[0] or "home"
    return f"Desk: {TEXTS['en'].get(f'd_{page}', page)}"


@contextmanager
def fresh(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport=SIZE, locale="en-GB")
    page.emulate_media(reduced_motion="reduce")
    yield page
    page.close()


def visits(wanted: Callable[[str], bool], browser: Browser) -> Iterator[tuple[str, Page]]:
    """Each page that is wanted, opened in its state."""
    for title, state in STATES.items():
        if wanted(title):
            with PlayDesk.opened("cpython") as desk, fresh(browser) as page:
                desk.open(page)
                state(page, desk)
                yield title, page
    others = (visit_deck, visit_empty_desk, visit_day)
    yield from (one for visit in others for one in visit(browser) if wanted(one[0]))


def visit_deck(browser: Browser) -> Iterator[tuple[str, Page]]:
    with fresh(browser) as page, deck_page(page):
        yield "A deck of one's own", page


def visit_empty_desk(browser: Browser) -> Iterator[tuple[str, Page]]:
    with (
        TemporaryDirectory() as name,
        fresh(browser) as page,
        empty_desk(Path(name)) as (base, _),
    ):
        page.goto(f"{base}/desk?lang=en")
        yield "A desk's first page", page
        page.get_by_label("User").fill("anna")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Make the account").click()
        expect(page.get_by_role("heading", name="Make a tournament")).to_be_visible()
        yield "Making a tournament", page


def visit_day(browser: Browser) -> Iterator[tuple[str, Page]]:
    """Of a tournament at noon and in the evening."""
    with TemporaryDirectory() as name, fresh(browser) as page, at_noon(Path(name)) as hall:
        lay(hall, 0, 3)
        hall.service.do("jury", "", partial(signups.set_signups, open=True, limit=40, asks=True))
        addresses = {**NOON, **{desk_title(one): one for one in DESK}}
        for title, address in addresses.items():
            if title.startswith("Desk: ") and "/desk/login" in page.url:
                hall.log_in(page, "jury")
            beat(hall)  # else its box has not been heard for long
            page.goto(f"{hall.base}{address}")
            yield title, page
        settle(hall.service)
        play_groups(hall.service)
        play_knock_out(hall.service, rounds=2)
        for title, address in EVENING.items():
            page.goto(f"{hall.base}{address}")
            yield title, page


def sheet_of(page: Page) -> Image.Image:
    """The page as it stands: a row by day and one by night, from the narrowest to the widest."""
    sizes = [(round(w * SCALE), round(h * SCALE)) for w, h in WIDTHS.items()]
    row = max(height for _, height in sizes) + GAP
    width = sum(width + GAP for width, _ in sizes) + GAP
    sheet = Image.new("RGB", (width, len(THEMES) * row + GAP), GROUND)
    is_kiosk = page.locator(".kiosk").count() > 0
    x = GAP
    for (wide, high), size in zip(WIDTHS.items(), sizes, strict=True):
        resize(page, wide, high)
        for place, theme in enumerate(THEMES):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.wait_for_timeout(REFIT_MS if is_kiosk else 150)
            shot = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
            sheet.paste(shot.resize(size, Image.Resampling.LANCZOS), (x, place * row + GAP))
        x += size[0] + GAP
    return sheet


def main() -> None:
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = find_node()
    parts = sys.argv[1:] or [""]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver, english_decks():
        browser = driver.chromium.launch(
            executable_path=find_program("chromium-headless-shell"), args=list(FLAGS)
        )
        for title, page in visits(lambda title: any(part in title for part in parts), browser):
            name = re.sub(r"\W+", "-", title.lower()).strip("-")
            sheet_of(page).save(FOLDER / f"{name}.webp", quality=QUALITY)
        browser.close()
    print(f"{FOLDER}: {len(list(FOLDER.glob('*.webp')))} sheets")


if __name__ == "__main__":
    main()
