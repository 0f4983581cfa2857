"""The command `schiri journal`: look into a journal file without a box or a database."""

from pathlib import Path

import click

from host_tools.commands.options import CommandReport, reports
from host_tools.core.errors import Exit, Sentence, UserError, recognised
from host_tools.core.own_files import read_input
from host_tools.store.journal.box_keys import load_box_keys
from host_tools.store.journal.reading import JournalFile, read_journal
from host_tools.store.journal.verdict import CONTESTED, Verdict, judge


@click.group()
def journal() -> None:
    """Look into journal files of a box."""


@journal.command()
@click.argument("file", type=click.Path(path_type=Path))
@reports
def verify(file: Path) -> CommandReport:
    """Check records, chain, seal and replay of FILE. Exit code 1 if something does not hold.

    schiri journal verify m000001.end
    """
    read = read_journal(read_input(file))
    verdict = judge(read, load_box_keys())
    error = UserError("journal_bad", Exit.CHECK, path=file, detail=recognised(verdict.reason))
    contested = verdict.state == CONTESTED
    return CommandReport(_data(read, verdict), _lines(read, verdict), error if contested else None)


@journal.command()
@click.argument("file", type=click.Path(path_type=Path))
def transcript(file: Path) -> None:
    """Print the transcript inside FILE, for `schiri replay --check -`.

    schiri journal transcript m000001.end
    """
    for line in read_journal(read_input(file)).transcript():
        click.echo(line)


def _lines(read: JournalFile, verdict: Verdict) -> list[str]:
    why = Sentence("in_brackets", detail=recognised(verdict.reason)) if verdict.reason else ""
    match = {"box": read.box, "number": read.number, "count": read.records}
    faults = [
        Sentence("journal_fault_at", line=fault.line, detail=recognised(fault.text))
        for fault in read.faults
    ]
    return [Sentence("journal_line", **match, status=verdict.state, detail=why), *faults]


def _data(read: JournalFile, verdict: Verdict) -> dict[str, object]:
    judged = {"records": read.records, "state": verdict.state, "reason": verdict.reason}
    facts = {"box": read.box, "match": read.number, **judged}
    return {**facts, "faults": read.faults, "result": read.result}
