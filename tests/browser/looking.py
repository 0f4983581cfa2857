"""What is wrong with a page as it stands: by axe, and at every size from a phone to a wide
screen.
"""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

from tests.sampling import Sample

from .clicking import resize

AXE = (Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js").read_text("utf8")
"""Deque's checker of the rules of WCAG: contrast, names, roles, the order of headings."""
FAULTS = """async scope => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const asked = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] };
    const found = await axe.run(scope, { ...asked, preload: false });
    const told = node => `${node.html.slice(0, 110)} ${node.any[0]?.message ?? ""}`;
    return found.violations.flatMap(v => v.nodes.map(node => `${v.id}: ${told(node)}`));
}"""
SETTLE = """() => document.getAnimations().forEach((one) => {
    if (one.effect.getComputedTiming().iterations === Infinity) one.cancel();
    else one.finish();
})"""
"""What fades in has its colours: axe is not asked in the middle of it."""
TOO_WIDE = """() => {
    const { scrollWidth } = document.documentElement;
    return scrollWidth > innerWidth ? [`${scrollWidth} wide`] : [];
}"""
TEXT = """factor => {
    const { style } = document.documentElement;
    style.fontSize = factor === 1 ? "" : `${factor * parseFloat(getComputedStyle(
        document.documentElement).fontSize)}px`;
}"""

Size = tuple[int, int]
Theme = Literal["light", "dark"]
SIZES: tuple[Size, ...] = ((360, 640), (768, 1024), (1024, 768), (1440, 900), (1920, 1080))
ZOOMED: tuple[Size, ...] = ((640, 450), (960, 540))
"""1280 x 900 and 1920 x 1080 at 200 %: a dot of the page is four of the screen."""
LOOKS: list[tuple[Size, Theme]] = [
    *((size, "light") for size in (*SIZES[3:], *SIZES[:3], *ZOOMED)),
    *((size, "dark") for size in (*SIZES, *reversed(ZOOMED))),
]
"""In a sample: a laptop by day, a phone and a zoomed laptop by night."""


def faults(page: Page, sample: Sample, turn: int | None = None) -> list[str]:
    """What axe finds, with the sizes of the sample; what is wider than the window, at all sizes
    and with letters twice as large. `turn`: the number of the page among many; a sample looks at
    each of them once, at one after the other of the sizes.
    """
    found: list[str] = []
    for size in (*SIZES, *ZOOMED):
        resize(page, *size)
        found += [f"{size}: {one}" for one in page.evaluate(TOO_WIDE)]
    resize(page, 1280, 900)
    page.evaluate(TEXT, 2)
    found += [f"text of 200 %: {one}" for one in page.evaluate(TOO_WIDE)]
    page.evaluate(TEXT, 1)
    page.evaluate(AXE)
    whole = turn is None or sample.step == 1
    for size, theme in sample(LOOKS) if whole else [LOOKS[(turn or 0) % len(LOOKS)]]:
        resize(page, *size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.evaluate(SETTLE)
        found += [f"{size}, {theme}: {one}" for one in page.evaluate(FAULTS, "html")]
    return found
