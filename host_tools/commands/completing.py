"""What Tab offers where a name is wanted: decks, boards, keys, tournaments, boxes, ports. Read
quickly and quietly: what cannot be read has no names, and a server is not asked.
"""

import glob
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from host_tools.core import places
from host_tools.core.command_line import BOARD, BOX, DECK, KEY, PORT, TOURNAMENT

_SQLITE = "sqlite:///"
_WAIT_S = 0.05
"""So long for a database that somebody writes to."""
_PORTS = ("/dev/ttyACM*", "/dev/ttyUSB*", "/dev/cu.usbmodem*", "/dev/cu.usbserial*")


def names(what: str, given: dict[str, Any]) -> list[str]:
    """All names of `what`, a kind of core/command_line.py; `given`: the options before it."""
    try:
        return sorted(_READERS[what](given))
    except (OSError, ValueError, LookupError, TypeError, sqlite3.Error):
        return []


def _files(what: str) -> list[str]:
    from host_tools.cards.data_files import DataFiles

    files = DataFiles(what)
    return [*files.ids(), *files.own()]


def _keys(given: dict[str, Any]) -> list[str]:
    path = Path(given.get("path") or places.keys())
    return [key["name"] for key in json.loads(path.read_text("utf8"))["keys"]]


def _rows(query: str) -> Callable[[dict[str, Any]], list[str]]:
    def read(given: dict[str, Any]) -> list[str]:
        # `mode=ro`: Tab must not make a database; `as_uri`: a path may hold ? or %
        uri = f"{_database(given).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, _WAIT_S, uri=True)) as database:
            return [str(row[0]) for row in database.execute(query)]

    return read


def _database(given: dict[str, Any]) -> Path:
    """The file. Raises ValueError for what is none."""
    asked = given.get("db") or os.environ.get(places.DATABASE_VARIABLE) or places.database()
    if asked == places.PRACTICE:
        return places.practice_database()
    text = str(asked).removeprefix(_SQLITE)
    if "://" in text:
        raise ValueError("a server")
    return Path(text)


_READERS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    DECK.what: lambda _: _files("deck"),
    BOARD.what: lambda _: _files("board"),
    KEY.what: _keys,
    TOURNAMENT.what: _rows("SELECT id FROM tournaments"),
    BOX.what: _rows("SELECT id FROM boxes UNION SELECT box_id FROM live_boxes"),
    PORT.what: lambda _: [port for pattern in _PORTS for port in glob.glob(pattern)],
}
