"""No press is lost: what is pressed while the page changes acts, or is answered; no page waits for
something without trying again.
"""

import re
import socket
from collections.abc import Callable
from functools import partial
from random import Random

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, TimeoutError, expect

from host_tools.core.errors import Sentence
from host_tools.sim.table import messages, play_table
from host_tools.sim.table.asking import HOST
from host_tools.sim.table.phones import SeatClaim
from host_tools.tournament.actions import entrants
from host_tools.tournament.actions import matches as match_commands
from host_tools.tournament.model import Entrant
from tests.processes import wait
from tests.support.hall_day import call_next, play_groups

from .clicking import finish
from .desk_hall import DeskHall
from .play_desk import LIT, MATCH_MS, PlayDesk
from .pressing import Finger
from .test_play_seats import phone

LEAVING = "#after, #share, #look, #picture, .turns button, #power, #restart"
TABLE = f":is(button, summary, input[type=checkbox], [role=button]):enabled:not({LEAVING}), \
[role=button], summary"
DESK = "button:enabled, summary, a[href], input[type=checkbox], input[type=radio]"
SAMPLE, MANY, SEED = 10, 600, 43
LONG = pytest.mark.long
PRESSES = pytest.mark.parametrize("presses", [SAMPLE, pytest.param(MANY, marks=LONG)])
SAMPLED, OTHERS = "Café – App game", ["Quartett", "Trumpf – Gastro", "Hattrick"]


def no_press_is_lost(finger: Finger, presses: int, change: Callable[[], None]) -> None:
    """So many presses, in the middle of which something changes."""
    lost = []
    while finger.presses < presses:
        if one := finger.press_anything(change):
            lost.append(one)
    assert lost == []


def covered(page: Page, play: PlayDesk, game: str) -> None:
    """A match of three people at one page, who cover their cards."""
    play.open(page)
    play.start(page, game, me="all", seats=3)
    expect(page.get_by_role("button", name=re.compile("^I am"))).to_be_visible(timeout=MATCH_MS)
    wait(lambda: play.table.log.count > 0 and not play.table.runner.busy)


def test_nothing_can_be_pressed_before_it_would_act(browser: Browser, play: PlayDesk) -> None:
    page = browser.new_page(locale="en-GB")
    try:
        held: list[Route] = []
        page.route("**/static/join.js", partial(list.append, held))
        address = f"{play.base}/t/1/join?key={play.table.phones.key}"
        page.goto(address, wait_until="commit")
        button = page.get_by_role("button", name="Join", exact=True, include_hidden=True)
        with pytest.raises(TimeoutError, match="Timeout"):
            button.click(timeout=500)
        held[0].continue_()
        page.locator("#name").fill("Mia")
        button.click()
        expect(page.locator("#phone-note")).to_contain_text("You are in, Mia.")
    finally:
        page.close()


@pytest.mark.parametrize("held_ms", [300, 2500])
def test_a_cover_that_is_drawn_again_under_the_finger(
    chromium: Page, play: PlayDesk, held_ms: int
) -> None:
    """A tag dies between down and up; also behind the time for which a page waits for a finger."""
    covered(chromium, play, "Quartett")
    drawn = chromium.locator("#hand").get_attribute("data-key")
    chromium.get_by_role("button", name="I am Anna").hover()
    chromium.mouse.down()
    play.table.do(messages.Trick(name="dead", seat=0))
    chromium.wait_for_timeout(held_ms)
    chromium.mouse.up()
    expect(chromium.locator("#hand [data-code]").first).to_be_visible()
    assert chromium.locator("#hand").get_attribute("data-key") != drawn


def test_a_hand_that_is_newer_than_the_news_is_asked_for_again(
    chromium: Page, play: PlayDesk
) -> None:
    """The first hand tells of a moment of which no news ever comes."""
    covered(chromium, play, "Quartett")
    told: list[int] = []

    def later(route: Route) -> None:
        answer = route.fetch()
        hand = answer.json()
        told.append(hand["count"])
        ahead = 1 if len(told) == 1 else 0
        route.fulfill(response=answer, json={**hand, "count": hand["count"] + ahead})

    chromium.route("**/hand/*", later)
    chromium.get_by_role("button", name="I am Anna").click()
    expect(chromium.locator("#hand [data-code]").first).to_be_visible()
    assert len(told) == 2


def changes(play: PlayDesk, chance: Random) -> Callable[[], None]:
    """Something happens at the table that no page has asked for."""
    table = play.table

    def by_hand() -> None:
        world, seat = table.log.world, table.log.awaits["seat"]
        if world is not None and seat is not None and not table.runner.busy:
            table.queue(table.robot.play(seat))

    def happen() -> None:
        seats = len(table.log.header.get("names", ())) or 2
        seat = chance.randrange(seats)
        chance.choice(
            [
                partial(table.runner.call, by_hand),
                partial(table.do, messages.Auto(seat=seat, on=chance.random() < 0.3)),
                partial(table.do, messages.Trick(name=chance.choice(["dead", "foreign"]))),
                partial(table.do, messages.Speed(speed=1000)),
            ]
        )()

    return happen


