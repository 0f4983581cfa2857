"""docs/BENCHMARKS.md is written by `make bench` alone."""

from pathlib import Path

from bench.__main__ import PAGE, PARTS, write_page
from bench.figure import Figure


def test_nothing_on_the_page_is_lost_by_a_run(tmp_path: Path) -> None:
    write_page([], tmp_path / "page.md")
    head = len((tmp_path / "page.md").read_text("utf8").splitlines())
    tables = [line for line in PAGE.read_text("utf8").splitlines()[head:] if line]
    by_hand = [line for line in tables if line[0] != "|" and line.removeprefix("## ") not in PARTS]
    assert by_hand == []


def test_a_case_has_a_column_and_a_missed_goal_is_marked(tmp_path: Path) -> None:
    figures = [Figure("time", 3 - n, "s", "≤ 2 s", n == 1, f"{n} tables") for n in range(2)]
    write_page([("Hall", [*figures, Figure("viewers", 5, "")])], tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text("utf8").split("## Hall\n")[1].splitlines() == [
        "",
        "| what | 0 tables | 1 tables | goal |",
        "|---|---|---|---|",
        "| time | 3 s **missed** | 2 s | ≤ 2 s |",
        "",
        "| what | measured | goal |",
        "|---|---|---|",
        "| viewers | 5 |  |",
    ]
