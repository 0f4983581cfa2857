"""Every seat on a device of its own: its link and QR code, whose turn it is, who may play."""

import io

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import BrowserContext, Page, Route, expect

from host_tools.games.base import Moved
from host_tools.sim.table import messages
from tests.processes import wait

from .play_desk import MATCH_MS, PlayDesk

SCANNED_WIDTH = 600


def scanned(raw: bytes) -> list[str]:
    """What a phone reads in a picture; the reader shares nothing with the writer of the codes."""
    picture = Image.open(io.BytesIO(raw)).convert("L")
    height = SCANNED_WIDTH * picture.height // picture.width
    found = zxingcpp.read_barcodes(picture.resize((SCANNED_WIDTH, height)))
    return [code.text for code in found]


def phone(context: BrowserContext, play: PlayDesk, seat: int) -> Page:
    """A seat's own link, opened on a device of its own."""
    page = context.new_page()
    play.open(page, f"/t/1?seat={seat + 1}", play.table.phones.seat_keys[seat])
    return page


@pytest.mark.parametrize(
    ("lang", "mine", "others", "refused"),
    [
        ("en", "It is your turn: tap a card", "It is {}'s turn: tap a card", "not your turn"),
        ("de", "Du bist dran: Karte auflegen", "{} ist dran: Karte auflegen", "Du bist nicht"),
    ],
)
def test_phones_say_whose_turn_it_is_and_only_that_one_plays(
    context: BrowserContext, lang: str, mine: str, others: str, refused: str
) -> None:
    with PlayDesk.opened("cpython", lang=lang) as desk:
        desk.table.do(messages.Start(game="hattrick", seats=3, names=["Anna", "Beat", "Cem"]))
        wait(lambda: desk.table.log.count == 1 and not desk.table.runner.busy)
        awaited = desk.table.log.awaits["seat"]
        name = ["Anna", "Beat", "Cem"][awaited]
        phones = [phone(context, desk, seat) for seat in range(3)]
        for seat, page in enumerate(phones):
            told = mine if seat == awaited else others.format(name)
            expect(page.locator("#prompt")).to_have_text(told)
            expect(page.locator("[data-button=jury]")).to_have_count(0)
        other = phones[(awaited + 1) % 3]
        for act in ("#hand [data-code]", "[data-button=ok]"):
            other.locator(act).first.click()
            expect(other.locator("#problem")).to_contain_text(refused)
            expect(other.locator("#problem")).to_contain_text(name)
            other.evaluate("document.getElementById('problem').textContent = ''")
        assert desk.table.log.count == 1
        phones[awaited].locator("#hand [data-code]").first.click()
        expect(phones[awaited].locator("#news li")).to_have_count(2, timeout=MATCH_MS)
        assert not desk.table.log.refused


def test_setting_up_during_a_match_is_refused_in_the_language_of_the_page(
    context: BrowserContext,
) -> None:
    with PlayDesk.opened("cpython", lang="de") as desk:
        page = context.new_page()
        held: list[Route] | None = []
        page.route(
            "**/hand/**",
            lambda route: route.continue_() if held is None else held.append(route),
        )
        desk.open(page)
        set_up = page.get_by_role("button", name="Spielen", exact=True)
        set_up.click()
        wait(lambda: desk.table.log.count > 0 and not desk.table.runner.busy)
        desk.drawer(page, "Neue Partie")
        set_up.click()
        expect(page.locator("#abandon-first")).to_be_focused()  # the form asks for the tick
        expect(page.locator("#problem")).to_be_empty()
        page.locator("#setup").evaluate("form => { form.noValidate = true; }")
        set_up.click()  # as from a page that has not heard of the match yet
        refused = "Es läuft eine Partie: bitte zu Ende spielen oder abbrechen (JURY)."
        expect(page.locator("#problem")).to_have_text(refused)
        asked, held = held, None
        for request in asked:
            request.continue_()
        expect(page.locator("#hand [data-code]")).not_to_have_count(0)
        expect(page.locator("#problem")).to_have_text(refused)  # the hand has another subject


NEWS_MS = 500
"""Until a page has certainly drawn what it was told."""


def test_a_card_of_an_outdated_hand_is_refused_in_words(chromium: Page, play: PlayDesk) -> None:
    """The answer with the new hand is on its way; what is pressed meanwhile is of the old one."""
    table = play.table
    play.open(chromium)
    play.start(chromium, "Hattrick", seats=3)
    expect(chromium.locator("#prompt")).to_have_text("It is your turn: tap a card")
    place = chromium.get_by_role("region", name="Your cards")
    expect(place).to_have_attribute("aria-busy", "false")
    card = chromium.locator("#hand [data-code]").first
    code = str(card.get_attribute("data-code"))
    chromium.route("**/hand/0*", lambda route: None)
    before = table.log.count
    table.do(messages.Tap(code=code))  # on another device of the same table
    wait(lambda: table.log.count >= before + 3 and table.log.awaits["seat"] == 0)
    wait(lambda: not table.runner.busy)
    count = table.log.count
    expect(chromium.locator("#news li")).to_have_count(len(table.log.news))
    expect(place).to_have_attribute("aria-busy", "true")
    table.do(messages.Read())  # more news of the same: the old hand is not drawn as the new one
    chromium.wait_for_timeout(NEWS_MS)
    chromium.locator(f'#hand [data-code="{code}"]').click()
    expect(chromium.locator("#problem")).to_contain_text("the match has gone on meanwhile")
    assert table.log.count == count
    chromium.unroute("**/hand/0*")  # what was held goes on
    expect(place).to_have_attribute("aria-busy", "false")
    expect(chromium.locator(f'#hand [data-code="{code}"]')).to_have_count(0)


def test_a_hand_that_is_ahead_of_the_news_waits_for_them(chromium: Page, play: PlayDesk) -> None:
    """Else its cards were lit as of now, and whoever pressed one was told to choose again."""
    table = play.table
    play.open(chromium)
    play.start(chromium, "Hattrick", seats=3)
    place = chromium.get_by_role("region", name="Your cards")
    cards = chromium.locator("#hand [data-code]")
    expect(chromium.locator("#hand [data-code].may")).not_to_have_count(0)
    expect(place).to_have_attribute("aria-busy", "false")
    dealt, asked = cards.count(), 0

    def ahead(route: Route) -> None:
        nonlocal asked
        asked += 1
        hand = route.fetch().json()
        cards = hand["cards"][1:]  # somebody has taken one, and the news of it are on their way
        route.fulfill(json={**hand, "changes": hand["changes"] + 1, "cards": cards})

    def change() -> None:
        table.log.change(Moved("allowed", 0, "R1"))  # a question, which changes nothing
        table._changed()

    chromium.route("**/hand/0*", ahead)
    with chromium.expect_response("**/hand/0*"):
        table.runner.ask(change)
    chromium.wait_for_timeout(NEWS_MS)
    expect(place).to_have_attribute("aria-busy", "true")
    expect(cards).to_have_count(dealt)
    table.runner.ask(change)
    expect(place).to_have_attribute("aria-busy", "false")
    expect(cards).to_have_count(dealt - 1)
    assert asked == 1
