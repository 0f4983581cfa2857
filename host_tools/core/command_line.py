"""The base of the command line: groups that load a command when it is called, and the options
`--lang` and `--json`, which say how an error is told too.
"""

import ast
import functools
import gc
import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import click
from click.core import ParameterSource
from click.exceptions import NoSuchCommand
from click.shell_completion import CompletionItem

from host_tools.core.errors import Exit, Sentence, UserError, recognised
from host_tools.core.helps import HelpFormatter, first_sentence, paragraphs
from host_tools.core.texts import LANGS, default_language

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")
MakeOption = Callable[..., Callable[[Any], Any]]
"""`click.option`, or `shared_option` of a group."""


class Named(click.ParamType[str]):
    """A text that names something of which Tab knows the names (commands/completing.py)."""

    name = "text"
    known: ClassVar[list[Callable[[str, dict[str, Any]], list[str]]]] = []
    """What knows all names of a kind of things, by the options before it; host_tools.cli adds it.
    """

    def __init__(self, what: str, maybe_file: bool = False) -> None:
        self.what = what
        self._maybe_file = maybe_file

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        levels = (ctx.parent.params if ctx.parent else {}, ctx.params)
        given = {key: value for level in levels for key, value in level.items() if value}
        every = (name for known in self.known for name in known(self.what, given))
        found = [name for name in every if name.startswith(incomplete)]
        if not found and self._maybe_file:
            return [CompletionItem(incomplete, "file")]
        return [CompletionItem(name) for name in found]


DECK, BOARD = Named("deck", maybe_file=True), Named("board", maybe_file=True)
KEY = Named("key")
TOURNAMENT, BOX, PORT = Named("tournament"), Named("box"), Named("port")
PATH = click.Path(path_type=Path)
FILE, FOLDER = (
    click.Path(path_type=Path, dir_okay=False),
    click.Path(path_type=Path, file_okay=False),
)
PORT_NUMBER = click.IntRange(1, 65535)
LISTEN_PORT = click.IntRange(0, 65535)
"""0: any that is free, or none."""
SECONDS = click.FloatRange(0, 31 * 24 * 3600)
"""How long something runs, a month at most: a system's timers take no number of any size."""


@dataclass
class Asked:
    """What was asked for beside the command itself; no language: that of the locale."""

    lang: str = ""
    as_json: bool = False
    """Errors are objects."""


def _asked(context: click.Context) -> Asked:
    """One for the program, made by its caller to look at it afterwards."""
    return context.find_root().ensure_object(Asked)


def asked_language() -> str:
    """The language that was asked for; that of the locale if none was."""
    return _asked(click.get_current_context()).lang or default_language()


def _language(context: click.Context, _option: click.Parameter, lang: str | None) -> None:
    asked = _asked(context)
    asked.lang = lang or asked.lang


def _data(context: click.Context, _option: click.Parameter, as_json: bool) -> bool:
    _asked(context).as_json |= as_json
    return as_json


def json_lines_option(help: str) -> Callable[[Function], Function]:
    """`--json-lines`, as `as_lines`, of what goes on and on: a line whenever there is something.
    `--json` is always one document.
    """
    return click.option(
        "--json-lines", "as_lines", is_flag=True, callback=_data, is_eager=True, help=help
    )


def output_option(
    help: str, default: str | None = None, *, required: bool = False, folder: bool | None = False
) -> Callable[[Function], Function]:
    """`-o`, `--output`, as `output`: what a command makes of something else is written there.
    `folder`: it is one; None: it may be a file as well.
    """
    path = click.Path(path_type=Path, file_okay=folder is not True, dir_okay=folder is not False)
    # default=None is a default for click: nothing would be required any more
    more: dict[str, Any] = {"default": Path(default), "show_default": True} if default else {}
    return click.option("-o", "--output", type=path, required=required, help=help, **more)


