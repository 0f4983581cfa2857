"""Arbiters' training: what the tricks of all games are made of.

The rule is asked of the rules themselves before anything is done, so the page never explains
another one.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from host_tools.games.base import Action
from host_tools.games.steps import Move, lay
from host_tools.games.table import TableView


class Attempt(NamedTuple):
    """The command that the steps come to."""

    do: str
    fields: dict[str, Any]
    steps: Move


def tapped(card: str) -> Attempt:
    """A card is tapped."""
    return Attempt("tap", {"card": card}, (lay(card),))


def refused(
    table: TableView, attempts: Iterable[Attempt], reasons: tuple[str, ...]
) -> Action | None:
    """The first attempt that the rules refuse for one of these reasons (TRANSCRIPT.md)."""
    for attempt in attempts:
        refusal = table.judge(attempt.do, **attempt.fields).refusal
        if refusal is not None and refusal.reason in reasons:
            return Action(refusal.rule, attempt.steps)
    return None


def awaited(table: TableView) -> tuple[int, str]:
    """Whose turn it is (0 if nobody's), and what is awaited."""
    awaits = table.match.awaits()
    return (0 if awaits.seat is None else awaits.seat), awaits.what
