"""Results of boxes and slips that fit no match."""

import click

from host_tools.commands.options import CommandReport
from host_tools.commands.tournament.common import CommandContext, reads
from host_tools.tournament.incoming import find_match
from host_tools.tournament.state import MatchState
from host_tools.tournament.wording import cards_text

SHOWN = 10
"""So many letters of a journal's digest tell it from the others."""


@click.command("unplaced")
@reads
def list_unplaced(desk: CommandContext) -> CommandReport:
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
    return CommandReport(tasks, lines or [desk.words["nothing"]])
