"""The base of the command line: groups that load a command when it is called, and the options
`--lang` and `--json`, which say how an error is told too.
"""

import functools
import gc
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from click.exceptions import NoSuchCommand

from host_tools.core.errors import Exit, Sentence, UserError, recognised
from host_tools.core.texts import LANGS, default_language

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")


class Named(click.ParamType[str]):
    """A text that names something of which Tab knows the names (commands/completing.py)."""

    name = "text"

    def __init__(self, what: str) -> None:
        self.what = what


DECK, BOARD, KEY = Named("deck"), Named("board"), Named("key")
TOURNAMENT, BOX, PORT = Named("tournament"), Named("box"), Named("port")
PATH = click.Path(path_type=Path)
FILE, FOLDER = (
    click.Path(path_type=Path, dir_okay=False),
    click.Path(path_type=Path, file_okay=False),
)
PORT_NUMBER = click.IntRange(1, 65535)
LISTEN_PORT = click.IntRange(0, 65535)
"""0: any that is free, or none."""


@dataclass
class Asked:
    """What was asked for beside the command itself; no language: that of the locale."""

    lang: str = ""
    as_json: bool = False
    """Errors are objects."""
    document: bool = False
    """`--json`, at the command or at its group."""
    db: str | None = None


def _asked(context: click.Context) -> Asked:
    """One for the program, made by whoever runs it to look at it afterwards."""
    return context.find_root().ensure_object(Asked)


def asked_language() -> str:
    """The language that was asked for; that of the locale if none was."""
    return _asked(click.get_current_context()).lang or default_language()


def _language(context: click.Context, _option: click.Parameter, lang: str | None) -> str:
    asked = _asked(context)
    asked.lang = lang or asked.lang or default_language()
    return asked.lang


def _errors(context: click.Context, _option: click.Parameter, lang: str | None) -> None:
    _asked(context).lang = lang or ""


def _data(context: click.Context, _option: click.Parameter, as_json: bool) -> bool:
    asked = _asked(context)
    asked.document |= as_json
    asked.as_json |= as_json
    return asked.document


def _lines(context: click.Context, _option: click.Parameter, as_lines: bool) -> bool:
    _asked(context).as_json |= as_lines
    return as_lines


def _database(context: click.Context, _option: click.Parameter, db: str | None) -> str | None:
    asked = _asked(context)
    asked.db = db or asked.db
    return asked.db


def lang_option(help: str) -> Callable[[Function], Function]:
    """`--lang` of a command that has texts in every language; the default is the locale's."""
    # eager: a fault of any other option is told in this language
    return click.option(
        "--lang", type=click.Choice(LANGS), callback=_language, is_eager=True, help=help
    )


def errors_option() -> Callable[[Function], Function]:
    """`--lang` of the whole program: the language of errors, also of commands without one."""
    return click.option(
        "--lang",
        type=click.Choice(LANGS),
        callback=_errors,
        is_eager=True,
        expose_value=False,
        help="Language of what is said; default from the locale.",
    )


def json_option(help: str = "Print data for programs.") -> Callable[[Function], Function]:
    """`--json`, as `as_json`: an error is one object on stderr then."""
    return click.option(
        "--json", "as_json", is_flag=True, callback=_data, is_eager=True, help=help
    )


def json_lines_option(help: str) -> Callable[[Function], Function]:
    """`--json-lines`, as `as_lines`, of what goes on and on: a line whenever there is something.
    `--json` is always one document.
    """
    return click.option(
        "--json-lines", "as_lines", is_flag=True, callback=_lines, is_eager=True, help=help
    )


def db_option(is_above: bool = False) -> Callable[[Function], Function]:
    """`--db`; `is_above`: of a group, for the command that follows. It may stand at either."""
    return click.option(
        "--db",
        callback=_database,
        expose_value=not is_above,
        help="Database file or URL, or practice: that of demo and simulated days. Default:"
        " SCHIRI_DATABASE_URL, else your own.",
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
    one = next(one for one in context.command.params if called in _names(one))
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


# -- groups ---------------------------------------------------------------------------------------


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
        with _no_collection():
            command: click.Command = getattr(importlib.import_module(module), function)
        return command


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
