"""The screen of last resort."""

from firmware.app import crash
from firmware.app.journal import JournalFull

from .fakes import FakeDisplay


def lit(display: FakeDisplay) -> int:
    return sum(bin(byte).count("1") for byte in display.shown)


def test_a_fault_is_drawn_and_shown() -> None:
    display = FakeDisplay()
    display.frame.fill(1)  # whatever stood there
    crash.show(display, JournalFull(28))
    assert 0 < lit(display) < 2000


def test_a_fault_with_a_long_text_is_cut_at_the_edge() -> None:
    display = FakeDisplay()
    crash.show(display, ValueError("x" * 500))
    assert lit(display) > 0
