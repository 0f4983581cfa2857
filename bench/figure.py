"""One row of a table of `make bench`."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console


@dataclass(frozen=True)
class Figure:
    """What was measured, its value, and the goal it met or missed (None: no goal)."""

    what: str
    value: float
    unit: str
    goal: str = ""
    met: bool | None = None
    case: str = ""
    """Its column, where the same is measured in several cases."""


def print_figures(figures: Iterable[Figure], load: float, digits: int = 4) -> None:
    """For a bench that is run by itself: a line a figure, and the load of the machine before."""
    console = Console()
    for figure in figures:
        mark = "  MISSED" if figure.met is False else ""
        console.print(f"{figure.what}: {figure.value:.{digits}g} {figure.unit}{mark}")
    console.print(f"load of the machine before: {load:.1f}")
