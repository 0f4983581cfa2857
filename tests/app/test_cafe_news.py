"""Café news carries the name of the player that it is about, though the turn has moved on."""

from pathlib import Path
from typing import Any

import pytest

from card_tags.kinds import GUEST, TABLE, Guest, TableTag
from firmware.app import opening
from host_tools.games.cafe.boards import load_board

from .fakes import Box
from .pictures import stock

NAMES = ["Ada", "Bob", "Cem"]


@pytest.fixture
def box(tmp_path: Path) -> Box:
    stock(tmp_path)
    return Box(tmp_path, "en")


def sit_down(box: Box, preset: str, options: dict[str, Any]) -> None:
    header = {"schiri": 1, "game": "cafe", "preset": preset, "seats": 3, "names": NAMES}
    # the app's in full: by its id the box would ask for the table cards
    header["board"] = "cafe" if preset == "board" else load_board("cafe_app")
    assert opening.start(box.app, {**header, "options": options})
    box.press("OK")  # Ada begins


def place(box: Box, tile: str, table: str, chair: str) -> None:
    box.lay_tag(GUEST, Guest(tile))
    box.lay_tag(TABLE, TableTag(table, ""))
    box.choose("✓ " + chair)


def news(box: Box) -> list[tuple[str, str]]:
    """Heading and text of every message that lies on the table, read away with OK."""
    found = []
    while type(page := box.app.page()).__name__ == "Message":
        heading = page.view().title
        assert heading in box.canvas.read
        large = [part[3] for part in page.view().parts if part[0] == "large"]
        found.append((large[0] if large else heading, box.words()))
        box.press("OK")
    return found


def on_turn(box: Box) -> str:
    """Whose turn it is, in large letters."""
    (name,) = [part[3] for part in box.app.page().view().parts if part[0] == "large"][1:]
    return str(name)


def test_the_bar_names_who_went_there(box: Box) -> None:
    sit_down(box, "board", {})
    box.press("OK")
    box.choose("Guest to the bar")
    box.lay_tag(GUEST, Guest("DEm1"))
    ((heading, text),) = news(box)
    assert heading == "Ada"
    assert "at the bar" in text
    assert on_turn(box) == "Bob"


def test_who_cannot_pay_is_named_in_all_of_it(box: Box) -> None:
    """CB-11: a field of -1 and no points; the guest goes to the bar, and Ada is out."""
    sit_down(box, "board", {"bar_values": [-1] * 20})
    box.press("OK")
    box.choose("Guest to the bar")
    box.lay_tag(GUEST, Guest("DEm1"))
    box.press("DOWN", "OK")
    told = news(box)
    assert [heading for heading, _ in told] == ["Ada", "Ada"]
    assert "Ada is out." in told[1][1].replace(" | ", " ")
    assert on_turn(box) == "Bob"


def test_a_full_table_names_who_filled_it(box: Box) -> None:
    sit_down(box, "app", {})
    # T01 is Africa's in the app: one guest after the other until Bob's second one fills it
    place(box, "AFf1", "T01", "C13")
    place(box, "AFm1", "T01", "C14")
    place(box, "AFf2", "T01", "C01")
    news(box)
    place(box, "JKm1", "T01", "C12")
    told = news(box)
    assert [heading for heading, _ in told] == ["Bob", "Bob", "Bob"]
    assert "is full" in told[1][1].replace(" | ", " ")
    assert "cleared" in told[2][1]


def test_a_full_table_of_the_board_names_who_filled_it(box: Box) -> None:
    sit_down(box, "board", {})
    assert box.app.session is not None
    chairs = box.app.session.match.free_chairs("T04")  # France's
    for tile, chair in zip(("FRf1", "FRm1", "FRf2", "FRm2"), chairs, strict=True):
        news(box)
        place(box, tile, "T04", chair)
    told = news(box)
    assert [heading for heading, _ in told] == ["Bob", "Bob"]
    assert "is full" in told[1][1].replace(" | ", " ")
    assert on_turn(box) == "Cem"


def test_a_swap_names_who_took_the_joker(box: Box) -> None:
    sit_down(box, "board", {})
    assert box.app.session is not None
    first, second = box.app.session.match.free_chairs("T04")[:2]
    place(box, "FRf1", "T04", first)
    place(box, "JKm1", "T04", second)
    news(box)
    assert on_turn(box) == "Bob"
    box.press("OK")
    box.choose("Swap")
    box.press("OK")  # the only joker
    box.lay_tag(GUEST, Guest("FRm1"))
    ((heading, text),) = news(box)
    assert heading == "Bob"
    assert "into the hand" in text.replace(" | ", " ")
    assert on_turn(box) == "Cem"
