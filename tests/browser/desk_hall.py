"""A desk that runs, with a small tournament and three people who may log in."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page
from starlette.applications import Starlette

from host_tools.tournament.rights import ROLES
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app, make_venue
from tests.processes import wait
from tests.support.hall_day import open_day
from tests.support.served import served

PASSWORD = "schiri-in-der-halle"
DAY = "day.db"
USERS = "users.json"


@contextmanager
def empty_desk(folder: Path) -> Iterator[tuple[str, Accounts]]:
    """Its address, and its accounts: none yet, and no tournament in `DAY` of the folder."""
    accounts = Accounts(folder / USERS)
    venue = make_venue(
        accounts,
        str(folder / DAY),
        lambda service, place: make_app(service, accounts, place=place),
    )
    with served(venue.app) as base:
        yield base, accounts


class DeskHall:
    """`base` is the address; `service` is another desk on the same database. Users are called
    like their roles. `app` is what is served.
    """

    def __init__(self, base: str, service: TournamentService, app: Starlette) -> None:
        self.base = base
        self.app = app
        self.service = service

    def log_in(self, page: Page, role: str, lang: str = "en") -> None:
        """Log in as viewer, desk or jury."""
        page.goto(f"{self.base}/desk/login?lang={lang}")
        page.get_by_label("User" if lang == "en" else "Benutzer").fill(role)
        page.get_by_label("Password" if lang == "en" else "Passwort").fill(PASSWORD)
        page.locator("main button").click()
        page.wait_for_url(f"{self.base}/desk")

    def settle(self) -> None:
        """Wait until the desk that is served has read everything that is stored."""
        wait(lambda: self.app.state.follower.state.seq == self.service.last_seq())

    def open_match(self, page: Page, match: str) -> None:
        """Find a match by its number, as people do."""
        page.get_by_label("Find a match").fill(match)
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/desk/match/{match}")


def prepare(folder: Path, players: int = 16, tables: int = 4) -> None:
    """A tournament and its users, to be copied for each test."""
    open_day(str(folder / DAY), players, tables).close()
    add_users(folder)


def add_users(folder: Path) -> None:
    """One for each role, called like it."""
    accounts = Accounts(folder / USERS)
    for role in ROLES:
        accounts.add(role, role, PASSWORD)


@contextmanager
def desk_hall(prepared: Path, folder: Path) -> Iterator[DeskHall]:
    """Serve a copy of what was prepared until the end of the block."""
    for name in (DAY, USERS):
        shutil.copy(prepared / name, folder / name)
    db = str(folder / DAY)
    other_desk, service = TournamentService.open(db), TournamentService.open(db)
    try:
        app = make_app(service, Accounts(folder / USERS))
        with served(app) as base:
            yield DeskHall(base, other_desk, app)
    finally:
        service.close()
        other_desk.close()
