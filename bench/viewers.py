"""Many viewers of the public board behind nginx (deploy/site): who is let in, how late they see a
result, what desk and cache take for it.

    python -m bench.viewers 20000

A viewer asks as static/live.js does without a stream: every two seconds for the page, unless it is
as before. The desk, nginx and the viewers are processes of their own; what the viewers take is
said, because on one machine they take it from the others.
"""

import argparse
import asyncio
import gzip
import multiprocessing
import os
import random
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from rich.console import Console
from starlette.types import ASGIApp, Receive, Scope, Send

from bench.figure import Figure
from host_tools.core.errors import Exit
from host_tools.tournament.service import TournamentService
from host_tools.web.connections import allow_many_files
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.serving import LOOPBACK, listen, serve
from tests.support import programs
from tests.support.hall_day import open_day, open_matches, play

PLAYERS, TABLES = 128, 16
POLL_S = 2.0
PAUSE_S = 2.5
"""So long after each result."""
CONNECTS_A_SECOND, AT_ONCE = 1500, 100
LAST_S = 10.0
"""So long after the last result viewers may still be behind."""
MEDIAN_S, SHARE = 2.0, 0.10
LIMIT_S = 300.0
_ASK = b"GET /?lang=de HTTP/1.1\r\nHost: board\r\nx-live: 1\r\nAccept-Encoding: gzip\r\n"
_PLAYED = re.compile(r'<progress max="\d+" value="(\d+)"')


@dataclass
class ViewersRun:
    """What came out. `seen_s`: of every viewer and result, from stored to on the page; `behind`:
    pairs of them that had not come at the end.
    """

    let_in: int = 0
    refused: int = 0
    seen_s: list[float] = field(default_factory=list)
    behind: int = 0
    answers: int = 0
    bytes_in: int = 0
    seconds: float = 0.0
    desk_requests: int = 0
    share: dict[str, float] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)


# -- the viewers ----------------------------------------------------------------------------------


