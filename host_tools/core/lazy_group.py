"""A click group that imports a command when it is called: `schiri --help` stays quick."""

import importlib
from typing import Any

import click


class LazyGroup(click.Group):
    """`places`: name → "module:function"; a command's help comes from its own docstring."""

    def __init__(self, *args: Any, places: dict[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self._places.get(cmd_name)
        if place is None:
            return None
        module, function = place.split(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        return command