@pytest.mark.parametrize(
    ("game", "presses"),
    [(SAMPLED, SAMPLE), *(pytest.param(one, MANY, marks=LONG) for one in (SAMPLED, *OTHERS))],
)
def test_presses_at_the_table(chromium: Page, play: PlayDesk, game: str, presses: int) -> None:
    chance = Random(SEED)
    covered(chromium, play, game)
    finger = Finger(chromium, TABLE, chance)
    no_press_is_lost(finger, presses, changes(play, chance))


@PRESSES
def test_presses_on_a_phone(
    context: BrowserContext, chromium: Page, play: PlayDesk, presses: int
) -> None:
    chance = Random(SEED)
    covered(chromium, play, "Quartett")
    device = phone(context, play, 0)
    device.set_viewport_size({"width": 390, "height": 844})
    expect(device.locator("#hand [data-code]").first).to_be_visible()
    no_press_is_lost(Finger(device, TABLE, chance), presses, changes(play, chance))


def day(hall: DeskHall, chance: Random) -> Callable[[], None]:
    """Something happens in the hall."""
    many = iter(range(10_000))

    def late() -> None:
        number = next(many)
        player = Entrant(id=f"late{number}", name=f"Late {number}")
        hall.service.do("a", "", partial(entrants.add_players, players=[player]))

    def announce() -> None:
        said = hall.service.state.announcements
        act = (
            partial(match_commands.end_announcement, announcement=str(min(said)))
            if len(said) > 2
            else partial(match_commands.announce, text=f"Soup {next(many)}")
        )
        hall.service.do("desk", "", act)

    happenings: list[Callable[[], None]] = [
        announce,
        late,
        partial(play_groups, hall.service, 1),
        partial(call_next, hall.service, 1),
    ]

    def happen() -> None:
        chance.choice(happenings)()
        hall.settle()

    return happen


@PRESSES
@pytest.mark.parametrize("path", ["/desk?lang=en", "/groups?lang=en"])
def test_presses_at_the_desk_and_on_the_board(
    chromium: Page, hall: DeskHall, path: str, presses: int
) -> None:
    chance = Random(SEED)
    hall.log_in(chromium, "jury")
    chromium.goto(hall.base + path)
    no_press_is_lost(Finger(chromium, DESK, chance), presses, day(hall, chance))


def test_the_keyboard_is_at_the_play_once_it_begins(chromium: Page, play: PlayDesk) -> None:
    """Play is pressed by keyboard, then Rematch: what had the focus is gone, and the prompt has
    it.
    """
    play.open(chromium)
    chromium.get_by_label("Trumpf – Gastro").check()
    chromium.get_by_role("button", name=play.said("start"), exact=True).press("Enter")
    expect(chromium.locator("#prompt")).to_be_focused(timeout=MATCH_MS)
    finish(play)
    chromium.locator("#rematch").press("Enter", timeout=MATCH_MS)
    expect(chromium.locator("#prompt")).to_be_focused(timeout=MATCH_MS)


def test_where_too_many_pages_have_a_link_open_the_oldest_rests(
    context: BrowserContext, chromium: Page, play: PlayDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_table, "MOST_PAGES", 2)
    play.open(chromium)
    pages = [chromium]
    for _ in range(3):
        pages.append(context.new_page())
        play.open(pages[-1])
    for old in pages[:2]:
        expect(old.locator("#problem")).to_have_text(play.said("page_rests"))
    wait(lambda: play.table.connected() == [HOST, HOST])
    pages[0].reload()
    expect(pages[0].locator("#oled")).to_have_attribute("data-rows", LIT)
    expect(pages[2].locator("#problem")).to_have_text(play.said("page_rests"))
    assert play.table.connected() == [HOST, HOST]


def test_a_name_that_only_leads_here_opens_nothing(play: PlayDesk) -> None:
    """DNS rebinding: the page of another site has let a name of its own lead to this machine."""
    url = play.url("/t/1")
    for host, status in (
        ("evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost:8000", 200),
        ("[::1]:8000", 200),
        ("192.168.1.7", 200),
        (socket.gethostname(), 200),
    ):
        answer = httpx.get(url, headers={"Host": host})
        assert answer.status_code == status, host
    refused = httpx.get(url, headers={"Host": "evil.example"})
    assert refused.text == Sentence("play_other_host").said("en")


def test_who_loses_the_race_for_a_seat_is_told_and_offered_another(
    chromium: Page, play: PlayDesk
) -> None:
    chromium.goto(play.url("/t/1/join", play.table.phones.key))
    chromium.get_by_label(play.said("join_name")).fill("Ole")
    seat = chromium.get_by_role("radio", name=re.compile("^1"))
    expect(seat).to_be_checked()
    play.table.join(SeatClaim("Mia", "red", 0))
    chromium.get_by_role("button", name=play.said("join"), exact=True).click()
    expect(chromium.locator("#problem")).to_contain_text("Mia")
    expect(seat).to_be_disabled()
    expect(chromium.get_by_role("radio", name="1 – Mia")).to_be_disabled()
    play.table.join(SeatClaim("Ida", "blue", 1))  # nobody presses here, and it is shown as well
    expect(chromium.get_by_role("radio", name="2 – Ida")).to_be_disabled()
    chromium.get_by_role("radio", name="3").check()
    chromium.get_by_role("button", name=play.said("join"), exact=True).click()
    expect(chromium.locator("#phone-note")).to_contain_text("Ole")
