"""The grid never books what was not shown: random slips, typed blind, against the log.

Another day: `pytest tests/browser/test_desk_slips.py --slips-seed 7`.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.types import ASGIApp, Receive, Scope, Send

from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import entrants
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.wording import name_of
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from tests.support.served import served

from .desk_hall import DAY, USERS, DeskHall, add_users
from .slips import DEALT, IDLE, Hand, Slip

TABLES = 12
LIST = """[...document.querySelectorAll("#grid > li")].map((row) => [Number(row.dataset.table),
row.dataset.match, row.querySelector(".score")?.textContent ?? ""])"""
SHOWN = """window.shown = [];
const look = (how) => {
  const pair = [...document.querySelectorAll("#place .name")].map((name) => name.innerText.trim());
  const typed = ["#table", "#cards-a", "#cards-b"].map((id) => document.querySelector(id).value);
  window.shown.push([how, ...typed, ...pair]);
};
addEventListener("keydown", (key) => {
  if (key.isTrusted && key.key === "Enter") look("enter");
}, true);"""


class Dawdling:
    """A server whose answers to what is written come after 0 to 150 ms: the hand types on."""

    def __init__(self, app: ASGIApp, rng: random.Random) -> None:
        self.app, self.random = app, rng

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/desk/do/"):
            await asyncio.sleep(self.random.choice((0, 0.005, 0.02, 0.15)))
        await self.app(scope, receive, send)


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Printed with a failure."""
    found = int(request.config.getoption("--slips-seed", default=1))
    print(f"--slips-seed {found}")
    return found


@pytest.fixture
def open_hall(tmp_path: Path, seed: int) -> Iterator[Callable[[int], DeskHall]]:
    """A day with matches for so many slips at 12 tables, so that 1 is the beginning of four."""
    folder, ends = tmp_path, []

    def opened(slips: int) -> DeskHall:
        add_users(folder)
        service = TournamentService.create(
            str(folder / DAY), "Anna", ev.Created(name="Cup", tables=TABLES, decks=["berge"])
        )
        ends.append(service.close)
        count = max(16, slips * 2 // 3 // 4 * 4)  # groups of four: six matches for four players
        players = [Entrant(id=f"p{n:03}", name=f"P{n}") for n in range(count)]
        service.do("Anna", "", command(entrants.add_players, players))
        service.do("Anna", "", command(entrants.draw, 4, 7, True))
        reading = TournamentService.open(str(folder / DAY))
        ends.append(reading.close)
        app = make_app(reading, Accounts(folder / USERS))
        app.add_middleware(Dawdling, rng=random.Random(seed))
        serving = served(app)
        base = serving.__enter__()
        ends.append(lambda: serving.__exit__(None, None, None))
        return DeskHall(base, service, app)

    yield opened
    for end in reversed(ends):
        end()


@pytest.mark.thorough
@pytest.mark.parametrize("slips", [16, pytest.param(500, marks=pytest.mark.long)])
def test_random_slips_typed_blind_book_nothing_but_themselves(
    chromium: Page, open_hall: Callable[[int], DeskHall], seed: int, slips: int
) -> None:
    hall = open_hall(slips)
    rng = random.Random(seed)
    hall.log_in(chromium, "desk")
    hand = Hand(chromium, rng)
    stages = view.stages(hall.service.state)
    for stage in stages:
        if hand.slips >= slips:
            break
        chromium.goto(f"{hall.base}/desk/grid?stage={stage}&lang=en")
        expect(chromium.locator("#table")).to_be_focused()
        chromium.evaluate(SHOWN)
        enter_a_slot(chromium, hall, hand, stage)
    assert hand.slips >= slips
    print({"slips": hand.slips, "faults": hand.faults})


def enter_a_slot(page: Page, hall: DeskHall, hand: Hand, stage: str) -> None:
    """A pile of slips, blind; then the hand looks, and types what is missing."""
    hand.truth.clear()
    hand.undos.clear()
    begun = len(hall.service.events())
    at = {match.id: match for match in view.of_stage(hall.service.state, stage)}
    pile = hand.pile([match.table for match in at.values()], TABLES)
    hand.random.shuffle(pile)
    for slip in pile:
        hand.type(slip)
        if hand.random.random() < 0.05:
            hand.type(hand.random.choice(pile))  # the same slip again, or one that comes later
        if hand.random.random() < 0.25:  # it looks up
            hand.keys("⎋⎋")
    settle(page, hand)
    check_log(page, hall, hand, begun)
    mend(page, hall, hand, pile)
    check_log(page, hall, hand, begun)


def settle(page: Page, hand: Hand) -> None:
    page.evaluate(IDLE)
    page.mouse.move(0, 0)
    assert page.evaluate("document.activeElement.closest('#place') !== null"), hand.typed[-3:]
    assert "/desk/grid" in page.url


def mend(page: Page, hall: DeskHall, hand: Hand, pile: list[Slip]) -> None:
    """What is asked is answered by the paper, what is missing is typed, slowly and looked at."""
    for slip in pile:
        rows = {table: score for table, _, score in page.evaluate(LIST)}
        if rows[slip.table]:
            continue
        hand.keys("⎋⎋")
        hand.slips += 1
        hand.keys(f"{slip.table} {slip.cards[0]} {slip.cards[1]}⏎")
        page.evaluate(IDLE)
    for slip in pile:
        asked = page.locator("#questions li", has_text=f"Table {slip.table} ·")
        text = f"{slip.cards[0]}:{slip.cards[1]}"
        while asked.count():
            right = asked.last.get_by_role("button", name="It is right")
            if right.count() and text in asked.last.inner_text() and sum(slip.cards) < DEALT:
                right.click()
            else:
                asked.last.get_by_role("button", name="Put away").click()
            page.evaluate(IDLE)
    scores = {table: score for table, _, score in page.evaluate(LIST)}
    for slip in pile:
        wanted = f"{slip.cards[0]}:{slip.cards[1]}" if sum(slip.cards) <= DEALT else ""
        assert scores[slip.table] == wanted, (slip, hand.typed[-40:])


def check_log(page: Page, hall: DeskHall, hand: Hand, begun: int) -> None:
    """Every result in the log was typed by the hand for that table, and stood in the line beside
    the names; every undo is of the slip before it.
    """
    state = hall.service.state
    undos = iter(hand.undos)
    shown = {(a, b.strip(), *pair) for _, _, a, b, *pair in page.evaluate("window.shown")}
    for event in hall.service.events()[begun:]:
        said = event.body
        if not isinstance(said, ev.Reported | ev.Undone):
            continue
        match = state.matches[said.match]
        told = (said, match.table, hand.typed[-60:])
        assert said.cards in hand.truth[match.table], told
        names = (name_of(state, match.a), name_of(state, match.b))
        assert (*map(str, said.cards), *names) in shown, told
        if isinstance(said, ev.Undone):
            assert match.table in undos, told
