"""The group `schiri twin`. Its commands load when they are called."""

import click

from host_tools.lazy_group import LazyGroup

# name -> "module:function"
COMMANDS = {
    "box": "host_tools.twin.box:box",
    "pico": "host_tools.twin.pico:pico",
    "reader": "host_tools.twin.reader:reader",
    "tag": "host_tools.twin.tag:tag",
}


@click.group(cls=LazyGroup, places=COMMANDS)
def twin() -> None:
    """A box, a reader or tags in software: try everything without electronics."""
