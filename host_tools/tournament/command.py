"""`schiri tournament …`."""

import importlib
import json
import sys
from pathlib import Path

import click

from host_tools.errors import UserError
from host_tools.tournament.model import Tournament, read, read_file
from host_tools.tournament.standings import Compare

# name -> "module:function"; loaded when called
SUBCOMMANDS = {
    "standings": "host_tools.tournament.command:standings",
    "ko": "host_tools.tournament.command:ko",
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS:
            return None
        module, function = SUBCOMMANDS[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        return command


@click.group(cls=_Lazy)
def tournament() -> None:
    """Draw, play and rank a tournament."""


_file = click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
_as_json = click.option("--json", "as_json", is_flag=True, help="Print data for programs.")
_compare = click.option(
    "--compare",
    type=click.Choice(["raw", "per-match"]),
    default="raw",
    show_default=True,
    help="How players of unequal groups are compared across groups (TO-3).",
)


def _load(file: Path) -> Tournament:
    if str(file) == "-":
        return read(sys.stdin.buffer.read(), "standard input")
    return read_file(file)


@click.command()
@_file
@_as_json
@_compare
def standings(file: Path, as_json: bool, compare: Compare) -> None:
    """Group tables and the order of all players (TO-2) of a schiri-tournament/1 FILE.

    \b
    schiri tournament standings event.json
    schiri tournament standings --json event.json
    """
    from rich.console import Console

    from host_tools.tournament import files

    event = _load(file)
    if as_json:
        click.echo(json.dumps(files.standings_data(event, compare), ensure_ascii=False))
    else:
        files.print_standings(event, compare, Console())


@click.command()
@_file
@_as_json
@_compare
def ko(file: Path, as_json: bool, compare: Compare) -> None:
    """The knock-out tree (TO-3, TO-4) of a schiri-tournament/1 FILE: seeds, byes, who meets whom.

    \b
    schiri tournament ko event.json
    schiri tournament ko --json - < event.json
    """
    from rich.console import Console

    from host_tools.tournament import files
    from host_tools.tournament.ko import bracket_of

    event = _load(file)
    bracket, strays = bracket_of(event, compare)
    if strays:
        stray = strays[0]
        raise UserError(
            f"{file}: {stray.a} against {stray.b} in {stray.round!r} is no match of the tree; "
            "check the round's name, and whether earlier results lead there"
        )
    if as_json:
        click.echo(json.dumps(files.ko_data(bracket), ensure_ascii=False))
    else:
        files.print_ko(bracket, event, Console())
