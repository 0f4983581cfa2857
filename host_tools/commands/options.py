"""Options that several commands have, and how a command says what it found."""

import functools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Generic, TypedDict, TypeVar

import click

from host_tools.core.command_line import PORT as SERIAL_PORT
from host_tools.core.command_line import Function, asked_language, shared_option, takes
from host_tools.core.errors import Sentence, UserError, counted, in_words
from host_tools.core.faults import Fault
from host_tools.sim.vm import ready_engine

Data = TypeVar("Data")
Data_co = TypeVar("Data_co", covariant=True)
DB, JSON, BY = takes("db"), takes("as_json"), takes("by")


def _port_of_box(context: click.Context, _option: click.Parameter, port: str | None) -> str | None:
    if context.resilient_parsing:  # a shell completes the line
        return port
    from host_tools.box.finding import port_of_box  # few commands need pyserial

    return port_of_box(port)


_PORT: dict[str, Any] = {
    "type": SERIAL_PORT,
    "callback": _port_of_box,
    "help": "Serial port of the box, a pty, or a pyserial URL. Default: the only box there is.",
}
BOX_PORT = shared_option("--port", **_PORT)
"""Of `schiri box`; `PORT` is a command's that takes it."""
PORT = takes("port")
OWN_PORT = click.option("--port", **_PORT)
"""Of a command elsewhere."""
ENGINE = click.option(
    "--engine",
    type=click.Choice(["micropython", "cpython"]),
    callback=ready_engine,
    help="What runs the firmware; default: micropython, or cpython where that is not to be had.",
)


def own_file(place: Callable[[], Path]) -> Callable[..., Path | None]:
    """The value of an option that was not given: the user's own file."""

    def chosen(context: click.Context, _option: click.Parameter, said: Path | None) -> Path | None:
        return said if said is not None or context.resilient_parsing else place()

    return chosen


def ask_password() -> str:
    """Typed unseen."""
    return _unseen("password_ask")


def new_password() -> str:
    """Typed unseen, twice, until both are the same."""
    while (password := _unseen("password_ask")) != _unseen("password_again"):
        click.echo(Sentence("password_differs").said(asked_language()), err=True)
    return password


def _unseen(key: str) -> str:
    text = Sentence(key).said(asked_language())
    # an empty one is an answer: a Wi-Fi may be open
    return str(click.prompt(text, hide_input=True, default="", show_default=False))


def echo_json(data: object) -> None:
    """One JSON value on one line; a dataclass or a struct is an object."""
    click.echo(json.dumps(data, ensure_ascii=False, default=_as_object))


def _as_object(thing: object) -> Any:
    # `schiri doctor` prints dataclasses, and runs where nothing is installed but click
    if is_dataclass(thing):
        return {one.name: getattr(thing, one.name) for one in fields(thing)}
    import msgspec

    return msgspec.to_builtins(thing, enc_hook=str)  # a sentence, a path


def as_data(shape: type[Data], thing: object, **more: object) -> Data:
    """What a TypedDict names: `more`, and the rest as the attributes of `thing`."""
    names = shape.__annotations__
    made: Any = {name: more[name] if name in more else getattr(thing, name) for name in names}
    return made  # type: ignore[no-any-return]


def prints(*shapes: Any) -> Callable[[Function], Function]:
    """Name what a command prints with `--json` that is in no `CommandReport[…]` which it returns:
    types, or functions that return one. docs/json.schema.json is made from both.
    """

    def named(function: Function) -> Function:
        vars(function)["prints"] = shapes
        return function

    return named


@dataclass(frozen=True)
class CommandReport(Generic[Data_co]):
    """What a command found: `data` for programs; for people `lines`, texts or tables of rich.
    `error` is raised behind either.
    """

    data: Data_co
    lines: Iterable[object]
    error: UserError | None = None

    def show(self, as_json: bool) -> None:
        """Print it. Raises `error`."""
        if as_json:
            echo_json(self.data)
        else:
            for line in self.lines:
                echo_line(line)
        if self.error is not None:
            raise self.error


def echo_line(line: object, err: bool = False) -> None:
    """A text or sentence in the language asked for, or a table of rich."""
    if isinstance(line, str):
        click.echo(in_words(line, asked_language()), err=err)
        return
    from rich.console import Console  # most commands print no table

    Console(highlight=False, markup=False, stderr=err).print(line)


def reports(function: Callable[..., CommandReport[Any]]) -> Callable[..., None]:
    """A command that returns a CommandReport gets --json."""

    @JSON
    @functools.wraps(function)
    def command(*args: Any, as_json: bool, **options: Any) -> None:
        function(*args, **options).show(as_json)

    return command


class FileFault(TypedDict):
    line: int
    field: str
    text: str


class FileReport(TypedDict):
    file: str
    faults: list[FileFault]
    notes: list[str]


@dataclass(frozen=True)
class CheckedFile:
    """A deck or board file: `count` of its cards or tables, None with faults."""

    path: Path
    faults: Sequence[Fault]
    count: int | None
    notes: Sequence[str] = field(default=())


def report_files(files: Iterable[CheckedFile], what: str) -> CommandReport[Any]:
    """Every fault with line and field; exit code 1 if there is one. `what` is counted in them."""
    data, lines, faults = [], [], 0
    for file in files:
        found = [{"line": f.line, "field": f.field, "text": f.text} for f in file.faults]
        data.append(
            {"file": str(file.path), what: file.count, "faults": found, "notes": [*file.notes]}
        )
        lines += [fault.sentence for fault in file.faults]
        lines += [Sentence("note_at", path=file.path, detail=note) for note in file.notes]
        if not file.faults:
            lines.append(Sentence(f"checked_{what}", path=file.path, count=file.count))
        faults += len(found)
    error = counted("fault_found", "faults_found", faults) if faults else None
    return CommandReport(data, lines, error)
