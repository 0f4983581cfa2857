"""Phones as hands: they join with the table's one code, and the table's own page shows only the
table.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.processes import wait
from tests.sampling import one_in

from .clicking import resize
from .play_desk import MATCH_MS, PlayDesk
from .sight import HIDDEN
from .test_play_seats import scanned

HANDY = {"width": 390, "height": 780}
TREMBLES = "window.felt = []; navigator.vibrate = (ms) => { window.felt.push(ms); return true; };"


@contextmanager
def phones(browser: Browser, count: int) -> Iterator[list[Page]]:
    """Devices with a memory of their own each."""
    contexts: list[BrowserContext] = []
    try:
        for _ in range(count):
            contexts.append(browser.new_context(viewport=HANDY, has_touch=True))
            contexts[-1].add_init_script(TREMBLES)
        yield [context.new_page() for context in contexts]
    finally:
        for context in contexts:
            context.close()


def join(page: Page, play: PlayDesk, name: str, seat: int | None = None) -> None:
    """As somebody does who has scanned the code."""
    page.goto(play.url("/t/1/join", play.table.phones.key))
    page.get_by_label(play.said("join_name")).fill(name)
    if seat is not None:
        page.get_by_role("radio", name=re.compile(f"^{seat}")).check()
    page.get_by_role("button", name=play.said("join"), exact=True).click()


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"


def test_people_are_called_as_they_type_it_on_phone_and_page(
    chromium: Page, browser: Browser, play: PlayDesk
) -> None:
    """A badge has room for two families; pages, seats and the next match have all twenty."""
    hindi = "\u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f" * 6  # 18 letters, 126 bytes
    names = [FAMILY * 20, PERSIAN, hindi, "\uae40" * 16, "Zo\u00eb"]
    with phones(browser, 1) as (hand,):
        join(hand, play, FAMILY * 21, seat=1)
        field = hand.get_by_label("Name")
        told = field.evaluate("field => field.validationMessage")
        assert told == "Names can be up to 20 letters long; this one has 21."
        join(hand, play, names[0], seat=1)
        expect(hand.locator("#phone-note")).to_contain_text(names[0])
        play.open(chromium)
        chromium.get_by_label("Trumpf – Gastro").check()
        chromium.locator("#seat-count").select_option("5")
        chromium.get_by_text("Names", exact=True).click()
        for seat, name in enumerate([*names[1:4], "Zoe\u0308 "], 2):
            chromium.get_by_label(f"Name at seat {seat}").fill(name)
        chromium.get_by_label("Name at seat 3").fill(FAMILY * 21)
        chromium.get_by_text("Names", exact=True).click()
        chromium.get_by_role("button", name="Play", exact=True).click()
        expect(chromium.get_by_label("Name at seat 3")).to_be_focused()  # unfolded, to say why
        assert play.table.log.world is None
        chromium.get_by_label("Name at seat 3").fill(hindi)
        chromium.get_by_role("button", name="Play", exact=True).click()
        chips = chromium.locator("#seats li")
        expect(chips).to_have_count(5, timeout=MATCH_MS)
        for chip, name in zip(chips.all(), names, strict=True):
            expect(chip).to_contain_text(name)
        assert play.table.log.record["names"][:2] == [FAMILY * 2, PERSIAN]
        wait(lambda: not play.table.runner.busy)
        expect(hand.locator("#seats")).to_contain_text(names[0])


@pytest.mark.parametrize("lang", one_in(2, ["en", "de"]))
def test_three_phones_play_and_the_screen_shows_the_table(
    chromium: Page, browser: Browser, lang: str
) -> None:
    with PlayDesk.opened("cpython", lang=lang) as play, phones(browser, 3) as hands:
        asked: list[str] = []
        for page in (chromium, *hands):
            page.on("request", lambda request: asked.append(request.url))
        play.open(chromium, "/t/1")
        names = ["Mia", "Ole", "Ida"]
        for page, name in zip(hands, names, strict=True):
            join(page, play, name)
            expect(page.locator("#phone-note")).to_contain_text(name)
        chromium.goto(play.url("/t/1") + "#devices")
        chromium.reload()
        held = chromium.locator("#phones li")
        expect(held).to_contain_text(
            [play.said("phone_of", n + 1, name) for n, name in enumerate(names)]
        )
        expect(held.locator("em")).to_have_count(0)  # all of them are connected
        chromium.locator("#devices > summary").click()
        play.start(chromium, "Hattrick", seats=3)
        wait(lambda: play.table.log.count == 1 and not play.table.runner.busy)
        awaited = play.table.log.awaits["seat"]
        assert play.table.log.header["names"] == names
        prompt = play.said("wait_for", names[awaited], play.said("for_tap"))
        expect(chromium.locator("#prompt")).to_have_text(prompt)
        expect(chromium.locator(".cover, #hand [data-code]")).to_have_count(0)
        for seat, page in enumerate(hands):
            mine = seat == awaited
            text = play.said("your_turn", play.said("for_tap")) if mine else prompt
            expect(page.locator("#prompt")).to_have_text(text)
            expect(page.locator("#hand [data-code]").first).to_be_visible()
            assert len(page.evaluate("felt")) == int(mine)
            assert page.evaluate(HIDDEN) == []
        hands[awaited].locator("#hand [data-code]").first.click()
        wait(lambda: play.table.log.count > 1)
        other = play.table.log.awaits["seat"]
        expect(hands[other].locator("#prompt")).to_contain_text(play.said("for_tap"))
        hands[other].wait_for_function("() => felt.length === 1")
        outside = [url for url in asked if not url.startswith((play.base, "data:", "blob:"))]
        assert outside == []  # no host but this one is asked: it works without internet


def test_the_code_of_the_table_leads_where_its_link_leads(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    chromium.get_by_text("Phones", exact=True).click()
    expect(chromium.locator("#devices .note")).to_contain_text("schiri play --lan")
    play.server.network = "http://192.0.2.7:8765"  # as with --lan: links that go to others
    for base in (play.server.network, "http://192.0.2.7:8765"):
        chromium.reload()
        chromium.get_by_text("Phones", exact=True).click()
        picture = chromium.locator("#join-code")
        chromium.wait_for_function("image => image.complete", arg=picture.element_handle())
        link = f"{base}/t/1/join?key={play.table.phones.key}"
        expect(chromium.locator("#join-link")).to_have_attribute("href", link)
        assert scanned(picture.screenshot()) == [link]
        expect(chromium.locator("#devices .note")).to_have_count(0)


def test_a_seat_is_one_phones_until_the_table_frees_it(
    chromium: Page, browser: Browser, play: PlayDesk
) -> None:
    play.open(chromium)
    with phones(browser, 2) as (first, second):
        join(first, play, "Mia", 2)
        expect(first.locator("#phone-note")).to_contain_text("You are in, Mia.")
        second.goto(play.url("/t/1/join", play.table.phones.key))
        expect(second.get_by_role("radio", name="2 – Mia")).to_be_disabled()
        answer = second.request.post(
            play.url("/t/1/join", play.table.phones.key),
            data={"name": "Eve", "colour": "red", "seat": 1},
        )
        assert answer.status == 403
        assert answer.text() == (
            "seat 2 is Mia's: choose another one, or free it at the table's screen"
        )
        # a lost line, a page that is loaded anew, the code scanned again: still the same seat
        first.reload()
        expect(first.locator("#phone-note")).to_contain_text("You are in, Mia.")
        first.goto(play.url("/t/1/join", play.table.phones.key))
        held = chromium.locator("#phones li")
        chromium.get_by_text("Phones", exact=True).click()
        expect(held).to_contain_text("(not connected)")
        first.get_by_role("link", name="Back to my seat as Mia").click()
        expect(first.locator("#phone-note")).to_contain_text("You are in, Mia.")
        expect(held.locator("em")).to_have_count(0)
        link = first.url
        second.goto(link)  # a link that was passed on
        for page in (first, second):
            expect(page.locator("#phone-note")).to_contain_text("open on two devices")
        second.goto("about:blank")
        expect(first.locator("#phone-note")).to_contain_text("You are in, Mia.")
        held.get_by_role("button", name="Free the seat").click()
        expect(first.locator("#problem")).to_contain_text("Your seat was freed")
        expect(first.locator("main")).to_be_hidden()
        expect(held).to_have_count(0)
        assert first.request.get(link).status == 403
        join(second, play, "Eve", 2)
        expect(second.locator("#phone-note")).to_contain_text("You are in, Eve.")
        expect(held).to_have_text(re.compile("Seat 2: Eve"))


def test_a_seat_that_is_played_at_the_screen_is_not_to_be_had(
    chromium: Page, browser: Browser, play: PlayDesk
) -> None:
    """Its cards lie open there: who joined could look into them."""
    play.open(chromium)
    play.start(chromium, "Hattrick", seats=3)
    with phones(browser, 1) as (page,):
        page.goto(play.url("/t/1/join", play.table.phones.key))
        expect(page.get_by_role("radio", name="1 – Anna")).to_be_disabled()
        for seat, status in ((0, 403), (3, 403), (8, 400), (-1, 400)):
            wish = {"name": "Eve", "colour": "red", "seat": seat}
            answer = page.request.post(play.url("/t/1/join", play.table.phones.key), data=wish)
            assert answer.status == status
        join(page, play, "Mia", 2)  # a bot's
        expect(page.locator("#hand [data-code]")).to_have_count(20)
        codes = page.locator("#hand [data-code]").evaluate_all(
            "all => all.map(c => c.dataset.code)"
        )
        assert play.table.log.world is not None
        assert sorted(codes) == sorted(play.table.log.world.hands[1])
        assert play.table.auto.seats == {2}
        expect(chromium.locator("#hand-title")).to_have_text("Your cards")
        expect(chromium.locator(".cover")).to_have_count(0)


def test_a_phone_whose_seat_the_match_lacks_is_told(
    chromium: Page, browser: Browser, play: PlayDesk
) -> None:
    play.open(chromium)
    with phones(browser, 1) as (page,):
        join(page, play, "Mia", 5)
        play.start(chromium, "Hattrick", seats=3)
        expect(page.locator("#phone-note")).to_contain_text(
            "no seat 5, only 1 to 3", timeout=MATCH_MS
        )


def test_what_a_phone_says_is_read_with_care(play: PlayDesk, chromium: Page) -> None:
    url = play.url("/t/1/join", play.table.phones.key)
    good = {"name": "Mia", "colour": "red", "seat": 1}
    for bad in ({"name": " "}, {"name": "x" * 21}, {"name": "a\u0007"}, {"colour": "grey"}):
        assert chromium.request.post(url, data=good | bad).status == 400
    assert chromium.request.post(url, data=good | {"more": 1}).status == 400
    assert chromium.request.post(url, data="[").status == 400
    assert chromium.request.post(url, data="x" * 4097).status == 413
    other = chromium.request.post(url, data=good, headers={"Origin": "http://elsewhere"})
    assert other.status == 403
    assert (
        chromium.request.get(play.url("/t/1/join", play.table.phones.seat_keys[0])).status == 403
    )
    assert chromium.request.get(play.url("/t/1/join.svg", play.table.phones.key)).status == 403
    assert play.table.phones.held == {}


UNTOUCHED = (
    "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } });"
)


def test_a_page_that_nobody_has_touched_does_not_vibrate(
    chromium: Page, browser: Browser, play: PlayDesk
) -> None:
    """A browser refuses that, and complains. For Chromium, whatever Playwright asks is a touch."""
    play.open(chromium)
    play.start(chromium, "Hattrick", me="all", seats=3)
    wait(lambda: play.table.log.awaits["seat"] is not None)
    seat = play.table.log.awaits["seat"]
    with phones(browser, 1) as (page,):
        page.add_init_script(UNTOUCHED)
        play.open(page, f"/t/1?seat={seat + 1}", play.table.phones.seat_keys[seat])
        expect(page.locator("#prompt")).to_contain_text("It is your turn")
        assert page.evaluate("window.felt") == []


CALLED = """() => {
    const hand = document.querySelector(".hand");
    hand.classList.remove("mine");
    hand.offsetWidth; // has ended what was moving
    hand.classList.add("mine");
    const moving = document.getAnimations();
    for (const one of moving) {
        one.pause();
        const { delay, duration } = one.effect.getComputedTiming();
        one.currentTime = delay + duration / 2;
    }
    const { left, right } = document.getElementById("prompt").getBoundingClientRect();
    const { scrollWidth, clientWidth } = document.documentElement;
    const names = moving.map((one) => one.animationName);
    return [names.includes("mine"), left >= 0, right <= clientWidth, scrollWidth <= clientWidth];
}"""
"""In the middle of the call for one's turn: is it there, and within the width of the page?"""


