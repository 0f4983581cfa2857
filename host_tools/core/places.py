"""Where Schiri keeps what it keeps: every file and folder that nobody named, in the folders that
the system has for it (docs/decisions/command-line.md). `schiri doctor` shows them.
"""

import os
from pathlib import Path

from platformdirs import PlatformDirs

APP = "schiri"
PRACTICE = "practice"
"""What `--db` is given for the database of `schiri demo` and `schiri tournament simulate`."""
DATABASE_VARIABLE = "SCHIRI_DATABASE_URL"
KEYS_VARIABLE = "SCHIRI_KEYS"


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


def evening() -> Path:
    """The tables of `schiri play`, as they stand; a second one at the same time has its own."""
    return data() / "evening"


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
