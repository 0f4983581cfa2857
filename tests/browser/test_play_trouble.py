"""What goes wrong at a table: two tabs, reloads, nonsense, cheats, crashes, power cuts."""

import os
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from host_tools.sim.table.hands import HEAR_LIMIT_MS
from host_tools.sim.table.tricks import TRICKS
from tests.host.play_table import ask, play_until
from tests.processes import wait

from .play_desk import MATCH_MS, PlayDesk, open_drawer

NONSENSE = [
    b"",
    b"{",
    b"[1]",
    b'{"do": "fly"}',
    b'{"do": "tap"}',
    b'{"do": "tap", "code": 7}',
    b'{"do": "tap", "code": "Z99"}',
    b'{"do": "tap", "code": "A1", "more": 1}',
    b'{"do": "button", "button": "red", "down": true}',
    b'{"do": "speed", "speed": 3}',
    b'{"do": "auto", "seat": 99, "on": true}',
    b'{"do": "trick", "name": "../etc/passwd"}',
    b'{"do": "choose", "labels": []}',
    b'{"do": "start", "game": "chess"}',
    b"\xff\xfe",
    b'"' + b"x" * 5000 + b'"',
]


def test_nonsense_is_refused_in_one_sentence(play: PlayDesk) -> None:
    for body in NONSENSE:
        answer = httpx.post(play.url("/t/1/do"), content=body)
        assert answer.status_code in (400, 413), body
        assert len(answer.text.splitlines()) == 1, body
        assert "Traceback" not in answer.text, body


def test_only_with_the_key_and_only_from_this_page(play: PlayDesk) -> None:
    body = b'{"do": "power", "on": false}'
    assert httpx.post(play.base + "/t/1/do", content=body).status_code == 403
    door = httpx.get(play.base + "/")  # which asks for the code of a table
    assert door.status_code == 200
    assert play.server.key not in door.text
    assert play.table.phones.key not in door.text
    assert httpx.get(play.url("/t/9")).status_code == 404
    elsewhere = {"Origin": "https://example.org"}
    assert httpx.post(play.url("/t/1/do"), content=body, headers=elsewhere).status_code == 403
    assert httpx.get(play.base + "/static/..%2fserver.py").status_code == 404
    assert play.table.session.on
    here = {"Origin": play.base}
    assert httpx.post(play.url("/t/1/do"), content=body, headers=here).status_code == 200


