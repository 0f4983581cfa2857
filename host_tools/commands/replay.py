"""`schiri replay`: the command line of the replay (TRANSCRIPT.md)."""

import click

from host_tools.core.command_line import json_option, lang_option, never_with, only_with
from host_tools.core.errors import Exit, UserError
from host_tools.sim.vm import ready_engine


@click.command()
@click.argument("file")
@json_option("One answer line per command, then the result.")
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
@lang_option("Language; default from the locale.")
@click.option("--watch", is_flag=True, help="Step through the match in a browser.")
@click.option("--at", type=click.IntRange(min=0), default=0, help="With --watch: begin here.")
@click.option("--after", is_flag=True, help="Who won and why: the page after the match.")
@only_with("--at", "--watch")
@never_with("--watch", "--after", "--check", "--json", "--engine")
@never_with("--after", "--check", "--json", "--engine")
def replay(
    file: str,
    as_json: bool,
    check: bool,
    engine: str,
    lang: str,
    watch: bool,
    at: int,
    after: bool,
) -> None:
    """Recompute the verdicts of a match from its transcript FILE (- for stdin).

    With --watch and --after FILE may be the journal of a box, too.

    schiri replay match.ndjson
    """
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
    transcript = read_transcript(read_bytes(file), name)
    lines = recompute(transcript, engine)
    if check:
        from host_tools.replay.comparing import first_difference
        from host_tools.replay.wording import tell_difference

        difference = first_difference(transcript, lines)
        _print([tell_difference(name, difference, len(transcript.steps), lang)])
        if difference is not None:
            raise UserError("replay_differs", Exit.CHECK, file=name)
    elif as_json:
        _print(lines)
    else:
        from host_tools.replay.wording import tell

        _print(tell(transcript, lines, lang))


def _print(lines: list[str]) -> None:
    """UTF-8 whatever the locale, as TRANSCRIPT.md wants it."""
    click.echo("".join([line + "\n" for line in lines]).encode(), nl=False)
