"""Counting accepted command sequences, with the referee and with a second one (perft.txt)."""

from pathlib import Path
from typing import Any, Protocol

from firmware.rules.match import Match

Command = dict[str, Any]


class Judge(Protocol):
    """A second referee: answers commands, `undo` too."""

    def apply(self, command: Command) -> dict[str, Any]: ...

    def fork(self) -> "Judge": ...


def count_referee(match: Match, commands: list[Command], depth: int) -> list[int]:
    """Accepted sequences of each length up to `depth`; every accepted command is undone again."""
    counts = [0] * depth

    def descend(level: int) -> None:
        for command in commands:
            before = list(match.cells.now)
            if match.apply({"t": 0, **command}).refusal is None:
                counts[level] += 1
                if level + 1 < depth:
                    descend(level + 1)
                match.apply({"t": 0, "do": "undo"})
            assert list(match.cells.now) == before

    descend(0)
    return counts


def count_second(second: Judge, commands: list[Command], depth: int) -> list[int]:
    """The same with a second referee, on copies instead of undo."""
    counts = [0] * depth

    def descend(here: Judge, level: int) -> None:
        for command in commands:
            after = here.fork()
            if "refused" not in after.apply(command):
                counts[level] += 1
                if level + 1 < depth:
                    descend(after, level + 1)

    descend(second, 0)
    return counts


def written(position: str) -> list[int]:
    """The counts of a position in perft.txt."""
    for line in Path(__file__).with_name("perft.txt").read_text("utf-8").splitlines():
        name, *counts = line.split()
        if name == position:
            return [int(count) for count in counts]
    raise LookupError(position)


def check(position: str, match: Match, second: Judge, commands: list[Command]) -> None:
    """Both referees and the file agree."""
    counts = written(position)
    assert count_second(second, commands, len(counts)) == counts
    assert count_referee(match, commands, len(counts)) == counts
