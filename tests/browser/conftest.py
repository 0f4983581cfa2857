"""A real Chromium for every test of this folder, and servers to point it at.

`chromium` is a page of a fresh browser context; a page error or a console error fails the test.
`play` is a running virtual table on the loopback, `hall` the desk of a small tournament.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

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
)
LIMIT_MS = 60_000
expect.set_options(timeout=LIMIT_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything below this folder drives a browser."""
    here = str(Path(__file__).parent)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser(needs: Callable[[str], str]) -> Iterator[Browser]:
    """The machine's Chromium."""
    found = needs("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser without memory, 1280 x 900."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(LIMIT_MS)
    yield context
    context.close()


@pytest.fixture
def chromium(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script fails."""
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda note: errors.append(note.text) if note.type == "error" else None)
    yield page
    # the browser itself notes every answer that is no 200
    assert [text for text in errors if "Failed to load resource" not in text] == []


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
