"""Draws the pictures of board, desk and prints into docs/screens-desk, in both languages:
`python -m tests.browser.draw_desk`; with `live` only the tables on the air. Needs Chromium, and
pdftoppm for the prints.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from firmware.app.link_frames import CHAIN_START, write_record
from host_tools.box.assigning import Given
from host_tools.core.errors import Sentence
from host_tools.core.texts import TEXTS
from host_tools.print import make
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import Here, SaidState
from host_tools.tournament import events as ev
from host_tools.tournament.actions import boxes, matches
from host_tools.tournament.boxes import BoxTables, SeenBox
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from tests.conftest import find_program
from tests.support.air_box import recorded_hand
from tests.support.hall_day import call_next, open_day, play_groups, play_knock_out
from tests.support.served import served

from .conftest import FLAGS
from .desk_hall import PASSWORD, DeskHall
from .shots import save

FOLDER = Path(__file__).parents[2] / "docs" / "screens-desk"
LAPTOP, SCREEN = (1280, 800), (1920, 1080)
LOCALES = {"en": "en-GB", "de": "de-CH"}


def draw_pages(browser: Browser, hall: DeskHall, lang: str) -> None:
    """Board and desk in the middle of the groups."""
    size = {"width": LAPTOP[0], "height": LAPTOP[1]}
    page = browser.new_page(viewport=size, locale=LOCALES[lang])
    shoot(page, hall, "/", f"{lang}/board-now")
    hall.log_in(page, "jury", lang)
    shoot(page, hall, "/desk/match/C-6", f"{lang}/desk-two-reports")
    shoot(page, hall, "/desk/grid", f"{lang}/desk-grid")
    shoot(page, hall, "/desk/tables", f"{lang}/desk-tables")
    page.close()


def draw_screen(browser: Browser, hall: DeskHall) -> None:
    """The groups on a screen in the hall; only the English guide shows it."""
    size = {"width": SCREEN[0], "height": SCREEN[1]}
    page = browser.new_page(viewport=size, locale=LOCALES["en"])
    page.goto(f"{hall.base}/?kiosk=1&turn=300")
    for _ in range(30):
        title = page.locator(".slide.shown").get_attribute("data-title")
        if title == TEXTS["en"]["groups"]:
            page.wait_for_timeout(200)
            save(page.screenshot(), FOLDER / "en" / "screen-groups.png")
            break
        page.keyboard.press("ArrowRight")
    else:
        sys.exit("the screen in the hall shows no groups")
    page.close()


def shoot(page: Page, hall: DeskHall, path: str, name: str) -> None:
    """One page as it stands."""
    page.goto(hall.base + path)
    page.wait_for_timeout(300)
    save(page.screenshot(), FOLDER / f"{name}.png")


def draw_print(service: TournamentService, document: str) -> None:
    """The first page of a document; only the English guide shows it."""
    data = make(document, service.state, "en", "http://192.168.1.5:8010")
    command = ["pdftoppm", "-r", "60", "-singlefile", "-png", "-"]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    save(done.stdout, FOLDER / "en" / f"print-{document}.png")


@contextmanager
def at_noon(folder: Path) -> Iterator[DeskHall]:
    """A day of 32 players in the middle of its groups: six matches called, of one the reports
    differ, boxes in every state.
    """
    service = open_day(str(folder / "day.db"), players=32, tables=8, ko_size=16)
    accounts = Accounts(folder / "users.json")
    accounts.add("jury", "jury", PASSWORD)
    reading = TournamentService.open(str(folder / "day.db"))
    tables = BoxTables(reading, list)
    app = make_app(reading, accounts, tables=tables)
    with served(app) as base:
        play_groups(service, 32)
        call_next(service, 6)
        for source, cards in (("box", (20, 12)), ("slip", (19, 13))):
            said = ev.Reported(match="C-6", cards=cards, source=source, box="box-07")
            service.do("sync", "", said_by(said))
        for seen in boxes_at(service):
            tables.see(seen)
        yield DeskHall(base, service, app)
    reading.close()
    service.close()


def settle(service: TournamentService) -> None:
    """The jury says which of the two reports counts."""
    service.do("jury", "counted again", lambda state: matches.check(state, "C-6", (19, 13)))


def draw_all(folder: Path) -> None:
    """A day of 32 players, photographed on its way."""
    if shutil.which("pdftoppm") is None:
        sys.exit("pdftoppm is missing: install poppler-utils")
    with sync_playwright() as driver, at_noon(folder) as hall:
        found = find_program("chromium-headless-shell")
        browser = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        service = hall.service
        for lang in LOCALES:
            draw_pages(browser, hall, lang)
        draw_screen(browser, hall)
        for document in ("slips", "groups"):
            draw_print(service, document)
        settle(service)
        play_groups(service)
        play_knock_out(service, rounds=2)
        play_knock_out_rest(service)
        draw_print(service, "certificates")
        browser.close()


def draw_live(folder: Path) -> None:
    """Six tables on the air, in the middle of their matches; one was not heard for a while."""
    service = open_day(str(folder / "live.db"), players=24, tables=6, ko_size=16)
    names = [player.name for player in service.state.players.values()]
    now = utc_now()
    for table in range(1, 7):
        heard = now - timedelta(seconds=40 if table == 5 else 0)
        here = Here(here=True, name=f"Box {table}", table=table)
        state = SaidState(clock=610 - 43 * table, running=table != 2)
        box = f"b{table}"
        seats = names[3 * table : 3 * table + 3]
        lines = list(lines_of(box, {"table": table, "names": seats}, 3 + 5 * table))
        service.store.live.write(WriteBatch({box: HeardBox(box, heard, here, state)}, lines))
    app = make_app(service, Accounts(folder / "users.json"))
    with sync_playwright() as driver, served(app) as base:
        found = find_program("chromium-headless-shell")
        browser = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        for lang, locale in LOCALES.items():
            page = browser.new_page(viewport={"width": 1280, "height": 620}, locale=locale)
            page.goto(f"{base}/tables?lang={lang}")
            page.locator(".live .match").nth(5).wait_for()
            save(page.screenshot(), FOLDER / lang / "board-live.png")
        browser.close()


def lines_of(box: str, header: dict[str, object], count: int) -> Iterator[LiveLine]:
    """The first lines of a hand of Hattrick, as a box sends them."""
    match = recorded_hand()
    head = {**json.loads(match.header), **header}
    chain: bytes = CHAIN_START
    for number, parts in enumerate([[json.dumps(head)], *match.steps[: count - 1]]):
        raw, chain = write_record(chain, number, "\t".join(parts))
        yield LiveLine(box, 1, "a", number, utc_now(), raw[:-1])


def boxes_at(service: TournamentService) -> list[SeenBox]:
    """A box at each of the first tables, each further than the one before; one plays alone."""
    called = [m for m in service.state.matches.values() if m.status == "called"]
    called.sort(key=lambda match: match.table)
    names = [f"{service.id}/{match.id}" for match in called]
    here = [[match.a, match.b] for match in called]
    service.do(
        "box", "", lambda s: boxes.started(s, called[2].id, utc_now() - timedelta(minutes=4))
    )
    given = [
        Given(names[0], 1, "shown", here[0][:1]),
        Given(names[1], 1, "here", here[1]),
        Given(names[2], 1, "running", here[2], 12, names[2], 347, True, 240),
        Given(names[3], 1, "other", [], 0, "", 600),
    ]
    return [
        SeenBox(f"/dev/ttyACM{n}", f"e66058388372{n:04}", f"Box {n + 1}", match.table, True, one)
        for n, (match, one) in enumerate(zip(called, given, strict=False))
    ] + [
        SeenBox(
            "/dev/ttyACM7",
            "e660583883729999",
            "Box 8",
            8,
            trouble=Sentence("box_unplugged", name="Box 8"),
        )
    ]


def said_by(said: ev.Reported) -> Callable[..., list[ev.AnyBody]]:
    """The command that enters a report."""
    return lambda state: matches.report(state, said)


def play_knock_out_rest(service: TournamentService) -> None:
    """From the third round to the champion."""
    play_groups(service)
    play_groups(service)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        draw_live(Path(place))
        if "live" not in sys.argv:
            draw_all(Path(place))
