"""League keys: made, shown and handed on; kept in a file that only its owner may read.

A league key (32 random bytes) seals cards and lets boxes and desk know each other's results.
docs/security.md says what it protects.
"""

import hashlib
import json
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from card_tags.seal import KEY_BYTES, tag_key_id
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.core.names import unsafe
from host_tools.core.own_files import read_input, write_privately, written_below

_FORMAT = 1
LONGEST_NAME = 40
"""Letters of a key's name; it stands in lists and on slips."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True)
class LeagueKey:
    """One key. `number` (1..255) is what stands on tags; `name` is for people. A retired one
    checks what it has sealed, and seals nothing more.
    """

    name: str
    secret: bytes = field(repr=False)
    retired: bool = False

    @property
    def number(self) -> int:
        return tag_key_id(self.secret)


@dataclass
class KeyRing:
    """All keys of a file; the last one that is not retired seals new cards."""

    keys: list[LeagueKey] = field(default_factory=list)

    @property
    def sealing(self) -> LeagueKey | None:
        """The key that seals new cards, if there is one."""
        return next((key for key in reversed(self.keys) if not key.retired), None)

    @property
    def current(self) -> LeagueKey:
        """The same. Raises UserError if there is none."""
        if self.sealing is None:
            raise UserError("key_all_retired" if self.keys else "key_none")
        return self.sealing

    def by_number(self) -> dict[int, bytes]:
        """What `card_tags.seal.verify` wants."""
        return {key.number: key.secret for key in self.keys}

    def find(self, name: str | None) -> LeagueKey:
        """The key of that name, or the newest. Raises UserError."""
        if name is None:
            return self.current
        for key in self.keys:
            if key.name == name:
                return key
        if not self.keys:
            raise UserError("key_unknown_none", name=name)
        raise UserError("key_unknown", name=name, ids=[key.name for key in self.keys])

    def choose(self, name: str) -> LeagueKey:
        """Let the key of that name seal new cards, a retired one again too. Raises UserError."""
        # to the end of the list: the last one seals
        key = replace(self.remove(name), retired=False)
        self.keys.append(key)
        return key

    def retire(self, name: str) -> LeagueKey:
        """Let the key of that name seal nothing more. Raises UserError."""
        key = self.find(name)
        retired = replace(key, retired=True)
        self.keys[self.keys.index(key)] = retired
        return retired

    def remove(self, name: str) -> LeagueKey:
        """Forget the key of that name. Raises UserError."""
        key = self.find(name)
        self.keys.remove(key)
        return key

    def add(self, key: LeagueKey) -> None:
        """Add a key whose name and number are new. Raises UserError."""
        check_name(key.name)
        for other in self.keys:
            if other.name == key.name or other.number == key.number:
                raise UserError("key_exists", name=other.name, number=other.number)
        self.keys.append(key)


def check_name(name: str) -> None:
    """Raises UserError for a name that a list could not show, or an option not take."""
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or unsafe(name):
        raise UserError("key_name", count=LONGEST_NAME)


def load_keys(path: Path | None = None) -> KeyRing:
    """The keys of a file, none without a file. Raises UserError, also if others may read it."""
    path = path or places.keys()
    return read_private(path, _read_ring) if path.exists() else KeyRing()


Read = TypeVar("Read")


def read_private(path: Path, read: Callable[[Path], Read]) -> Read:
    """What `read` makes of a file of secrets. Raises UserError, also if others may read it."""
    # Windows has no such bits: a file there has the rights of the user's folder
    if os.name == "posix" and path.stat().st_mode & _OTHERS:
        raise UserError("key_open", path=path)
    try:
        return read(path)
    except (ValueError, KeyError, TypeError) as error:
        raise UserError("key_file_none", path=path) from error


def save_keys(ring: KeyRing, path: Path) -> None:
    """Write a key file, readable by its owner only, all or nothing. Raises UserError."""
    entries = [_entry(key) for key in ring.keys]
    content = {"schiri_keys": _FORMAT, "keys": entries, "sum": _sum(entries)}
    with written_below(path):
        write_privately(path, json.dumps(content, indent=1))


def _entry(key: LeagueKey) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": key.name, "secret": key.secret.hex()}
    return {**entry, "retired": True} if key.retired else entry


def _sum(entries: list[dict[str, Any]]) -> str:
    """SHA-256 of the keys as they stand in the file; files of the first format have none."""
    return hashlib.sha256(json.dumps(entries).encode()).hexdigest()


def _read_ring(path: Path) -> KeyRing:
    content = json.loads(read_input(path))
    if content["schiri_keys"] != _FORMAT:
        raise ValueError("unknown format")
    if content.get("sum", _sum(content["keys"])) != _sum(content["keys"]):
        raise ValueError("damaged")  # else one wrong bit would make another key
    ring = KeyRing()
    for entry in content["keys"]:
        secret = bytes.fromhex(entry["secret"])
        if len(secret) != KEY_BYTES or not isinstance(entry["name"], str):
            raise ValueError("not a key")
        ring.keys.append(LeagueKey(entry["name"], secret, entry.get("retired", False) is True))
    return ring


def new_key(ring: KeyRing, name: str) -> LeagueKey:
    """A random key with a number that no other key of the ring has. Raises UserError."""
    check_name(name)
    while True:
        key = LeagueKey(name, secrets.token_bytes(KEY_BYTES))
        # tags name their key by one byte, so two keys may have the same
        if key.number not in ring.by_number():
            ring.add(key)
            return key