@dataclass
class _Connections:
    """What all viewers of a process have in common: an answer is read by the first one who gets
    it, so that thousands cost this process little.
    """

    played: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    """Body of a page -> so many results are on it, and the question whether there is another."""
    refused: int = 0
    answers: int = 0
    bytes_in: int = 0

    def read(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        """So many results, and what to ask next."""
        if body not in self.played:
            found = _PLAYED.search(_unpacked(body).decode())
            tag = re.search(rb"etag: ([^\r]+)", head, re.I)
            again = _ASK + (b"If-None-Match: %s\r\n" % tag[1] if tag else b"") + b"\r\n"
            self.played[body] = int(found[1]) if found else 0, again
        return self.played[body]


def _unpacked(body: bytes) -> bytes:
    return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body


class _CachedViewer(asyncio.Protocol):
    """A browser without the browser."""

    def __init__(self, connections: _Connections) -> None:
        self.connections = connections
        self.seen: dict[int, float] = {}
        """Results on the page -> since when (monotonic)."""
        self._data = b""
        self._question = _ASK + b"\r\n"
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._write = transport.write  # type: ignore[attr-defined]
        self._later = asyncio.get_running_loop().call_later
        self._later(random.random() * POLL_S, self._poll)

    def connection_lost(self, _error: Exception | None) -> None:
        self.closed = True

    def _poll(self) -> None:
        if not self.closed:
            self._write(self._question)

    def data_received(self, data: bytes) -> None:
        data = self._data + data
        head, found, body = data.partition(b"\r\n\r\n")
        status = head[9:12]
        if not found or (status != b"304" and not self._is_whole(head, body)):
            self._data = data
            return
        self._data = b""
        self.connections.answers += 1
        self.connections.bytes_in += len(data)
        self._answered(status, head, body)

    def _is_whole(self, head: bytes, body: bytes) -> bool:
        if body in self.connections.played:
            return True
        length = re.search(rb"content-length: (\d+)", head, re.I)
        return length is None or len(body) >= int(length[1])

    def _answered(self, status: bytes, head: bytes, body: bytes) -> None:
        if status == b"200":
            played, self._question = self.connections.read(head, body)
            self.seen.setdefault(played, time.monotonic())
        elif status != b"304":
            self.connections.refused += 1
            self._question = _ASK + b"\r\n"
        self._later(POLL_S * (0.75 + random.random() / 2), self._poll)


def _watch(count: int, port: int, pipe: Connection) -> None:
    """A process of viewers: says how many came in; at a word what they saw, and what it took."""
    allow_many_files(count + 256)
    asyncio.run(_watch_all(count, port, pipe))


async def _watch_all(count: int, port: int, pipe: Connection) -> None:
    loop, connections = asyncio.get_running_loop(), _Connections()
    viewers: list[_CachedViewer] = []

    async def come() -> None:
        with suppress(OSError):
            made = await loop.create_connection(lambda: _CachedViewer(connections), LOOPBACK, port)
            viewers.append(made[1])

    for first in range(0, count, AT_ONCE):
        await asyncio.gather(*(come() for _ in range(min(AT_ONCE, count - first))))
        await asyncio.sleep(AT_ONCE / CONNECTS_A_SECOND)
    await asyncio.sleep(2 * POLL_S)
    pipe.send(len([one for one in viewers if one.seen and not one.closed]))
    begun_s, begun = time.process_time(), time.monotonic()
    answers, bytes_in = connections.answers, connections.bytes_in
    await asyncio.to_thread(pipe.recv)
    share = (time.process_time() - begun_s) / (time.monotonic() - begun)
    seen = [one.seen for one in viewers if one.seen]
    took = connections.answers - answers, connections.bytes_in - bytes_in
    pipe.send((seen, connections.refused, *took, share))


# -- the desk -------------------------------------------------------------------------------------


class _Counted:
    """Middleware that counts what the desk is asked."""

    def __init__(self, app: ASGIApp, asked: "list[int]") -> None:
        self._app = app
        self._asked = asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._asked[0] += scope["type"] == "http"
        await self._app(scope, receive, send)


def _serve(tournament: str, folder: str, pipe: Connection) -> None:
    """The desk's process: at a word it says how often it was asked."""
    service = TournamentService.open(str(Path(folder) / "day.db"), tournament)
    listening = listen(LOOPBACK, 0)
    asked = [0]
    app = make_app(service, Accounts(Path(folder) / "users.json"))
    app.add_middleware(_Counted, asked=asked)
    pipe.send(listening.getsockname()[1])

    def tell() -> None:
        with suppress(EOFError):
            while pipe.recv():
                pipe.send(asked[0])

    threading.Thread(target=tell, daemon=True).start()
    serve(app, listening)


# -- the measurement ------------------------------------------------------------------------------


def run(
    viewers: int,
    results: int = 10,
    processes: int = 2,
    pause_s: float = PAUSE_S,
    last_s: float = LAST_S,
) -> ViewersRun:
    """Let the viewers in, enter results, ask them what they saw."""
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        service = open_day(str(folder / "day.db"), PLAYERS, tables=TABLES, ko_size=64)
        stack.callback(service.close)
        desk_pipe, theirs = context.Pipe()
        desk = context.Process(target=_serve, args=(service.id, str(folder), theirs), daemon=True)
        _begin(stack, desk)
        cache, port = stack.enter_context(programs.site_before(_heard(desk_pipe), folder))
        pipes = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            share = viewers // processes + (number < viewers % processes)
            _begin(stack, context.Process(target=_watch, args=(share, port, theirs), daemon=True))
            pipes.append(ours)
        found = ViewersRun(let_in=sum(_heard(pipe) for pipe in pipes))
        pids = {"desk": desk.pid or 0, "nginx": cache.pid}
        cpu = {name: programs.cpu_s(pid) for name, pid in pids.items()}
        begun, asked = time.monotonic(), _asked(desk_pipe)
        stored = _enter(service, results, pause_s)
        time.sleep(last_s)
        found.seconds = time.monotonic() - begun
        found.desk_requests = _asked(desk_pipe) - asked
        for name, pid in pids.items():
            found.share[name] = (programs.cpu_s(pid) - cpu[name]) / found.seconds
            found.memory[name] = programs.memory_mb(pid)
        for number, pipe in enumerate(pipes, 1):
            pipe.send(True)
            _take(found, f"viewers {number}", pipe.recv(), stored)
        return found


def _begin(stack: ExitStack, process: multiprocessing.context.SpawnProcess) -> None:
    process.start()
    stack.callback(process.join)
    stack.callback(process.terminate)


def _heard(pipe: Connection) -> int:
    if not pipe.poll(LIMIT_S):
        raise TimeoutError(f"a part of the measurement said nothing for {LIMIT_S} s")
    return int(pipe.recv())


def _asked(pipe: Connection) -> int:
    pipe.send(True)
    return _heard(pipe)


def _enter(service: TournamentService, results: int, pause_s: float) -> list[float]:
    """When each result was stored."""
    chance, stored = random.Random(2), []
    for match in open_matches(service.state)[:results]:
        play(service, match, chance)
        stored.append(time.monotonic())
        time.sleep(pause_s)
    return stored


def _take(
    found: ViewersRun,
    name: str,
    said: tuple[list[dict[int, float]], int, int, int, float],
    stored: Sequence[float],
) -> None:
    """What one process of viewers has to say."""
    seen, refused, answers, bytes_in, found.share[name] = said
    found.bytes_in += bytes_in
    found.refused, found.answers = found.refused + refused, found.answers + answers
    for one in seen:
        _compare(found, one, stored)


def _compare(found: ViewersRun, seen: dict[int, float], stored: Sequence[float]) -> None:
    """When each result was on one viewer's page, with it or with later ones."""
    for number, at in enumerate(stored, 1):
        shown = min((when for played, when in seen.items() if played >= number), default=None)
        if shown is None:
            found.behind += 1
        else:
            found.seen_s.append(shown - at)


def figures(viewers: int, found: ViewersRun) -> list[Figure]:
    """As the page of measurements has them."""
    middle = statistics.median(found.seen_s or [float("nan")])
    slow = sorted(found.seen_s or [float("nan")])[int(len(found.seen_s) * 0.99)]
    desk = found.share["desk"]
    return [
        Figure("viewers let in", found.let_in, "", f"{viewers}", found.let_in == viewers),
        Figure("stored → on a viewer's page, median", middle, "s", "≤ 2 s", middle <= MEDIAN_S),
        Figure("  99 of 100 viewers", slow, "s"),
        Figure("  not there at the end", found.behind, "", "0", found.behind == 0),
        Figure("answers to viewers", found.answers / found.seconds, "a second"),
        Figure("bytes to a viewer", found.bytes_in / found.seconds / viewers, "a second"),
        Figure("  errors among them", found.refused, "", "0", found.refused == 0),
        Figure("requests at the desk", found.desk_requests / found.seconds, "a second"),
        Figure("desk: share of a core", desk * 100, "%", "≤ 10 %", desk <= SHARE),
        *(
            Figure(f"{name}: share of a core", share * 100, "%")
            for name, share in found.share.items()
            if name != "desk"
        ),
        *(Figure(f"{name}: memory", size, "MB") for name, size in found.memory.items()),
    ]


def main() -> None:
    """Run from the command line; exit code 1 if something was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.viewers", description=__doc__)
    parser.add_argument("viewers", type=int, nargs="?", default=20_000)
    parser.add_argument("--results", type=int, default=10)
    chosen = parser.parse_args()
    programs.end_in_order()
    before = os.getloadavg()[0]
    console = Console()
    found = figures(chosen.viewers, run(chosen.viewers, chosen.results))
    for figure in found:
        mark = {True: "", False: "  MISSED", None: ""}[figure.met]
        goal = f"  ({figure.goal})" if figure.goal else ""
        console.print(f"{figure.what}: {figure.value:.4g} {figure.unit}{goal}{mark}")
    console.print(f"load of the machine before: {before:.1f}, {os.cpu_count()} cores")
    if any(figure.met is False for figure in found):
        raise SystemExit(Exit.CHECK)


if __name__ == "__main__":
    main()
