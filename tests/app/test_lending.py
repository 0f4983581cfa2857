"""The reader is lent to the laptop only while no match is open."""

from pathlib import Path
from typing import Any

import pytest

from firmware.app.lending import Lending
from firmware.app.link import RequestError

from .fakes import Box
from .pictures import stock


class Table:
    """The place where the link keeps its requests."""

    def __init__(self) -> None:
        self.handlers: dict[str, Any] = {}


@pytest.fixture
def box(tmp_path: Path) -> Box:
    stock(tmp_path)
    return Box(tmp_path, "en")


def lend(box: Box) -> tuple[Lending, dict[str, Any]]:
    table = Table()
    box.app.hardware = box.app.hardware._replace(link=table)
    lending = Lending(box.app)
    return lending, table.handlers


def test_requests_are_refused_in_a_match(box: Box) -> None:
    box.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    box.press("OK+", "OK")
    assert box.app.session is not None
    lending, handlers = lend(box)
    fields = {"page": 4, "count": 1, "data": "00000000", "good": True}
    assert len(handlers) == 6
    for name in handlers:
        with pytest.raises(RequestError) as caught:
            handlers[name](fields)
        assert caught.value.args[0] == "in_match"
    assert not lending.active(box.clock.ticks_ms())


def test_the_reader_comes_back_two_seconds_after_the_last_request(box: Box) -> None:
    lending, handlers = lend(box)
    assert not lending.active(box.clock.ticks_ms())
    lending._borrow()
    box.clock.now_ms += 1999
    assert lending.active(box.clock.ticks_ms())
    box.clock.now_ms += 1
    assert not lending.active(box.clock.ticks_ms())
    assert sorted(handlers) == [
        "tag_find",
        "tag_read",
        "tag_signal",
        "tag_signature",
        "tag_version",
        "tag_write",
    ]
