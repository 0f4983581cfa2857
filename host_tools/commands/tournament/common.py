"""Options that all commands share, and how events are printed."""

import functools
import getpass
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
import msgspec

from host_tools.commands.options import DB, JSON, Report, echo_json
from host_tools.core.command_line import lang_option
from host_tools.core.errors import UserError
from host_tools.core.texts import WORDS
from host_tools.tournament import events as ev
from host_tools.tournament.state import State
from host_tools.tournament.wording import event_text

if TYPE_CHECKING:  # the database is loaded only when it is asked: files are read at once
    from host_tools.tournament.service import TournamentService

TOURNAMENT = click.option("--tournament", "-t", help="Which one; not needed if there is only one.")
LANG = lang_option("Language of texts; default from the locale.")
BY = click.option("--by", help="Who does it; default: the name you are logged in with.")
WHY = click.option("--why", default="", help="Why, for the log.")


@dataclass
class Desk:
    """What a command works with."""

    service: "TournamentService"
    lang: str
    as_json: bool
    actor: str = ""
    why: str = ""

    @property
    def state(self) -> State:
        return self.service.state

    @property
    def words(self) -> Mapping[str, str]:
        return WORDS[self.lang]

    def do(self, function: Callable[..., Sequence[ev.AnyBody]], *args: Any, **opts: Any) -> None:
        """Do it and say what was done."""
        made = self.service.do(self.actor, self.why, lambda state: function(state, *args, **opts))
        self.tell(made)

    def tell(self, made: Sequence[ev.Event], most: int = 12) -> None:
        """Print events: all of them as data, the first `most` for people."""
        if self.as_json:
            echo_json([msgspec.to_builtins(event) for event in made])
            return
        for event in made[:most]:
            click.echo(event_text(self.state, event, self.lang))
        if len(made) > most:
            click.echo(f"… (+{len(made) - most})")
        if not made:
            click.echo(self.words["nothing"])


def logged_in() -> str:
    """The name of whoever runs the command."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no entry for this user id
        return "desk"


def opened(db: str | None, tournament: str | None) -> "TournamentService":
    """The stored tournament. Raises UserError."""
    from host_tools.tournament.service import TournamentService

    return TournamentService.open(db, tournament)


def reads(function: Callable[..., Report | None]) -> Callable[..., None]:
    """A command that looks at a stored tournament: gets a Desk as its first argument, and ids for
    what people typed (`MATCH`, `PLAYER`). A Report that it returns is shown.
    """

    @functools.wraps(function)
    def command(
        db: str | None, tournament: str | None, lang: str, as_json: bool, **rest: Any
    ) -> None:
        with closing(opened(db, tournament)) as service:
            found = {name: _found(service.state, value) for name, value in rest.items()}
            report = function(Desk(service, lang, as_json), **found)
            if report is not None:
                report.show(as_json)

    return DB(TOURNAMENT(LANG(JSON(command))))


def writes(function: Callable[..., Report | None]) -> Callable[..., None]:
    """A command that changes a stored tournament; it says who and why."""

    @functools.wraps(function)
    def command(desk: Desk, by: str | None, why: str, **rest: Any) -> Report | None:
        desk.actor, desk.why = by or logged_in(), why
        return function(desk, **rest)

    return BY(WHY(reads(command)))


# -- what people type -----------------------------------------------------------------------------


def _found(state: State, value: Any) -> Any:
    """`value`, or the ids that `MATCH` and `PLAYER` stand for."""
    if isinstance(value, tuple):
        return tuple(_found(state, each) for each in value)
    return value(state) if callable(value) else value


def _as_soon_as_open(find: Callable[[State, str], str]) -> Callable[[str], Callable[[State], str]]:
    """A type for click: the text becomes an id when the tournament is open."""
    return lambda text: lambda state: find(state, text)


def cards_of(text: str) -> tuple[int, int]:
    """`20:12` as two numbers. Raises UserError."""
    left, _, right = text.replace("-", ":").partition(":")
    if not (left.isdecimal() and right.isdecimal()):
        raise UserError("no_cards", text=text)
    return int(left), int(right)


def match_id(state: State, text: str) -> str:
    """A match as people type it, in any case. Raises UserError."""
    by_id = {match.upper(): match for match in state.matches}
    if text.upper() not in by_id:
        raise UserError("no_match", match=text)
    return by_id[text.upper()]


def player_id(state: State, text: str) -> str:
    """A player by id or name, as people type it. Raises UserError."""
    if text in state.players:
        return text
    found = [p.id for p in state.players.values() if p.name.casefold() == text.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError("several_called", name=text, ids=found)
    raise UserError("no_player", player=text)


MATCH, PLAYER = _as_soon_as_open(match_id), _as_soon_as_open(player_id)
