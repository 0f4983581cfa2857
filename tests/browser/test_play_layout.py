"""Every page of the virtual table in every state: wide enough, readable, and nothing missing."""

import re
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, Response, expect

from host_tools.sim.table import messages
from tests.processes import wait
from tests.sampling import Sample, one_in

from .clicking import Clicker, finish, resize
from .looking import AXE, FAULTS, SIZES, ZOOMED, faults
from .play_desk import MATCH_MS, PlayDesk

WIDTHS = (390, 768, 1024, 1200, 1440, 1920)
TABLET = 768
LEAST_PART = 0.55
"""Of the width, beside the box, from a tablet on; on a phone all of it but for the margins."""
LEAST_TARGET = 24
"""WCAG 2.5.8: what is pressed is 24 dots wide at least."""
MARGINS = 60
GAMES = {
    "Trumpf – Swiss": None,
    "Trumpf – Gastro": 8,
    "Trumpf – Kneipe": 4,
    "Quartett": 5,
    "Café – Board game": 2,
    "Café – App game": 2,
    "Hattrick": 3,
}
TOO_FAR_RIGHT = """width => [...document.querySelectorAll("body *")]
    .filter(e => !e.closest(".hidden, .waves, svg, .drawers > *")) // pills: in a line that moves
    .filter(e => e.getBoundingClientRect().right > width + 1)
    .map(e => e.outerHTML.slice(0, 90))"""
CHAIRS = """() => [...document.querySelectorAll(".room .open :is(circle, rect):not(.finger)")]
    .map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"""
ASIDE = """() => {
    const frame = document.querySelector(".play .middle").getBoundingClientRect();
    const within = e => {
        const { left, right } = e.getBoundingClientRect();
        return left >= frame.left && right <= frame.right;
    };
    return ["#seats li", "#verdict", "#match-title", "#middle > .room"]
        .flatMap(each => [...document.querySelectorAll(each)])
        .filter(e => e.checkVisibility() && !within(e)).map(e => e.outerHTML.slice(0, 60));
}"""
DRAWERS = """() => [...document.querySelectorAll("details")]
    .filter(d => (d.parentElement.closest("details") ?? d).checkVisibility() && !d.hidden)
    .map((d, place) => { d.dataset.look = place; return `[data-look="${place}"]`; })"""
OPEN = """scope => document.querySelectorAll("details")
    .forEach(d => { d.open = Boolean(d.matches(scope) || d.querySelector(scope)); })"""
BROKEN = """async () => {
    for (const image of document.images) {
        image.loading = "eager";
        if (image.checkVisibility()) await image.decode().catch(() => {});
    }
    return [...document.images].filter(i => i.checkVisibility() && !i.naturalWidth)
        .map(i => i.src);
}"""
FAINT = """scope => {
    const least = 4.5; // WCAG 1.4.3; axe does not judge what lies below another element
    const parts = text => text.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = e => {
        const colour = parts(getComputedStyle(e).backgroundColor);
        return colour[3] === 0 ? ground(e.parentElement) : colour;
    };
    return [...document.querySelector(scope).querySelectorAll("button, select, summary, a")]
        .filter(e => e.checkVisibility() && !e.disabled && e.textContent.trim())
        .map(e => [e, light(parts(getComputedStyle(e).color)), light(ground(e))])
        .map(([e, a, b]) => [e, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)])
        .filter(([, ratio]) => ratio < least)
        .map(([e, ratio]) => `contrast ${ratio.toFixed(2)}: ${e.outerHTML.slice(0, 90)}`);
}"""


