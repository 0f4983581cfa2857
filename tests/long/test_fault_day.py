"""A day on the air on which everything fails; short for CI, long for `make test-long`; whether its
judges see what is wrong, and whether a planted fault turns it red.
"""

import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from firmware.app.link_frames import CHAIN_START, write_record
from tests.long.comparing import forgotten, jury_shown, wrong_results
from tests.long.fault_day import DayPlan, DayReport, play_day
from tests.long.faults import KINDS
from tests.long.planted import IN_BOXES, PLANTED
from tests.long.remembered import Remembered, remembered, tally
from tests.long.truth import FOR_EVER, Look, Truth

LONG_TABLES, LONG_MINUTES = 8, 20

# A1 is of 1940, A2 of 1995, A4 of 1902, E4 of 2017 (deck gastro); the later year wins (SW-2)
PLAYED = """\
# 5 1 began group Anna Ö|Beat
5 1 2
# 6 1 laid 0 A1
6 1 3
# 7 1 called eroeffnet
# 8 1 laid 1 A2
# 8 1 saw 15 17
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
    assert first.saw == [(15, 17)]
    assert tally(first.acts) == [(16, 16), (15, 17), (14, 18)]
    assert second == Remembered("b0", 2, "ko", ("Beat", "Cem"), sittings=1)
    shown = (
        '<span class="versus"><span class="who">Anna Ö</span> <span class="dash">–</span> '
        '<span class="who won">Beat</span></span>\n <span class="score">{}</span>'
    )
    assert wrong_results([shown.format("14:18")], [first]) == ([], [])
    played, other = (("Anna Ö", "Beat"), "14:18"), (("Anna Ö", "Beat"), "18:14")
    assert wrong_results([shown.format("18:14")], [first]) == ([played], [other])
    page = '<ul class="jury" id="jury"><li><a>Table 12 calls the jury (box b0)</a></li></ul>'
    assert jury_shown(page) == {12}
    assert jury_shown("<h1>Login</h1>") is None


CATEGORY = "eroeffnet"
TRICK = [("laid", "0", "A1"), ("called", CATEGORY), ("laid", "1", "A2")]  # 15:17


def journal_of(acts: list[tuple[str, ...]]) -> bytes:
    """A box's records of these acts, and one refusal."""
    lines, chain = b"", CHAIN_START
    payloads = ['{"card": "A9"}\t{"refused": "SW-1"}']
    for what, *rest in acts:
        card = {"card": rest[1]} if what == "laid" else {}
        event = {"is": "played", "seat": int(rest[0])} if card else {"is": what}
        event |= {} if card else {"category": rest[0]}
        payloads.append(json.dumps(card) + "\t" + json.dumps({"events": [event]}))
    for seq, payload in enumerate(payloads):
        line, chain = write_record(chain, seq, payload)
        lines += line
    return lines


def test_what_was_shown_and_is_laid_again_after_a_power_cut_was_lost() -> None:
    match = Remembered("b0", 7, acts=[*TRICK], saw=[(15, 17)])
    assert forgotten(match, journal_of(TRICK)) == []
    # the power went before the table was told of the last card
    assert forgotten(Remembered("b0", 7, acts=TRICK[:2]), journal_of(TRICK)) == []
    lost = Remembered("b0", 7, acts=[*TRICK, *TRICK[1:]], saw=[(15, 17), (15, 17)])
    assert forgotten(lost, journal_of(TRICK)) == [
        "b0 match 7: of 5 acts that were shown, ('called', 'eroeffnet'), number 4, is gone;"
        " 3 are kept",
        "b0 match 7: of 2 verdicts that were shown, (15, 17), number 2, is gone; 1 are kept",
    ]
    assert len(forgotten(match, journal_of(TRICK[:2]))) == 2
    swapped = journal_of([TRICK[2], TRICK[1], TRICK[0]])
    assert "('called', 'eroeffnet'), number 2" in forgotten(match, swapped)[0]


NAMES = ("Anna", "Beat")
# 16:16 at 100, 15:17 at 130 (A1 against A2), 14:18 at 160 (E4 against A4, over)
MATCH = Remembered("b0", 1, "group", NAMES, begun_at=100.0, over=(14, 18), over_at=160.0)
MATCH.acts = [("laid", "0", "A1"), ("called", "eroeffnet"), ("laid", "1", "A2")]
MATCH.acts += [("laid", "1", "E4"), ("called", "eroeffnet"), ("laid", "0", "A4")]
MATCH.at = [110.0, 120.0, 130.0, 140.0, 150.0, 160.0]
MATCH.jury = [(200.0, True), (230.0, False)]


def faults(at: float, *troubles: tuple[float, float], **shown: object) -> list[str]:
    """What is wrong in a look at a board of one table, without its first words."""
    truth = Truth([[MATCH]], ["b0"], troubles)
    said = truth.faults(Look(at, 0, **shown))  # type: ignore[arg-type]
    return [sentence.partition(": ")[2] for sentence in said]


def score(*counts: int) -> dict[str, object]:
    return {"tables": {"1": (NAMES, counts)}}


