"""A whole match of every game and preset in a real browser; its transcript must replay to the same
answers and the same result.
"""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from host_tools.games.steps import lay, pick
from tests.processes import wait
from tests.sampling import first_of

from .clicking import MOST_MOVES, Clicker
from .play_desk import MATCH_MS, PlayDesk

CLICKS = 6
# label in the form -> seats; the long ones are watched whole in `make test-long`
WATCHED = {"Trumpf – Kneipe": 4}
CLICKED = {"Trumpf – Gastro": 3, "Quartett": 3, "Café – App game": 2, "Hattrick": 3}
LONG = {"Trumpf – Swiss": None, "Café – Board game": 2}


@pytest.mark.parametrize(
    "game", [*WATCHED, *(pytest.param(game, marks=pytest.mark.long) for game in LONG)]
)
def test_a_match_that_plays_by_itself(chromium: Page, play: PlayDesk, game: str) -> None:
    play.open(chromium)
    play.start(chromium, game, me="nobody", seats=(WATCHED | LONG)[game])
    play.wait_until_closed(chromium)
    play.check_refusals(chromium)
    play.check_result(chromium)


@pytest.mark.long  # `make test` looks away from what was begun with clicks, below
@pytest.mark.parametrize("game", LONG)
def test_who_looks_away_finds_the_result(chromium: Page, play: PlayDesk, game: str) -> None:
    play.open(chromium)
    play.start(chromium, game, me="nobody", seats=LONG[game])
    play.look_away(chromium)
    play.wait_until_closed(chromium)
    play.check_refusals(chromium)
    play.check_result(chromium)


@pytest.mark.parametrize("clicks", [CLICKS, pytest.param(MOST_MOVES, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", first_of(CLICKED, 2))
def test_a_match_played_by_clicking(
    chromium: Page, play: PlayDesk, game: str, clicks: int
) -> None:
    """The robots' moves behind the clicks are watched in one game; in the others the page is as in
    the matches that play by themselves. The long ones are played whole, by the keyboard alone.
    """
    play.open(chromium)
    play.start(chromium, game, me="first", seats=CLICKED[game])
    person = Clicker(chromium, play, keyboard=clicks == MOST_MOVES)
    person.play_to_the_end(clicks)
    if clicks == CLICKS and game != "Quartett":
        play.look_away(chromium)
    play.wait_until_closed(chromium)
    play.check_result(chromium)


@pytest.mark.thorough
@pytest.mark.vm
def test_the_firmware_in_the_micropython_vm(chromium: Page) -> None:
    with PlayDesk.opened("micropython") as desk:
        desk.open(chromium)
        desk.start(chromium, "Trumpf – Gastro", me="nobody", seats=3)
        desk.look_away(chromium)
        desk.wait_until_closed(chromium)
        result = desk.check_result(chromium)
        assert sum(result["counts"]) == 30  # 32 cards among three: two are put aside (TR-1)


def test_a_table_tag_chooses_the_table(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Café – Board game", me="all", seats=2)
    chromium.get_by_role("button", name=re.compile("^I am")).click()
    tile = chromium.locator("#hand [data-code]").first
    nation = str(tile.get_attribute("data-code"))[:2]
    tile.click()
    expect(chromium.locator("#screen-text")).to_contain_text("which table?", timeout=MATCH_MS)
    chromium.get_by_role("button", name=re.compile(f"^Table T.* {nation}$")).first.click()
    expect(chromium.locator("#screen-text")).to_contain_text("which chair?", timeout=MATCH_MS)


def test_who_cannot_pay_the_bar_is_told_what_is_asked(chromium: Page, play: PlayDesk) -> None:
    """CB-10, CB-11: +1 to +5 by turns, -2, -4; then Beat has 2 + 4 - 2 points, and is to pay 6."""
    table = play.table
    play.open(chromium)
    play.start(chromium, "Café – Board game", me="all", seats=2)
    wait(lambda: table.log.count > 0 and not table.runner.busy)
    for _ in range(8):
        world, seat, count = table.log.world, table.log.awaits["seat"], table.log.count
        assert world is not None
        to_bar = (pick(table.say("cafe_bar")), lay(world.hands[seat][0]))
        table.runner.call(partial(table.queue, table.robot.do(to_bar)))
        wait(lambda count=count: table.log.count > count and not table.runner.busy)
    chromium.get_by_role("button", name="I am Beat").click()
    asked = "too few points: go back, or leave"
    expect(chromium.locator("#prompt")).to_have_text(re.compile(f"Beat.*: {asked}$"))
    chromium.get_by_role("button", name="Nothing else is possible").click()
    expect(chromium.locator("#end-title")).to_have_text("Anna wins!", timeout=MATCH_MS)
