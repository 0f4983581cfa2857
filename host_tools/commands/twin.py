"""The group `schiri twin`. Its commands load when they are called."""

import click

from host_tools.core.command_line import LazyGroup

# name -> "module:function"
COMMANDS = {
    "box": "host_tools.sim.twin.box:box",
    "reader": "host_tools.sim.twin.reader:reader",
    "tag": "host_tools.sim.twin.tag:tag",
}


@click.group(cls=LazyGroup, places=COMMANDS)
def twin() -> None:
    """A box, a reader or tags in software: try everything without electronics."""