def test_a_board_may_be_ten_seconds_behind_and_not_more() -> None:
    assert faults(139, **score(16, 16)) == []
    assert faults(141, **score(16, 16)) != []
    assert faults(131, **score(15, 17)) == []
    assert faults(131, **score(14, 18)) != []  # nobody has laid that yet
    assert faults(171, **score(15, 17)) != []  # it was true once
    assert faults(500, **score(14, 18)) == []
    assert faults(109, tables={}) == []
    assert faults(111, tables={}) != []
    assert faults(500, tables={"2": (NAMES, (14, 18))}) != []  # at another table
    assert faults(500, tables={"b0": (NAMES, (14, 18))}) == []  # by its box


def test_while_things_fail_it_may_be_as_old_as_they_and_ten_seconds_after_not() -> None:
    trouble = (135.0, 170.0)
    assert faults(169, trouble, **score(15, 17)) == []
    assert faults(179, trouble, **score(15, 17)) == []
    assert faults(181, trouble, **score(15, 17)) != []
    assert faults(181, trouble, (178.0, FOR_EVER), **score(15, 17)) == []  # it failed again
    assert faults(300, old=True) == ["it says that it is old, and nothing fails"]
    assert faults(169, trouble, old=True) == []


def test_results_and_calls_have_the_same_time() -> None:
    right = frozenset({(NAMES, "14:18")})
    assert faults(169, results=frozenset()) == []
    assert faults(171, results=frozenset()) == ["does not show (('Anna', 'Beat'), '14:18')"]
    assert faults(171, results=right) == []
    wrong = faults(165, results=frozenset({(NAMES, "18:14")}))
    assert wrong == ["shows a result that nobody played: (('Anna', 'Beat'), '18:14')"]
    told = frozenset({1})
    assert faults(209, jury=frozenset()) == []
    assert faults(211, jury=frozenset()) == ["table 1 calls the jury, and nobody is told"]
    assert faults(229.5, jury=frozenset()) == []  # the box knows before the table has said it
    assert faults(239, jury=told) == []
    assert faults(241, jury=told) == ["table 1 did not call the jury"]


def test_a_second_box_at_a_table_may_call_the_jury_while_it_is_there() -> None:
    truth = Truth([[]], ["b0"], [(100.0, 120.0)], others={1: [MATCH]})
    told = frozenset({1})
    assert truth.faults(Look(125, 0, jury=told)) == []
    assert truth.faults(Look(131, 0, jury=told)) != []
    assert Truth([[]], ["b0"], [(100.0, 120.0)]).faults(Look(125, 0, jury=told)) != []


# -- the day itself -------------------------------------------------------------------------------

SHORT = DayPlan(2, 3, 5, think_ms=40, trouble_s=0, pause_s=0.5, down_s=1, phases=1, slots=2)
"""Everything fails once, in two rounds of a group of four."""


def in_a_thread(plan: DayPlan) -> DayReport:
    """In this one the browser's own loop may be running."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(play_day, plan).result()


@pytest.mark.thorough
def test_a_short_day_on_which_everything_fails_loses_and_doubles_nothing(
    needs: Callable[[str], str],
) -> None:
    """Every match is on the boxes' flashes, in the store, in the tournament and on the board as
    the robots remember it.
    """
    needs("mosquitto")
    report = in_a_thread(SHORT)
    assert (report.lost, report.doubled, report.wrong, report.ended) == ([], [], [], [])
    assert report.played == 4
    assert set(report.faults) == set(KINDS)
    assert report.carried > 0


@pytest.mark.long
def test_a_day_of_random_faults_keeps_every_promise(needs: Callable[[str], str]) -> None:
    needs("mosquitto")
    seed = random.randrange(1 << 16)
    print("seed", seed)
    report = in_a_thread(DayPlan(LONG_TABLES, seed, minutes=LONG_MINUTES))
    assert report.missed() == []
    assert report.played == 4 * LONG_TABLES  # groups of four, 3 a table, and a tree, 1 a table
    assert set(report.faults) == set(KINDS)
    assert report.champion


# -- can it fail? ---------------------------------------------------------------------------------

ONE_ROUND = replace(SHORT, tables=4, seed=5, minutes=1.5, think_ms=500, slots=1, calm_s=24)
DARK = replace(ONE_ROUND, kinds=("fuse",), patience_s=15)
"""A day of about a minute: one round, in the middle of it all boxes are without power."""


@pytest.mark.long
def test_a_day_without_a_planted_fault_is_green(needs: Callable[[str], str]) -> None:
    needs("mosquitto")
    assert in_a_thread(DARK).missed() == []


@pytest.mark.long
@pytest.mark.parametrize("fault", PLANTED)
def test_each_planted_fault_turns_the_day_red(fault: str, needs: Callable[[str], str]) -> None:
    needs("mosquitto")
    report = in_a_thread(replace(DARK, planted=fault))
    assert report.acted
    if fault in IN_BOXES:  # it must name what is lost, not only be late
        assert any("that were shown" in what for what in report.lost)
    assert report.missed() != []
