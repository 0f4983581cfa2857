"""What `--help`, Tab and the man pages show, without loading what they are about.

`help.json` is made from the commands themselves (`make helps`, a test compares): loading all of
them takes over a second, reading the table a few milliseconds. A call that wants more than help is
answered by the real commands.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from host_tools.core.command_line import Named
from host_tools.core.errors import Exit
from host_tools.core.texts import LANGS

VERSION = "--version"
PLACE = Path(__file__).with_name("help.json")


class NotHelp(Exception):
    """The call is one for the real commands."""


# -- made from the commands -----------------------------------------------------------------------


def described(command: click.Command, context: click.Context) -> dict[str, Any]:
    """What `tree` needs of a command and of those below it."""
    entry: dict[str, Any] = {
        "help": command.help or "",
        "params": [_parameter(each, context) for each in command.params],
    }
    if command.epilog:
        entry["epilog"] = command.epilog
    if command.hidden:
        entry["hidden"] = True
    if isinstance(command, click.Group):
        entry["bare"] = command.invoke_without_command
        entry["commands"] = {
            name: described(found, click.Context(found, context, info_name=name))
            for name in command.list_commands(context)
            if (found := command.get_command(context, name)) is not None
        }
    return entry


def _parameter(parameter: click.Parameter, context: click.Context) -> dict[str, Any]:
    option = isinstance(parameter, click.Option)
    entry: dict[str, Any] = {
        "name": parameter.name,
        "opts": parameter.opts if option else None,
        "off": parameter.secondary_opts,
        "nargs": parameter.nargs if parameter.nargs != 1 else None,
        "usage": None if option else parameter.get_usage_pieces(context),
        "record": parameter.get_help_record(context),
        "flag": getattr(parameter, "is_flag", False),
        "count": getattr(parameter, "count", False),
        "many": getattr(parameter, "multiple", False),
    }
    if isinstance(parameter.type, Named):
        entry["names"] = parameter.type.what
    elif isinstance(parameter.type, click.Choice):
        entry["choices"] = [str(each) for each in parameter.type.choices]
    elif isinstance(parameter.type, click.Path | click.File):
        entry["path"] = "dir" if getattr(parameter.type, "file_okay", True) is False else "file"
    return {key: value for key, value in entry.items() if value}


# -- and shown ------------------------------------------------------------------------------------


def first_sentence(help: str) -> str:
    """The line of a command in the list of its group: the first sentence, whole."""
    paragraph = help.partition("\b")[0].strip().partition("\n\n")[0]
    words = " ".join(paragraph.split())
    end = words.find(". ")
    return words if end < 0 else words[: end + 1]


class ListedGroup(click.Group):
    """A group whose list of commands is not cut off."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [
            (name, first_sentence(command.help or ""))
            for name, command in commands
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


Names = Callable[[str, dict[str, Any]], list[str]]
_MAYBE_FILES = ("deck", "board")


def _no_names(_what: str, _given: dict[str, Any]) -> list[str]:
    return []


class _Argument(click.Argument):
    def __init__(self, entry: dict[str, Any], names: Names) -> None:
        self._entry = entry
        nargs = entry.get("nargs", 1)
        super().__init__([entry["name"]], nargs=nargs, required=False, type=_kind(entry, names))

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        return list(self._entry["usage"])


class _Option(click.Option):
    def __init__(self, entry: dict[str, Any], names: Names) -> None:
        self._entry = entry
        off = "/".join(entry.get("off", ()))
        opts = [f"{entry['opts'][0]}/{off}", *entry["opts"][1:]] if off else entry["opts"]
        is_flag, count = entry.get("flag", False), entry.get("count", False)
        takes_value = not (is_flag or count)
        super().__init__(
            [entry["name"], *opts],
            is_flag=is_flag or None,
            count=count,
            multiple=entry.get("many", False),
            nargs=entry.get("nargs", 1) if takes_value else None,
            type=_kind(entry, names) if takes_value else None,
        )

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = self._entry.get("record")
        return (record[0], record[1]) if record else None


class _Completed(Named):
    """The names come from whoever shows the table; without one of them a file may be meant."""

    def __init__(self, what: str, names: Names) -> None:
        super().__init__(what)
        self._names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        levels = (ctx.parent.params if ctx.parent else {}, ctx.params)
        known = {key: value for given in levels for key, value in given.items() if value}
        found = [name for name in self._names(self.what, known) if name.startswith(incomplete)]
        if not found and self.what in _MAYBE_FILES:
            return [CompletionItem(incomplete, "file")]
        return [CompletionItem(name) for name in found]


def _kind(entry: dict[str, Any], names: Names) -> click.ParamType[Any]:
    if "names" in entry:
        return _Completed(entry["names"], names)
    if "choices" in entry:
        return click.Choice(entry["choices"])
    if "path" in entry:
        return click.Path(file_okay=entry["path"] == "file")
    return click.UNPROCESSED


def tree(entry: dict[str, Any], name: str, names: Names = _no_names) -> click.Command:
    """A command that can say its help and complete itself, and nothing else; `names`: of a kind
    of things, with the options that are given.
    """
    context_settings = {"help_option_names": ["-h", "--help"]}
    params = [_shown(each, names) for each in entry["params"]]
    settings: dict[str, Any] = {
        "help": entry["help"],
        "epilog": entry.get("epilog"),
        "params": params,
        "hidden": entry.get("hidden", False),
        "callback": _not_help,
        "context_settings": context_settings,
    }
    if "commands" not in entry:
        return click.Command(name, **settings)
    below = {key: tree(each, key, names) for key, each in entry["commands"].items()}
    return ListedGroup(name, below, invoke_without_command=entry["bare"], **settings)


def _shown(entry: dict[str, Any], names: Names) -> click.Parameter:
    return _Option(entry, names) if "opts" in entry else _Argument(entry, names)


def _not_help(**_values: object) -> None:
    if click.get_current_context().invoked_subcommand is None:  # a group runs before its command
        raise NotHelp


def read_table(path: Path = PLACE) -> dict[str, Any]:
    """The table. Raises OSError, ValueError."""
    table: dict[str, Any] = json.loads(path.read_text("utf8"))
    return table


def written(command: click.Command, name: str) -> str:
    """The table's text."""
    context = click.Context(command, info_name=name)
    exits = [(int(each), each.meaning) for each in Exit]
    from importlib.metadata import version  # 20 ms that `--version` would wait for

    facts = {"version": version(name), "langs": LANGS, "exits": exits}
    table = {**facts, "program": described(command, context)}
    return json.dumps(table, ensure_ascii=False, indent=0) + "\n"


def show(arguments: list[str], names: Names) -> int:
    """Answer `--help`, `--version`, or a shell that completes a line; returns the exit code.

    Raises NotHelp, click.UsageError: ask the real commands.
    """
    try:
        table = read_table()
    except (OSError, ValueError) as error:  # not made yet
        raise NotHelp from error
    if table["langs"] != list(LANGS):  # a translator tries a new one
        raise NotHelp
    if arguments == [VERSION]:
        click.echo(f"schiri, version {table['version']}")
        return 0
    program = tree(table["program"], "schiri", names)
    done = program.main(args=arguments, prog_name="schiri", standalone_mode=False)
    return done if isinstance(done, int) else 0
