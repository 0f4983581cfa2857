"""The table that people sit at: a guided first match, decisions that stay, cards that move, and
what somebody chooses about the page.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from host_tools.sim.table import autoplay, messages
from tests.processes import wait
from tests.sampling import one_in

from .clicking import Clicker
from .play_desk import MATCH_MS, PlayDesk

MOST_TURNS = 120
FOREVER_MS = 1 << 40
GUIDED = {
    "Trumpf – Gastro": (3, "TR-12"),
    "Quartett": (3, "QU-4"),
    "Café – App game": (2, "CB-3"),
    "Hattrick": (3, "HA-9"),
}
MOST_STEPS = 10
SLOWLY = """(() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, { duration, delay = 0, ...more }) {
        return animate.call(this, frames, { duration: 20 * duration, delay: 20 * delay, ...more });
    };
})()"""
TO_BE_HIT = """() => [...document.querySelectorAll("#hand [data-flies]")].filter(card => {
    const { x, y, width, height } = card.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return card.contains(hit);
}).length"""
COUNT_SWEPT = """() => {
    document.body.dataset.swept = 0;
    new MutationObserver(all => all.forEach(one => one.addedNodes.forEach(node => {
        if (node.classList?.contains("flying")) document.body.dataset.swept++;
    }))).observe(document.body, { childList: true });
}"""


@pytest.mark.parametrize("game", one_in(4, GUIDED))
def test_a_guided_first_match(chromium: Page, play: PlayDesk, game: str) -> None:
    """Every step has its turn, the box refuses the trick by the rule it names; by keyboard."""
    seats, rule = GUIDED[game]
    play.open(chromium)
    play.start(chromium, game, me="first", seats=seats, button="teach")
    guide, me = chromium.locator("#guide"), Clicker(chromium, play, keyboard=True)
    seen: list[str] = []
    for _ in range(MOST_TURNS):
        me.wait_for_my_turn()
        if guide.is_hidden():
            break
        step = guide.locator("h2").inner_text()
        if guide.locator("[data-guide=try]").count() and not play.table.log.refused:
            try_the_trick(me, play, rule)
        elif seen and step == seen[-1]:  # nothing that happens ends it: it is read
            me.press(guide.locator("[data-guide=next]"))
        seen.append(step)
        if not play.table.log.refused and guide.is_visible():
            me.move()
    expect(guide).to_be_hidden()
    assert f'"rule": "{rule}"' in play.table.transcript()
    most = int(seen[0].rsplit(" ", 1)[1])
    assert most <= MOST_STEPS
    assert seen[-1] == f"First match: step {most} of {most}"


def try_the_trick(me: Clicker, play: PlayDesk, rule: str) -> None:
    """Press it; if this is the moment for it, the box refuses, and the page says by which rule."""
    table, page = play.table, me.page
    table.hint = None
    me.press(page.locator("#guide [data-guide=try]"))
    wait(lambda: table.hint is not None)
    assert table.hint is not None
    if table.hint["name"] == "not_now":
        return
    assert table.log.world is not None
    if not table.runner.busy and not table.log.refused:  # the trick only got the card ready
        me.press(page.locator(f'#hand [data-code="{table.log.world.hands[0][0]}"]'))
    wait(lambda: table.log.refused and not table.runner.busy)
    expect(page.locator("#verdict.refused .rule")).to_have_text(f"rule {rule}")
    me.press(page.locator("#verdict .rule"))
    expect(page.locator(f"#rules #rule-{rule} + .lit")).to_be_visible()
    page.keyboard.press("Escape")


def test_a_decision_stays_until_it_is_read_and_cards_move(
    chromium: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "VERDICT_MS", FOREVER_MS)
    with PlayDesk.opened("cpython", speed=10) as desk:
        desk.open(chromium)
        desk.start(chromium, "Trumpf – Gastro", me="nobody", seats=3)
        chromium.evaluate(COUNT_SWEPT)
        go_on, swept = chromium.locator("#go-on"), chromium.locator("body")
        for motion in ("no-preference", "reduce"):
            expect(go_on).to_be_visible(timeout=MATCH_MS)
            expect(chromium.locator("#verdict .rule")).to_have_text(re.compile("rule TR-[46]"))
            expect(chromium.locator("#middle p.called")).to_contain_text("est wins")
            count = desk.table.log.count
            chromium.emulate_media(reduced_motion=motion)
            before = int(swept.get_attribute("data-swept") or 0)
            go_on.click()
            wait(lambda count=count: desk.table.log.count > count + 1)  # type: ignore[misc]
            expect(go_on).to_be_visible(timeout=MATCH_MS)
            moved = int(swept.get_attribute("data-swept") or 0) - before
            assert (moved > 0) == (motion == "no-preference")


def test_a_card_in_flight_is_not_to_be_hit(browser: Browser) -> None:
    """One that left between down and up lost the press without a word."""
    with PlayDesk.opened("cpython", speed=1) as play, browser.new_context() as context:
        page = context.new_page()
        page.add_init_script(SLOWLY)
        play.open(page)
        play.start(page, "Hattrick", seats=3)
        page.wait_for_selector("#hand [data-flies]", timeout=MATCH_MS)
        assert page.evaluate(TO_BE_HIT) == 0
        expect(page.locator("#prompt")).to_contain_text("your turn", timeout=MATCH_MS)
        page.locator("#hand .may").first.click()  # waits until it lies
        wait(lambda: any(command["do"] == "tap" for command, _ in play.table.log.steps))


def test_house_rules_are_chosen_with_the_match_told_with_it_and_kept(
    chromium: Page, play: PlayDesk
) -> None:
    def begin(number: int) -> dict[str, Any]:
        chromium.get_by_role("button", name="Play", exact=True).click()
        wait(lambda: play.table.log.header.get("match") == number and play.table.log.count > 0)
        play.table.do(messages.Arbiter(action="abandon", why="jury"))
        expect(chromium.locator("#prompt")).to_contain_text("Abandoned", timeout=MATCH_MS)
        return play.table.log.header

    play.open(chromium)
    expect(chromium.locator("#options")).to_be_hidden()  # Swiss has none (docs/house-rules.md)
    chromium.get_by_label("Hattrick").check()
    chromium.get_by_label("Seats", exact=True).select_option("4")
    chromium.locator("#options summary").click()
    chromium.get_by_label("Number of hands").select_option(label="12")
    expect(chromium.locator("#option-fields")).to_contain_text("Everybody deals 3 times.")
    expect(chromium.get_by_label("Target points")).to_have_accessible_description(
        "All games are played."
    )
    expect(chromium.locator("#options summary")).to_have_text("House rules: 1 changed")
    assert begin(1)["options"] == {"hands": 12}
    title = "House rules: Everybody deals 3 times."
    expect(chromium.locator("#match-title")).to_contain_text(title)
    play.open(chromium)
    expect(chromium.locator("#options-changed")).to_have_text("1 changed")
    play.drawer(chromium, "New match")
    chromium.locator("#options summary").click()
    chromium.get_by_label("Number of hands").select_option(label="8 (usual)")
    chromium.get_by_label("Target points").select_option(label="50")
    assert begin(2)["options"] == {"hands": 8, "target": 50}  # the box's menu forgot the twelve
    with chromium.expect_navigation():
        play.press_more(chromium, "Look at it step by step")
    sentence = "It ends after the game in which somebody reaches 50 points."
    expect(chromium.locator("#title")).to_contain_text(sentence)


def test_the_cafe_offers_no_strong_bots(chromium: Page, play: PlayDesk) -> None:
    """A wish that it does not offer is medium there, and still a wish in the other games."""
    play.open(chromium)
    chromium.get_by_label("Hattrick").check()
    strength = chromium.get_by_label("Strength", exact=True)
    strength.select_option("strong")
    chromium.get_by_text("Names", exact=True).click()
    second = chromium.get_by_label("How the bot at seat 2 plays")
    third = chromium.get_by_label("How the bot at seat 3 plays")
    third.select_option("easy")
    for game in ("Café – Board game", "Café – App game"):
        chromium.get_by_label(game).check()
        for choice in (strength, second):
            expect(choice.locator("option")).to_have_text(["easy", "medium"])
            expect(choice).to_have_value("medium")
    chromium.get_by_label("Hattrick").check()
    for choice, chosen in ((strength, "strong"), (second, "strong"), (third, "easy")):
        expect(choice.locator("option")).to_have_text(["easy", "medium", "strong"])
        expect(choice).to_have_value(chosen)
    play.start(chromium, "Café – Board game", seats=2)
    wait(lambda: play.table.log.count > 0)
    assert [play.table.log.strength(seat) for seat in range(2)] == ["medium", "medium"]

    play.open(chromium)  # as on another evening: this device remembers what was wished
    play.drawer(chromium, "New match")
    expect(strength).to_have_value("medium")
    chromium.get_by_label("Hattrick").check()
    expect(strength).to_have_value("strong")
    expect(third).to_have_value("easy")


def test_language_look_and_the_last_match_are_chosen_on_the_page(
    chromium: Page, play: PlayDesk
) -> None:
    play.open(chromium)
    chromium.get_by_label("Quartett").check()
    chromium.locator("#seat-count").select_option("4")
    chromium.get_by_text("Names", exact=True).click()
    chromium.get_by_label("Name at seat 1").fill("Zoë")
    play.drawer(chromium, "Settings")
    chromium.get_by_label("Look", exact=True).select_option("dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert chromium.evaluate(ground) == "rgb(12, 28, 21)"
    chromium.get_by_label("Look", exact=True).select_option("light")
    assert chromium.evaluate(ground) == "rgb(23, 71, 52)"
    chromium.locator("main").click(position={"x": 5, "y": 5})
    chromium.get_by_role("button", name="Play", exact=True).click()
    wait(lambda: play.table.log.count > 0 and not play.table.runner.busy)
    play.table.do(messages.Arbiter(action="abandon", why="jury"))
    expect(chromium.locator("#prompt")).to_contain_text("Abandoned", timeout=MATCH_MS)
    play.drawer(chromium, "Settings")
    chromium.get_by_label("Language").select_option("Deutsch")
    expect(chromium.locator("#prompt")).to_have_text("Abgebrochen: Es gibt kein Ergebnis.")
    expect(chromium.locator("#screen-text")).to_contain_text("Spiel", timeout=MATCH_MS)
    expect(chromium.locator("#news")).to_contain_text("beginnt")
    assert chromium.evaluate(ground) == "rgb(23, 71, 52)"
    expect(chromium.get_by_label("Quartett")).to_be_checked()
    expect(chromium.locator("#seat-count")).to_have_value("4")
    expect(chromium.get_by_label("Name auf Platz 1")).to_have_value("Zoë")
    play.drawer(chromium, "New match")
    chromium.get_by_role("button", name="Spielen", exact=True).click()  # one click, as last time
    wait(lambda: play.table.log.header["match"] == 2 and play.table.log.count > 0)
    assert play.table.log.header["names"][0] == "Zoë"
