"""A whole match of every game in a real browser, compared with the replay of its transcript."""

import pytest
from playwright.sync_api import Page

from .play_desk import PlayDesk

# label in the form -> seats; all presets of all games
MATCHES = {
    "Trumpf – Swiss": None,
    "Trumpf – Gastro": 3,
    "Trumpf – Kneipe": 4,
    "Quartett": 3,
    "Café – Board game": 2,
    "Café – App game": 2,
    "Hattrick": 6,
}


@pytest.mark.parametrize("game", MATCHES)
def test_a_match_that_plays_by_itself(chromium: Page, play: PlayDesk, game: str) -> None:
    play.open(chromium)
    play.start(chromium, game, me="nobody", seats=MATCHES[game])
    play.wait_until_closed(chromium)
    assert chromium.locator("#news li.refused").count() == 0
    play.check_result(chromium)
