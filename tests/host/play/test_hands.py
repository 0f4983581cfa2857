"""Hands at a box of the twin, in its own time."""

from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.sim.screen import ScreenReader
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.hands import BoxHands, Waits

BOOT_MS = 3_000
PRESSES = 20


def run(box: TwinSession, act: Waits) -> None:
    """Hands do something, the box runs meanwhile."""
    for wait_ms in act:
        box.run_for(wait_ms)


def test_hands_see_what_their_press_has_done_before_the_picture_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever believed what was said last pressed once more, and closed the menu again."""
    set_up(tmp_path, "en", "")
    with TwinSession("cpython", tmp_path) as box:
        box.boot()
        box.run_for(BOOT_MS)
        monkeypatch.setattr(box, "on_screen", lambda listener: None)  # no picture ever comes
        hands = BoxHands(box, {}, ScreenReader(box), lambda: None)
        hands.hasty = True
        run(box, hands.see())
        for _ in range(PRESSES):
            before = hands.screen()
            assert before is not None
            assert before.chosen is not None
            run(box, hands.press("down"))
            after = hands.screen()
            assert after is not None
            assert after.chosen == (before.chosen + 1) % len(before.rows)
