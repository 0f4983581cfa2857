"""`schiri where`: every place where Schiri keeps something, and what lies there."""

import os
from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import dataclass
from pathlib import Path

from host_tools.cards.data_files import DataFiles
from host_tools.cards.keys import load_keys
from host_tools.cards.seen_lists import load_seen
from host_tools.commands.options import CommandReport, reports
from host_tools.core import places
from host_tools.core.command_line import asked_language, command
from host_tools.core.texts import WHERE

KILO = 1000


@dataclass(frozen=True)
class DataPlace:
    """`bytes`: None where nothing is, or where a server has it; `variable` names the environment
    variable that says the path, if one does; `holds`: how many of what.
    """

    place: str
    path: str
    variable: str | None
    bytes: int | None
    holds: Mapping[str, int]


def _lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines() if line.strip()]


def _own(what: str) -> Callable[[Path], Sized]:
    return lambda _folder: DataFiles(what).own()


def _look(
    name: str,
    path: Path,
    entries: Callable[[Path], Sized] | None = None,
    variable: str = "",
    database: Path | None = None,
) -> DataPlace:
    """What lies at `path`: its `entries`, or what is in the `database` there."""
    files = [file for file in (path, *path.rglob("*")) if file.is_file()]
    size = sum(file.stat().st_size for file in files) if files else None
    named = variable if os.environ.get(variable) else None
    holds: Mapping[str, int] = {}
    if files and database is not None:
        from host_tools.store.database import counted_in

        holds = counted_in(database)
    elif files and entries is not None:
        holds = {"entries": len(entries(path))}
    return DataPlace(name, str(path), named, size, holds)


def _database() -> DataPlace:
    from host_tools.store.database import database_url
    from host_tools.store.database import where as told_where

    url = database_url(None)
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        return _look("database", path, None, places.DATABASE_VARIABLE, path)
    return DataPlace("database", told_where(url), places.DATABASE_VARIABLE, None, {})


def all_places() -> list[DataPlace]:
    """Every place. Raises UserError for one that cannot be read."""
    from host_tools.web.desk.accounts import Accounts

    return [
        _database(),
        _look("practice", places.practice(), database=places.practice_database()),
        _look("slips", places.slips(), _lines),
        _look("tags", places.tags(), _lines),
        _look("family", places.family(), _lines),
        _look("keys", places.keys(), lambda path: load_keys(path).keys, places.KEYS_VARIABLE),
        # this one and the next are not opened: a list of places has no need of secrets
        _look("desk_key", places.desk_key(), None, places.KEYS_VARIABLE),
        _look("passwords", places.broker_passwords(), None, places.KEYS_VARIABLE),
        _look("users", places.users(), lambda path: Accounts(path).users()),
        _look("decks", places.files_of("deck"), _own("deck"), places.variable_of("deck")),
        _look("boards", places.files_of("board"), _own("board"), places.variable_of("board")),
        _look("seen_lists", places.seen_lists(), lambda _path: load_seen()),
        _look("cache", places.cache()),
    ]


@command()
@reports
def where() -> CommandReport[list[DataPlace]]:
    """Where Schiri keeps what it keeps, how much lies there, and which environment variable says
    so. Whoever deletes the folder of practice loses nothing else.

    \b
    schiri where
    schiri where --json
    """
    found = all_places()
    return CommandReport(found, _described(found, asked_language()))


def _described(found: list[DataPlace], lang: str) -> Iterator[str]:
    words = WHERE[lang]
    for place in found:
        yield f"{words[place.place]}: {place.path}"
        yield f"    {', '.join(_said(place, words))}"
    yield words["logs"]


def _said(place: DataPlace, words: Mapping[str, str]) -> Iterator[str]:
    if place.bytes is not None:
        # rounded up, or a small file would have 0 kB
        yield words["size"].format(size=-(-place.bytes // KILO))
    else:
        yield words["server" if "://" in place.path else "nothing"]
    if "matches" in place.holds:
        yield words["stored"].format(**place.holds)
    elif place.holds:
        yield words["entries"].format(count=place.holds["entries"])
    if place.variable:
        yield words["named"].format(variable=place.variable)
