"""The command `schiri results`: stored matches as a table, and one of them as a slip."""

from collections.abc import Callable
from contextlib import closing
from functools import wraps
from typing import Any

import click

from host_tools.commands.options import DB, JSON, CommandReport, prints
from host_tools.core.command_line import lang_option
from host_tools.core.errors import UserError
from host_tools.core.texts import RESULTS
from host_tools.store import Store, open_store
from host_tools.store.models import StoredMatch
from host_tools.store.showing import StoredJournal, as_dict, as_slip, as_table, reason_text

ID = click.argument("match_id", metavar="ID", type=int)


def looks(function: Callable[..., CommandReport[Any]]) -> Callable[..., None]:
    """A command that looks into the store; its options may stand before its name, too."""

    @DB
    @lang_option("Language; default from the locale.")
    @JSON
    @wraps(function)
    def command(db: str | None, lang: str, as_json: bool, **rest: Any) -> None:
        with closing(open_store(db, reads=True)) as store:
            report = function(store, lang, **rest)
        report.show(as_json)

    return command


@click.group(invoke_without_command=True)
@DB
@lang_option("Language; default from the locale.")
@JSON
@click.pass_context
@prints(list[StoredJournal])
def results(context: click.Context, db: str | None, lang: str, as_json: bool) -> None:
    """Stored matches: a table (`list`), one in full (`show ID`), or its slip (`slip ID`).

    schiri results
    """
    if context.invoked_subcommand is None:
        context.invoke(list_matches, db=db, lang=lang, as_json=as_json)


@results.command("list")
@looks
def list_matches(store: Store, lang: str) -> CommandReport[list[StoredJournal]]:
    """All stored matches, in the order they came.

    schiri results list
    """
    matches = store.matches()
    shown = as_table(matches, lang) if matches else RESULTS[lang]["none"]
    return CommandReport([as_dict(match) for match in matches], [shown])


@results.command()
@ID
@looks
def show(store: Store, lang: str, match_id: int) -> CommandReport[StoredJournal]:
    """One match in full: header, result, and every state it had.

    schiri results show 1
    """
    match = _found(store, match_id)
    lines = [as_slip(match, lang)]
    for change in match.states:
        why = f": {reason_text(change.reason, lang)}" if change.reason else ""
        lines.append(f"{change.at:%Y-%m-%d %H:%M} UTC  {RESULTS[lang][change.state]}{why}")
    return CommandReport(as_dict(match), lines)


@results.command()
@ID
@looks
def slip(store: Store, lang: str, match_id: int) -> CommandReport[StoredJournal]:
    """The result slip of one match, as text.

    schiri results slip 1
    """
    match = _found(store, match_id)
    return CommandReport(as_dict(match), [as_slip(match, lang)])


def _found(store: Store, number: int) -> StoredMatch:
    match = store.match(number)
    if match is None:
        raise UserError("no_stored_match", number=number)
    return match
