"""Where Schiri keeps what it keeps: every file and folder that nobody named, in the folders that
the system has for it (docs/decisions/command-line.md). `schiri where` shows them.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import PlatformDirs

from host_tools.core.errors import UserError
from host_tools.core.own_files import read_text, write_privately, written_below

APP = "schiri"
PRACTICE = "practice"
"""What `--db` is given for the database of `schiri demo` and `schiri tournament simulate`."""
DATABASE_VARIABLE = "SCHIRI_DATABASE_URL"
KEYS_VARIABLE = "SCHIRI_KEYS"
_OLD_NAMES = {"slips.jsonl": "schiri-slips.jsonl", "tags.jsonl": "schiri-tags.jsonl"}
"""What earlier versions called them, in the folder in which they were run."""


def data() -> Path:
    """The user's own data."""
    # without False Windows gets a folder of the author's name above: schiri\schiri
    return PlatformDirs(APP, appauthor=False).user_data_path


def cache() -> Path:
    """What can be fetched again."""
    return PlatformDirs(APP, appauthor=False).user_cache_path


def practice() -> Path:
    """What practice leaves; may be deleted as a whole."""
    return data() / PRACTICE


def database() -> Path:
    """The database file, if nothing else is said."""
    return data() / "schiri.db"


def practice_database() -> Path:
    """The database of demo and simulated days."""
    return practice() / "schiri.db"


def slips(practised: bool = False) -> Path:
    """The book of result slips; the one of practice is another."""
    return (practice() if practised else data()) / "slips.jsonl"


def tags() -> Path:
    """The ledger of written tags."""
    return data() / "tags.jsonl"


def family() -> Path:
    """Who has won at the virtual table."""
    return data() / "family.jsonl"


def users() -> Path:
    """Who may log in at the desk."""
    return data() / "desk-users.json"


def keys() -> Path:
    """The league keys: SCHIRI_KEYS, else in the folder for settings, which on Windows follows the
    user from machine to machine.
    """
    named = os.environ.get(KEYS_VARIABLE)
    settings = PlatformDirs(APP, appauthor=False, roaming=True).user_config_path
    return Path(named) if named else settings / "keys.json"


def desk_key() -> Path:
    """The key with which this laptop signs, beside the league keys."""
    return keys().with_name("desk-key.json")


def practice_key() -> Path:
    """The key with which demo and simulated days sign."""
    return practice() / "desk-key.json"


def broker_passwords() -> Path:
    """The broker's passwords of hall and boxes, beside the league keys."""
    return keys().with_name("broker-passwords.json")


def seen_lists() -> Path:
    """Which published lists of keys were seen: what is lost with it is only a memory."""
    return PlatformDirs(APP, appauthor=False).user_state_path / "key-lists.json"


def files_of(what: str) -> Path:
    """The folder of the user's own decks or boards (`what`: deck, board): SCHIRI_DECKS or
    SCHIRI_BOARDS, else with the data.
    """
    return Path(os.environ.get(variable_of(what)) or data() / f"{what}s")


def variable_of(what: str) -> str:
    """SCHIRI_DECKS for decks."""
    return f"SCHIRI_{what.upper()}S"


# -- what earlier versions left in the current folder ---------------------------------------------


def left_here(place: Path) -> Path | None:
    """The file that an earlier version kept in the current folder instead of `place`."""
    old = Path(_OLD_NAMES[place.name])
    return old if old.is_file() else None


def take_over(place: Path) -> Path | None:
    """Bring what an earlier version kept in the current folder to `place`, in the order in which
    it was written; what is there already is not doubled. The old file is called `….old` then,
    where it can be. Returns it if anything was new. Raises UserError.
    """
    old = left_here(place)
    if old is None:
        return None
    # read where it is, it would make refusals depend on the current folder
    before, known = _lines(old), _lines(place) if place.exists() else []
    new = [line for line in before if line not in known]
    if new:
        merged = sorted([*new, *known], key=_written_at)  # stable: without a time as they stood
        with written_below(place):
            write_privately(place, "".join(f"{line}\n" for line in merged))
    with suppress(OSError):  # a folder that may only be read: the next time nothing of it is new
        old.replace(old.with_name(f"{old.name}.old"))
    return old if new else None


def _lines(path: Path) -> list[str]:
    """The entries of a book or ledger; a last one that was cut off by a power failure is none."""
    lines = read_text(path).splitlines()
    for number, line in enumerate(lines, 1):
        try:
            _fields(line)
        except ValueError as error:
            if number < len(lines):
                raise UserError("ledger_line", path=path, line=number) from error
            return lines[:-1]
    return lines


def _fields(line: str) -> dict[str, Any]:
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise ValueError("no entry")
    return fields


def _written_at(line: str) -> str:
    fields = _fields(line)
    return str(fields.get("at") or fields.get("read") or "")
