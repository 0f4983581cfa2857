"""Pages that change while somebody looks at them and works with them: nothing is loaded anew, and
nothing of what a person does is lost.
"""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from host_tools.tournament.actions import entrants
from host_tools.tournament.actions import matches as match_commands
from host_tools.tournament.model import Entrant
from tests.support.hall_day import call_next, play_groups

from .desk_hall import DeskHall

LIVE_MS = 15_000
"""Generous, for a busy machine; `make bench` measures the second that is promised."""
SHOWN = ("/?lang=en", "/groups?lang=en", "/?kiosk=1&lang=en", "/wall?lang=en", "/?screen=latest")
PROGRESS = "#part-head progress[value='1']"


@pytest.mark.parametrize("path", SHOWN)
def test_a_result_is_there_without_a_reload(chromium: Page, hall: DeskHall, path: str) -> None:
    chromium.goto(hall.base + path)
    chromium.evaluate("document.body.dataset.mark = 'never reloaded'")
    loads: list[str] = []
    chromium.on("request", lambda request: loads.append(request.url))
    play_groups(hall.service, 1)
    expect(chromium.locator(PROGRESS)).to_have_count(1, timeout=LIVE_MS)
    assert chromium.evaluate("document.body.dataset.mark") == "never reloaded"
    # the page itself, and none of its scripts and styles
    assert {url for url in loads if "/font/" not in url} == {hall.base + path}


def test_eyes_and_keyboard_stay_where_they_are(chromium: Page, hall: DeskHall) -> None:
    """The keyboard is on a link, the page is scrolled, a word is marked; the row above changes."""
    chromium.set_viewport_size({"width": 900, "height": 500})
    chromium.goto(f"{hall.base}/groups?lang=en")
    chromium.locator(".jump a").nth(3).focus()
    chromium.evaluate(PLACE)
    before = chromium.evaluate(WHERE)
    assert before[1] > 0
    play_groups(hall.service, 2)
    expect(chromium.locator("#part-head progress[value='2']")).to_have_count(1, timeout=LIVE_MS)
    assert chromium.evaluate(WHERE) == before


PLACE = """() => {
    window.link = document.activeElement;
    window.table = document.querySelector("#part-group-D table");
    getSelection().selectAllChildren(document.querySelector("#part-group-D h2"));
    scrollTo(0, 300);
}"""
WHERE = (
    """() => [document.activeElement === link, scrollY, table.isConnected, `${getSelection()}`]"""
)


def test_what_is_being_typed_stays(chromium: Page, hall: DeskHall) -> None:
    chromium.goto(f"{hall.base}/find?lang=en")
    name = chromium.locator("#q")
    name.press_sequentially("Mül")
    play_groups(hall.service, 1)
    expect(chromium.locator(PROGRESS)).to_have_count(1, timeout=LIVE_MS)
    name.press_sequentially("ler")
    expect(name).to_have_value("Müller")
    expect(name).to_be_focused()


def announce(hall: DeskHall, text: str) -> str:
    hall.service.do("desk", "", partial(match_commands.announce, text=text))
    return str(max(hall.service.state.announcements))


def test_a_press_in_the_middle_of_a_change_does_what_was_pressed(
    chromium: Page, hall: DeskHall
) -> None:
    """The button goes down, another announcement comes, and the button goes up."""
    first, second = announce(hall, "Soup now"), announce(hall, "Final at six")
    hall.log_in(chromium, "jury")
    button = chromium.locator(f"#said-{second} button")
    button.hover()
    chromium.mouse.down()
    hall.service.do("desk", "", partial(match_commands.end_announcement, announcement=first))
    hall.settle()
    chromium.wait_for_timeout(700)  # what is told meanwhile waits for the hand
    expect(chromium.locator(f"#said-{first}")).to_have_count(1)
    chromium.mouse.up()
    chromium.wait_for_load_state()
    expect(chromium.locator(f"#said-{second}")).to_have_count(0, timeout=LIVE_MS)
    assert hall.service.state.announcements == {}


def test_a_hand_that_rests_holds_nothing_up(chromium: Page, hall: DeskHall) -> None:
    announce(hall, "Soup now")
    hall.log_in(chromium, "viewer")
    chromium.mouse.move(5, 400)
    chromium.mouse.down()
    second = announce(hall, "Final at six")
    expect(chromium.locator(f"#said-{second}")).to_have_count(1, timeout=LIVE_MS)
    chromium.mouse.up()


