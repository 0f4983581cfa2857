"""Entering a printed board once, table by table: every answer is checked when it is given."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import click

from firmware.games.cafe.board import NATIONS, NUMBERS, find_problems
from host_tools.core.command_line import asked_language
from host_tools.core.errors import Sentence
from host_tools.games.cafe.boards import sentence

Answer = TypeVar("Answer")
_CHAIRS = 4
# at most so many tables share a chair
_MOST_AT_CHAIR = {"board": 2, "app": 3}


class WrongAnswer(ValueError):
    """An answer that cannot be part of the board; its sentence says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass
class BoardEntry:
    """A board that grows table by table. `preset` is `board` or `app`."""

    preset: str
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """The names of all tables of this preset: T01 and on."""
        return [f"T{number:02}" for number in range(1, NUMBERS[self.preset][0] + 1)]

    def nation(self, name: str, answer: str) -> str:
        """The nation of a table. Raises WrongAnswer."""
        nation = answer.strip().upper()
        if nation not in NATIONS:
            raise WrongAnswer(Sentence("entry_no_nation", text=answer, ids=NATIONS))
        others = [t for t, row in self.tables.items() if row["nation"] == nation and t != name]
        most = NUMBERS[self.preset][2][1]
        if len(others) >= most:
            raise WrongAnswer(Sentence("entry_enough", nation=nation, count=most, ids=others))
        return nation

    def chairs(self, name: str, answer: str) -> list[str]:
        """Four chairs, named or numbered: `8` is C08. Raises WrongAnswer."""
        chairs = [_chair_name(word) for word in answer.replace(",", " ").split()]
        if len(chairs) != _CHAIRS or len(set(chairs)) != _CHAIRS:
            raise WrongAnswer(Sentence("entry_four"))
        for chair in chairs:
            others = [t for t, row in self.tables.items() if chair in row["chairs"] and t != name]
            if len(others) >= _MOST_AT_CHAIR[self.preset]:
                raise WrongAnswer(Sentence("entry_taken", name=chair, ids=others))
        return chairs

    def set_table(self, name: str, nation: str, chairs: list[str]) -> None:
        """Take over a table, new or corrected."""
        self.tables[name] = {"nation": nation, "chairs": chairs}

    def faults(self) -> list[Sentence]:
        """What still keeps this from being a board."""
        return [
            Sentence(
                "place_fault",
                place=place.removeprefix("board."),
                detail=sentence(place, problem, self.preset),
            )
            for place, problem in find_problems({"tables": self.tables}, self.preset)
        ]


def _chair_name(word: str) -> str:
    match = re.fullmatch(r"[Cc]?(\d{1,3})", word)
    if match is None:
        raise WrongAnswer(Sentence("entry_no_chair", text=word))
    return f"C{int(match.group(1)):02}"


def write_toml(board_id: str, title: str, preset: str, tables: dict[str, dict[str, Any]]) -> str:
    """A board file. `title` may hold any printable character."""
    # by hand: tomllib only reads (docs.python.org)
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    lines = [f'id = "{board_id}"', f'title = "{quoted}"', f'preset = "{preset}"']
    for name, row in tables.items():
        chairs = ", ".join(f'"{chair}"' for chair in row["chairs"])
        lines += ["", f"[tables.{name}]", f'nation = "{row["nation"]}"', f"chairs = [{chairs}]"]
    return "\n".join(lines) + "\n"


def enter(board_id: str, title: str, preset: str) -> str:
    """Ask for every table at the terminal, until the board is right; the board file."""
    entry = BoardEntry(preset)
    for name in entry.names():
        _ask_table(entry, name)
    _correct(entry)
    return write_toml(board_id, title, preset, entry.tables)


def _ask_table(entry: BoardEntry, name: str) -> None:
    nation = _ask(Sentence("entry_nation", name=name), partial(entry.nation, name))
    question = Sentence("entry_chairs", name=name, nation=nation)
    entry.set_table(name, nation, _ask(question, partial(entry.chairs, name)))


def _ask(question: Sentence, read: Callable[[str], Answer]) -> Answer:
    """Ask until the answer can be right."""
    while True:
        try:
            return read(click.prompt(_said(question)))
        except WrongAnswer as error:
            click.echo(_said(error.sentence))


def _correct(entry: BoardEntry) -> None:
    """Until the board is right: show what is wrong and ask for one table again."""
    while faults := entry.faults():
        for fault in faults:
            click.echo(_said(fault))
        which = _said(Sentence("entry_which"))
        _ask_table(entry, click.prompt(which, type=click.Choice(entry.names())))


def _said(sentence: Sentence) -> str:
    return sentence.said(asked_language())
