"""Options that all commands share, and how events are printed."""

import functools
import getpass
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from host_tools.commands.options import DB, JSON, CommandReport, echo_json, prints
from host_tools.core.command_line import asked_language, takes
from host_tools.core.errors import in_words
from host_tools.core.texts import WORDS
from host_tools.tournament import events as ev
from host_tools.tournament.operations import OperationRow, Who
from host_tools.tournament.state import TournamentState
from host_tools.tournament.wording import event_text

if TYPE_CHECKING:  # the database is loaded only when it is asked: files are read at once
    from host_tools.tournament.service import LogCommand, TournamentService

LogEntries = list[ev.LogEntry]
"""What a command did."""
TOURNAMENT, BY, WHY = takes("tournament"), takes("by"), takes("why")


@dataclass
class CommandContext:
    """What a command works with, until its end; `open` is asked once the tournament itself is."""

    lang: str
    as_json: bool
    open: Callable[[], "TournamentService"]
    actor: str = ""
    why: str = ""
    db: str | None = None
    made: list[ev.LogEntry] | None = None
    """All that was done, for --json: one document, however often something is done."""

    @functools.cached_property
    def service(self) -> "TournamentService":
        return self.open()

    @property
    def state(self) -> TournamentState:
        return self.service.state

    @property
    def words(self) -> Mapping[str, str]:
        return WORDS[self.lang]

    def who(self) -> Who:
        return Who(self.actor, None, utc_now(), self.why)

    def perform(self, row: OperationRow, *forms: Any) -> None:
        """Do an operation with each of the forms, all or nothing; say what was done, what not."""
        who = self.who()
        commands = [row.wanted(form, who) for form in forms]

        def each(state: TournamentState) -> list[ev.AnyBody]:
            bodies: list[ev.AnyBody] = []
            for command in commands:
                # judged on what those before it do, as if they were typed one after the other
                bodies += command(state.after(bodies) if bodies else state)
            return bodies

        self.do(each)
        for note in who.notes:
            click.echo(in_words(note, self.lang), err=True)

    def do(self, command: "LogCommand") -> None:
        """What the table of operations has no row for."""
        self.tell(self.service.do(self.actor, self.why, command))

    def tell(self, made: Sequence[ev.LogEntry], most: int = 12) -> None:
        """Print events: all of them as data, the first `most` for people."""
        if self.as_json:
            self.made = [*(self.made or ()), *made]
            return
        for event in made[:most]:
            click.echo(event_text(self.state, event, self.lang))
        if len(made) > most:
            click.echo(f"… (+{len(made) - most})")
        if not made:
            click.echo(self.words["nothing"])


def utc_now() -> datetime:
    return datetime.now(UTC)


def logged_in() -> str:
    """The name of whoever runs the command."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no entry for this user id
        return "desk"


@contextmanager
def working(
    open: Callable[[], "TournamentService"], lang: str, as_json: bool
) -> Iterator[CommandContext]:
    """A desk; what was done is told as data at the end, also if something failed behind it."""
    with ExitStack() as closed:
        desk = CommandContext(lang, as_json, lambda: closed.enter_context(closing(open())))
        try:
            yield desk
        finally:
            # None: a command that only looks has printed its own document
            if desk.made is not None:
                echo_json(desk.made)


def reads(function: Callable[..., CommandReport[Any] | None]) -> Callable[..., None]:
    """A command that looks at a stored tournament, unless it is given a file: gets a
    CommandContext as its first argument. A CommandReport that it returns is shown.
    """

    @functools.wraps(function)
    def command(db: str | None, tournament: str | None, as_json: bool, **rest: Any) -> None:
        def stored() -> "TournamentService":
            from host_tools.tournament.service import TournamentService

            return TournamentService.open(db, tournament)

        with working(stored, asked_language(), as_json) as desk:
            desk.db = db
            if rest.get("file") is None and rest.get("proof") is None:
                _ = desk.service  # a database that is none fails before anything is done
            report = function(desk, **rest)
            if report is not None:
                report.show(as_json)

    return DB(TOURNAMENT(JSON(command)))


def writes(function: Callable[..., CommandReport[Any] | None]) -> Callable[..., None]:
    """A command that changes a stored tournament; it says who and why. One that returns nothing
    prints the events that it wrote.
    """

    @functools.wraps(function)
    def command(
        desk: CommandContext, by: str | None, why: str, **rest: Any
    ) -> CommandReport[Any] | None:
        desk.actor, desk.why = by or logged_in(), why
        return function(desk, **rest)

    if function.__annotations__["return"] is None:
        prints(LogEntries)(command)
    return BY(WHY(reads(command)))
