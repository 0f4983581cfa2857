"""The command `schiri results`: stored matches as a table, and one of them as a slip."""

import click
from rich.console import Console

from host_tools.commands.options import DB, JSON, echo_json
from host_tools.core.command_line import lang_option
from host_tools.core.errors import UserError
from host_tools.core.texts import RESULTS
from host_tools.store import open_store
from host_tools.store.models import StoredMatch
from host_tools.store.showing import as_dict, as_slip, as_table, reason_text


@click.group(invoke_without_command=True)
@DB
@lang_option("Language; default from the locale.")
@JSON
@click.pass_context
def results(context: click.Context, db: str | None, lang: str, as_json: bool) -> None:
    """Stored matches: a table (`list`), one in full (`show ID`), or its slip (`slip ID`).

    schiri results
    """
    store = open_store(db, reads=True)
    context.call_on_close(store.close)
    context.obj = (store, lang, as_json)
    if context.invoked_subcommand is None:
        context.invoke(list_matches)


@results.command("list")
@click.pass_context
def list_matches(context: click.Context) -> None:
    """All stored matches, in the order they came.

    schiri results list
    """
    store, lang, as_json = context.obj
    matches = store.matches()
    if as_json:
        echo_json([as_dict(match) for match in matches])
    elif matches:
        Console(highlight=False).print(as_table(matches, lang))
    else:
        click.echo(RESULTS[lang]["none"])


@results.command()
@click.argument("match_id", metavar="ID", type=int)
@click.pass_context
def show(context: click.Context, match_id: int) -> None:
    """One match in full: header, result, and every state it had.

    schiri results show 1
    """
    match = _find(context, match_id)
    _, lang, as_json = context.obj
    if as_json:
        echo_json(as_dict(match))
        return
    click.echo(as_slip(match, lang))
    for change in match.states:
        why = f": {reason_text(change.reason, lang)}" if change.reason else ""
        click.echo(f"{change.at:%Y-%m-%d %H:%M} UTC  {RESULTS[lang][change.state]}{why}")


@results.command()
@click.argument("match_id", metavar="ID", type=int)
@click.pass_context
def slip(context: click.Context, match_id: int) -> None:
    """The result slip of one match, as text.

    schiri results slip 1
    """
    match = _find(context, match_id)
    _, lang, as_json = context.obj
    if as_json:
        echo_json(as_dict(match))
    else:
        click.echo(as_slip(match, lang))


def _find(context: click.Context, match_id: int) -> StoredMatch:
    match: StoredMatch | None = context.obj[0].match(match_id)
    if match is None:
        raise UserError("no_stored_match", number=match_id)
    return match
