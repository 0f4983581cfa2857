"""`make bench`: measure what has a budget, print the table, and write docs/BENCHMARKS.md.

A module of this package takes part by being listed in `PARTS`; its function returns `Figure` rows.
"""

import argparse
import importlib
import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.figure import Figure
from tests.support.programs import end_in_order

# heading -> "module:function"
PARTS = {
    "Reader: one card, modelled time": "bench.driver:measure",
    "Reader: 10 000 taps, 5 % faults": "bench.driver:measure_taps",
    "Box: firmware in the MicroPython VM": "bench.vm:measure",
    "Box: one tap, counted": "bench.tap:measure",
    "Box: memory over a day, and its pace": "bench.memory:measure",
    "Journal": "bench.journal:measure",
    "Link and sync": "bench.link:measure",
    "Tournament of 512 players": "bench.tournament:measure",
    "Board with 500 viewers": "bench.board:measure",
    "Live hall on Mosquitto and PostgreSQL, 500 viewers": "bench.hall:measure",
    "Rules on CPython": "bench.replay:measure",
    "Virtual table": "bench.play:measure",
    "Start of the command line": "bench.start:measure",
}
PAGE = Path(__file__).resolve().parents[1] / "docs" / "BENCHMARKS.md"
HEADINGS = ("what", "measured", "goal", "met")

BenchPart = tuple[str, Sequence[Figure]]
PageRow = dict[str, Figure]
"""Case -> what was measured in it."""


def measure(console: Console, only: str) -> list[BenchPart]:
    """Run the parts whose heading contains `only`, with a line of progress for each."""
    parts = []
    for heading, place in PARTS.items():
        if only.lower() not in heading.lower():
            continue
        with console.status(heading):
            parts.append((heading, _run(place)))
        console.print(table_of(*parts[-1]))
    return parts


def _run(place: str) -> Sequence[Figure]:
    module, function = place.split(":")
    run: Callable[[], Sequence[Figure]] = getattr(importlib.import_module(module), function)
    return run()


def table_of(heading: str, figures: Sequence[Figure]) -> Table:
    table = Table(title=heading, title_justify="left")
    for name in HEADINGS:
        table.add_column(name)
    for figure in figures:
        met = {True: "yes", False: "no", None: ""}[figure.met]
        what = f"{figure.what}, {figure.case}" if figure.case else figure.what
        table.add_row(what, _value(figure), figure.goal, met)
    return table


def _value(figure: Figure) -> str:
    value = figure.value
    digits = 0 if value == int(value) or abs(value) >= 1000 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f} {figure.unit}".replace(",", " ").rstrip()


def write_page(parts: Sequence[BenchPart], path: Path = PAGE) -> None:
    """Write the page that the README links to."""
    lines = [
        "# Measured",
        "",
        f"Written by `make bench`, last on {datetime.now(UTC):%Y-%m-%d}. A missed goal is marked.",
        "Times of reader, bus and flash are modelled from data sheets, never taken from hardware;",
        f"processor times are of one machine: {_machine()}.",
        "Other figures: [reliability.md](reliability.md#budgets).",
    ]
    for heading, figures in parts:
        lines += ["", f"## {heading}"]
        for group in (_by_case(figures), [{"": each} for each in figures if not each.case]):
            lines += _page_table(group)
    path.write_text("\n".join(lines) + "\n", encoding="utf8")


def _by_case(figures: Sequence[Figure]) -> list[PageRow]:
    """A row for each thing that was measured in several cases."""
    rows: dict[str, PageRow] = {}
    for figure in figures:
        if figure.case:
            rows.setdefault(figure.what, {})[figure.case] = figure
    return list(rows.values())


def _page_table(rows: Sequence[PageRow]) -> list[str]:
    if not rows:
        return []
    cases = list(dict.fromkeys(case for row in rows for case in row))
    heads = ["what", *(case or "measured" for case in cases), "goal"]
    lines = ["", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for row in rows:
        what = next(iter(row.values())).what.strip()
        goals = "; ".join(dict.fromkeys(each.goal for each in row.values() if each.goal))
        values = [_page_value(row[case]) if case in row else "" for case in cases]
        lines.append(f"| {' | '.join([what, *values, goals])} |")
    return lines


def _page_value(figure: Figure) -> str:
    return _value(figure) + (" **missed**" if figure.met is False else "")


def _machine() -> str:
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="only parts whose heading holds this")
    chosen = parser.parse_args(arguments)
    end_in_order()
    console = Console()
    parts = measure(console, chosen.only)
    if not chosen.only:
        write_page(parts)
        console.print(f"written to {PAGE.relative_to(PAGE.parents[1])}")


if __name__ == "__main__":
    main()
