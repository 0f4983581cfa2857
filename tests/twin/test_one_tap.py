"""What one tap costs in calls, and how often its way changes the package."""

import pytest

from bench import tap

CALLS = 350
SWITCHES = 20


@pytest.fixture(scope="module")
def verdict() -> tap.CountedTap:
    return tap.verdict()


def test_a_verdict_takes_no_more_calls_than_it_did(verdict: tap.CountedTap) -> None:
    """More: see where by `python -m bench.tap`. Fewer: lower the figure here."""
    assert 0 < len(verdict.calls) <= CALLS
    assert 0 < verdict.switches <= SWITCHES


def test_the_way_counted_is_the_whole_one(verdict: tap.CountedTap) -> None:
    names = [name for _, _, name in verdict.calls]
    way = (
        "Reader.step",
        "decode",
        "Trumpf.do_tap",
        "WriteAhead.put",
        "Message.__init__",
        "Canvas.draw",
    )
    assert [names.index(name) for name in way] == sorted(names.index(name) for name in way)
    assert names.count("App.draw") == names.count("Display.show") == 1


def test_waiting_for_a_byte_counts_once() -> None:
    counted = tap.CountedTap()
    for name in ("App.step", "Pn532.poll", "Hsu.read", "Pn532.poll", "Hsu.read", "Parser.take"):
        counted.add(("firmware", "", name))
    names = [name for _, _, name in counted.calls]
    assert names == ["App.step", "Pn532.poll", "Hsu.read", "Parser.take"]
