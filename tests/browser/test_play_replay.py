"""Stepping through transcripts and journals, and a box on Web Serial."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.processes import started

from .clicking import resize
from .play_desk import PlayDesk
from .test_play_page import DARK, HEIGHT, LIT, WIDTH, pixels

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
START_S = 200


def load(page: Page, desk: PlayDesk, name: str, data: bytes) -> None:
    """Choose a file on the list of tables, as a person does."""
    page.goto(desk.url("/"))
    page.locator("#file").set_input_files(
        {"name": name, "mimeType": "application/x-ndjson", "buffer": data}
    )


def some_transcript() -> bytes:
    """A Swiss match with rounds that ends when time is up."""
    return (TRANSCRIPTS / "trumpf" / "sw03-ten-minutes.ndjson").read_bytes()


def test_step_through_a_transcript(chromium: Page, play: PlayDesk) -> None:
    text = some_transcript()
    count = sum(1 for line in text.splitlines() if "do" in json.loads(line))
    load(chromium, play, "match.ndjson", text)
    expect(chromium.locator("#step-title")).to_have_text(f"Step 0 of {count}")
    expect(chromium.locator("#judged")).to_have_text("All answers agree with the rules.")
    chromium.get_by_role("button", name="Next").click()
    expect(chromium.locator("#told")).to_contain_text("begins")
    chromium.keyboard.press("ArrowRight")
    expect(chromium.locator("#step-title")).to_have_text(f"Step 2 of {count}")
    chromium.get_by_role("button", name="Last").click()
    expect(chromium.locator("#told")).to_contain_text("the match is over (rule SW-3)")
    expect(chromium.get_by_role("button", name="Next")).to_be_disabled()
    chromium.reload()  # the position stands in the link
    expect(chromium.locator("#step-title")).to_have_text(f"Step {count} of {count}")


def watch(page: Page, desk: PlayDesk, name: str, at: int) -> int:
    """Open a transcript of the tests at a step; returns its number on the server."""
    number = desk.server.add_replay((TRANSCRIPTS / name).read_bytes(), name)
    page.goto(desk.url(f"/r/{number}?at={at}"))
    expect(page.locator("#views")).to_have_attribute("data-place", str(at))
    return number


def test_the_box_and_the_cards_at_a_step_by_keyboard(chromium: Page, play: PlayDesk) -> None:
    number = watch(chromium, play, "trumpf/sw03-ten-minutes.ndjson", 0)
    for _ in range(4):
        chromium.keyboard.press("ArrowRight")
    expect(chromium.locator("#views")).to_have_attribute("data-place", "4")
    screens = play.server.replays[number].walk.views(4)[0]["screens"]
    rows = bin(int("1" + screens[0]["rows"], 16))[3:]  # 8192 dots, the upper left one first
    assert len(rows) == WIDTH * HEIGHT
    assert pixels(chromium) == [LIT if dot == "1" else DARK for dot in rows]
    expect(chromium.locator("#screen-text p").nth(1)).to_have_text("Seat 1")  # the winner, large
    # seat 1 has laid A1 (5) and seat 2 A2 (3): both lie there, and one has won
    expect(chromium.locator("#middle figure .card")).to_have_count(2)
    expect(chromium.locator("#middle figure.won")).to_contain_text("Seat 1")
    won = chromium.locator("#middle figure.won .card")
    expect(won).to_have_attribute("aria-label", "A1, v 5 (highest wins)")
    expect(chromium.locator("#seats li.turn")).to_contain_text("Seat 1")
    chromium.keyboard.press("Enter")
    expect(chromium.locator("#oled")).to_have_attribute("data-rows", screens[1]["rows"])
    expect(chromium.get_by_role("button", name="OK")).to_be_disabled()
    chromium.keyboard.press("End")
    expect(chromium.locator("#views")).to_have_attribute("data-place", "7")
    expect(chromium.locator("#seats")).to_contain_text("place 1")
    chromium.keyboard.press("Home")
    expect(chromium.locator("#views")).to_have_attribute("data-place", "0")


# transcript, a step, what must be on the table there
TABLES = [
    ("hattrick/ha-4-a-single-card-is-a-trick.ndjson", 5, "#middle figure.won .card", 2),
    ("quartett/qu-5-laying.ndjson", 13, "#middle figure.won .card", 4),
    ("cafe_app/ca-2-who-stays.ndjson", 2, "#middle svg.room", 1),
    ("cafe/cb-9-the-bar.ndjson", 5, "#middle svg.room", 1),
]


def test_every_game_on_a_phone(chromium: Page, play: PlayDesk) -> None:
    resize(chromium, 390, 844)
    for name, at, what, count in TABLES:
        watch(chromium, play, name, at)
        expect(chromium.locator(what)).to_have_count(count)
        assert chromium.evaluate("document.documentElement.scrollWidth") == 390
        tops = [chromium.locator(i).bounding_box() for i in ("#oled", "#next", "#middle", "#news")]
        assert [top["y"] for top in tops if top] == sorted(top["y"] for top in tops if top)


def test_a_wrong_answer_is_shown(chromium: Page, play: PlayDesk) -> None:
    lines = some_transcript().splitlines()
    answers = [n for n, line in enumerate(lines) if b'"round_won"' in line]
    changed = json.loads(lines[answers[0]])
    for event in changed["events"]:
        if event["is"] == "round_won":
            event["seat"] = 1 - event["seat"]
    lines[answers[0]] = json.dumps(changed).encode()
    load(chromium, play, "changed.ndjson", b"\n".join(lines) + b"\n")
    expect(chromium.locator("#judged")).to_have_text(
        f"Step {changed['n']} differs from the rules."
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b'{"schiri": 2, "game": "trumpf", "seats": 2}\n', "is not version 1"),
        (b"hello\n", "neither a transcript nor the journal"),
        (b'{"schiri": 1, "game": "chess", "seats": 2}\n', "game"),
        (b"", "neither a transcript nor the journal"),
    ],
)
def test_another_version_or_no_transcript(
    chromium: Page, play: PlayDesk, data: bytes, sentence: str
) -> None:
    load(chromium, play, "old.ndjson", data)
    expect(chromium.locator("#problem")).to_contain_text(sentence)


def test_watch_opens_the_page_at_a_position(chromium: Page, tmp_path: Path) -> None:
    file = tmp_path / "match.ndjson"
    file.write_bytes(some_transcript())
    run = "from host_tools.cli import main; main()"
    command = [sys.executable, "-c", run, "replay", str(file), "--watch", "--at", "3"]
    environment = {**os.environ, "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    with started(command, stdout=subprocess.PIPE, text=True, env=environment) as watch:
        assert watch.stdout is not None
        link = watch.stdout.readline().strip()
        chromium.goto(link)
        expect(chromium.locator("#step-title")).to_have_text(re.compile("Step 3 of|Schritt 3 von"))
        watch.send_signal(signal.SIGINT)
        assert watch.wait(START_S) == 0
