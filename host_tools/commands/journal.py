"""The command `schiri journal`: look into a journal file without a box or a database."""

import json
from pathlib import Path

import click

from host_tools.core.errors import UserError
from host_tools.replay.journal.box_keys import load_box_keys
from host_tools.replay.journal.reading import Journal, read_journal
from host_tools.replay.journal.verdict import CONTESTED, Verdict, judge


@click.group()
def journal() -> None:
    """Look into journal files of a box."""


@journal.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def verify(file: Path, as_json: bool) -> None:
    """Check records, chain, seal and replay of FILE. Exit code 1 if something does not hold.

    schiri journal verify m000001.end
    """
    read = _open(file)
    verdict = judge(read, load_box_keys())
    click.echo(_as_json(read, verdict) if as_json else _as_text(read, verdict))
    if verdict.state == CONTESTED:
        raise UserError(f"{file}: {verdict.reason}", 1)


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
        raise UserError(f"{file} cannot be read: {error.strerror}") from error


def _as_text(read: Journal, verdict: Verdict) -> str:
    lines = [
        f"box {read.box}, match {read.number}: {read.records} records, {verdict.state}"
        + (f" ({verdict.reason})" if verdict.reason else "")
    ]
    lines += [f"  line {fault.line} {fault.text}" for fault in read.faults]
    return "\n".join(lines)


def _as_json(read: Journal, verdict: Verdict) -> str:
    return json.dumps(
        {
            "box": read.box,
            "match": read.number,
            "records": read.records,
            "state": verdict.state,
            "reason": verdict.reason,
            "faults": [
                {"line": fault.line, "kind": fault.kind, "text": fault.text}
                for fault in read.faults
            ],
            "result": read.result,
        },
        ensure_ascii=False,
    )
