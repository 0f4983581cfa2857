"""The wall on a screen of 1920 × 1080: 16, 64 and 256 tables, nothing beyond its edge."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from host_tools.store.heard import HeardBox
from host_tools.store.live import WriteBatch
from host_tools.store.said import Here, SaidState
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, knockout, matches, signups
from host_tools.tournament.model import Entrant, HallRoom
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from tests.sampling import Sample
from tests.support.hall_day import name_of, play_groups
from tests.support.served import served

from .clicking import resize
from .looking import faults

ROOMS = [HallRoom(name="Main hall", tables=10), HallRoom(name="Annex", tables=6)]
# what sticks out of its tile or of the screen, and letters of the large ones that are too small
BEYOND = """() => {
    const seen = [...document.querySelectorAll(".tile")].filter((tile) => tile.offsetParent);
    const out = (box) => box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.top < 0;
    const cut = seen.filter((tile) => tile.scrollHeight > tile.clientHeight + 1);
    const small = [...document.querySelectorAll(".large .tile, .large .tile *")].filter((text) =>
        parseFloat(getComputedStyle(text).fontSize) < 24);
    return {
        tables: seen.map((tile) => Number(tile.dataset.table)).filter((table) => table),
        out: seen.filter((tile) => out(tile.getBoundingClientRect())).length,
        cut: cut.map((tile) => tile.innerText),
        small: small.length,
        names: Math.min(...seen.filter((tile) => tile.querySelector(".who")).map((tile) =>
            parseFloat(getComputedStyle(tile.querySelector(".who")).fontSize))),
        scrolls: document.documentElement.scrollHeight > innerHeight,
    };
}"""


def full(folder: Path, tables: int, rooms: list[HallRoom]) -> TournamentService:
    """Every table has a match, with long names."""
    setup = ev.Created(name="Meisterschaft", tables=tables, halls=rooms)
    service = TournamentService.create(str(folder / "day.db"), "Anna", setup)
    everybody = [
        Entrant(id=f"p{n:03}", name=f"{name_of(n % 256)}-Wolfeschlegelstein {n // 256}")
        for n in range(2 * tables)
    ]
    service.do("Anna", "", partial(entrants.add_players, players=everybody))
    service.do("Anna", "", partial(entrants.draw, size=2, random_seed=1, everybody=True))
    for match in list(service.state.matches)[: min(tables, 100)]:  # the others are free
        service.do("Anna", "", partial(matches.call, match_id=match))
    return service


def jury(service: TournamentService, table: int) -> None:
    here = Here(here=True, name=f"Box {table}", table=table)
    said = HeardBox(f"b{table:03}", datetime.now(UTC), here, SaidState(clock=90, jury=True))
    service.store.live.write(WriteBatch({said.box: said}))


@pytest.mark.parametrize(
    ("tables", "rooms", "names_px"), [(16, ROOMS, 24), (64, [], 19), (256, [], 19)]
)
def test_all_tables_are_in_sight(
    chromium: Page, tmp_path: Path, tables: int, rooms: list[HallRoom], names_px: int
) -> None:
    service = full(tmp_path, tables, rooms)
    jury(service, 3)
    with served(make_app(service, Accounts(tmp_path / "users.json"))) as base:
        resize(chromium, 1920, 1080)
        shown: list[int] = []
        for screen in range(1, tables // 64 + 1) if tables > 64 else [1]:
            chromium.goto(f"{base}/wall?lang=en&part={screen}/{max(1, tables // 64)}")
            expect(chromium.locator(".large [data-stake=jury]")).to_contain_text("Table 3")
            found = chromium.evaluate(BEYOND)
            shown += found["tables"]
            assert (found["out"], found["cut"], found["small"]) == (0, [], 0)
            assert not found["scrolls"]
            assert found["names"] >= names_px or found["names"] is None
        assert shown == list(range(1, tables + 1))
        if rooms:
            assert chromium.locator(".room h2").all_inner_texts() == ["Main hall", "Annex"]
    service.close()


def test_pages_turn_and_what_is_at_stake_stays(chromium: Page, tmp_path: Path) -> None:
    service = full(tmp_path, 70, [])
    jury(service, 70)
    with served(make_app(service, Accounts(tmp_path / "users.json"))) as base:
        resize(chromium, 1920, 1080)
        chromium.goto(f"{base}/wall?turn=3")
        first = chromium.locator("[data-table='1']")
        last = chromium.locator("[data-table='70']")
        expect(first).to_be_visible()
        expect(last).to_be_hidden()
        expect(last).to_be_visible()
        expect(first).to_be_hidden()
        expect(chromium.locator(".large .jury")).to_be_visible()
    service.close()


def test_the_final_is_large_and_a_call_comes_by_itself(chromium: Page, tmp_path: Path) -> None:
    setup = ev.Created(name="Cup", tables=4, ko_size=2)
    service = TournamentService.create(str(tmp_path / "day.db"), "Anna", setup)
    people = [Entrant(id=f"p{n}", name=f"Player {n}") for n in range(4)]
    service.do("Anna", "", partial(entrants.add_players, players=people))
    service.do("Anna", "", partial(entrants.draw, size=4, random_seed=1, everybody=True))
    play_groups(service)
    service.do("Anna", "", knockout.draw_ko)
    with served(make_app(service, Accounts(tmp_path / "users.json"))) as base:
        resize(chromium, 1920, 1080)
        chromium.goto(f"{base}/wall?lang=en")
        expect(chromium.locator(".large")).to_have_count(0)
        chromium.evaluate("document.body.dataset.mark = 'never reloaded'")
        service.do("Anna", "", partial(matches.call, match_id="KF", table=2))
        expect(chromium.locator(".large [data-stake=final]")).to_contain_text("Table 2")
        assert chromium.evaluate("document.body.dataset.mark") == "never reloaded"
    service.close()


def test_axe_finds_nothing_on_a_full_wall_and_on_an_open_page_for_signing_up(
    chromium: Page, tmp_path: Path, sampled: Sample
) -> None:
    service = full(tmp_path, 16, ROOMS)
    jury(service, 3)
    service.do("Anna", "", partial(signups.set_signups, open=True, limit=40, asks=True))
    with served(make_app(service, Accounts(tmp_path / "users.json"))) as base:
        for path in ("wall", "signup"):
            chromium.goto(f"{base}/{path}?lang=en")
            assert faults(chromium, sampled) == []
        chromium.get_by_label("Name").fill("Emil Egli")
        chromium.get_by_label("Mail or phone").fill("emil@example.org")
        chromium.get_by_role("button", name="Sign up").click()
        expect(chromium.get_by_role("status")).to_have_text(
            "Thank you! The organisers will confirm it."
        )
    assert [said.contact for said in service.state.signups.values()] == ["emil@example.org"]
    service.close()
