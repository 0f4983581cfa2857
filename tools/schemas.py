"""`make schemas`: the JSON Schemas below docs/, from the types that are read and printed.

What a command prints with `--json` is in its return type, `CommandReport[…]`, or in `prints`.
"""

import inspect
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import msgspec

from host_tools.cli import NAME, schiri
from host_tools.commands.options import CommandReport
from host_tools.core.command_line import taken_by
from host_tools.core.errors import ErrorReport
from host_tools.core.json_types import with_plain_descriptions
from host_tools.tournament.model import Tournament
from host_tools.web.desk.feed_pages import feed_schema_content

DOCS = Path(__file__).parents[1] / "docs"
LINES = {
    "schiri replay": "a line an answer, then the result (TRANSCRIPT.md)",
}
"""What prints lines with `--json`: only what a page of records fixes."""


@cache
def shapes() -> dict[str, tuple[Any, ...]]:
    """Command with `--json` -> the types of the one document that it prints."""
    return {
        path: tuple(dict.fromkeys(_shapes(command)))
        for path, command in _commands(NAME, schiri)
        if path not in LINES and "as_json" in taken_by(command)
    }


def _commands(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None, name
            yield from _commands(f"{path} {name}", inner)


def _shapes(command: click.Command) -> Iterator[Any]:
    assert command.callback is not None
    yield from _returned(command.callback)
    for shape in getattr(command.callback, "prints", ()):
        yield from _returned(shape) if inspect.isfunction(shape) else (shape,)


def _returned(function: Callable[..., Any]) -> Iterator[Any]:
    """The types of data in what a function returns: `CommandReport[Any]` says nothing."""
    # no hints of parameters: their types may be imported for the type checker only
    hint = inspect.unwrap(function).__annotations__.get("return")
    for part in (hint, *get_args(hint)):
        if get_origin(part) is CommandReport and get_args(part) != (Any,):
            yield from get_args(part)


def fits(command: str, data: object) -> bool:
    """Whether `data`, as JSON has it, is what `command` prints: nothing missing, nothing more."""
    return any(_fits(shape, data) for shape in shapes()[command])


def _fits(shape: Any, data: object) -> bool:
    try:
        # there and back: `convert` passes over fields that the shape does not have
        return bool(json.loads(msgspec.json.encode(msgspec.convert(data, shape))) == data)
    except msgspec.ValidationError:
        return False


# -- the files ------------------------------------------------------------------------------------


def _written(schema: Any) -> bytes:
    plain = with_plain_descriptions(schema)
    return msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"


def tournament() -> bytes:
    """The schema of `schiri-tournament/1`."""
    return _written(msgspec.json.schema(Tournament))


def printed() -> bytes:
    """Of every command what it prints; `error`: on stderr."""
    every = [shape for several in shapes().values() for shape in several]
    # in one call, so that shapes share what they consist of; they come back in this order
    found, parts = msgspec.json.schema_components(
        [*every, ErrorReport], ref_template="#/$defs/{name}"
    )
    each = iter(found)
    commands = {
        name: {"anyOf": [next(each) for _ in several]} for name, several in shapes().items()
    }
    return _written(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "What schiri prints with --json: one document a call",
            "commands": dict(sorted(commands.items())),
            "error": next(each),
            "$defs": parts,
        }
    )


SCHEMAS: dict[str, Callable[[], bytes]] = {
    "schiri-tournament-1.schema.json": tournament,
    "feed-1.schema.json": lambda: feed_schema_content().data,
    "json.schema.json": printed,
}
"""File below docs/ -> what makes it."""


if __name__ == "__main__":
    for name, make in SCHEMAS.items():
        (DOCS / name).write_bytes(make())
