"""Memory runs out at any moment of a tap: after the restart the match stands before or after it,
and goes on.

The fault is thrown into the n-th call of the firmware's own functions, for every ninth n.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from card_tags.deck_card import deck_number

from .fakes import Box
from .pictures import stock
from .sample_decks import card_values

STRIDE = 9
OURS = ("/firmware/", "/card_tags/")
LESS = 10_000_000
SOUND_MS = 1_500


class Scarcity:
    """Counts the calls of box code and throws MemoryError into number `at`."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and any(room in frame.f_code.co_filename for room in OURS):
            self.calls += 1
            if self.calls == self.at:
                raise MemoryError("thrown by a test")


@contextmanager
def scarce(at: int) -> Iterator[Scarcity]:
    scarcity = Scarcity(at)
    sys.setprofile(scarcity)
    try:
        yield scarcity
    finally:
        sys.setprofile(None)


def half_a_round(folder: Path) -> Box:
    """Seat 1 has laid A1 and called the first category; seat 2 is to lay."""
    folder.mkdir()
    stock(folder)
    box = Box(folder, "en")
    box.set_choice(game="trumpf", preset="gastro", seats=2, deck="gipfel")
    box.press("OK+", "OK")
    lay(box, "A1")
    box.press("OK")
    return box


def lay(box: Box, code: str) -> None:
    box.lay_card(deck_number("gipfel"), code, card_values("gipfel", code))


def standing(box: Box) -> tuple[Any, ...]:
    assert box.app.session is not None
    match: Any = box.app.session.match
    return match.n, match.counts(), match.caller, match.awaits()


def calls_of_a_tap(folder: Path) -> int:
    box = half_a_round(folder)
    with scarce(LESS) as counted:
        lay(box, "A4")
    return counted.calls


def test_no_moment_of_a_tap_loses_the_match(tmp_path: Path) -> None:
    calls = calls_of_a_tap(tmp_path / "count")
    assert calls > 200
    box = half_a_round(tmp_path / "box")
    journal = box.folder / "m000001.run"
    kept = (journal, box.folder / "ahead" / "record")
    start = [(path, path.read_bytes()) for path in kept]
    before = standing(box)
    rewind(box, start)
    lay(box, "A4")
    after = standing(box)
    thrown = 0
    for at in range(1, calls, STRIDE):
        rewind(box, start)
        try:
            with scarce(at):
                lay(box, "A4")
        except MemoryError:
            thrown += 1
            restart(box)
            if standing(box) == before:
                lay(box, "A4")
        assert standing(box) == after, at
    assert thrown > calls // STRIDE // 2


def rewind(box: Box, start: list[tuple[Path, bytes]]) -> None:
    for path, data in start:
        path.write_bytes(data)
    restart(box)


def restart(box: Box) -> None:
    """What main.py does after a fault: reset. The journal must be whole."""
    box.power_on()
    assert box.journal.damaged == []
    box.press("OK")  # closes the news of the restart
    box.wait(SOUND_MS)  # so often a match may not take the box down (docs/reliability.md)
