"""The page of a table: pixels, keys, words for screen readers, small and wide screens."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from host_tools.sim.table import messages

from .play_desk import MATCH_MS, PlayDesk, open_drawer

LIT = (191, 233, 255)
DARK = (5, 8, 10)
WIDTH, HEIGHT = 128, 64
PIXELS = """canvas => Array.from(
    canvas.getContext("2d").getImageData(0, 0, 128, 64).data)"""


def pixels(page: Page) -> list[tuple[int, ...]]:
    """The colours of all pixels of the canvas, row by row."""
    data = page.locator("#oled").evaluate(PIXELS)
    return [tuple(data[at : at + 3]) for at in range(0, len(data), 4)]


def shown(desk: PlayDesk) -> list[tuple[int, ...]]:
    """The colours that the glass of the twin should have on the page."""
    picture = desk.table.session.screen()
    return [LIT if picture.pixel(x, y) else DARK for y in range(HEIGHT) for x in range(WIDTH)]


def screen_says(page: Page, text: str) -> None:
    """What is read out for people who do not see the OLED."""
    expect(page.locator("#screen-text")).to_contain_text(text, timeout=MATCH_MS)


def still(page: Page, desk: PlayDesk) -> None:
    """Until page and box agree; the box is paused, so nothing moves any more."""
    desk.drawer(page, "Settings")
    page.get_by_role("button", name="Paused").click()
    rows = "".join(f"{row:032x}" for row in desk.table.session.screen().rows)
    expect(page.locator("#oled")).to_have_attribute("data-rows", rows)


def test_the_canvas_shows_the_very_pixels_of_the_twin(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    screen_says(chromium, "Trumpf")
    still(chromium, play)
    assert pixels(chromium) == shown(play)


@pytest.mark.vm
def test_the_pixels_of_the_vm(chromium: Page) -> None:
    with PlayDesk.opened("micropython") as desk:
        desk.open(chromium)
        screen_says(chromium, "Trumpf")
        still(chromium, desk)
        assert pixels(chromium) == shown(desk)


def test_the_box_by_mouse(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    screen_says(chromium, "» Game: Trumpf")
    chromium.get_by_role("button", name="Down").click(delay=60)
    screen_says(chromium, "» Variant: Swiss")
    chromium.get_by_role("button", name="OK", exact=True).click(delay=60)
    screen_says(chromium, "» Variant: Gastro")


def test_a_round_with_the_keyboard_alone(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Trumpf – Swiss", me="all")
    expect(chromium.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
    for what in ("call a category", "tap a card"):
        show = chromium.get_by_role("button", name=re.compile("^I am"))
        show.focus()
        chromium.keyboard.press("Enter")
        expect(chromium.locator("#hand [data-code]")).to_have_count(1)
        chromium.locator("body").evaluate("body => document.activeElement.blur()")
        chromium.keyboard.press("1")
        if what == "call a category":
            expect(chromium.locator("#prompt")).to_contain_text(what)
            chromium.keyboard.press("ArrowDown", delay=60)
            screen_says(chromium, "» Prominence")
            chromium.keyboard.press("Enter", delay=60)
            expect(chromium.locator("#prompt")).to_contain_text("tap a card")
    expect(chromium.locator("#news li").first).to_contain_text("presents", timeout=MATCH_MS)
    assert play.table.log.count == 4  # begin, tap, call, tap


def test_a_covered_hand_is_not_on_the_page(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Quartett", me="all", seats=3)
    show = chromium.get_by_role("button", name=re.compile("^I am"))
    expect(show).to_be_visible(timeout=MATCH_MS)
    expect(chromium.locator("#hand [data-code]")).to_have_count(0)
    show.click()
    expect(chromium.locator("#hand [data-code]").first).to_be_visible()
    chromium.get_by_role("button", name="Cover").click()
    expect(chromium.locator("#hand [data-code]")).to_have_count(0)


def test_a_seat_sees_only_its_own_hand(context: BrowserContext, play: PlayDesk) -> None:
    host, guest = context.new_page(), context.new_page()
    play.open(host)
    play.start(host, "Hattrick", me="all", seats=3)
    guest.goto(play.url("/t/1?seat=2", play.table.phones.seat_keys[1]))
    expect(guest.get_by_role("region", name="Your cards")).to_be_visible()
    expect(guest.locator("#hand [data-code]")).to_have_count(20)
    codes = guest.locator("#hand [data-code]").evaluate_all("all => all.map(c => c.dataset.code)")
    world = play.table.log.world
    assert world is not None
    assert sorted(codes) == sorted(world.hands[1])
    for path, status in (("/t/1/hand/1", 200), ("/t/1/hand/0", 403), ("/t/1/transcript", 403)):
        assert guest.request.get(play.url(path, play.table.phones.seat_keys[1])).status == status
    expect(guest.get_by_role("button", name="Power")).to_have_count(0)


def test_drag_a_card_onto_the_box(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Hattrick", me="all", seats=3)
    chromium.get_by_role("button", name=re.compile("^I am")).click(timeout=MATCH_MS)
    card = chromium.locator("#hand [data-code]").first
    code = card.get_attribute("data-code")
    card.drag_to(chromium.locator("#reader"))
    expect(chromium.locator("#lying .tag")).to_have_text(str(code))
    expect(chromium.locator("#news li").first).to_contain_text(str(code), timeout=MATCH_MS)
    chromium.get_by_role("button", name="Take away").click()
    expect(chromium.locator("#lying .tag")).to_have_count(0)


REDRAWN = ("pressed", "dragged", "over the box")


@pytest.mark.parametrize("when", REDRAWN)
def test_a_drag_survives_a_redraw_of_the_hand(chromium: Page, play: PlayDesk, when: str) -> None:
    """Between finger and drop another card's tag dies: the hand is drawn anew."""
    play.open(chromium)
    play.start(chromium, "Hattrick", me="all", seats=3)
    chromium.get_by_role("button", name=re.compile("^I am")).click(timeout=MATCH_MS)
    card = chromium.locator("#hand [data-code]").first
    code = str(card.get_attribute("data-code"))
    other = str(chromium.locator("#hand [data-code]").last.get_attribute("data-code"))
    start, end = card.bounding_box(), chromium.locator("#reader").bounding_box()
    assert start is not None
    assert end is not None

    def redraw(now: str) -> None:
        if now == when:
            drawn = chromium.locator("#hand").get_attribute("data-key")
            seat = play.table.log.awaits["seat"]
            play.table.do(messages.Trick(name="dead", seat=seat, card=other))
            expect(chromium.locator("#hand")).not_to_have_attribute("data-key", str(drawn))

    mouse = chromium.mouse
    mouse.move(start["x"] + 20, start["y"] + 20)
    mouse.down()
    redraw("pressed")
    mouse.move(start["x"] + 40, start["y"] + 30, steps=4)
    redraw("dragged")
    mouse.move(end["x"] + 30, end["y"] + 30, steps=4)
    redraw("over the box")
    mouse.up()
    expect(chromium.locator("#lying .tag")).to_have_text(code)


def test_the_buzzer_is_heard(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    chromium.evaluate(COUNT_TONES)
    open_drawer(chromium, "Menu")
    chromium.get_by_role("button", name="Sound").click()
    expect(chromium.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    chromium.keyboard.press("ArrowDown", delay=60)
    heard = re.compile("[1-9]")
    expect(chromium.locator("body")).to_have_attribute("data-tones", heard, timeout=MATCH_MS)


COUNT_TONES = """() => {
    const start = OscillatorNode.prototype.start;
    document.body.dataset.tones = 0;
    OscillatorNode.prototype.start = function (...all) {
        document.body.dataset.tones++;
        return start.apply(this, all);
    };
}"""
