"""The board in a real Chromium: when the last step of each table stood on the screen."""

import os
import re
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import psutil
from playwright.async_api import Page, async_playwright

from hardware.twin.node import find_node

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
SIZE = {"width": 1920, "height": 1080}
# A text that was not there before is on the screen when the frame after it has begun: the second
# of two animation frames (HTML, "update the rendering": callbacks run before the paint of theirs).
_WATCH = """
const shown = (window.shown = new Map());
function look() {
  const fresh = [];
  for (const line of document.querySelectorAll(".live .match, .banner")) {
    const [where, last] = [".table, .where", ".last"].map((name) => line.querySelector(name));
    const text = `${where.textContent}\\n${last.textContent}`;
    if (!shown.has(text)) fresh.push(text);
    shown.set(text, shown.get(text) ?? 0);
  }
  if (fresh.length) requestAnimationFrame(() => requestAnimationFrame(() => {
    for (const text of fresh) shown.set(text, performance.timeOrigin + performance.now());
  }));
}
document.addEventListener("DOMContentLoaded", () => {
  look();
  const all = { childList: true, subtree: true, characterData: true };
  new MutationObserver(look).observe(document.body, all);
});
"""
_NUMBER = re.compile(r"(?:Tisch|Table)\s+(\d+)", re.IGNORECASE)


def program() -> str | None:
    """The machine's Chromium; None without one."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class BoardPage:
    """One page of the board in a browser."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def steps(self) -> dict[int, list[tuple[str, float]]]:
        """Table -> its last steps as they were read, each with the unix time in seconds at which
        it stood there.
        """
        found: dict[int, list[tuple[str, float]]] = {}
        for text, at_ms in await self._page.evaluate("[...window.shown]"):
            where, _, last = text.rpartition("\n")
            number = _NUMBER.search(where)
            if number and at_ms:
                found.setdefault(int(number[1]), []).append((last, at_ms / 1000))
        return found


@asynccontextmanager
async def screens(addresses: Sequence[str]) -> AsyncIterator[tuple[list[BoardPage], int]]:
    """A window for each address, side by side; and the process that is the browser."""
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", find_node())
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=program(), args=list(FLAGS))
        pages = []
        for address in addresses:
            context = await browser.new_context(viewport=SIZE)  # type: ignore[arg-type]
            await context.add_init_script(_WATCH)
            page = await context.new_page()
            await page.goto(address)
            pages.append(BoardPage(page))
        try:
            yield pages, _process()
        finally:
            await browser.close()


def _process() -> int:
    """The browser that this process has started."""
    for child in psutil.Process().children(recursive=True):
        if "chrom" in child.name():
            return int(child.pid)
    return os.getpid()
