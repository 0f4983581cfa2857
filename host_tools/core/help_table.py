"""What `--help`, Tab and the man pages show, without loading what they are about.

`help.json` is made from the commands themselves (`make helps`, a test compares): loading all of
them takes over a second, reading the table a few milliseconds. A call that wants more than help is
answered by the real commands.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from host_tools.core.command_line import Named
from host_tools.core.errors import Exit
from host_tools.core.texts import LANGS, as_spelt

VERSION = "--version"
PLACE = Path(__file__).with_name("help.json")
HELPS = Path(__file__).with_name("helps")
"""A gettext catalogue a language; its keys are the English texts. `make helps` puts it into the
table.
"""
SayHelp = Callable[[str], str]
"""A text of a help, in the language asked for."""
FRAME = (
    *("Usage", "Options", "Commands", "[OPTIONS]", "COMMAND [ARGS]..."),
    *("Show this message and exit.", "default", "required", "env var"),
)
"""What click says round the helps."""
AS_IT_STANDS = "\b\n"
"""Click's mark at a paragraph whose lines it shall not put together."""


class NotHelp(Exception):
    """The call is one for the real commands."""


# -- made from the commands -----------------------------------------------------------------------


def described(command: click.Command, context: click.Context) -> dict[str, Any]:
    """What `tree` needs of a command and of those below it."""
    entry: dict[str, Any] = {
        "help": paragraphs(command.help or ""),
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


def paragraphs(help: str) -> list[str]:
    """Each on one line, but for those whose lines stay as they are."""
    found = cleandoc(help).split("\n\n")
    return [each if each.startswith(AS_IT_STANDS) else " ".join(each.split()) for each in found]


def _record(option: click.Option, context: click.Context) -> list[str]:
    """Names, help, and what click puts behind it in brackets: `default: 1`, `required`."""
    record, help = option.get_help_record(context), option.help or ""
    if record is None:
        return []
    behind = record[1].removeprefix(help).strip()[1:-1]
    return [record[0], help, *behind.split("; ")] if behind else [record[0], help]


def _parameter(parameter: click.Parameter, context: click.Context) -> dict[str, Any]:
    option = isinstance(parameter, click.Option)
    entry: dict[str, Any] = {
        "name": parameter.name,
        "opts": parameter.opts if option else None,
        "off": parameter.secondary_opts,
        "nargs": parameter.nargs if parameter.nargs != 1 else None,
        "usage": None if option else parameter.get_usage_pieces(context),
        "record": _record(parameter, context) if isinstance(parameter, click.Option) else None,
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


def texts(table: dict[str, Any]) -> Iterator[str]:
    """Everything of a table that a language says in its own words."""
    yield from FRAME
    yield from (meaning for _, meaning in table["exits"])
    yield from _texts(table["program"])


def _texts(entry: dict[str, Any]) -> Iterator[str]:
    yield from (text.removeprefix(AS_IT_STANDS) for text in entry["help"] if not _is_example(text))
    if "epilog" in entry:
        yield entry["epilog"]
    yield from (each["record"][1] for each in entry["params"] if "record" in each)
    for below in entry.get("commands", {}).values():
        yield from _texts(below)


def _is_example(paragraph: str) -> bool:
    """Whether it holds only calls to be copied, a line each, and no comment."""
    lines = paragraph.removeprefix(AS_IT_STANDS).splitlines()
    return all(line.startswith("schiri ") and " # " not in line for line in lines)


# -- and shown ------------------------------------------------------------------------------------


def _first_sentence(paragraph: str) -> str:
    """The line of a command in the list of its group, whole."""
    end = paragraph.find(". ")
    return paragraph if end < 0 else paragraph[: end + 1]


class _Formatter(click.HelpFormatter):
    """Click's, with its headings in another language."""

    def __init__(self, say: SayHelp, **widths: int | None) -> None:
        super().__init__(**widths)  # type: ignore[arg-type]  # none of the others
        self._say = say

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or f"{self._say('Usage')}: ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(self._say(heading))


class _Context(click.Context):
    """Its object is what says a text."""

    def make_formatter(self) -> click.HelpFormatter:
        say = self.obj or str
        return _Formatter(say, width=self.terminal_width, max_width=self.max_content_width)


class _Shown(click.Command):
    context_class = _Context

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = (ctx.obj or str)(option.help)
        return option


class ListedGroup(_Shown, click.Group):
    """A group whose list of commands is not cut off."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [
            (name, _first_sentence((command.help or "").partition("\n\n")[0]))
            for name, command in commands
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


Names = Callable[[str, dict[str, Any]], list[str]]
_MAYBE_FILES = ("deck", "board")  # named by id or by a file


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
    def __init__(self, entry: dict[str, Any], names: Names, say: SayHelp) -> None:
        self._entry = entry
        self._say = say
        off = "/".join(entry.get("off", ()))
        opts = [f"{entry['opts'][0]}/{off}", *entry["opts"][1:]] if off else entry["opts"]
        is_flag, count = entry.get("flag", False), entry.get("count", False)
        takes_value = not (is_flag or count)
        super().__init__(
            # its name first, or click would derive one from its options
            [entry["name"], *opts],
            is_flag=is_flag or None,
            count=count,
            multiple=entry.get("many", False),
            nargs=entry.get("nargs", 1) if takes_value else None,
            type=_kind(entry, names) if takes_value else None,
        )

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if "record" not in self._entry:
            return None
        return self._entry["record"][0], what_it_does(self._entry["record"], self._say)


def what_it_does(record: list[str], say: SayHelp) -> str:
    """The help of an option, with its default and such."""
    _, help, *behind = record
    parts = (each.partition(": ") for each in behind)
    rest = "; ".join(f"{say(what)}{colon}{value}" for what, colon, value in parts)
    return f"{say(help)}  [{rest}]" if rest else say(help)


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
    # not judged here: the real command says what is wrong with a value
    return click.UNPROCESSED


def tree(
    entry: dict[str, Any], name: str, names: Names = _no_names, say: SayHelp = str
) -> click.Command:
    """A command that can say its help and complete itself, and nothing else; `names`: of a kind
    of things, with the options that are given.
    """
    context_settings = {"help_option_names": ["-h", "--help"]}
    params = [_shown(each, names, say) for each in entry["params"]]
    settings: dict[str, Any] = {
        "help": "\n\n".join(said(text, say) for text in entry["help"]),
        "epilog": say(entry.get("epilog", "")),
        "options_metavar": say("[OPTIONS]"),
        "params": params,
        "hidden": entry.get("hidden", False),
        "callback": _not_help,
        "context_settings": context_settings,
    }
    if "commands" not in entry:
        return _Shown(name, **settings)
    settings |= {"subcommand_metavar": say("COMMAND [ARGS]...")}
    below = {key: tree(each, key, names, say) for key, each in entry["commands"].items()}
    return ListedGroup(name, below, invoke_without_command=entry["bare"], **settings)


def said(paragraph: str, say: SayHelp) -> str:
    """A paragraph of the table in another language, with its mark."""
    mark = AS_IT_STANDS if paragraph.startswith(AS_IT_STANDS) else ""
    return mark + say(paragraph.removeprefix(mark))


def _shown(entry: dict[str, Any], names: Names, say: SayHelp) -> click.Parameter:
    return _Option(entry, names, say) if "opts" in entry else _Argument(entry, names)


def _not_help(**_values: object) -> None:
    if click.get_current_context().invoked_subcommand is None:  # a group runs before its command
        raise NotHelp


def read_table(path: Path = PLACE) -> dict[str, Any]:
    """The table. Raises OSError, ValueError."""
    table: dict[str, Any] = json.loads(path.read_text("utf8"))
    return table


def written(command: click.Command, name: str, words: Mapping[str, Mapping[str, str]]) -> str:
    """The table's text; `words`: language -> text -> what it is there."""
    context = click.Context(command, info_name=name)
    exits = [(int(each), each.meaning) for each in Exit]
    from importlib.metadata import version  # 20 ms that `--version` would wait for

    facts = {"version": version(name), "langs": LANGS, "exits": exits}
    table = {**facts, "program": described(command, context), "words": words}
    return json.dumps(table, ensure_ascii=False, indent=0) + "\n"


def sayer(table: dict[str, Any], lang: str) -> SayHelp:
    """Says a text of the table; one that the language lacks, in English."""
    words = table["words"].get(lang, {})
    return lambda text: as_spelt(words.get(text, text), lang)


def show(arguments: list[str], names: Names, lang: str) -> int:
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
    say = sayer(table, lang)
    program = tree(table["program"], "schiri", names, say)
    done = program.main(args=arguments, prog_name="schiri", standalone_mode=False, obj=say)
    return done if isinstance(done, int) else 0


def usage(context: click.Context, lang: str) -> str:
    """How a command is called, for one that was called wrongly."""
    try:
        say = sayer(read_table(), lang)
    except (OSError, ValueError):  # not made yet: in English
        say = str
    formatter = _Formatter(say)
    pieces = map(say, context.command.collect_usage_pieces(context))
    formatter.write_usage(context.command_path, " ".join(pieces))
    return formatter.getvalue().rstrip("\n")
