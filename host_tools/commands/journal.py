"""The command `schiri journal`: look into a journal file without a box or a database."""

from pathlib import Path

import click

from host_tools.commands.options import Report, reports
from host_tools.core.errors import Exit, UserError, recognised
from host_tools.store.journal.box_keys import load_box_keys
from host_tools.store.journal.reading import Journal, read_journal
from host_tools.store.journal.verdict import CONTESTED, Verdict, judge


@click.group()
def journal() -> None:
    """Look into journal files of a box."""


@journal.command()
@click.argument("file", type=click.Path(path_type=Path))
@reports
def verify(file: Path) -> Report:
    """Check records, chain, seal and replay of FILE. Exit code 1 if something does not hold.

    schiri journal verify m000001.end
    """
    read = _open(file)
    verdict = judge(read, load_box_keys())
    error = UserError("journal_bad", Exit.CHECK, path=file, detail=recognised(verdict.reason))
    contested = verdict.state == CONTESTED
    return Report(_data(read, verdict), _lines(read, verdict), error if contested else None)


@journal.command()
@click.argument("file", type=click.Path(path_type=Path))
def transcript(file: Path) -> None:
    """Print the transcript inside FILE, for `schiri replay --check -`.

    schiri journal transcript m000001.end
    """
    for line in _open(file).transcript():
        click.echo(line)


def _open(file: Path) -> Journal:
    try:
        return read_journal(file.read_bytes())
    except OSError as error:
        raise UserError("name_unreadable", path=file, system=error) from error


def _lines(read: Journal, verdict: Verdict) -> list[str]:
    why = f" ({verdict.reason})" if verdict.reason else ""
    head = f"box {read.box}, match {read.number}: {read.records} records, {verdict.state}{why}"
    return [head, *(f"  line {fault.line} {fault.text}" for fault in read.faults)]


def _data(read: Journal, verdict: Verdict) -> dict[str, object]:
    faults = [{"line": f.line, "kind": f.kind, "text": f.text} for f in read.faults]
    judged = {"records": read.records, "state": verdict.state, "reason": verdict.reason}
    facts = {"box": read.box, "match": read.number, **judged}
    return {**facts, "faults": faults, "result": read.result}
