"""The desk without a browser: its app while it runs, visitors, forms as the pages send them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from httpx import Response
from starlette.applications import Starlette
from starlette.testclient import TestClient

from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.rights import ROLES
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app

PASSWORD = "schiri-in-der-halle"
TOKEN = re.compile(r'name="csrf" value="([^"]+)"')


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


class Web:
    """An app with its users, and one visitor for each call of `visitor`."""

    def __init__(
        self, app: Starlette, running: TestClient, accounts: Accounts, clock: Clock
    ) -> None:
        self.app = app
        self.running = running
        self.accounts = accounts
        self.clock = clock

    def visitor(self, role: str | None = None) -> TestClient:
        """A browser of its own; logged in if a role is given."""
        client = TestClient(self.app, follow_redirects=False)
        client.portal = self.running.portal  # one event loop for all, as in the real server
        if role:
            assert log_in(client, role).status_code == 303
        return client


def token(client: TestClient, page: str = "/desk/login") -> str:
    found = TOKEN.search(client.get(page).text)
    assert found
    return found[1]


def log_in(client: TestClient, user: str, password: str = PASSWORD) -> Response:
    form = {"user": user, "password": password, "csrf": token(client)}
    return client.post("/desk/login", data=form)


def result(client: TestClient, match: str, action: str = "enter", **more: str) -> dict[str, str]:
    """The form of an action on a match as its page would send it; of a result by default."""
    page = client.get(f"/desk/match/{match}").text
    seen = re.search(r'name="seen" value="([^"]+)"', page)
    csrf = TOKEN.search(page)
    assert seen
    assert csrf
    fields = {"match": match, "seen": seen[1], "cards_a": "20", "cards_b": "12"}
    known = OPERATIONS[action].form.fields
    fields = {name: text for name, text in fields.items() if name in known}
    return {**fields, "csrf": csrf[1], **more}


def users(folder: Path) -> Accounts:
    """A user for each role, called like it."""
    made = Accounts(folder / "desk-users.json")
    for role in ROLES:
        made.add(role, role, PASSWORD)
    return made


@contextmanager
def running_web(service: TournamentService, folder: Path) -> Iterator[Web]:
    """The desk of a tournament while it runs, with a clock that stands."""
    accounts, clock = users(folder), Clock()
    app = make_app(service, accounts, monotonic=clock, now=clock)
    with TestClient(app) as running:  # runs the lifespan: the hall follows the log
        yield Web(app, running, accounts, clock)
