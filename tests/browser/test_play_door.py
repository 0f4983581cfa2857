"""From the door to the first card, what is pressed on the felt, and how a match ends."""

import re
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Page, expect

from host_tools.sim.table.family import Family
from tests.processes import wait

from .clicking import Clicker, resize
from .play_desk import MATCH_MS, PlayDesk

MOST_MOVES = 60


NAMES = """() => {
    const svg = document.querySelector("#end .curve");
    const scale = svg.clientWidth / svg.viewBox.baseVal.width;
    const names = [...svg.querySelectorAll(".name")];
    const size = (name) => parseFloat(getComputedStyle(name).fontSize);
    const at = (name) => Number(name.getAttribute("y"));
    return [
        ...names.filter((name) => size(name) * scale < 12).map(() => "smaller than 12 dots"),
        ...names.filter((name) => at(name) < 0.7 * size(name)).map(() => "cut above"),
        ...names.filter((name) => at(name) > svg.viewBox.baseVal.height).map(() => "cut below"),
        ...names.slice(1).filter((name, n) => at(name) < at(names[n]) + 0.9 * size(name))
            .map((name) => `${name.textContent} over another`),
    ];
}"""
"""At the ends of the lines, from the highest score to the lowest. Capitals are 0.7 high."""


def test_one_press_and_a_first_match_is_explained(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    teach = chromium.get_by_role("button", name="Teach me")
    sizes = chromium.locator("main button:visible").evaluate_all(
        "all => all.map(e => [e.clientWidth * e.clientHeight, e.id])"
    )
    assert max(sizes)[1] in ("teach", "with-phones")  # nothing else is as large
    expect(chromium.locator("input[type=file]")).to_have_count(0)
    teach.click()
    expect(chromium.locator("#guide")).to_be_visible(timeout=MATCH_MS)
    expect(chromium.locator("#hand [data-code]").first).to_be_visible(timeout=MATCH_MS)


def test_every_tile_says_what_it_is(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    tiles = chromium.locator(".tile")
    expect(tiles).to_have_count(7)
    pictures = tiles.locator("img").evaluate_all("all => all.map(i => i.src)")
    assert len(set(pictures)) == 7
    for tile in tiles.all():
        told = tile.locator(".about").inner_text()
        assert re.search(r"\w\. *\n?.*\d+ min · for \d(–\d)? people", told), told


def test_the_door_tells_the_match_history(chromium: Page, play: PlayDesk, tmp_path: Path) -> None:
    """The five with the most wins, and not a word of it before anybody has played three times."""
    family = play.table.evening.family = Family(tmp_path / "family.jsonl")
    people = ["Mia", "Ole", "Ida", "Ben", "Eva", "Kai", "Tom"]
    family.keep(people, ["Mia"], "trumpf", {"Mia": 20}, {"Mia": {"Height": 2, "Snow": 1}})
    family.keep(people, ["Mia"], "hattrick", {"Mia": -4, "Ole": 9}, {"Mia": {"Snow": 1}})
    play.open(chromium)
    heading = chromium.get_by_role("heading", name="Match history")
    expect(heading).to_have_count(0)
    family.keep(people, ["Ole"], "trumpf", {"Mia": 12}, {"Mia": {"Snow": 2}})
    family.keep(["Mia"], ["Mia"], "trumpf", {"Mia": 18})
    family.keep(["Mia", "Ole"], ["Ole", "Mia"], "trumpf")
    play.open(chromium)
    lines = chromium.get_by_role("list", name="Match history").get_by_role("listitem")
    # counted by hand: Snow 1 + 1 + 2, Height 2
    mia = (
        "Mia won 4 of 5 · 2 in a row now · favourite category Snow"
        " · best result Trumpf 20, Hattrick -4"
    )
    ole = "Ole won 2 of 4 · 2 in a row now · best result Hattrick 9"
    expect(lines).to_have_count(5)
    assert lines.all_inner_texts()[:2] == [mia, ole]
    play.start(chromium, "Trumpf – Gastro")
    expect(heading).to_be_hidden()  # no number of before stands beside a match


def test_nobody_waits_for_the_hands_that_set_up(chromium: Page) -> None:
    """For menu, badges and start the box's time goes by at once, not at the speed of the table."""
    with PlayDesk.opened("cpython", speed=1) as desk:
        desk.open(chromium)
        box_ms, began = desk.table.session.now_ms, monotonic()
        desk.start(chromium, "Trumpf – Swiss", me="all")
        expect(chromium.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
        waited_ms = (monotonic() - began) * 1000
        assert desk.table.session.now_ms - box_ms > 2 * waited_ms
        assert desk.table.runner.speed == 1


NEWS_MS = 500
"""Until a page has certainly drawn what it was told."""


def test_a_category_is_called_on_the_row_of_the_card(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Trumpf – Swiss")
    me = Clicker(chromium, play)
    me.wait_for_my_turn()
    while play.table.log.awaits["for"] != "call":
        me.move()
        me.wait_for_my_turn()
    chromium.evaluate("document.querySelector('#actions .callable').seen = true")
    play.table.screen.last = play.table.screen.last._replace(title="Which one?")
    play.table.runner.ask(play.table._tell_state)
    chromium.wait_for_timeout(NEWS_MS)
    assert chromium.evaluate("document.querySelector('#actions .callable').seen")  # not drawn anew
    row = chromium.locator("#actions .callable .row").nth(2)
    drawn = chromium.locator("#actions .callable [data-row]").nth(2)
    button, shape = row.bounding_box(), drawn.bounding_box()
    assert button is not None
    assert shape is not None
    for side in ("y", "height"):  # it lies where the row is drawn
        assert button[side] == pytest.approx(shape[side], abs=2)
    key = str(drawn.get_attribute("data-row"))
    chromium.mouse.click(shape["x"] + 20, shape["y"] + shape["height"] / 2)
    wait(lambda: any(command.get("category") == key for command, _ in play.table.log.steps))


def test_quartett_is_asked_by_a_seat_on_the_felt_and_a_card(
    chromium: Page, play: PlayDesk
) -> None:
    play.open(chromium)
    play.start(chromium, "Quartett", seats=4)
    me = Clicker(chromium, play)
    me.wait_for_my_turn()
    while play.table.log.awaits["for"] != "ask":
        me.move()
        me.wait_for_my_turn()
    chromium.locator("#seats li").nth(2).click()
    expect(chromium.locator('[data-whom="2"]')).to_have_attribute("aria-pressed", "true")
    card = chromium.locator("[data-ask]").first
    code = card.get_attribute("data-ask")
    expect(card).to_have_accessible_name(re.compile(f"^Ask Chiara for {code} "))
    card.click()
    asked = {"do": "ask", "seat": 2, "card": code}
    wait(lambda: any(asked.items() <= command.items() for command, _ in play.table.log.steps))
    expect(chromium.locator("#seats li.me")).to_contain_text("You, Anna")


def test_the_end_without_a_press_on_the_box(chromium: Page, play: PlayDesk) -> None:
    """The result counts, and analysis and rematch are there; the sentences say "you"."""
    play.open(chromium)
    play.start(chromium, "Trumpf – Gastro", seats=8)
    me = Clicker(chromium, play)
    told = set()
    for _ in range(MOST_MOVES):
        me.wait_for_my_turn()
        if play.table.log.awaits["for"] == "nothing":
            break
        me.move()
        told.add(chromium.locator("#verdict .text").inner_text())
    wait(lambda: play.table.log.closed)
    assert not [one for one in told if "Anna" in one]
    expect(chromium.locator("#end-title")).to_have_text(re.compile("win"))
    expect(chromium.locator("#end .curve .line")).to_have_count(8)
    expect(chromium.locator("#end .story")).not_to_be_empty()
    for width in (360, 768, 1024, 1280, 1920):
        resize(chromium, width, 900)
        assert chromium.evaluate(NAMES) == [], width
    expect(chromium.locator("#middle")).to_be_hidden()
    number = play.table.log.number
    chromium.get_by_role("button", name="Rematch").click()
    wait(lambda: play.table.log.number == number + 1 and play.table.log.count > 0)
    expect(chromium.locator("#end")).to_be_hidden(timeout=MATCH_MS)


CURVE = """async () => {
    const { curve } = await import("/static/curve.js");
    const match = { seats: [{ name: "Anna", score: 1 }, { name: "Beat", score: 3 }],
        who: (seat) => ["You", "Beat"][seat] };
    const opened = [];
    const parts = curve(match, [[0, [2, 2]], [4, [3, 1]], [7, [2, 2]], [9, [1, 3]]],
        (step) => opened.push(step));
    parts.at(-1).querySelector("button").click();
    const [level] = curve(match, [[0, [2, 2]], [4, [3, 1]], [9, [1, 3]], [11, [0, 0]]], () => {});
    const [outrun] = curve(match, [[0, [0, 0]], [4, [3, 1]], [9, [3, 3]]], () => {});
    return [level.textContent, outrun.textContent, parts[0].textContent,
        parts.at(-1).querySelectorAll("button").length, opened];
}"""


def test_the_story_names_who_led_and_opens_where_it_turned(chromium: Page, play: PlayDesk) -> None:
    """A tie in between is no lead: it went from Anna to Beat at step 9, once. Who was ahead before
    a tie at the end has kept nothing.
    """
    play.open(chromium)
    told = chromium.evaluate(CURVE)
    level = [f"The scores were level at the end; before, the lead changed {n}×." for n in (1, 0)]
    assert told == [*level, "You led until step 9, then: Beat.", 1, [9]]
