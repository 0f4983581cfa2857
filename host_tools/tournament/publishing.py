"""The event on other people's web space: what everybody may see, as files, sent when it changes.

A reader never sees half a file: each takes its place whole, and the page that leads to the others
comes last.
"""

import base64
import re
import subprocess
import urllib.request
from collections.abc import Callable
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import msgspec

from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import read_input, write_whole, written_below
from host_tools.tournament.export import site_files
from host_tools.tournament.feed import Feed, written
from host_tools.tournament.service import TournamentService

FRONT, FEED_FILE, LIST_FILE = "index.html", "feed-1.jsonl", "published.json"
"""The list names every file that was sent, so that what is no longer made can be removed."""
LONGEST_LIST = 1_000_000
"""Bytes of it that are read from a web space."""
REFRESH_S = 30
"""So often a page that somebody looks at is asked for again."""
LOOK_S = 1.0
"""So often the log is looked at."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
SEND_S = 30.0
"""So long one file may take."""
COMMAND_S = 300.0
"""So long the command of `--run` may take: it may carry the whole site over a slow line."""


class PublishTarget(Protocol):
    """Where files go. All raise UserError; `finish` is called when all of a round are there.
    `read`: b"" for a file that is not there; `remove` of such a file does nothing.
    """

    def read(self, name: str) -> bytes: ...
    def put(self, name: str, data: bytes) -> None: ...
    def remove(self, name: str) -> None: ...
    def finish(self) -> None: ...


class FolderTarget:
    """A folder, and a command that carries it on (`rsync …`), as a shell takes it."""

    def __init__(self, folder: Path, command: str = "") -> None:
        self._folder = folder
        self._command = command

    def read(self, name: str) -> bytes:
        path = self._folder / name
        return read_input(path) if path.exists() else b""

    def put(self, name: str, data: bytes) -> None:
        with written_below(self._folder / name):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / name, data)

    def remove(self, name: str) -> None:
        with written_below(self._folder / name):
            (self._folder / name).unlink(missing_ok=True)

    def finish(self) -> None:
        if not self._command:
            return
        try:
            # the organiser's own command line, typed at this machine: no input of others comes
            # near the shell
            subprocess.run(
                self._command, shell=True, check=True, timeout=COMMAND_S, capture_output=True
            )
        except subprocess.SubprocessError as error:
            said = getattr(error, "stderr", None) or str(error).encode()
            detail = said.decode(errors="replace").strip().splitlines()[-1:]
            raise UserError(
                "publish_command", Exit.SYSTEM, command=self._command, detail=" ".join(detail)
            ) from error


_NOT_THERE = (404, 410)


class HttpTarget:
    """A web space that takes files by PUT (WebDAV); name and password stand in its address."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._headers = {"Content-Type": "application/octet-stream"}
        if parts.username:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"
        # the password must not stand in the addresses that errors name
        host = parts.netloc.rpartition("@")[2]
        self._base = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))

    def read(self, name: str) -> bytes:
        return self._ask("GET", name)

    def put(self, name: str, data: bytes) -> None:
        self._ask("PUT", name, data)

    def remove(self, name: str) -> None:
        self._ask("DELETE", name)

    def _ask(self, method: str, name: str, data: bytes | None = None) -> bytes:
        """The answer, b"" if what is read or removed is not there. Raises UserError."""
        at = f"{self._base}/{quote(name)}"
        request = urllib.request.Request(at, data, self._headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=SEND_S) as answer:
                found: bytes = answer.read(LONGEST_LIST)
                return found
        except (OSError, HTTPException) as error:  # of them all that urllib raises
            code = getattr(error, "code", 0)
            # a space that takes files need not give them
            if (method == "GET" and code) or (method == "DELETE" and code in _NOT_THERE):
                return b""
            key = "publish_delete" if method == "DELETE" else "publish_put"
            raise UserError(key, Exit.SYSTEM, url=at, detail=str(error)) from error

    def finish(self) -> None:
        """Every file is there already."""


def target_of(where: str, command: str = "") -> PublishTarget:
    """The web space that somebody has named: an address or a folder."""
    if where.startswith(("http://", "https://")):
        return HttpTarget(where)
    return FolderTarget(Path(where), command)


class Publisher:
    """Sends what has changed since it was sent last. Not shared by threads."""

    def __init__(
        self, service: TournamentService, target: PublishTarget, lang: str, refresh_s: int = 0
    ) -> None:
        self._service = service
        self._target = target
        self._lang = lang
        self._refresh_s = refresh_s
        self._feed = Feed(service.id)
        self._sent: dict[str, str] = {}
        self._there: set[str] | None = None
        """What this or an earlier run has sent; None: not asked yet."""
        self._whole = False
        self.seq = 0
        """What has been sent is the tournament as of this event."""

    def publish(self) -> int:
        """Send, the front page last; how many files. Raises UserError: the next call goes on."""
        state = self._service.state
        self._feed.take(state.in_public())
        files = site_files(self._service, self._lang, self._refresh_s)
        files[FEED_FILE] = written(self._feed.since(0))
        marks = {name: sha256(data).hexdigest() for name, data in files.items()}
        self._list(set(files))
        new = [name for name in files if self._sent.get(name) != marks[name]]
        # False before True: the front page is last, so it never leads to what is not there yet
        for name in sorted(new, key=FRONT.__eq__):
            self._target.put(name, files[name])
            # one by one: if the line breaks, the next call goes on behind the last file
            self._sent[name] = marks[name]
            self._whole = False
        self._remove_others(set(files))
        # also if nothing is new: the command may have failed behind the last file
        if not self._whole:
            self._target.finish()
        self._whole, self.seq = True, state.seq
        return len(new)

    def _list(self, made: set[str]) -> None:
        """Write down what is about to be sent, beside what is there."""
        if self._there is None:
            self._there = _names_in(self._target.read(LIST_FILE))
        if not made <= self._there:
            self._there |= made
            self._put_list()

    def _remove_others(self, made: set[str]) -> None:
        """Take away what was sent before and is no longer made."""
        assert self._there is not None
        others = sorted(self._there - made)
        for name in others:
            self._target.remove(name)
            self._whole = False
        if others:
            self._there = made
            self._put_list()

    def _put_list(self) -> None:
        self._target.put(LIST_FILE, msgspec.json.encode(sorted(self._there or ())))

    def publish_always(
        self, tell: Callable[[int | UserError], None], wait: Callable[[float], object]
    ) -> None:
        """Again at every change, until `wait` raises. A web space that is down is asked again
        after a pause that grows, and told of once.
        """
        pause_s, failing = FIRST_PAUSE_S, False
        while True:
            try:
                if self.seq != self._service.last_seq():
                    tell(self.publish())
                pause_s, failing = FIRST_PAUSE_S, False
                wait(LOOK_S)
            except UserError as error:  # the database, too
                # told once: a web space that is down for an hour would fill the screen
                if not failing:
                    tell(error)
                failing = True
                wait(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


_PLAIN = re.compile(r"\w[\w.-]*")


def _names_in(data: bytes) -> set[str]:
    """The files of a list; none of it if it is damaged or somebody else's. A name never leads out
    of the folder.
    """
    try:
        names = msgspec.json.decode(data, type=list[str])
    except msgspec.DecodeError:
        return set()
    return {name for name in names if _PLAIN.fullmatch(name)} - {LIST_FILE}
