"""The command line `schiri`: a thin door to the library. Commands load when they are called."""

import sys
from collections.abc import Sequence

import click

from host_tools.core.errors import UserError
from host_tools.core.lazy_group import LazyGroup

# name -> "module:function"; a command's help comes from its own docstring
COMMANDS = {
    "demo": "host_tools.commands.demo:demo",
    "play": "host_tools.commands.play:play",
    "desk": "host_tools.commands.desk:desk",
    "slip": "host_tools.commands.slip:slip",
    "tag": "host_tools.commands.tag:tag",
    "provision": "host_tools.commands.provision:provision",
    "keys": "host_tools.commands.keys:keys",
    "boards": "host_tools.commands.boards:boards",
    "decks": "host_tools.commands.decks:decks",
    "firmware": "host_tools.commands.firmware:firmware",
    "twin": "host_tools.commands.twin:twin",
    "tournament": "host_tools.commands.tournament.group:tournament",
    "box": "host_tools.commands.box:box",
    "sync": "host_tools.commands.sync:sync",
    "results": "host_tools.commands.results:results",
    "journal": "host_tools.commands.journal:journal",
    "replay": "host_tools.commands.replay:replay",
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
