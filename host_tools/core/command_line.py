"""The base of the command line: groups that load a command when it is called, and the options
`--lang` and `--json`, which say how an error is told too.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from host_tools.core.texts import LANGS, ORIGINAL, default_language

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass
class Asked:
    """What was asked for beside the command itself; no language: English errors."""

    lang: str = ""
    as_json: bool = False


def _asked(context: click.Context) -> Asked:
    """One for the program, made by whoever runs it to look at it afterwards."""
    return context.find_root().ensure_object(Asked)


def asked_language() -> str:
    """The language that was asked for; English if none was."""
    return _asked(click.get_current_context()).lang or ORIGINAL


def _language(context: click.Context, _option: click.Parameter, lang: str | None) -> str:
    asked = _asked(context)
    asked.lang = lang or asked.lang or default_language()
    return asked.lang


def _errors(context: click.Context, _option: click.Parameter, lang: str | None) -> None:
    _asked(context).lang = lang or ""


def _data(context: click.Context, _option: click.Parameter, as_json: bool) -> bool:
    _asked(context).as_json |= as_json
    return as_json


def lang_option(help: str) -> Callable[[Command], Command]:
    """`--lang` of a command that has texts in every language; the default is the locale's."""
    return click.option(
        "--lang", type=click.Choice(LANGS), callback=_language, is_eager=True, help=help
    )


def errors_option() -> Callable[[Command], Command]:
    """`--lang` of the whole program: the language of errors, also of commands without one."""
    return click.option(
        "--lang",
        type=click.Choice(LANGS),
        callback=_errors,
        is_eager=True,
        expose_value=False,
        help="Language of errors, and of a command's texts if it has them.",
    )


def json_option(help: str = "Print data for programs.") -> Callable[[Command], Command]:
    """`--json`, as `as_json`: an error is one object on stderr then."""
    return click.option(
        "--json", "as_json", is_flag=True, callback=_data, is_eager=True, help=help
    )


class LazyGroup(click.Group):
    """A group that imports a command when it is called, so that `schiri --help` stays quick.

    `places`: name → "module:function"; a command's help comes from its own docstring.
    """

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