def together(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Several decorators as one; options stand in the help in this order."""

    def decorate(function: Function) -> Function:
        # reversed: click lists first what was applied last
        return functools.reduce(lambda done, option: option(done), reversed(options), function)

    return decorate


# -- options without effect -----------------------------------------------------------------------


@dataclass(frozen=True)
class OptionPairing:
    """`option` has an effect only together with one of `others`, or with none of them. An argument
    is called as in the usage line.
    """

    option: str
    others: tuple[str, ...]
    together: bool

    def check(self, context: click.Context) -> None:
        """Raises UserError for a call in which it has none."""
        if not _is_given(context, self.option):
            return
        there = [other for other in self.others if _is_given(context, other)]
        if self.together and not there:
            raise UserError("option_alone", option=self.option, names=" / ".join(self.others))
        if not self.together and there:
            raise UserError("option_idle", option=self.option, other=there[0])


def only_with(option: str, *others: str) -> Callable[[Function], Function]:
    """A command that refuses `option` where none of `others` is given: it would do nothing."""
    return _paired(OptionPairing(option, others, together=True))


def never_with(option: str, *others: str) -> Callable[[Function], Function]:
    """A command that refuses `option` beside any of `others`: it would do nothing."""
    return _paired(OptionPairing(option, others, together=False))


def _paired(pairing: OptionPairing) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def command(*args: Any, **options: Any) -> Any:
            pairing.check(click.get_current_context())
            return function(*args, **options)

        command.pairings = (*pairings_of(function), pairing)  # type: ignore[attr-defined]
        return command  # type: ignore[return-value]  # it is called as the function is

    return decorate


def pairings_of(function: object) -> tuple[OptionPairing, ...]:
    """What `only_with` and `never_with` say of a command's function."""
    return getattr(function, "pairings", ())


def _is_given(context: click.Context, called: str) -> bool:
    """Whether somebody typed it. Raises StopIteration for what the command does not have."""
    one = next(one for one in context.command.get_params(context) if called in _names(one))
    name = one.name or ""
    if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
        return False
    flag = isinstance(one, click.Option) and bool(one.secondary_opts)  # --seal/--no-seal
    return not flag or context.params[name] is (called in one.opts)


def _names(parameter: click.Parameter) -> list[str]:
    if isinstance(parameter, click.Option):
        return [*parameter.opts, *parameter.secondary_opts]
    return [parameter.human_readable_name]


class Switch(click.Option):
    """`--seal/--no-seal`: both in one call are refused, where click takes the last."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        for opts, const in ((self.opts, True), (self.secondary_opts, False)):
            # appended, as click itself would keep the last one only
            parser.add_option(
                obj=self, opts=opts, dest=self.name, action="append_const", const=const
            )

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        said = opts.get(str(self.name))
        if isinstance(said, list):
            if len(set(said)) > 1:
                other = self.secondary_opts[0]
                raise UserError("option_idle", option=self.opts[0], other=other)
            opts = {**opts, str(self.name): said[-1]}
        return super().handle_parse_result(ctx, opts, args)


def named(option: str, pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """What several `option NAME=VALUE` say. UserError: a name twice, also with one value."""
    found: dict[str, Value] = {}
    for name, value in pairs:
        if name in found:
            raise UserError("option_twice", option=option, name=name)
        found[name] = value
    return found


def refuse_before(context: click.Context, *heeded: str) -> None:
    """For a group that is a command too: what stands before the name of one of its commands would
    do nothing, but for `heeded`. Raises UserError.
    """
    for parameter in context.command.params if context.invoked_subcommand else ():
        name = _names(parameter)[0]
        if name not in heeded and _is_given(context, name):
            command = f"{context.command_path} {context.invoked_subcommand}"
            raise UserError("option_before", option=name, command=command)


def confirmed(question: str, lang: str) -> bool:
    """Whether it was answered yes, in `lang` or in English; nothing typed is no."""
    yes, no = (Sentence(key).said(lang) for key in ("answer_yes", "answer_no"))
    asked = f"{question} [{yes[0]}/{no[0].upper()}]"
    while True:
        said = click.prompt(asked, default=no, show_default=False).strip().lower()
        if said in (yes, yes[0], "yes", "y"):
            return True
        if said in (no, no[0], "no", "n"):
            return False


# -- commands and groups --------------------------------------------------------------------------


class Context(click.Context):
    """Prints help in the language asked for."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.handed_on: list[str] = []
        """Shared options that were typed before the name of a command, as they were typed."""

    def make_formatter(self) -> click.HelpFormatter:
        lang = _asked(self).lang or default_language()
        widths = {"width": self.terminal_width, "max_width": self.max_content_width}
        return HelpFormatter(lang, **widths)


class SharedOption(click.Option):
    """An option of a group that the commands below it take too, if their function says so
    (`takes`). It may stand before or after the command's name, and is shown in the group's help.
    """

    def __init__(self, *args: Any, everywhere: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.everywhere = everywhere
        """Every command takes it; `takes` need not name it."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        name = str(self.name)
        if args and isinstance(ctx.command, SharingGroup) and isinstance(ctx, Context):
            # the command that follows judges it
            if name in opts:
                ctx.handed_on += self._typed(opts[name])
            if name in taken_by(ctx.command):
                ctx.params[name] = None  # of a group that is a command too, and is not called
            return None, args
        if name in opts and not (self.everywhere or name in taken_by(ctx.command)):
            raise click.NoSuchOption(self.opts[0], ctx=ctx)
        value, args = super().handle_parse_result(ctx, opts, args)
        if name not in taken_by(ctx.command):
            ctx.params.pop(name, None)
        return value, args

    def _typed(self, value: Any) -> list[str]:
        """The words that say it."""
        values = value if isinstance(value, list) else [value]
        if self.is_flag:
            return [self.opts[0] if one else self.secondary_opts[0] for one in values]
        return [word for one in values for word in (self.opts[0], str(one))]


class SharedSwitch(SharedOption, Switch):
    """`--seal/--no-seal` of a group's commands."""


def shared_option(
    *names: str, switch: bool = False, **settings: Any
) -> Callable[[Function], Function]:
    """Decorate a group with an option that it shares with its commands."""
    return click.option(*names, cls=SharedSwitch if switch else SharedOption, **settings)


def takes(*names: str) -> Callable[[Function], Function]:
    """A command's function that gets these shared options, by the names of their values."""

    def decorate(function: Function) -> Function:
        function.takes = {*getattr(function, "takes", ()), *names}  # type: ignore[attr-defined]
        return function

    return decorate


def lang_option() -> Callable[[Function], Function]:
    """`--lang`: every command takes it; `asked_language` is what it said."""
    # eager: a fault of any other option is told in this language
    return shared_option(
        "--lang",
        type=click.Choice(LANGS),
        callback=_language,
        is_eager=True,
        expose_value=False,
        everywhere=True,
        help="Language of what is said; default from the locale.",
    )


def json_option() -> Callable[[Function], Function]:
    """`--json`, as `as_json`: an error is one object on stderr then."""
    return shared_option(
        "--json",
        "as_json",
        is_flag=True,
        callback=_data,
        is_eager=True,
        help="Print data for programs.",
    )


def db_option() -> Callable[[Function], Function]:
    """`--db`, as `db`."""
    return shared_option(
        "--db",
        help="Database file or URL, or practice: that of demo and simulated days. Default:"
        " SCHIRI_DATABASE_URL, else your own.",
    )


def tournament_option(make: MakeOption = click.option) -> Callable[[Function], Function]:
    """`--tournament`; `make`: `shared_option` of a group."""
    help = "Which one; not needed if there is only one."
    return make("--tournament", "-t", type=TOURNAMENT, help=help)


def by_option(make: MakeOption = click.option) -> Callable[[Function], Function]:
    """`--by`, likewise."""
    return make("--by", help="Who does it; default: the name you are logged in with.")


def taken_by(command: click.Command) -> set[str]:
    """Names of the shared options that a command's function gets."""
    return getattr(command.callback, "takes", set())


def _shared(ctx: click.Context) -> Iterator[tuple[click.Context, list[SharedOption]]]:
    """The shared options of the groups above that a command takes, the nearest group first; a
    group hands on any of them.
    """
    command, above = ctx.command, ctx.parent
    own = {name for each in command.params for name in each.opts}
    while above is not None:
        found = [
            option
            for option in above.command.params
            if isinstance(option, SharedOption) and not own & {*option.opts}
        ]
        if not isinstance(command, SharingGroup):
            taken = taken_by(command)
            found = [one for one in found if one.everywhere or one.name in taken]
        own |= {name for each in found for name in each.opts}
        yield above, found
        above = above.parent


class SharingCommand(click.Command):
    """A command that takes the shared options of its groups."""

    context_class = Context

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        above = [option for _, found in _shared(ctx) for option in found]
        return [*above, *super().get_params(ctx)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # nothing but shared options before it: a bare group prints its help all the same
        if args or not self.no_args_is_help:
            args = [*getattr(ctx.parent, "handed_on", ()), *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [each for each in self.params if isinstance(each, click.Option)]
        own += filter(None, [self.get_help_option(ctx)])
        shared = [each for each in own if isinstance(each, SharedOption)]
        rest = [each for each in own if each not in shared]
        _write_options("Options", rest, ctx, formatter)
        _write_options("Shared options, before or after a command", shared, ctx, formatter)
        if isinstance(self, SharingGroup):
            self.format_commands(ctx, formatter)
        if line := self._also_takes(ctx, formatter):
            formatter.write_paragraph()
            formatter.write_text(line)

    def _also_takes(self, ctx: click.Context, formatter: click.HelpFormatter) -> str:
        """One line; a group says it only if it is a command too."""
        if isinstance(self, SharingGroup) and not self.invoke_without_command:
            return ""
        taken, parts = taken_by(self), []
        for above, found in _shared(ctx):
            names = [one.opts[0] for one in found if one.everywhere or one.name in taken]
            parts += [f"{', '.join(names)} (`{above.command_path} --help`)"] if names else []
        also = formatter.said("Also takes") if isinstance(formatter, HelpFormatter) else ""
        return f"{also} {', '.join(parts)}." if parts else ""


def _write_options(
    heading: str,
    options: Sequence[click.Option],
    ctx: click.Context,
    formatter: click.HelpFormatter,
) -> None:
    records = [record for one in options if (record := one.get_help_record(ctx)) is not None]
    if records:
        with formatter.section(heading):
            formatter.write_dl(records)


class SharingGroup(SharingCommand, click.Group):
    """A group of such commands."""

    command_class = SharingCommand
    group_class = type

    def summary(self, ctx: click.Context, name: str) -> str:
        """The first paragraph of a command's help."""
        command = self.get_command(ctx, name)
        return paragraphs(command.help or "")[0] if command else ""

    def _shown(self, ctx: click.Context) -> list[str]:
        hidden = {name for name, command in self.commands.items() if command.hidden}
        return [name for name in self.list_commands(ctx) if name not in hidden]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """All of them, uncut."""
        assert isinstance(formatter, HelpFormatter)
        names = self._shown(ctx)
        rows = [(name, first_sentence(formatter.said(self.summary(ctx, name)))) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Without loading a command."""
        names = [name for name in self._shown(ctx) if name.startswith(incomplete)]
        return [*map(CompletionItem, names), *click.Command.shell_complete(self, ctx, incomplete)]


def command(
    name: str | None = None, **settings: Any
) -> Callable[[Callable[..., Any]], SharingCommand]:
    """`click.command`, which takes the shared options of its groups."""
    return click.command(name, cls=SharingCommand, **settings)


def group(
    name: str | None = None, cls: type[SharingGroup] = SharingGroup, **settings: Any
) -> Callable[[Callable[..., Any]], SharingGroup]:
    """`click.group`, of such commands."""
    return click.group(name, cls=cls, **settings)


class LazyGroup(SharingGroup):
    """A group that imports a command when it is called or asked for help.

    `places`: name → "module:function"; a command's help comes from its own docstring. `has_docs`:
    the docstrings are read from the source for a list of all commands, and nothing is imported.
    """

    def __init__(
        self, *args: Any, places: dict[str, str], has_docs: bool = True, **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self._places = places
        self._has_docs = has_docs

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self._places.get(cmd_name)
        if place is None:
            return None
        module, function = place.split(":")
        with _no_collection():
            command: click.Command = getattr(importlib.import_module(module), function)
        return command

    def summary(self, ctx: click.Context, name: str) -> str:
        """From the source, where that has it: importing every command takes over a second."""
        if not self._has_docs:
            return super().summary(ctx, name)
        return paragraphs(_docstring(*self._places[name].split(":")))[0]


def _docstring(module: str, function: str) -> str:
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    tree = ast.parse(Path(found.origin).read_bytes())
    functions = (each for each in tree.body if isinstance(each, ast.FunctionDef))
    return ast.get_docstring(next(each for each in functions if each.name == function)) or ""


@contextmanager
def _no_collection() -> Iterator[None]:
    """What a module makes while it is loaded stays: to look through it for garbage, again and
    again, took a quarter of the time that a command needs to start.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


# -- what is wrong with a call --------------------------------------------------------------------


def asked_in(arguments: Sequence[str]) -> Asked:
    """What a call asked for that was wrong before its options were read."""
    langs = [
        after if word == "--lang" else word.removeprefix("--lang=")
        for word, after in pairwise([*arguments, ""])
        if word == "--lang" or word.startswith("--lang=")
    ]
    lang = langs[-1] if langs and langs[-1] in LANGS else ""
    return Asked(lang, bool({"--json", "--json-lines"} & set(arguments)))


def usage_error(error: click.UsageError) -> UserError:
    """A call that cannot be understood, as a sentence of the catalogues."""
    command = error.ctx.command_path if error.ctx else "schiri"
    return UserError("usage", Exit.INPUT, detail=_wrong(error), command=command)


def _wrong(error: click.UsageError) -> Sentence:
    if isinstance(error, click.NoSuchOption):
        if error.possibilities:
            near = sorted(error.possibilities)
            return Sentence("usage_no_option_near", name=error.option_name, ids=near)
        return Sentence("usage_no_option", name=error.option_name)
    if isinstance(error, NoSuchCommand):
        if near := _near(error):
            return Sentence("usage_no_command_near", name=error.command_name, ids=near)
        return Sentence("usage_no_command", name=error.command_name)
    # before BadParameter, of which it is a kind
    if isinstance(error, click.MissingParameter) and (error.param or error.param_hint):
        return Sentence("usage_missing", name=_called(error))
    if isinstance(error, click.BadParameter):
        value = recognised(error.message)
        if error.param is None and error.param_hint is None:
            return Sentence("usage_bad", detail=value)
        return Sentence("usage_bad_value", name=_called(error), detail=value)
    return Sentence("usage_other", detail=recognised(error.message))


def _near(error: NoSuchCommand) -> list[str]:
    group = error.ctx.command if error.ctx else None
    known = group.list_commands(error.ctx) if error.ctx and isinstance(group, click.Group) else []
    return get_close_matches(error.command_name, known)


def _called(error: click.BadParameter) -> str:
    """An option or argument as the help writes it."""
    hint = error.param_hint
    if hint is None and error.param is not None:
        hint = error.param.get_error_hint(error.ctx)
    words = [hint] if isinstance(hint, str) else list(hint or ())
    return " / ".join(words).replace("'", "")  # click: '-o' / '--output'