@contextmanager
def on_turn_in_the_cafe(
    chromium: Page, browser: Browser, play: PlayDesk, width: int
) -> Iterator[Page]:
    """A phone so wide, whose guest is to be seated."""
    play.open(chromium)
    with phones(browser, 1) as (page,):
        resize(page, width, HANDY["height"])
        join(page, play, "Mia", 1)
        play.start(chromium, "Café – App game", seats=2)
        expect(page.locator("#prompt")).to_contain_text("your turn", timeout=MATCH_MS)
        yield page


def test_the_call_for_a_turn_makes_no_page_wider(
    chromium: Page, browser: Browser, play: PlayDesk
) -> None:
    with on_turn_in_the_cafe(chromium, browser, play, HANDY["width"]) as page:
        for width in (360, 390, 768, 1024, 1280, 1440, 1920):
            resize(page, width, HANDY["height"])
            assert page.evaluate(CALLED) == [True] * 4, width


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_chair_that_is_to_be_pressed_is_in_sight_on_a_phone(
    chromium: Page, browser: Browser, play: PlayDesk, width: int
) -> None:
    with on_turn_in_the_cafe(chromium, browser, play, width) as page:
        page.locator("#hand .may").first.click()
        chair = page.locator(".room .chair.may").first
        expect(chair).to_be_visible(timeout=MATCH_MS)
        place = chair.bounding_box()
        assert place is not None
        assert 0 < place["y"] < HANDY["height"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
