"""The live hall in a real browser: a card falls and is there, a table calls the jury."""

import json
from datetime import UTC, datetime

from playwright.sync_api import Page, expect

from firmware.app.link_frames import CHAIN_START, write_record
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import Here, SaidState
from tests.support.air_box import recorded_hand

from .clicking import resize
from .desk_hall import DeskHall


def beat(hall: DeskHall, **state: object) -> None:
    here = Here(here=True, name="Box 3", table=3)
    said = HeardBox("b0c5", datetime.now(UTC), here, SaidState(**{"clock": 90, **state}))  # type: ignore[arg-type]
    hall.service.store.live.write(WriteBatch({"b0c5": said}))


def lay(hall: DeskHall, first: int, last: int) -> None:
    """Lines of a match in which Anna, Beat and Carla play."""
    match = recorded_hand()
    header = {**json.loads(match.header), "names": ["Anna", "Beat", "Carla"]}
    lines = [json.dumps(header), *("\t".join(step) for step in match.steps)]
    chain: bytes = CHAIN_START
    for number, payload in enumerate(lines[:last]):
        record, chain = write_record(chain, number, payload)
        if number >= first:
            now = datetime.now(UTC)
            line = LiveLine("b0c5", 1, "a", number, now, record[:-1])
            hall.service.store.live.write(WriteBatch(lines=[line]))


def test_a_card_falls_on_every_page_and_the_jury_is_called(chromium: Page, hall: DeskHall) -> None:
    beat(hall)
    lay(hall, 0, 2)
    chromium.goto(f"{hall.base}/table/3?lang=en")
    expect(chromium.locator(".live .turn")).to_have_text("Beat 0")
    chromium.evaluate("document.body.dataset.mark = 'never reloaded'")
    lay(hall, 2, 3)
    expect(chromium.locator(".steps li").first).to_contain_text("Beat opens a trick with R1.")
    expect(chromium.locator(".lying b")).to_have_text(["R1"])
    assert chromium.evaluate("document.body.dataset.mark") == "never reloaded"

    for address in ("/overlay?table=3", "/overlay"):
        chromium.goto(hall.base + address)
        expect(chromium.locator(".seat.turn")).to_have_text("Carla 0")
        for place in ("html", "body"):
            colour = f"getComputedStyle(document.querySelector('{place}')).backgroundColor"
            assert chromium.evaluate(colour) == "rgba(0, 0, 0, 0)"

    for width in (390, 768, 1080, 1920):
        resize(chromium, width, 900)
        chromium.goto(f"{hall.base}/tables?lang=de")
        expect(chromium.locator(".live .match")).to_contain_text("Anna")
        assert chromium.evaluate("document.documentElement.scrollWidth") == width

    hall.log_in(chromium, "jury")
    expect(chromium.locator("#jury li")).to_have_count(0)
    beat(hall, jury=True)
    expect(chromium.locator("#jury li")).to_have_text("Table 3 calls the jury (box b0c5)")
    beat(hall)
    expect(chromium.locator("#jury li")).to_have_count(0)
