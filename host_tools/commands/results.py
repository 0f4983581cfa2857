"""The command `schiri results`: stored matches as a table, or one of them in full."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from host_tools.commands.options import DB, CommandReport, reports
from host_tools.core.command_line import asked_language, command, only_with
from host_tools.core.errors import UserError
from host_tools.core.texts import RESULTS
from host_tools.store import open_store
from host_tools.store.showing import StoredJournal, as_dict, as_slip, as_table, reason_text

if TYPE_CHECKING:
    from host_tools.store.models import StoredMatch
    from host_tools.store.store import Store


@command()
@click.argument("match_id", metavar="[ID]", type=int, required=False)
@click.option("--slip", is_flag=True, help="Only its result slip, as text.")
@DB
@reports
@only_with("--slip", "[ID]")
def results(
    match_id: int | None, slip: bool, db: str | None
) -> CommandReport[list[StoredJournal]] | CommandReport[StoredJournal]:
    """Stored matches in the order they came; or one in full, by its ID in that list: header,
    result, and every state it had.

    \b
    schiri results
    schiri results 1
    schiri results 1 --slip
    """
    lang = asked_language()
    with closing(open_store(db, reads=True)) as store:
        if match_id is None:
            matches = store.matches()
            shown = as_table(matches, lang) if matches else RESULTS[lang]["none"]
            return CommandReport([as_dict(match) for match in matches], [shown])
        match = _found(store, match_id)
        states = [] if slip else _states(match, lang)
        return CommandReport(as_dict(match), [as_slip(match, lang), *states])


def _states(match: "StoredMatch", lang: str) -> list[str]:
    lines = []
    for change in match.states:
        why = f": {reason_text(change.reason, lang)}" if change.reason else ""
        lines.append(f"{change.at:%Y-%m-%d %H:%M} UTC  {RESULTS[lang][change.state]}{why}")
    return lines


def _found(store: "Store", number: int) -> "StoredMatch":
    match = store.match(number)
    if match is None:
        raise UserError("no_stored_match", number=number)
    return match
