"""Passwords of the broker, drawn for each box when it is paired by cable, and for the hall itself.

What an opened box holds lets it be nobody else: neither another box nor the hall. A box that was
paired by a hall tag logs in with what the league key makes of its id.
"""

import hmac
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from host_tools.cards.keys import read_private
from host_tools.core import places
from host_tools.core.own_files import read_input, write_privately, written_below
from host_tools.hall import protocol

BYTES = 16
"""Length of a password; a box keeps it as 32 hex digits."""
_NO_LEAGUE = "-"
"""League of a box that is locked out."""


class Login(NamedTuple):
    """A password, and the id of the league whose topics its box uses ("": all)."""

    password: str
    league: str


def load_logins() -> dict[str, Login]:
    """User -> login, from a file that only its owner may read. Raises UserError."""
    path = places.broker_passwords()
    return read_private(path, _read) if path.exists() else {}


def _read(path: Path) -> dict[str, Login]:
    try:
        return msgspec.json.decode(read_input(path), type=dict[str, Login])
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error


def login_of_box(box: str, league: str) -> Login:
    """The login of a box, drawn if it has none yet; so are those of the hall then. Raises
    UserError.
    """
    known = load_logins()
    login = known.get(box)
    if login is None or login.league != league:
        login = known[box] = Login(secrets.token_hex(BYTES), league)
        for user in protocol.COMMON_USERS:
            known.setdefault(user, Login(secrets.token_hex(BYTES), ""))
        _save(known)
    return login


def lock_out(box: str) -> None:
    """Neither its password counts any more nor what the league key makes of its id, until it is
    paired again by cable; the others stay. Raises UserError.
    """
    known = load_logins()
    # a box named like one of the hall's own users must not lock the hall out
    if box not in protocol.COMMON_USERS and (box not in known or known[box].league != _NO_LEAGUE):
        _save({**known, box: Login(secrets.token_hex(BYTES), _NO_LEAGUE)})


def _save(known: Mapping[str, Login]) -> None:
    path = places.broker_passwords()
    with written_below(path):
        write_privately(path, msgspec.json.format(msgspec.json.encode(known), indent=1).decode())


def password(air: bytes, user: str, logins: Mapping[str, Login] | None = None) -> str:
    """What this user logs in with; `air`: the key of its league. Raises UserError."""
    own = (load_logins() if logins is None else logins).get(user)
    return own.password if own is not None else protocol.password(air, user)


def league_of(
    air: Mapping[str, bytes], user: str, given: str, logins: Mapping[str, Login] | None = None
) -> str | None:
    """The league of a user who gives this password, None for a wrong one. Raises UserError."""
    logins = load_logins() if logins is None else logins
    for league, key in air.items():
        own = logins.get(user)
        fits = own is None or own.league in ("", league)
        right = password(key, user, logins)
        # bytes, as compare_digest only takes ASCII text; "replace" is for lone surrogates
        if fits and hmac.compare_digest(right.encode(), given.encode("utf8", "replace")):
            return league
    return None
