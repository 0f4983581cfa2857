"""Every place where Schiri keeps something, and what lies there: the last part of `schiri doctor`.

What reads a place is imported when it is looked at: the doctor runs where it may be missing.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import dataclass
from pathlib import Path

from host_tools.core.errors import UserError, in_words
from host_tools.core.texts import DATA_PLACES

KILO = 1000


@dataclass(frozen=True)
class DataPlace:
    """`bytes`: None where nothing is, or where a server has it; `variable` names the environment
    variable that says the path, if one does; `holds`: how many of what; `trouble`: why that cannot
    be said.
    """

    place: str
    path: str
    variable: str | None
    bytes: int | None
    holds: Mapping[str, int]
    trouble: str = ""


def _lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines() if line.strip()]


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
    try:
        if files and database is not None:
            from host_tools.store.database import counted_in

            holds = counted_in(database)
        elif files and entries is not None:
            holds = {"entries": len(entries(path))}
    except UserError as error:
        # told in its line: one damaged file hides no other place
        return DataPlace(name, str(path), named, size, {}, error.sentence)
    return DataPlace(name, str(path), named, size, holds)


def _database() -> DataPlace:
    from host_tools.core import places
    from host_tools.store.database import database_url
    from host_tools.store.database import where as told_where

    url = database_url(None)
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        return _look("database", path, None, places.DATABASE_VARIABLE, path)
    return DataPlace("database", told_where(url), places.DATABASE_VARIABLE, None, {})


def all_places() -> list[DataPlace]:
    """Every place. Raises ModuleNotFoundError where not all that Schiri needs is installed."""
    from host_tools.cards.data_files import DataFiles
    from host_tools.cards.keys import load_keys
    from host_tools.cards.seen_lists import load_seen
    from host_tools.core import places
    from host_tools.web.desk.accounts import Accounts

    def own(name: str, what: str) -> DataPlace:
        variable = places.variable_of(what)
        files = DataFiles(what)
        return _look(name, places.files_of(what), lambda _folder: files.own(), variable)

    return [
        _database(),
        _look("practice", places.practice(), database=places.practice_database()),
        _look("slips", places.slips(), _lines),
        _look("tags", places.tags(), _lines),
        _look("family", places.family(), _lines),
        _look("evening", places.evening()),
        _look("keys", places.keys(), lambda path: load_keys(path).keys, places.KEYS_VARIABLE),
        # this one and the next are not opened: a list of places has no need of secrets
        _look("desk_key", places.desk_key(), None, places.KEYS_VARIABLE),
        _look("passwords", places.broker_passwords(), None, places.KEYS_VARIABLE),
        _look("users", places.users(), lambda path: Accounts(path).users()),
        own("decks", "deck"),
        own("boards", "board"),
        _look("seen_lists", places.seen_lists(), lambda _path: load_seen()),
        _look("cache", places.cache()),
    ]


def described(found: list[DataPlace], lang: str) -> Iterator[str]:
    """Two lines a place, and where logs are."""
    words = DATA_PLACES[lang]
    yield words["heading"]
    for place in found:
        yield f"    {words[place.place]}: {place.path}"
        yield f"        {', '.join(_said(place, words, lang))}"
    yield f"    {words['logs']}"


def _said(place: DataPlace, words: Mapping[str, str], lang: str) -> Iterator[str]:
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
    if place.trouble:
        yield in_words(place.trouble, lang)
