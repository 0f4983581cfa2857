"""Results of boxes and slips that fit no match: list them, assign or dismiss them."""

import click
import msgspec

from host_tools.commands.options import Report
from host_tools.commands.tournament.common import MATCH, PLAYER, Desk, reads, writes
from host_tools.tournament.commands import unplaced
from host_tools.tournament.incoming import find_match
from host_tools.tournament.state import MatchState
from host_tools.tournament.wording import cards_text

JOURNAL = click.argument("journal")
SHOWN = 10
"""So many letters of a journal's digest tell it from the others."""


@click.command("unplaced")
@reads
def list_unplaced(desk: Desk) -> Report:
    """Results that fit no match, with the beginning of their journal's digest, and why.

    \b
    schiri tournament unplaced
    """
    tasks = desk.state.to_place()
    lines = []
    for task in tasks:
        found = find_match(desk.state, task)
        why = found.id if isinstance(found, MatchState) else found.said(desk.lang)
        names, cards = " – ".join(task.names), cards_text(task.counts)
        label = f"{desk.words[task.source]} {task.label}"
        lines.append(f"{task.journal[:SHOWN]}  {names}  {cards}  {label}: {why}")
    return Report(msgspec.to_builtins(tasks), lines or [desk.words["nothing"]])


@click.command()
@JOURNAL
@click.argument("match", type=MATCH)
@click.option(
    "--first", type=PLAYER, help="Who sat at the box's first seat, if the names do not tell."
)
@writes
def assign(desk: Desk, journal: str, match: str, first: str | None) -> None:
    """Report such a result for a match; the beginning of JOURNAL is enough.

    \b
    schiri tournament assign 3fa9c1 A-2 --first p004 --why "wrong badge"
    """
    desk.do(unplaced.assign, journal, match, first)


@click.command()
@JOURNAL
@writes
def dismiss(desk: Desk, journal: str) -> None:
    """Such a result belongs to no match; say --why. `assign` still takes it later.

    \b
    schiri tournament dismiss 3fa9c1 --why "a trial before the doors opened"
    """
    if not desk.why.strip():
        raise click.UsageError("say --why")
    desk.do(unplaced.dismiss, journal)
