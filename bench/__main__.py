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
from bench.programs import end_in_order

# heading -> "module:function"
PARTS = {
    "Reader: one card, modelled time": "bench.driver:measure",
    "Reader: ten thousand taps": "bench.driver:measure_taps",
    "Tags: a deck of 32 provisioned, modelled time": "bench.provisioning:measure",
    "Reader: spoiled frames": "bench.fuzz:measure",
    "Box: firmware in the MicroPython VM": "bench.vm:measure",
    "Box: memory over a day, and its pace": "bench.memory:measure",
    "Journal": "bench.journal:measure",
    "Power cuts besides a match": "bench.cuts:measure",
    "Link and sync": "bench.link:measure",
    "Tournament of 512 players": "bench.tournament:measure",
    "Board with 500 viewers": "bench.board:measure",
    "Live hall on Mosquitto and PostgreSQL": "bench.hall:measure",
    "Live hall: a hostile air": "bench.hostile_air:measure",
    "A day on the air on which everything fails": "bench.day_on_air:measure",
    "Rules on CPython": "bench.replay:measure",
    "Virtual table": "bench.play:measure",
    "Deals of the virtual table": "bench.deals:measure",
    "Dead ends of the virtual table": "bench.dead_ends:measure",
    "Bots": "bench.bots:measure",
    "Start of the command line": "bench.start:measure",
}
PAGE = Path(__file__).resolve().parents[1] / "docs" / "BENCHMARKS.md"
HEADINGS = ("what", "measured", "goal", "met")
_MET = {True: "yes", False: "**no**", None: ""}

Part = tuple[str, Sequence[Figure]]


def measure(console: Console, only: str) -> list[Part]:
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
        table.add_row(figure.what, _value(figure), figure.goal, met)
    return table


def _value(figure: Figure) -> str:
    value = figure.value
    digits = 0 if value == int(value) or abs(value) >= 1000 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f} {figure.unit}".replace(",", " ").rstrip()


def write_page(parts: Sequence[Part], path: Path = PAGE) -> None:
    """Write the page that the README links to."""
    lines = [
        "# Measured",
        "",
        "Written by `make bench`; good and bad as it came out. Times of reader, bus and flash are",
        "modelled on the software twin from data sheets, never taken from hardware.",
        f"CPU times are from this machine: {_machine()}.",
        "",
        "Figures of an emulated Pico (first picture, heap, resume, taps), by `make budgets`:",
        "[reliability.md](reliability.md#budgets).",
        "",
        f"Last run: {datetime.now(UTC):%Y-%m-%d}.",
    ]
    for heading, figures in parts:
        lines += ["", f"## {heading}", "", "| what | measured | goal | met |", "|---|---|---|---|"]
        for figure in figures:
            cells = (figure.what.strip(), _value(figure), figure.goal, _MET[figure.met])
            lines.append("| " + " | ".join(cells) + " |")
    path.write_text("\n".join(lines) + "\n", encoding="utf8")


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
