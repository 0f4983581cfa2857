"""The group `schiri twin`. Its commands load when they are called."""

import importlib

import click

# name -> "module:function"
COMMANDS = {
    "box": "host_tools.twin.box:box",
    "reader": "host_tools.twin.reader:reader",
    "tag": "host_tools.twin.tag:tag",
}


class LazyGroup(click.Group):
    """A group whose commands are imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, function = place.split(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        return command


@click.group(cls=LazyGroup)
def twin() -> None:
    """A box, a reader or tags in software: try everything without electronics."""
