"""One row of a table of `make bench`."""

from dataclasses import dataclass


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
