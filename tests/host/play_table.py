"""A virtual table without a server or a page: the firmware on CPython, as fast as it goes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from host_tools.games.table_view import TableView
from host_tools.sim.table import messages
from host_tools.sim.table.asking import MOST_SEATS
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.runner import UNBOUND
from tests.processes import wait

SEED = 2
"""A test that fails fails again."""


@contextmanager
def table_of(
    game: str, seats: int, preset: str = "", deck: str = "", seed: int = SEED
) -> Iterator[PlayTable]:
    """A table at which this match has begun; nobody plays by themselves yet."""
    table = PlayTable(1, "cpython", "en", speed=UNBOUND, seed=seed)
    try:
        table.start()
        table.do(messages.Start(game=game, preset=preset, deck=deck, seats=seats))
        wait(lambda: table.log.count == 1 and not table.runner.busy)
        yield table
    finally:
        table.close()


def ask(table: PlayTable, question: Callable[[TableView], Any]) -> Any:
    """Ask something about the cards while the box stands still."""
    answers: list[Any] = []

    def look() -> None:
        assert table.log.world is not None
        answers.append(question(table.log.world))

    table.runner.call(look)
    wait(lambda: bool(answers))
    return answers[0]


def play_alone(table: PlayTable, on: bool = True) -> None:
    """All seats play by themselves, or nobody does and all hands are off the box."""
    seats = ask(table, lambda world: world.seats)
    for seat in range(seats):
        table.do(messages.Auto(seat=seat, on=on))
    if not on:
        wait(lambda: not table.runner.busy)


def play_until(table: PlayTable, question: Callable[[TableView], Any]) -> None:
    """All seats play by themselves up to the moment for which this is true; then nobody does.

    The moment is caught between two moves, with the box standing still.
    """
    stopped: list[bool] = []

    def look() -> None:
        assert table.log.world is not None
        if question(table.log.world):
            table.auto.seats.clear()
            stopped.append(True)
        elif not stopped:
            table.when_free(look)

    def start() -> None:
        table.auto.seats |= set(range(MOST_SEATS))
        table.when_free(look)

    table.runner.ask(start)
    wait(lambda: bool(stopped) and not table.runner.busy)
