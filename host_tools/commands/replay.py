"""`schiri replay`: the command line of the replay (TRANSCRIPT.md)."""

import re

import click

from host_tools.commands.options import JSON
from host_tools.core.command_line import asked_language, command, never_with, only_with
from host_tools.core.errors import Exit, UserError
from host_tools.sim.vm import ready_engine

_OF_JOURNAL = re.compile(rb"\s*[0-9a-f]{8} ")
"""Every line of a journal begins with its checksum."""


@command()
@click.argument("file")
@JSON
@click.option(
    "--check", is_flag=True, help="Compare with the answers in FILE; exit 1 if they differ."
)
@click.option(
    "--engine",
    type=click.Choice(["cpython", "micropython"]),
    default="cpython",
    show_default=True,
    callback=ready_engine,
    help="The interpreter that computes the answers.",
)
@click.option("--transcript", is_flag=True, help="Print the transcript inside a journal.")
@click.option("--watch", is_flag=True, help="Step through the match in a browser.")
@click.option("--at", type=click.IntRange(min=0), default=0, help="With --watch: begin here.")
@click.option("--after", is_flag=True, help="Who won and why: the page after the match.")
@only_with("--at", "--watch")
@never_with("--watch", "--after", "--check", "--json", "--engine")
@never_with("--after", "--check", "--json", "--engine")
@never_with("--transcript", "--watch", "--after", "--check", "--json", "--engine")
def replay(
    file: str,
    as_json: bool,
    check: bool,
    engine: str,
    transcript: bool,
    watch: bool,
    at: int,
    after: bool,
) -> None:
    """Recompute the verdicts of a match from FILE: a transcript (- for stdin) or the journal of a
    box. Whether a journal is genuine says `schiri verify FILE`. With --json one answer line per
    command, then the result.

    \b
    schiri replay match.ndjson
    schiri replay --check m000001.end
    """
    lang = asked_language()
    if watch or after:
        from host_tools.web.table.serving import watch_file

        watch_file(file, at, lang, after)
        return
    from host_tools.replay.engines import recompute
    from host_tools.replay.reading import read_bytes, read_transcript

    # --check tells in a sentence, --json in answers: there is one stdout
    if as_json and check:
        raise UserError("json_or_check")
    name = "stdin" if file == "-" else click.format_filename(file)
    data = _transcript_in(read_bytes(file), name)
    if transcript:
        click.echo(data, nl=False)
        return
    found = read_transcript(data, name)
    lines = recompute(found, engine)
    if check:
        from host_tools.replay.comparing import first_difference
        from host_tools.replay.wording import tell_difference

        difference = first_difference(found, lines)
        _print([tell_difference(name, difference, len(found.steps), lang)])
        if difference is not None:
            raise UserError("replay_differs", Exit.CHECK, file=name)
    elif as_json:
        _print(lines)
    else:
        from host_tools.replay.wording import tell

        _print(tell(found, lines, lang))


def _transcript_in(data: bytes, name: str) -> bytes:
    """The transcript of a journal; anything else as it is. Raises UserError."""
    if not _OF_JOURNAL.match(data):
        return data
    from host_tools.store.journal.reading import read_journal

    journal = read_journal(data)
    if journal.header is None:
        raise UserError("play_not_a_record", name=name)
    return "".join(f"{line}\n" for line in journal.transcript()).encode()


def _print(lines: list[str]) -> None:
    """UTF-8 whatever the locale, as TRANSCRIPT.md wants it."""
    click.echo("".join([line + "\n" for line in lines]).encode(), nl=False)
