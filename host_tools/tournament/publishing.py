"""The event on other people's web space: what everybody may see, as files, sent when it changes.

A reader never sees half a file: each takes its place whole, and the page that leads to the others
comes last.
"""

import base64
import subprocess
import urllib.request
from collections.abc import Callable
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import write_whole, written_below
from host_tools.tournament.export import site_files
from host_tools.tournament.feed import Feed, written
from host_tools.tournament.service import TournamentService

FRONT, FEED_FILE = "index.html", "feed-1.jsonl"
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
    """Where files go. Both raise UserError; `finish` is called when all of a round are there."""

    def put(self, name: str, data: bytes) -> None: ...
    def finish(self) -> None: ...


class FolderTarget:
    """A folder, and a command that carries it on (`rsync …`), as a shell takes it."""

    def __init__(self, folder: Path, command: str = "") -> None:
        self._folder = folder
        self._command = command

    def put(self, name: str, data: bytes) -> None:
        with written_below(self._folder / name):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / name, data)

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

    def put(self, name: str, data: bytes) -> None:
        at = f"{self._base}/{quote(name)}"
        request = urllib.request.Request(at, data, self._headers, method="PUT")
        try:
            urllib.request.urlopen(request, timeout=SEND_S).close()
        except (OSError, HTTPException) as error:  # of them all that urllib raises
            raise UserError("publish_put", Exit.SYSTEM, url=at, detail=str(error)) from error

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
        new = [name for name in files if self._sent.get(name) != marks[name]]
        # False before True: the front page is last, so it never leads to what is not there yet
        for name in sorted(new, key=FRONT.__eq__):
            self._target.put(name, files[name])
            # one by one: if the line breaks, the next call goes on behind the last file
            self._sent[name] = marks[name]
            self._whole = False
        # also if nothing is new: the command may have failed behind the last file
        if not self._whole:
            self._target.finish()
        self._whole, self.seq = True, state.seq
        return len(new)

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
