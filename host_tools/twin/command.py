"""The group `schiri twin`. Its commands load when they are called."""

import signal

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


def heed_signals() -> None:
    """SIGINT and SIGTERM end a command as Ctrl-C does: what was written to the tags is stored.

    A shell that starts a command in the background lets it ignore SIGINT.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
