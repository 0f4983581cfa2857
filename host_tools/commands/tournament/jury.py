"""The jury's book: protests and their decisions, penalties, reports of undercover referees, and
matches that are played later.
"""

from collections.abc import Iterator

import click

from host_tools.commands.options import CommandReport
from host_tools.commands.tournament.common import CommandContext, reads
from host_tools.commands.tournament.writing import command_of
from host_tools.core.command_line import group
from host_tools.tournament import events as ev
from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.state import Note
from host_tools.tournament.wording import event_text


@group()
def jury() -> None:
    """The jury's book: everything in it is an entry of the log, with who and when."""


@jury.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only protests without a decision.")
@reads
def list_notes(desk: CommandContext, only_open: bool) -> CommandReport[list[Note]]:
    """All entries with their numbers, the oldest first; also what only the jury reads.

    \b
    schiri tournament jury list
    schiri tournament jury list --open --json
    """
    notes = [note for note in desk.state.notes.values() if _is_open(note) or not only_open]
    return CommandReport(notes, list(_lines(desk, notes)) or [desk.words["nothing"]])


def _is_open(note: Note) -> bool:
    return isinstance(note.body, ev.ProtestFiled) and note.decision is None


def _lines(desk: CommandContext, notes: list[Note]) -> Iterator[str]:
    for note in notes:
        event = ev.LogEntry(seq=note.seq, at=note.at, actor=note.actor, body=note.body)
        state = desk.words["open"] if _is_open(note) else ""
        state = desk.words["lifted"] if note.lifted else state
        text = event_text(desk.state, event, desk.lang)
        yield f"{note.seq}  {text}" + (f"  ({state})" if state else "")
        if note.decision is not None:
            # only for its text: a note does not keep who decided, and when
            decided = ev.LogEntry(seq=note.seq, at=note.at, actor="", body=note.decision)
            yield f"     {event_text(desk.state, decided, desk.lang)}"


# the command and its first word: `jury decide`, whatever arguments follow
for path in dict.fromkeys(" ".join(row.cli.split()[:2]) for row in OPERATIONS.values()):
    if path.startswith("jury "):
        jury.add_command(command_of(path))