def test_a_list_of_the_desk_keeps_what_was_chosen_in_it(chromium: Page, hall: DeskHall) -> None:
    """Two late entries wait for a group; for the second one it is chosen when the first is in."""
    play_groups(hall.service, 1)
    for name in ("Lena", "Ayla"):
        late = Entrant(id=name.lower(), name=name)
        hall.service.do("a", "", partial(entrants.add_players, players=[late]))
        hall.service.do("a", "", partial(entrants.check_in, player=late.id))
    hall.log_in(chromium, "jury")
    chosen = chromium.locator("#late-ayla select")
    chosen.select_option("B")
    hall.service.do("a", "", partial(entrants.late_entry, player=Entrant(id="lena", name="Lena")))
    expect(chromium.locator("#late-lena")).to_have_count(0, timeout=LIVE_MS)
    expect(chosen).to_have_value("B")


def test_a_screen_stays_on_its_slide(chromium: Page, hall: DeskHall) -> None:
    call_next(hall.service, 1)
    playing = next(m.id for m in hall.service.state.matches.values() if m.status == "called")
    hall.service.do("desk", "", partial(match_commands.start, match_id=playing))
    chromium.goto(f"{hall.base}/?kiosk=1&turn=300&lang=en")
    shown = chromium.locator(".slide.shown")
    expect(shown).to_have_attribute("data-title", "At the tables")
    while shown.get_attribute("data-title") != "Groups":
        chromium.keyboard.press("ArrowRight")
    play_groups(hall.service, 1)
    expect(chromium.locator(PROGRESS)).to_have_count(1, timeout=LIVE_MS)
    expect(shown).to_have_attribute("data-title", "Groups")


def test_a_part_that_changed_lights_up_unless_motion_is_unwanted(
    chromium: Page, hall: DeskHall
) -> None:
    chromium.goto(f"{hall.base}/?lang=en")
    animated = "getComputedStyle(document.querySelector('#part-latest')).animationName"
    assert chromium.evaluate(animated) == "none"
    play_groups(hall.service, 1)
    expect(chromium.locator("#part-latest")).to_have_class(re.compile("fresh"), timeout=LIVE_MS)
    # what has not changed does not
    expect(chromium.locator("#part-said")).not_to_have_class(re.compile("fresh"))
    assert chromium.evaluate(animated) == "fresh"
    chromium.emulate_media(reduced_motion="reduce")
    assert chromium.evaluate(animated) == "none"


def test_a_page_of_the_desk_that_shows_no_news_says_so_when_there_are(
    chromium: Page, hall: DeskHall
) -> None:
    hall.log_in(chromium, "jury")
    chromium.goto(f"{hall.base}/desk/calls")
    hint = chromium.locator("#news")
    hall.service.do("a", "", partial(entrants.check_in, player="p001"))
    hall.settle()
    chromium.wait_for_timeout(500)
    expect(hint).to_be_hidden()  # who is there does not stand on this page
    call_next(hall.service, 1)
    expect(hint).to_be_visible(timeout=LIVE_MS)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("turn=20&part=2/4", [20_000, 2, 4]),
        ("turn=301&part=3/2", [12_000, 1, 1]),
        ("turn=2&part=0/2", [12_000, 1, 1]),
        ("turn=0003&part=12/12", [12_000, 1, 1]),
        ("", [12_000, 1, 1]),
    ],
)
def test_a_screen_turns_as_its_address_says(
    chromium: Page, hall: DeskHall, asked: str, told: list[int]
) -> None:
    chromium.goto(f"{hall.base}/?screen=ranking&{asked}")
    assert chromium.evaluate("[turnMs, ourPart, parts]") == told


def test_without_scripts_a_page_loads_itself_again(chromium: Page, hall: DeskHall) -> None:
    assert chromium.context.browser
    context = chromium.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    play_groups(hall.service, 1)
    hall.settle()
    page.goto(f"{hall.base}/?lang=en")
    expect(page.locator("#part-latest .score")).to_have_count(1)
    assert page.locator("noscript meta[http-equiv=refresh], meta[http-equiv=refresh]").count() == 1
    context.close()