def test_two_tabs_press_at_once(context: BrowserContext, play: PlayDesk) -> None:
    tabs = [context.new_page(), context.new_page()]
    for tab in tabs:
        play.open(tab)
    play.start(tabs[0], "Hattrick", me="all", seats=3)
    world = play.table.log.world
    assert world is not None
    expect(tabs[1].locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
    seat = play.table.log.awaits["seat"]
    first, second = world.hands[seat][0], world.hands[(seat + 1) % 3][0]
    for tab, code in zip(tabs, (first, second), strict=True):
        tab.evaluate(
            "([path, code]) => { fetch(path, {method: 'POST',"
            " body: JSON.stringify({do: 'tap', code})}) }",
            [play.url("/t/1/do"), code],
        )
        # the hand of the next seat is locked until the first one's hands are at the box
        wait(lambda: play.table.runner.busy or play.table.log.count > 1)
    for tab in tabs:
        expect(tab.locator("#news li")).to_have_count(3, timeout=MATCH_MS)
    # one after the other, nothing lost, and both tabs show the same
    told = [tab.locator("#news").inner_text() for tab in tabs]
    assert told[0] == told[1]
    assert play.table.log.count == 3


def test_reload_in_mid_match(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Trumpf – Gastro", me="first", seats=3)
    expect(chromium.locator("#prompt")).to_contain_text("It is your turn", timeout=MATCH_MS)
    before = chromium.locator("#news").inner_text()
    chromium.reload()
    expect(chromium.locator("#news")).to_have_text(re.compile(".+"))
    assert chromium.locator("#news").inner_text() == before
    expect(chromium.get_by_role("region", name="Your cards")).to_be_visible()


def cheat(page: Page, name: str) -> None:
    """An item of the cheat menu; its explanation appears."""
    if not page.get_by_role("button", name="A foreign tag").is_visible():
        open_drawer(page, "Cheating")
    page.locator(f"[data-cheat='{name}']").click()
    expect(page.locator("#hint .rule")).to_contain_text(TRICKS[name].rule)


def on_screen(page: Page, text: str) -> None:
    expect(page.locator("#screen-text")).to_contain_text(text, timeout=MATCH_MS)


def test_what_the_box_says_to_cheats(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Trumpf – Swiss", me="all")
    expect(chromium.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
    count = play.table.log.count
    for name, key in TEXT_OF.items():
        cheat(chromium, name)
        on_screen(chromium, play.table.say(key)[:14])
    assert play.table.log.count == count  # nothing was counted


TEXT_OF = {
    "foreign": "tag_foreign",
    "two": "tag_two",
    "copied": "tag_bad_seal",
    "torn": "tag_torn",
}


def test_a_power_cut_while_a_card_is_read(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Hattrick", me="all", seats=3)
    expect(chromium.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
    boots = play.table.session.boots
    cheat(chromium, "cut")
    on_screen(chromium, play.table.say("resumed")[:12])
    assert play.table.session.boots == boots + 1
    assert play.table.log.count == 1  # only who deals: the card was not read


def test_power_switch_and_cable(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.drawer(chromium, "Settings")
    power, cable = (chromium.get_by_role("button", name=name) for name in ("Power", "USB cable"))
    power.click()
    expect(power).to_have_attribute("aria-pressed", "false")
    expect(chromium.locator("#oled")).to_have_attribute("data-rows", re.compile("^0+$"))
    power.click()
    on_screen(chromium, "Trumpf")
    cable.click()
    expect(cable).to_have_attribute("aria-pressed", "false")
    assert not play.table.session.box.usb.plugged


def test_a_switch_works_before_the_first_news_of_the_box(chromium: Page, play: PlayDesk) -> None:
    """Its stream of news is never answered."""
    chromium.route("**/events*", lambda route: None)
    chromium.goto(play.url("/t/1"))
    open_drawer(chromium, "Settings")
    chromium.get_by_role("button", name="Power").click()
    wait(lambda: not play.table.session.on)
    chromium.unroute("**/events*")  # other tests have the same page


@pytest.mark.vm
def test_the_vm_dies_and_the_match_goes_on(chromium: Page) -> None:
    others = our_vms()  # another test's may not have ended yet
    with PlayDesk.opened("micropython") as desk:
        desk.open(chromium)
        desk.start(chromium, "Hattrick", me="all", seats=3)
        expect(chromium.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
        (of_this_table,) = our_vms() - others
        os.kill(of_this_table, 9)
        expect(chromium.locator("#crash")).to_be_visible(timeout=MATCH_MS)
        expect(chromium.locator("#crash-text")).to_have_text(re.compile("crashed|died"))
        chromium.get_by_role("button", name="Restart").click()
        expect(chromium.locator("#crash")).to_be_hidden()
        on_screen(chromium, desk.table.say("resumed")[:12])
        assert desk.table.log.count == 1


def our_vms() -> set[int]:
    """The Node processes that run `runner.mjs` and are our own children."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended meanwhile
        if int(stat[1]) == os.getpid() and b"runner.mjs" in command:
            found.add(int(folder.name))
    return found


def test_several_tables(chromium: Page, play: PlayDesk) -> None:
    chromium.goto(play.url("/"))
    chromium.get_by_role("button", name="New table").click()
    expect(chromium).to_have_title("Table 2 – Schiri")
    on_screen(chromium, "Trumpf")
    numbers: dict[int, Any] = play.server.tables
    assert sorted(numbers) == [1, 2]
    assert numbers[1].session is not numbers[2].session


def test_a_dead_tag_and_the_card_by_hand(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Hattrick", me="all", seats=3)
    expect(chromium.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
    chromium.get_by_role("button", name=re.compile("^I am")).click()
    play.drawer(chromium, "Cheating")
    card = chromium.locator("#hand [data-code]").nth(3)
    code = str(card.get_attribute("data-code"))
    chromium.get_by_label("Card", exact=True).select_option(label=code)
    cheat(chromium, "dead")
    chromium.keyboard.press("Escape")  # closes the drawer
    expect(card).to_have_accessible_name(re.compile("the tag is dead"))
    before_ms = play.table.session.now_ms
    card.click()
    wait(lambda: play.table.session.now_ms > before_ms + HEAR_LIMIT_MS)  # the box says nothing
    wait(lambda: not play.table.runner.busy)
    assert play.table.log.count == 1
    in_jury_menu(chromium, "Card by hand")
    expect(chromium.get_by_label("Which card?")).to_have_value(code)
    chromium.get_by_role("button", name="Choose it on the box").click()
    expect(chromium.locator("#news li")).to_have_count(2, timeout=MATCH_MS)
    assert '"why": "tag is dead"' in play.table.transcript()
    play.drawer(chromium, "Cheating")
    chromium.get_by_role("button", name=f"Heal the tags ({code})").click()
    expect(chromium.get_by_role("button", name="A dead tag")).to_be_visible()


def in_jury_menu(page: Page, action: str) -> None:
    """Open the panel if it is closed, and press one of its buttons."""
    button = page.locator("#arbiter").get_by_role("button", name=action)
    if not button.is_visible():
        open_drawer(page, "Jury menu")
    button.click()


def test_the_jury_menu_with_the_keyboard(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Trumpf – Swiss", me="all")
    expect(chromium.locator("#prompt")).to_contain_text("tap a card", timeout=MATCH_MS)
    for folded in ("#menu > summary", "#arbiter summary"):
        chromium.locator(folded).focus()
        chromium.keyboard.press("Enter")
    exclude = chromium.get_by_role("button", name="Exclude")
    exclude.focus()
    chromium.keyboard.press("Enter")
    expect(exclude).to_have_attribute("aria-expanded", "true")
    expect(chromium.get_by_label("Who?")).to_be_focused()
    chromium.keyboard.press("ArrowDown")  # Beat
    chromium.keyboard.press("Tab")
    expect(chromium.get_by_label("Why?")).to_be_focused()
    chromium.keyboard.press("Tab")
    chromium.keyboard.press("Enter")
    expect(chromium.locator("#news li").first).to_contain_text("Beat", timeout=MATCH_MS)
    expect(chromium.locator("#arbiter").get_by_role("button")).to_have_count(1)
    in_jury_menu(chromium, "Take back last move")
    chromium.get_by_role("button", name="Choose it on the box").click()
    expect(exclude).to_be_visible(timeout=MATCH_MS)
    assert [told["refused"] for told in play.table.log.news] == [False] * 3


def test_a_joker_is_swapped_and_a_crowd_refused(chromium: Page, play: PlayDesk) -> None:
    table = play.table
    play.open(chromium)
    play.start(chromium, "Café – Board game", me="all", seats=2)
    wait(lambda: table.log.count == 1 and not table.runner.busy)
    chromium.goto("about:blank")
    play_until(table, joker_to_swap)
    play.open(chromium)
    chair, guest = ask(table, joker_to_swap)
    chromium.get_by_role("button", name=re.compile("^I am")).click()
    cheat(chromium, "crowd")
    refused = chromium.locator("#news li").first
    expect(refused).to_have_class("refused", timeout=MATCH_MS)
    expect(refused.locator(".rule")).to_have_text("rule CB-4")
    chromium.locator("#menu > summary").click()
    chromium.get_by_role("button", name=f"on chair {chair}").click()
    on_screen(chromium, table.say("cafe_lay_swap"))
    chromium.locator(f'#hand [data-code="{guest}"]').click()
    expect(chromium.locator("#news li").first).to_contain_text(guest, timeout=MATCH_MS)
    expect(chromium.get_by_label(f"Chair {chair}: {guest}")).to_be_visible()


def joker_to_swap(world: Any) -> tuple[str, str] | None:
    """A chair with a joker and a guest that may take its place; a crowd is possible."""
    for chair, joker in world.middle()["guests"].items():
        for guest in world.hand_now() if joker.startswith("JK") else ():
            fits = world.judge("swap", tile=guest, chair=chair).refusal is None
            if fits and TRICKS["crowd"].action(world):
                return chair, guest
    return None
