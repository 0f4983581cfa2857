"""A whole event in the browser alone, from an empty folder: how many clicks and seconds it takes.
`python -m bench.browser_day [--players 128] [--tables 32]`.

A real `schiri desk` and a real Chromium. Results are typed into the grid as they come; what is
counted is what the organiser does: presses on something (clicks), keys of the results, and pages
that came. Seconds are those of the machine, not of people who play.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from hardware.twin.node import find_node
from host_tools.tournament.service import TournamentService
from tests.browser.conftest import FLAGS
from tests.support.hall_day import name_of

PASSWORD = "schiri-in-der-halle"
LIMIT_MS = 240_000


class Organiser:
    """Does what people do, and counts it."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.clicks = 0
        self.keys = 0
        self.marks: list[tuple[str, int, float]] = []
        self._begun = time.monotonic()

    def press(self, name: str, role: str = "button") -> None:
        """Press what is called so; the first of several."""
        self.page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]
        self.clicks += 1

    def type_into(self, label: str, text: str) -> None:
        """A press into the field, and the text pasted or typed."""
        self.page.get_by_label(label).first.fill(text)
        self.clicks += 1

    def mark(self, what: str) -> None:
        self.marks.append((what, self.clicks, time.monotonic() - self._begun))

    # -- the day ----------------------------------------------------------------------------------

    def make(self, players: int, tables: int) -> None:
        self.page.goto(f"{self.base}/desk?lang=en")
        self.type_into("User", "anna")
        self.type_into("Password", PASSWORD)
        self.press("Make the account")
        self.type_into("Name of the tournament", "Zürich Cup")
        self.page.get_by_label("Players in the knock-out").select_option(str(players // 2))
        self.clicks += 1
        self.type_into("Tables", str(tables))
        self.type_into("Paste the list", "\n".join(name_of(n) for n in range(players)))
        self.press("Look it over")
        self.press("Make the tournament")
        expect(self.page.locator("#next-step")).to_contain_text(f"{players} players entered")
        self.mark("made")

    def check_in_and_draw(self) -> None:
        self.press("Players", "link")
        self.press("Check in everybody")
        self.press("Go on anyway")
        self.press("Draw", "link")
        self.press("Draw the groups")
        self.press("Calls", "link")
        self.mark("drawn")

    def play(self) -> None:
        """Call and type until nothing of the phase is left."""
        self.press("Enter results", "link")
        while True:
            call = self.page.locator("#next-step button")
            if not call.count():
                break
            call.click()
            self.clicks += 1
            self._type_results()

    def _type_results(self) -> None:
        waits = self.page.locator("#grid > li.called")
        waits.first.wait_for()
        tables = waits.evaluate_all("(rows) => rows.map((row) => row.dataset.table)")
        for number, table in enumerate(tables):
            won = 17 + (number * 7 + len(tables)) % 12
            typed = f"{table} {won} {32 - won}"
            self.page.keyboard.type(typed)
            self.page.keyboard.press("Enter")
            self.keys += len(typed) + 1
        expect(self.page.locator("#next-step")).not_to_contain_text("being played")

    def knock_out(self) -> None:
        self.press("Knock-out", "link")
        if "level" in self.page.locator("#next-step").inner_text():
            self.press("Standings", "link")
            self.press("Draw now")
            self.press("Knock-out", "link")
        self.press("Draw the knock-out")
        self.play()
        self.mark("played")

    def honours(self) -> None:
        self.press("Honours", "link")
        expect(self.page.locator(".champion")).to_be_visible()
        self.mark("honours")


@contextmanager
def desk(folder: Path) -> Iterator[str]:
    """`schiri desk` in an empty folder; its address."""
    places = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "LC_ALL": "C.UTF-8"}
    command = [str(Path(sys.executable).with_name("schiri")), "desk", "--port", "0", "--no-boxes"]
    places["SCHIRI_DB"] = str(folder / "day.db")  # not --db: a file that is named must be there
    running = subprocess.Popen(command, env={**os.environ, **places}, stdout=subprocess.PIPE)
    try:
        assert running.stdout is not None
        said = running.stdout.readline().decode()
        yield said[said.index("http") : said.index("/desk")]
    finally:
        running.terminate()
        running.wait()


def run(players: int, tables: int) -> Organiser:
    """The whole day."""
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = find_node()
    chromium = shutil.which("chromium-headless-shell")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(LIMIT_MS)
        expect.set_options(timeout=LIMIT_MS)
        with desk(Path(name)) as base:
            day = Organiser(page, base)
            day.make(players, tables)
            day.check_in_and_draw()
            day.play()
            day.mark("groups")
            day.knock_out()
            day.honours()
        browser.close()
        service = TournamentService.open(str(Path(name) / "day.db"))
        assert service.state.final_places()
        service.close()
    return day


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=128)
    parser.add_argument("--tables", type=int, default=32)
    asked = parser.parse_args()
    day = run(asked.players, asked.tables)
    for what, clicks, seconds in day.marks:
        print(f"{what:<8} {clicks:>4} clicks  {seconds:7.1f} s")
    print(f"keys of results: {day.keys}")


if __name__ == "__main__":
    main()
