"""An organiser who runs a whole event in the browser alone, from an empty folder: presses, fields
and keys are counted. A real `schiri desk` and a real Chromium.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.processes import free_port, started
from tests.support.hall_day import name_of
from tests.support.programs import schiri, wait_for

PASSWORD = "schiri-in-der-halle"
LIMIT_MS = 120_000
IDLE = "() => turn.then(() => loading)"
"""Until all that was sent is answered and shown."""
SIGNED_UP = 2
COUNTED = ("clicks", "fields", "keys", "pages")
CARDS = 32


class Organiser:
    """Does what people do, and counts it."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.counts = dict.fromkeys(COUNTED, 0)
        self.results = 0
        page.on("domcontentloaded", lambda _: self._count("pages"))

    def _count(self, what: str, times: int = 1) -> None:
        self.counts[what] += times

    def press(self, name: str, role: str = "button", within: str = "body") -> None:
        """Press what is called so; the first of several."""
        place = self.page.locator(within)
        self._click(place.get_by_role(role, name=name).first)  # type: ignore[arg-type]

    def _click(self, button: Locator) -> None:
        """A press, after which a page comes."""
        with self.page.expect_navigation(wait_until="domcontentloaded"):
            button.click()
        self._count("clicks")

    def type_into(self, field: str, text: str) -> None:
        """Fill in the field of this name."""
        self.page.locator(f"main [name={field}]:visible").first.fill(text)
        self._count("fields")

    def keys(self, text: str) -> None:
        """Typed, and Enter."""
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self._count("keys", len(text) + 1)

    def next_step(self) -> str:
        return self.page.locator("#next-step p").inner_text()

    def go_on(self) -> None:
        """The one button of what is next."""
        self._click(self.page.locator("#next-step").locator("button, a.button"))

    # -- before the doors open --------------------------------------------------------------------

    def make(self, players: int, tables: int) -> None:
        """The first account, and the tournament: groups, then a tree."""
        self.page.goto(f"{self.base}/desk?lang=en")
        self.type_into("user", "anna")
        self.type_into("password", PASSWORD)
        self.press("Make the account")
        self.type_into("event", "Zürich Cup")
        self.page.get_by_label("Players in the knock-out").select_option(str(players // 2))
        self._count("fields")
        self.type_into("tables", str(tables))
        listed = range(players - SIGNED_UP)
        self.type_into("listed", "\n".join(map(name_of, listed)))
        self.press("Look it over")
        self.press("Make the tournament")
        expect(self.page.locator("#next-step")).to_contain_text(f"{len(listed)} players entered")

    def sign_up(self, browser: Browser, players: int) -> None:
        """The last ones come by the public page, on their phones; one finds no place."""
        self.press("Before", "link")
        self.type_into("limit", str(players))
        self.press("Open the page")
        expect(self.page.get_by_role("button", name="Close it")).to_be_visible()
        phone = browser.new_page(viewport={"width": 390, "height": 844})
        phone.set_default_timeout(LIMIT_MS)
        for number in range(players - SIGNED_UP, players + 1):
            phone.goto(f"{self.base}/signup?lang=de")
            phone.locator("[name=name]").fill(name_of(number))
            phone.get_by_role("button", name="Anmelden").click()
            expect(phone.get_by_role("status")).to_be_visible()
        phone.close()
        self.page.reload()
        self.press("Confirm all who have a place")
        self.press("Decline")
        expect(self.page.locator("#next-step")).to_contain_text(f"{players} players entered")

    def check_in(self) -> None:
        """All at once, taken back and done once more; one of them is not here after all."""
        self.press("Players", "link")
        for again in (True, False):
            self.press("Check in everybody")
            self.press("Go on anyway")
            if again:
                self.press("Undo the last check-in")
        self.press("Check out", within=".people")

    def draw(self) -> None:
        """The groups; then the missing one comes."""
        self.go_on()
        self.press("Draw the groups")
        self.press("Check-in", "link")
        late = self.page.locator(".people tr", has_text="Absent")
        name = late.first.locator("th").inner_text()
        self.type_into("text", name)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        self.press("Enter late")

    # -- play -------------------------------------------------------------------------------------

    def play(self) -> None:
        """Call and type until nothing of the phase is left."""
        while "free table" in self.next_step() or "being played" in self.next_step():
            self._to_the_grid()
            self._type_results()
            if self.page.locator("#next-step a.button, #next-step button").count() == 0:
                self.press("Enter results", "link")  # another stage: the final and the third place

    def _to_the_grid(self) -> None:
        """Call what can be called, and have the grid."""
        while "being played" not in self.next_step() or not self._at_the_grid():
            self.go_on()
        self.page.locator("#place").wait_for()

    def _at_the_grid(self) -> bool:
        return self.page.url.partition("?")[0].endswith("/grid")

    def _type_results(self) -> None:
        for table in self._waiting():
            won = 17 + (table * 7 + self.results) % 12
            self.keys(f"{table} {won} {CARDS - won}")
            self.results += 1
            self.page.evaluate(IDLE)

    def _waiting(self) -> list[int]:
        rows = self.page.locator("#grid > li.called")
        return list(map(int, rows.evaluate_all("rows => rows.map((row) => row.dataset.table)")))

    def first_wave(self) -> None:
        """The first calls, with what may go wrong: undone, by the form, disputed, corrected."""
        self._to_the_grid()
        first, second, third = self._waiting()[:3]
        self.keys(f"{first} 12 20")
        self.page.evaluate(IDLE)
        self.page.keyboard.press("Control+z")
        self._count("keys")
        self.page.evaluate(IDLE)
        self.page.keyboard.press("Escape")
        self.keys(f"{first} 20 12")
        self.page.evaluate(IDLE)
        self._correct(self._open(first))
        self._dispute(self._open(third))
        self._by_form(self._open(second))
        self.press("Enter results", "link")
        self.results += 3

    def _open(self, table: int) -> Locator:
        """The page of the match at a table, from the grid."""
        self.press("Enter results", "link")
        self._click(self.page.locator(f'#grid > li[data-table="{table}"] small a'))
        return self.page.locator("main")

    def _cards(self, first: int, second: int) -> None:
        for place, cards in enumerate((first, second)):
            self.type_into(f"cards_{'ab'[place]}", str(cards))

    def _by_form(self, main: Locator) -> None:
        self._cards(18, 14)
        self.press("Report and check")
        expect(main.locator(".state.checked")).to_be_visible()

    def _dispute(self, main: Locator) -> None:
        """Two slips that differ; the first one counts."""
        for cards in ((19, 13), (13, 19)):
            self._cards(*cards)
            self.press("Report only")
        expect(main.locator(".warn")).to_be_visible()
        self.press("This one counts")
        expect(main.locator(".big").first).to_contain_text("19:13")

    def _correct(self, main: Locator) -> None:
        self._cards(21, 11)
        self.press("See what it moves")
        self.type_into("why", "counted again")
        self.press("Record the correction")
        expect(main.locator(".big").first).to_contain_text("21:11")

    def knock_out(self) -> None:
        """Lots if there must be, the tree, its rounds."""
        self.press("Knock-out", "link")
        if "level" in self.next_step():
            self.go_on()
            self.press("Draw now")
            self.press("Knock-out", "link")
        self.press("Draw the knock-out")
        self.play()

    def honours(self, folder: Path) -> None:
        """Champion, certificates, every file, the site for publishing."""
        self.go_on()
        expect(self.page.locator(".champion")).to_be_visible()
        for link in self.page.locator("main .prints a").all():
            address = f"{self.base}{link.get_attribute('href')}"
            answer = self.page.request.get(address, timeout=LIMIT_MS)
            assert answer.ok, address  # what opens is no page of ours, so that none is counted
            (folder / address.rpartition("/")[2]).write_bytes(answer.body())
            self._count("clicks")


@contextmanager
def desk(folder: Path, port: int) -> Iterator[str]:
    """`schiri desk` in an empty folder; its address."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
    command = schiri(["desk", "--port", str(port), "--no-boxes"])
    with started(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL) as process:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
        process.terminate()
        process.wait(30)


def verified(folder: Path) -> str:
    """What `schiri tournament verify` says of the day."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
    return subprocess.run(
        schiri(["tournament", "verify"]),
        env=environment,
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
    ).stdout


def run(browser: Browser, folder: Path, players: int, tables: int) -> Organiser:
    """The whole day."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(LIMIT_MS)
    expect.set_options(timeout=LIMIT_MS)
    with desk(folder, free_port()) as base:
        day = Organiser(context.new_page(), base)
        day.make(players, tables)
        day.sign_up(browser, players)
        day.check_in()
        day.draw()
        day.first_wave()
        day.play()
        day.knock_out()
        day.honours(folder)
    context.close()
    return day
