"""A real Chromium for every test of this folder, and servers to point it at.

`chromium` is an empty page of a browser without memory; a page error or a console error fails the
test.
`play` is a running virtual table on the loopback, `hall` the desk of a small tournament.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from hardware.twin.node import find_node
from host_tools.sim.table import analysis, feed

from .desk_hall import DeskHall, desk_hall, prepare
from .play_desk import PlayDesk

# For a browser without a network of its own, also as root in a container.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # one renderer for all servers of a run: a process of its own for each origin is dear
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    "--process-per-site",
)
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>{fonts}</dir><cachedir>{cache}</cachedir>
<selectfont><rejectfont><glob>*.otf</glob></rejectfont></selectfont></fontconfig>"""
LIMIT_MS = 60_000
"""Only a limit, for a machine that is busy."""
FORGET = "if (location.protocol === 'http:') { localStorage.clear(); sessionStorage.clear(); }"
"""What pages keep on the device: another server may get the same port."""
SIZE: ViewportSize = {"width": 1280, "height": 900}
expect.set_options(timeout=LIMIT_MS)


@contextmanager
def started_chromium(found: str) -> Iterator[Browser]:
    """The machine's Chromium with the fonts of the project only: else the size of every text that
    a page leaves to the system depends on the machine.
    """
    # playwright's own Node wants libatomic, which a bare system has not
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = find_node()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        settings = Path(folder, "fonts.conf")
        fonts = files("font_source_sans_pro") / "files"
        settings.write_text(FONTS.format(fonts=fonts, cache=folder), "utf8")
        browser = driver.chromium.launch(
            executable_path=found,
            args=list(FLAGS),
            env={**os.environ, "FONTCONFIG_FILE": str(settings)},
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser(needs: Callable[[str], str]) -> Iterator[Browser]:
    with started_chromium(needs("chromium-headless-shell")) as browser:
        yield browser


class Window:
    """The window that tests share, one after the other: a new one takes a second to begin."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._page: Page | None = None

    def opened(self) -> Page:
        """An empty page of a browser without memory, 1280 x 900."""
        if self._page is None:
            context = self._browser.new_context(viewport=SIZE)
            context.set_default_timeout(LIMIT_MS)
            self._page = context.new_page()
        return self._page

    def clear(self, page: Page) -> None:
        """Forget the last test; a window that cannot is closed."""
        try:
            for other in page.context.pages:
                if other is not page:
                    other.close()
            page.evaluate(FORGET)
            page.unroute_all(behavior="ignoreErrors")
            page.context.unroute_all(behavior="ignoreErrors")
            page.goto("about:blank")
            page.set_viewport_size(SIZE)
            page.emulate_media(color_scheme="null", reduced_motion="null")
            page.context.clear_cookies()
        except Error:
            page.context.close()
            self._page = None


@pytest.fixture(scope="session")
def window(browser: Browser) -> Window:
    return Window(browser)


@pytest.fixture
def chromium(window: Window) -> Iterator[Page]:
    """A page on which no script fails."""
    page = window.opened()
    errors: list[str] = []

    def failed(error: Error) -> None:
        errors.append(str(error))

    def noted(note: ConsoleMessage) -> None:
        if note.type == "error":
            errors.append(note.text)

    page.on("pageerror", failed)
    page.on("console", noted)
    yield page
    page.remove_listener("pageerror", failed)
    page.remove_listener("console", noted)
    window.clear(page)
    # the browser itself notes every answer that is no 200
    assert [text for text in errors if "Failed to load resource" not in text] == []


@pytest.fixture
def context(chromium: Page) -> BrowserContext:
    """For more than one window: `chromium` is the first."""
    return chromium.context


@pytest.fixture(scope="session", autouse=True)
def calm_tables() -> Iterator[None]:
    """A table in a rush tells its pages five pictures and states a second, not 25: drawing them
    takes a whole processor, and the longer the match, the busier the machine.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feed, "PAUSE_S", 0.2)
        yield


QUICK = {"_DEALS": 1, "_CAREFUL": 1, "_AGAIN": 1}
CAREFUL = {name: getattr(analysis, name) for name in QUICK}


@pytest.fixture(scope="session", autouse=True)
def judged_quickly() -> Iterator[None]:
    """Behind every match its decisions are judged, by seconds of computing: most of what a match
    that is played to its end takes. How well, is no matter to most tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name, count in QUICK.items():
            patch.setattr(analysis, name, count)
        yield


@pytest.fixture
def judged_with_care(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for people."""
    for name, count in CAREFUL.items():
        monkeypatch.setattr(analysis, name, count)


@pytest.fixture
def play() -> Iterator[PlayDesk]:
    """A virtual table whose firmware runs on CPython, as fast as it goes."""
    with PlayDesk.opened("cpython", speed=1000) as desk:
        yield desk


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament whose groups are drawn and nothing more."""
    folder = tmp_path_factory.mktemp("day")
    prepare(folder)
    return folder


@pytest.fixture
def hall(prepared: Path, tmp_path: Path) -> Iterator[DeskHall]:
    """A copy of it, served."""
    with desk_hall(prepared, tmp_path) as opened:
        yield opened


def pytest_addoption(parser: pytest.Parser) -> None:
    """For `test_desk_slips`."""
    parser.addoption("--slips-seed", default="1", help="Another seed, other slips at the desk.")
