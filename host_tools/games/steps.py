"""What hands do at a box, a step at a time."""

from collections.abc import Callable
from typing import NamedTuple

Say = Callable[[str], str]
"""A text of the box by its key."""


class Step(NamedTuple):
    """One thing hands do: `lay` a tag by code, `pick` an item of the list on the screen, `press`
    a button.
    """

    do: str
    what: str


Move = tuple[Step, ...]


def lay(code: str) -> Step:
    """Tap a tag."""
    return Step("lay", code)


def press(button: str) -> Step:
    """Press a button."""
    return Step("press", button)


def pick(label: str) -> Step:
    """Choose an item of the list on the screen."""
    return Step("pick", label)
