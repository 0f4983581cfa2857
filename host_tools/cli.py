"""The command line `schiri`: a thin door to the library. Commands load when they are called."""

import sys
from collections.abc import Sequence

import click

from host_tools.errors import UserError
from host_tools.lazy_group import LazyGroup

# name -> "module:function"; a command's help comes from its own docstring
COMMANDS = {
    "demo": "host_tools.demo.command:demo",
    "play": "host_tools.play.command:play",
    "desk": "host_tools.desk.command:desk",
    "slip": "host_tools.slips.command:slip",
    "tag": "host_tools.tag_commands.command:tag",
    "provision": "host_tools.provision.command:provision",
    "keys": "host_tools.keys:keys",
    "boards": "host_tools.boards.command:boards",
    "decks": "host_tools.decks.command:decks",
    "firmware": "host_tools.firmware_build.command:firmware",
    "twin": "host_tools.twin.command:twin",
    "tournament": "host_tools.tournament.command:tournament",
    "box": "host_tools.box.command:box",
    "sync": "host_tools.sync_command:sync",
    "results": "host_tools.results:results",
    "journal": "host_tools.journal.command:journal",
    "replay": "host_tools.replay.command:replay",
}


@click.group(
    cls=LazyGroup, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="schiri")
def schiri() -> None:
    """Schiri: referee box for card tables, and the tournament desk."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `schiri`; a `UserError` becomes one sentence on stderr and its exit code."""
    try:
        schiri.main(args=list(arguments) if arguments is not None else None, prog_name="schiri")
    except UserError as error:
        click.echo(f"schiri: {error}", err=True)
        sys.exit(error.exit_code)
