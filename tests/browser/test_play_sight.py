"""What a player needs is in sight without scrolling, in states of real matches."""

from itertools import product

import pytest
from playwright.sync_api import Page

from tests.sampling import Sample

from .clicking import resize
from .play_desk import PlayDesk
from .sight import HIDDEN, stepped

WINDOWS = (
    (360, 740),
    (390, 844),
    (768, 1024),
    (1024, 768),
    (1366, 768),
    (1440, 900),
    (1920, 1080),
    (960, 540),  # 1920 x 1080 at 200 %
)
MATCHES = (
    ("trumpf", "swiss", 2),
    *product(("trumpf",), ("gastro", "kneipe"), range(2, 9)),
    *product(("quartett",), ("",), range(3, 9)),
    *product(("hattrick",), ("",), range(3, 7)),
    *product(("cafe",), ("board", "app"), (2, 3, 4)),
)
HARDEST = (
    ("trumpf", "gastro", 8),
    ("trumpf", "kneipe", 4),
    ("quartett", "", 8),
    ("hattrick", "", 6),
    ("cafe", "board", 4),
)
NARROW = ((360, 740), (960, 540), (1024, 768))
PHONES = ((360, 740), (390, 844))


def all_matches() -> list[object]:
    """The hardest of every game; the others are long."""
    long = pytest.mark.long
    return [one if one in HARDEST else pytest.param(one, marks=long) for one in MATCHES]


def hidden_at(
    page: Page, play: PlayDesk, match: tuple[str, str, int], sizes: tuple[tuple[int, int], ...]
) -> dict[tuple[str, tuple[int, int]], list[str]]:
    """What is not in sight, in which state at which size of the window."""
    found = {}
    for state in stepped(play.table, *match):
        drawn = f",{play.table.log.count}]"
        page.wait_for_function(
            "end => document.getElementById('hand').dataset.key?.endsWith(end)", arg=drawn
        )
        for size in sizes:
            resize(page, *size)
            page.evaluate("document.getAnimations().forEach(one => one.finish())")
            page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            hidden = page.evaluate(HIDDEN)
            if hidden:
                found[state, size] = hidden
    return found


@pytest.mark.parametrize("match", all_matches(), ids=lambda one: "-".join(map(str, one)))
def test_what_is_needed_is_in_sight(
    chromium: Page, play: PlayDesk, match: tuple[str, str, int], sampled: Sample
) -> None:
    chromium.emulate_media(reduced_motion="reduce")
    play.open(chromium)
    sizes = WINDOWS if sampled.step == 1 else NARROW
    assert hidden_at(chromium, play, match, sizes) == {}


@pytest.mark.parametrize("match", HARDEST, ids=lambda one: "-".join(map(str, one)))
@pytest.mark.long
def test_what_is_needed_is_in_sight_on_a_seats_own_phone(
    chromium: Page, play: PlayDesk, match: tuple[str, str, int]
) -> None:
    chromium.emulate_media(reduced_motion="reduce")
    play.open(chromium, "/t/1?seat=1", play.table.phones.seat_keys[0])
    assert hidden_at(chromium, play, match, PHONES) == {}
