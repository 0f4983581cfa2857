"""Who may use the desk: names, roles, argon2 hashes, and the secret that signs session cookies.

They lie in a file of their own that only its owner may read, not in the database: the database of
a tournament is copied to sticks and handed on.
"""

import hashlib
import secrets
from base64 import b64encode
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from host_tools.core.errors import UserError, decode_reason
from host_tools.core.own_files import write_privately, written_below
from host_tools.tournament.fields import line
from host_tools.tournament.operations import role_for
from host_tools.tournament.rights import Role, includes

SHORTEST_PASSWORD = 8
"""NIST SP 800-63B, 5.1.1.2."""
FORMAT = "schiri-desk-users/1"
# argon2id with the library's defaults, the second recommended option of RFC 9106, 4
_hasher = PasswordHasher()


def _hash_of_nobody() -> str:
    """Checked for unknown names, so that an answer takes as long whether the name exists or not:
    the form of a hash with random bytes in it, which no password is known for. To hash one would
    hold up every start.
    """
    cost = f"m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
    salt, digest = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        for size in (_hasher.salt_len, _hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${digest}"


@dataclass(frozen=True)
class User:
    """One user; `hash` is argon2id with its parameters and salt."""

    name: str
    role: Role
    hash: str = field(repr=False)
    only: tuple[str, ...] = ()
    """The tournaments that it is for; none: all."""

    def has(self, role: Role) -> bool:
        """True if this user's role includes `role`."""
        return includes(self.role, role)

    def may(self, action: str, name: str = "", value: object = "") -> bool:
        """True if the role is enough for `action`, with `value` in the field `name`."""
        return self.has(role_for(action, name, value))

    @property
    def mark(self) -> str:
        """Changes with the password: sessions from before it end."""
        return hashlib.sha256(self.hash.encode()).hexdigest()[:16]


class _File(msgspec.Struct):
    format: str
    secret: str
    users: list[User]


class Accounts:
    """The users of one file; a missing file has none. Changes on disk are seen at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: tuple[int, _File] | None = None

    def _load(self) -> _File:
        try:
            # checked on every request, parsed after a change: other desks write this file, too
            stamp = self.path.stat().st_mtime_ns
            if self._read is None or self._read[0] != stamp:
                self._read = (stamp, msgspec.json.decode(self.path.read_bytes(), type=_File))
        except FileNotFoundError:
            return _File(FORMAT, "", [])
        except OSError as error:
            raise UserError("file_unreadable", path=self.path, system=error) from error
        except msgspec.DecodeError as error:
            raise UserError(
                "users_damaged", path=self.path, detail=decode_reason(error)
            ) from error
        return self._read[1]

    def _save(self, users: list[User]) -> None:
        # kept: another one would log everybody out
        secret = self._load().secret or secrets.token_hex(32)
        data = msgspec.json.encode(_File(FORMAT, secret, users))
        with written_below(self.path):
            write_privately(self.path, msgspec.json.format(data, indent=1).decode())

    @property
    def secret(self) -> str:
        """Signs session cookies; made with the first user."""
        if not self._load().secret:
            self._save(self._load().users)
        return self._load().secret

    def users(self) -> list[User]:
        """All users in the order in which they were added."""
        return list(self._load().users)

    def find(self, name: str) -> User | None:
        return next((user for user in self._load().users if user.name == name), None)

    def add(self, name: str, role: Role, password: str, only: tuple[str, ...] = ()) -> None:
        """A new user. Raises UserError for a taken name or a password that is too short."""
        # the login's form reads names so: nobody could log in with any other
        if not name or name != line()(name):
            raise UserError("user_nameless")
        if self.find(name) is not None:
            raise UserError("user_exists", user=name)
        self._save([*self.users(), User(name, role, _hash(password), only)])

    def change(
        self, name: str, role: Role | None, password: str | None, only: tuple[str, ...] = ()
    ) -> None:
        """Another role with its tournaments, or another password, with which sessions of that
        user end; None leaves it.
        """
        changed = self._known(name)
        if role is not None:
            changed = replace(changed, role=role, only=only)
        if password is not None:
            changed = replace(changed, hash=_hash(password))
        self._save([changed if user.name == name else user for user in self.users()])

    def remove(self, name: str) -> None:
        """That user may not log in any more; their sessions end."""
        self._known(name)
        self._save([user for user in self.users() if user.name != name])

    def _known(self, name: str) -> User:
        user = self.find(name)
        if user is None:
            raise UserError("no_user", user=name)
        return user

    def check(self, name: str, password: str) -> User | None:
        """The user if the password is right. Takes a tenth of a second on purpose."""
        user = self.find(name)
        try:
            _hasher.verify(user.hash if user else _hash_of_nobody(), password)
        except (VerificationError, InvalidHashError):  # a damaged hash lets nobody in
            return None
        return user


def _hash(password: str) -> str:
    if len(password) < SHORTEST_PASSWORD:
        raise UserError("password_short", shortest=SHORTEST_PASSWORD)
    return _hasher.hash(password)