class Visitor:
    """Looks at pages: `look` returns everything that is wrong with the page as it stands."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._missing: list[str] = []
        page.on("response", self._note)
        page.on("requestfailed", self._lost)
        page.on("console", self._complain)

    def leave(self) -> None:
        """Look no more."""
        self.page.remove_listener("response", self._note)
        self.page.remove_listener("requestfailed", self._lost)
        self.page.remove_listener("console", self._complain)

    def _note(self, response: Response) -> None:
        if response.status >= 400:
            self._missing.append(f"{response.status} {response.url}")

    def _lost(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # by a page that is left, a picture taken away
            self._missing.append(f"lost: {request.url}, {request.failure}")

    def _complain(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._missing.append(message.text)

    def look(self, sample: Sample) -> list[str]:
        """The page as it stands, then each drawer of the sample open, and that drawer only."""
        page = self.page
        page.evaluate(AXE)
        page.mouse.move(0, 0)
        found = list(self._missing)
        for scope in ("body", *sample(page.evaluate(DRAWERS))):
            page.evaluate(OPEN, scope)
            for question in (BROKEN, FAULTS, FAINT):
                found += page.evaluate(question, scope)
        page.evaluate(OPEN, "body")
        self._missing.clear()
        return found


@pytest.fixture
def visitor(chromium: Page) -> Iterator[Visitor]:
    looking = Visitor(chromium)
    yield looking
    looking.leave()


@pytest.mark.parametrize("game", one_in(2, GAMES))
def test_a_match_is_wide_enough_and_nothing_is_wrong_with_it(
    play: PlayDesk, visitor: Visitor, game: str, sampled: Sample
) -> None:
    page = visitor.page
    play.open(page)
    play.start(page, game, me="first", seats=GAMES[game])
    mine = re.compile("^It is your turn")
    expect(page.locator("#prompt")).to_have_text(mine, timeout=MATCH_MS)
    expect(page.locator("#hand [data-code]").first).to_be_visible()
    assert visitor.look(sampled) == []
    if game.startswith("Café"):
        page.locator("#hand .may").first.click()
        expect(page.locator(".room .chair.may").first).to_be_visible(timeout=MATCH_MS)
    for width in WIDTHS:
        resize(page, width, 900)
        least = LEAST_PART * width if width >= TABLET else width - MARGINS
        aside = page.locator("main.aside").count()  # the hand stands beside the table
        for part in (".felt",) if aside else ("#hand", "#middle"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["width"] >= least, (part, width)
        assert page.evaluate(TOO_FAR_RIGHT, width) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if game.startswith("Café"):
            assert page.evaluate(ASIDE) == [], width
            assert min(page.evaluate(CHAIRS)) >= LEAST_TARGET, width


ROOMS = (*SIZES, (512, 384), *ZOOMED, (720, 450))
FINGER = 40
COVERED = """() => {
    const box = what => document.querySelector(what).getBoundingClientRect();
    const [middle, hand] = [box(".play .middle"), box(".play .hand")];
    const inSight = e => {
        const { x, y, width, height } = e.getBoundingClientRect();
        const found = document.elementFromPoint(x + width / 2, y + Math.min(height, 30) / 2);
        return Boolean(found) && (e.contains(found) || found.contains(e));
    };
    const lit = "#middle .called:not(:empty), .room .chair.may:has(> .finger)";
    const lies = [...document.querySelectorAll(lit)].slice(0, 1);
    return [
        ...(middle.bottom > hand.top + 1 && middle.right > hand.left + 1
            ? [`over the table by ${middle.bottom - hand.top}`] : []),
        ...(hand.bottom > innerHeight + 1 ? ["hand out of the window"] : []),
        ...(middle.height < 110 ? [`a table of ${middle.height} dots`] : []),
        ...lies.filter(e => !inSight(e)).map(e => `out of sight: ${e.outerHTML.slice(0, 90)}`),
        ...[...document.querySelectorAll("#hand [data-code], #actions button")].slice(0, 1)
            .filter(e => e.checkVisibility() && !inSight(e)).map(() => "the hand is out of sight"),
    ];
}"""
LIT = """() => [...document.querySelectorAll(".room .chair.may > .finger")]
    .map(e => e.getBoundingClientRect().width)"""


def covered_at(page: Page, sizes: tuple[tuple[int, int], ...]) -> dict[tuple[int, int], list[str]]:
    """What is wrong at which size of the window."""
    found = {}
    for width, height in sizes:
        resize(page, width, height)
        page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 80)))"
        )
        page.evaluate("scrollTo(0, 0)")
        wrong = page.evaluate(COVERED)
        if wrong:
            found[width, height] = wrong
    return found


@pytest.mark.parametrize("begun", one_in(3, [*product(GAMES, ("start", "teach"))]), ids=str)
def test_the_hand_never_covers_the_table(
    chromium: Page, play: PlayDesk, begun: tuple[str, str]
) -> None:
    page, (game, button) = chromium, begun
    play.open(page)
    play.start(page, game, me="first", seats=GAMES[game], button=button)
    expect(page.locator("#prompt")).to_have_text(re.compile("^It is your turn"), timeout=MATCH_MS)
    expect(page.locator("#hand [data-code]").first).to_be_visible()
    assert covered_at(page, ROOMS) == {}
    resize(page, 1280, 900)
    if game.startswith("Café"):
        page.locator("#hand .may").first.click()
        expect(page.locator(".room .chair.may").first).to_be_visible(timeout=MATCH_MS)
        assert covered_at(page, ROOMS) == {}
        resize(page, 360, 640)
        assert min(page.evaluate(LIT)) >= FINGER
    elif game.startswith("Trumpf"):
        page.locator("#hand .may").first.click()
        expect(page.locator("#middle .lying figure")).not_to_have_count(0, timeout=MATCH_MS)
        assert covered_at(page, ROOMS) == {}


WATCH = """() => {
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const { value, sources } of list.getEntries()) {
            const told = sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? String(node));
            window.shifts.push([value, ...told]);
        }
    }).observe({ type: "layout-shift" });
}"""
"""What Chromium calls a shift of the layout; also what a press has brought about."""
SEEN = 0.0005
"""A shift below it is less than a dot of one small thing: rounding."""
STEADY = ("Hattrick", "Café – Board game", "Quartett", "Trumpf – Swiss")
WINDOWS = ((390, 844), (768, 1024), (1280, 900), (1920, 1080))
PLAYED = [(game, size, me) for me in ("first", "nobody") for game in STEADY for size in WINDOWS]
MOVES = 5
PAUSE_MS = 800
"""Until the bots have answered and every card lies where it goes."""


@pytest.mark.parametrize("played", one_in(32, PLAYED), ids=str)
def test_nothing_is_pushed_from_the_first_move_to_the_end(
    chromium: Page, played: tuple[str, tuple[int, int], str]
) -> None:
    """By a person who looks at the hand, or by bots alone; until the decisions are judged."""
    game, size, me = played
    with PlayDesk.opened("cpython", speed=10) as play:
        resize(chromium, *size)
        play.open(chromium)
        play.start(chromium, game, me=me, seats=GAMES[game])
        wait(lambda: play.table.log.count > 0 and not play.table.runner.busy)
        person = Clicker(chromium, play)
        if me == "first":
            person.wait_for_my_turn()
        chromium.wait_for_timeout(PAUSE_MS)
        chromium.evaluate(WATCH)
        before = play.table.log.count
        for _ in range(MOVES):
            if me == "first":
                person.wait_for_my_turn()
                person.move()
            chromium.wait_for_timeout(PAUSE_MS)
        wait(lambda: play.table.log.count > before + MOVES)
        finish(play)
        play.wait_until_closed(chromium)
        judged = chromium.locator("#end").get_by_role("status")
        expect(judged).to_have_attribute("aria-busy", "false", timeout=MATCH_MS)
        chromium.wait_for_timeout(PAUSE_MS)
        pushed = chromium.evaluate("window.shifts")
        assert [one for one in pushed if one[0] >= SEEN] == []


def in_hattrick(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Hattrick", me="all", seats=3)
    wait(lambda: desk.table.log.count == 1 and not desk.table.runner.busy)


def idle(page: Page, desk: PlayDesk) -> None:
    expect(page.locator("#match-title")).to_have_text(re.compile("No match|Noch keine"))


def card_on_the_reader(page: Page, desk: PlayDesk) -> None:
    desk.table.do(messages.Lay(code="jury"))
    expect(page.locator("#lift")).to_be_visible()


def covered(page: Page, desk: PlayDesk) -> None:
    in_hattrick(page, desk)
    expect(page.locator(".cover")).to_be_visible()


def jury_form(page: Page, desk: PlayDesk) -> None:
    in_hattrick(page, desk)
    desk.drawer(page, "Jury menu")
    page.locator("[data-action=abandon]").click()
    expect(page.locator("#arbiter-form select")).to_be_visible()


def refused_and_dead(page: Page, desk: PlayDesk) -> None:
    in_hattrick(page, desk)
    page.locator(".cover button").click()
    desk.drawer(page, "Cheating")
    page.locator("[data-cheat=dead]").click()
    expect(page.locator("#hint .rule")).to_be_visible()
    desk.drawer(page, "Settings")
    page.get_by_label("Language").select_option("de")
    expect(page.locator("#problem")).to_contain_text("a match is being played")


def guided(page: Page, desk: PlayDesk) -> None:
    desk.start(page, "Hattrick", seats=3, button="teach")
    expect(page.locator("#guide")).to_be_visible(timeout=MATCH_MS)


def ended(page: Page, desk: PlayDesk) -> None:
    desk.play_unseen("gastro", seats=3)
    desk.wait_until_closed(page)
    expect(page.locator("#end")).to_be_visible()


def crashed(page: Page, desk: PlayDesk) -> None:
    desk.table.runner.call(lambda: desk.table._on_crash("the box has crashed"))
    expect(page.locator("#crash")).to_be_visible()


STATES: tuple[Callable[[Page, PlayDesk], None], ...] = (
    idle,
    card_on_the_reader,
    covered,
    jury_form,
    refused_and_dead,
    guided,
    ended,
    crashed,
)


@pytest.mark.parametrize("state", one_in(2, STATES), ids=lambda state: state.__name__)
def test_nothing_is_wrong_with_the_table(
    play: PlayDesk,
    visitor: Visitor,
    state: Callable[[Page, PlayDesk], None],
    sampled: Sample,
) -> None:
    play.open(visitor.page)
    state(visitor.page, play)
    turn = STATES.index(state)
    found = faults(visitor.page, sampled, turn)
    resize(visitor.page, 1280, 900)
    for theme in ("light", "dark") if sampled.step == 1 else (("light", "dark")[turn % 2],):
        visitor.page.emulate_media(color_scheme=theme)
        found += visitor.look(sampled)
    told_no = "/t/1/do" if state is refused_and_dead else None
    assert [one for one in found if not (told_no and ("400" in one))] == []


def test_nothing_is_wrong_with_the_other_pages(
    play: PlayDesk, visitor: Visitor, sampled: Sample
) -> None:
    page = visitor.page
    play.open(page)
    play.start(page, "Trumpf – Gastro", me="nobody", seats=3)
    play.open(page, "/t/1?seat=2", play.table.phones.seat_keys[1])
    expect(page.get_by_role("region", name="Your cards")).to_be_visible()
    assert visitor.look(sampled) == []
    play.wait_until_closed(page)
    judged = page.locator("#end").get_by_role("status")
    expect(judged).to_have_attribute("aria-busy", "false", timeout=MATCH_MS)
    assert visitor.look(sampled) == []
    number = play.server.add_replay(play.table.transcript().encode(), "match.ndjson")
    page.goto(play.url(f"/r/{number}?at=5"))
    expect(page.locator("#views")).to_have_attribute("data-place", "5", timeout=MATCH_MS)
    assert visitor.look(sampled) == []
    page.wait_for_load_state("networkidle")  # the steps that come next are fetched ahead
    for path in ("/", "/t/1/join"):
        page.goto(play.url(path))
        expect(page.locator("h1")).to_be_visible()
        assert visitor.look(sampled) == []
