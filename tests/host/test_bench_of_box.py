"""Journal and link meet their goals; the long run repeats the bad lines 10 000 times."""

import pytest

from bench import journal, link


def test_the_journal_loses_nothing_and_does_not_slow_down() -> None:
    assert [figure.met for figure in journal.measure() if figure.met is not None] == [True, True]


def test_a_sync_fills_the_line() -> None:
    journal_bytes, wire_bytes, _ = link.count_sync()
    assert journal_bytes > 300_000
    assert journal_bytes / wire_bytes > 0.8


@pytest.mark.long
def test_ten_thousand_syncs_over_bad_lines() -> None:
    lost, doubled, faults = link.sync_badly(10_000)
    assert (lost, doubled) == (0, 0)
    assert faults > 10_000
