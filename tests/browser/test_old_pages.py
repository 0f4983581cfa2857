"""A page that is not up to date says so: while the database is away, and when its own line is dead
without a word. It says it no longer when all is well.
"""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from playwright.sync_api import Page, Route, expect

from host_tools.core.errors import Exit, UserError
from host_tools.tournament.service import TournamentService
from host_tools.web.serving import LOOPBACK, open_socket
from tests.browser.desk_hall import DeskHall
from tests.support.hall_day import play_groups

MS = 60_000
OLD = re.compile(r"^Not up to date since \d\d:\d\d$")
LOST = re.compile(r"^Connection lost: not up to date since \d\d:\d\d, trying again …$")
PIECE = 65536
# a function: to evaluate a string the desk's Content-Security-Policy forbids
CONNECTED = "() => stream.readyState === EventSource.OPEN"


class Line:
    """A cable between browser and desk that can be dead: bytes vanish, nobody is told."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listening = open_socket(LOOPBACK, 0)
        self.base = f"http://{LOOPBACK}:{self._listening.getsockname()[1]}"
        self._works = threading.Event()
        self._works.set()
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._come, daemon=True).start()

    def _come(self) -> None:
        with suppress(OSError):
            while True:
                one, _ = self._listening.accept()
                other = socket.create_connection((LOOPBACK, self._port))
                self._ends += [one, other]
                for pair in ((one, other), (other, one)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(PIECE):
                if self._works.is_set():
                    other.sendall(data)
            if self._works.is_set():
                other.shutdown(socket.SHUT_WR)

    def dies(self) -> None:
        self._works.clear()

    def works(self) -> None:
        """For new connections; what went over old ones is gone."""
        self._works.set()
        for end in self._ends:
            end.close()

    def close(self) -> None:
        self._listening.close()
        for end in self._ends:
            end.close()


@contextmanager
def line_to(hall: DeskHall) -> Iterator[Line]:
    line = Line(int(hall.base.rpartition(":")[2]))
    try:
        yield line
    finally:
        line.close()


@pytest.mark.parametrize("path", ["/?lang=en", "/?kiosk=1&lang=en", "/overlay?lang=en"])
def test_a_page_says_since_when_the_database_is_away(
    path: str, chromium: Page, hall: DeskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    chromium.goto(hall.base + path)
    said = chromium.locator("#part-age .offline")
    expect(said).to_have_count(0)
    with monkeypatch.context() as patch:
        patch.setattr(TournamentService, "last_seq", away)
        expect(said).to_have_text(OLD, timeout=MS)
        expect(said).to_be_visible()
        other = chromium.context.new_page()
        other.goto(hall.base + path)  # rendered so by the server, too
        expect(other.locator("#part-age .offline")).to_have_text(OLD)
        other.close()
    expect(said).to_have_count(0, timeout=MS)


def test_a_page_that_a_cache_gave_old_is_loaded_until_it_is_new(
    chromium: Page, hall: DeskHall
) -> None:
    """A cache may keep it for a second: when the page comes, and when it asks again."""
    address = f"{hall.base}/?kiosk=1&lang=en"
    score = chromium.locator("#part-latest .score")
    old = chromium.request.get(address).text()
    chromium.goto(address)
    play_groups(hall.service, 1)
    expect(score).to_have_count(1, timeout=MS)  # so the desk has read it
    left = [old, old]

    def from_cache(route: Route) -> None:
        route.fulfill(body=left.pop(), content_type="text/html") if left else route.continue_()

    chromium.route(address, from_cache)
    chromium.goto(address)
    expect(score).to_have_count(1, timeout=MS)
    assert not left
    chromium.unroute(address)


def test_the_desk_says_it_on_its_pages(
    chromium: Page, hall: DeskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.log_in(chromium, "desk")
    said = chromium.locator("#age")
    expect(said).to_be_hidden()
    with monkeypatch.context() as patch:
        patch.setattr(TournamentService, "wait_for_news", away)
        patch.setattr(hall.app.state.follower.live, "look", away)
        expect(said).to_have_text(OLD, timeout=MS)
    expect(said).to_be_hidden(timeout=MS)


def away(*_: object) -> int:
    raise UserError("db_unreachable", Exit.SYSTEM, where="cup")


def test_a_board_notices_a_line_that_is_dead_and_finds_back(
    chromium: Page, hall: DeskHall
) -> None:
    with line_to(hall) as line:
        chromium.goto(f"{line.base}/?kiosk=1&lang=en")
        said = chromium.locator("#offline")
        expect(said).to_be_hidden()
        chromium.wait_for_function(CONNECTED)
        line.dies()
        expect(said).to_have_text(LOST, timeout=MS)
        play_groups(hall.service, 1)
        line.works()
        expect(chromium.locator("#part-latest .score")).to_have_count(1, timeout=MS)
        expect(said).to_be_hidden(timeout=MS)


def test_a_desk_notices_it_too(chromium: Page, hall: DeskHall) -> None:
    with line_to(hall) as line:
        direct, hall.base = hall.base, line.base
        hall.log_in(chromium, "desk")
        hall.base = direct
        said = chromium.locator("#offline")
        chromium.wait_for_function(CONNECTED)
        line.dies()
        expect(said).to_have_text(LOST, timeout=MS)
        line.works()
        expect(said).to_be_hidden(timeout=MS)
