"""A day on the air, small: everything fails once, and nothing is lost, doubled or shown wrong."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.day_check import Remembered, remembered, tally, wrong_results, wrong_tables
from bench.day_on_air import KINDS, Day, Plan, Report

# A1 is of 1940, A2 of 1995, A4 of 1902, E4 of 2017 (deck gastro); the later year wins (SW-2)
PLAYED = """\
# 5 1 began group Anna Ö|Beat
5 1 2
# 6 1 laid 0 A1
6 1 3
# 7 1 called eroeffnet
# 8 1 laid 1 A2
8 1 5
# 9 1 laid 1 E4
# 9 1 began group Anna Ö|Beat
# 9 1 called eroeffnet
# 9 1 laid 0 A4
# 9 1 over 14 18
# 9 2 began ko Beat|Cem
# 9 2 la"""


def test_what_people_at_the_table_remember_is_counted_and_compared() -> None:
    first, second = remembered("b0", PLAYED).values()
    assert (first.names, first.stage, first.lines) == (("Anna Ö", "Beat"), "group", 5)
    assert (first.last_card, first.sittings, first.over) == ("A4", 2, (14, 18))
    assert tally(first.acts) == [(16, 16), (15, 17), (14, 18)]
    assert second == Remembered("b0", 2, "ko", ("Beat", "Cem"), sittings=1)
    shown = (
        '<span class="versus"><span class="who">Anna Ö</span> <span class="dash">–</span> '
        '<span class="who won">Beat</span></span>\n <span class="score">{}</span>'
    )
    assert wrong_results([shown.format("14:18")], [first]) == ([], [])
    assert wrong_results([shown.format("18:14")], [first]) == (
        ["('Anna Ö', 'Beat') 14:18"],
        ["('Anna Ö', 'Beat') 18:14"],
    )
    looks = [("1", ("Anna Ö", "Beat"), score) for score in ((15, 17), (17, 15))]
    assert wrong_tables(looks, [first]) == ["table 1: ('Anna Ö', 'Beat') (17, 15)"]


def test_a_day_on_which_everything_fails_loses_and_doubles_nothing(
    postgres_url: str, tmp_path: Path, needs: Callable[[str], str]
) -> None:
    """Broker, hall and desk are killed, boxes lose their power and have doubles, the disk is full.

    Every match is on the boxes' flashes, in the store, in the tournament and on the board as the
    bots remember it.
    """
    needs("mosquitto")
    plan = Plan(2, seed=3, minutes=5, think_ms=40, trouble_s=0, pause_s=0.5, down_s=1.0, phases=1)
    plan.flood, plan.slots = 500, 2

    def day() -> Report:
        return asyncio.run(Day(plan, tmp_path, postgres_url).run())

    with ThreadPoolExecutor(1) as threads:  # in this one the browser's own loop may be running
        report = threads.submit(day).result()
    verdict = report.verdict
    assert (verdict.lost, verdict.doubled, verdict.wrong, report.ended) == ([], [], [], [])
    assert verdict.played == 4  # two rounds of a group of four
    assert {kind for kind, count in report.faults.items() if count} == set(KINDS)
    assert report.air["bytes"] > 0
