"""Access to the desk: sessions, roles, the token against forged forms, the book of logins.

A session is a signed cookie (HttpOnly, SameSite=Lax) that names the user; role and password are
looked up anew at every request, so a removed user is out at once.
"""

import hmac
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.requests import Request

from host_tools.core.errors import UserError
from host_tools.core.own_files import OWNER_ONLY, written_below
from host_tools.tournament.rights import Forbidden, Role
from host_tools.web.desk.accounts import Accounts, User
from host_tools.web.desk.forms import LOGIN, Posted
from host_tools.web.desk.limiter import Limiter

SESSION_S = 12 * 3600
"""A tournament day."""
LONGEST_NAME = 80
COOKIE, VENUE_COOKIE = "schiri_desk", "schiri_venue"
"""The session of one desk, and that of all desks of a process."""
HOME = "/desk"


@dataclass(frozen=True)
class DeskPlace:
    """Where a desk stands among those of its process. `at`: before all its addresses; `shared`:
    who is logged in at one is so at all; `around`: `at` and name of each tournament to switch to,
    itself among them; `limiter`: of logins, for all of them.
    """

    at: str = ""
    shared: bool = False
    around: Callable[[], list[tuple[str, str]]] = list
    limiter: Limiter | None = None


ALONE = DeskPlace()


class NeedsLogin(Exception):
    """Nobody is logged in; the visitor is led to the login page."""


class NotHere(Forbidden):
    """The account is for other tournaments."""


class LoginLog:
    """Who came and who was refused: one JSON object a line, beside the users."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._ended: set[str] = set()

    def write(self, user: str, address: str, what: str, session: str = "") -> None:
        """`what`: ok, refused, limited or out; `session`: the one that ends with "out"."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        line = {"at": at, "user": user[:LONGEST_NAME], "address": address, "what": what}
        if session:
            line["session"] = session
        with written_below(self._path):
            # O_APPEND and one short write: lines of two desks do not interleave
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
            with os.fdopen(handle, "a", encoding="utf8") as file:
                os.chmod(self._path, OWNER_ONLY)  # os.open gives its mode to a new file only
                file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def has_ended(self, session: str) -> bool:
        """True once somebody logged out of it, at this desk or another one with the same users."""
        if self._path.exists() and self._path.stat().st_size > self._read:
            with self._path.open("rb") as file:
                file.seek(self._read)
                news = file.read()
            whole = news[: news.rfind(b"\n") + 1]  # another desk may be halfway through a line
            self._read += len(whole)
            entries = (json.loads(line) for line in whole.splitlines())
            self._ended |= {entry["session"] for entry in entries if "session" in entry}
        return session in self._ended

    def last(self, most: int) -> list[dict[str, str]]:
        if not self._path.exists():
            return []
        lines = self._path.read_text(encoding="utf8").splitlines()[-most:]
        return [json.loads(line) for line in reversed(lines)]


class NotLetIn(NamedTuple):
    """Why a login was refused: `key` of the sentence, `wait_s` until the next try."""

    key: str
    status: int
    wait_s: int = 0


@dataclass
class Authenticator:
    """Lets people in. `now` is the time of day in seconds since the epoch; `tournament`: of the
    desk, "" where one is made.
    """

    accounts: Accounts
    book: LoginLog
    limiter: Limiter
    now: Callable[[], float]
    tournament: str = ""

    def user(self, request: Request) -> User | None:
        """Who this session belongs to, if it still counts."""
        session = request.session
        known = self.accounts.find(session.get("user", ""))
        if known is None or session.get("mark") != known.mark:
            return None
        if "id" not in session or self.book.has_ended(session["id"]):
            return None
        return known if self.now() - session.get("at", 0) < SESSION_S else None

    def require(self, request: Request, role: Role) -> User:
        """The user, who must have `role` here. Raises NeedsLogin or Forbidden."""
        user = self.user(request)
        if user is None:
            raise NeedsLogin
        if user.only and self.tournament not in user.only:
            raise NotHere(role)
        if not user.has(role):
            raise Forbidden(role)
        return user

    async def let_in(self, request: Request, form: Posted) -> NotLetIn | None:
        """Check name and password of the login's form; too many tries have to wait."""
        try:
            given = LOGIN.read(form.of(around=False))
        except UserError:
            return NotLetIn("login_failed", 401)
        return await self.log_in(request, given.user, given.password)

    async def log_in(self, request: Request, name: str, password: str) -> NotLetIn | None:
        address = address_of(request)
        wait_s = self.limiter.wait_s(address, name)
        if wait_s:
            if self.limiter.first_wait(address):  # once for each wait, not for each try
                self.book.write(name, address, "limited")
            return NotLetIn("login_limited", 429, wait_s)
        # counted before the slow check, so that many tries at once are not one
        self.limiter.failed(address, name)
        user = await anyio.to_thread.run_sync(self.accounts.check, name, password)
        if user is None:
            self.book.write(name, address, "refused")
            return NotLetIn("login_failed", 401)
        self.limiter.succeeded(address, name)
        self.book.write(name, address, "ok")
        lang = request.session.get("lang")
        request.session.clear()  # another session, another token: nothing of another user stays
        request.session.update(
            user=user.name, mark=user.mark, at=int(self.now()), id=secrets.token_urlsafe(12)
        )
        if lang:
            request.session["lang"] = lang
        return None

    def log_out(self, request: Request) -> None:
        if request.session.get("user"):
            known = request.session.get("id", "")
            self.book.write(request.session["user"], address_of(request), "out", known)
        request.session.clear()


def address_of(request: Request) -> str:
    return request.client.host if request.client else "?"


def token(request: Request) -> str:
    """The secret that every form of this session carries."""
    if "csrf" not in request.session:
        request.session["csrf"] = secrets.token_urlsafe(24)
    return str(request.session["csrf"])


def check_token(request: Request, given: str) -> None:
    """Raises Forbidden for a form that did not come from a page of this session."""
    expected = request.session.get("csrf", "")
    if not expected or not hmac.compare_digest(expected.encode(), given.encode()):
        raise Forbidden


def local(target: str) -> str:
    """Where to go after the login: a page of the desk, never somewhere else."""
    parts = urlsplit(target)
    # browsers treat a backslash as a slash: /\host would leave this site
    ours = not parts.scheme and not parts.netloc and "\\" not in target
    inside = parts.path == HOME or parts.path.startswith(HOME + "/")
    return target if ours and inside else HOME
