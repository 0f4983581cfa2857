"""Who may stay connected when everybody wants to: no single client can take a server down
(docs/decisions/desk-server.md).

A connection *waits* until it has sent a whole request. When all places are taken, the one that has
waited longest at the busiest address goes, then the one that has not read its answer for longest;
a hall behind one access point is one address, so nobody is turned away for their address alone.
"""

import asyncio
import logging
import socket
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import ClassVar

import h11
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ModuleNotFoundError:  # Windows, where sockets do not count as files
    resource = None  # type: ignore[assignment]

HEADER_S = 10.0
"""From connecting, or from the last answer, to the end of the next request's head."""
REQUEST_S = 60.0
"""... and to the end of its body: the largest form is one megabyte."""
STALLED_S = 60.0
"""So long an answer may wait to be read before the connection is cut."""
ACCEPTED_AT_ONCE = 32
"""In one round of the event loop: each takes a descriptor before anybody is thrown out for it."""
ACCEPTED_LATER = 512
"""So many may wait in the kernel: what comes later waits behind them."""
_ROUNDS = 4
"""A connection holds its descriptor for so many rounds of the event loop before and after it is
seen here."""
RESERVED = ACCEPTED_AT_ONCE * _ROUNDS + 64
"""Descriptors for what is between two rounds, and for database, templates and files."""
FEWEST = 16
"""So many are let in even where the system allows hardly more files than the reserve."""
MANY_FILES = 4096
"""Every viewer is an open file; many systems allow 1024 until a program asks for more."""
SEND_BUFFER = 1 << 17
"""The kernel would take megabytes for each viewer who does not read."""
RETRY_S = 20


def allow_many_files(most: int = MANY_FILES) -> None:
    """Raise the limit of open files as far as this user may, to `most`."""
    if resource is None:
        return
    # RLIM_INFINITY may be -1, so it must not be compared as a number
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def places() -> int:
    """How many connections this process may have at a time."""
    if resource is None:
        return MANY_FILES - RESERVED
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MANY_FILES if soft == resource.RLIM_INFINITY else min(soft, MANY_FILES)
    return max(FEWEST, files - RESERVED)


class Connections:
    """All connections of one server. `clock` gives seconds that only grow."""

    def __init__(
        self, most: Callable[[], int] = places, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._clock = clock
        self._all: set[CountedProtocol] = set()
        # address -> who waits there and since when, the longest first
        self._waiting: dict[str, dict[CountedProtocol, float]] = {}
        # who has asked and when, the longest ago first
        self._asked: dict[CountedProtocol, float] = {}
        # whose answer is not read, and since when that was noticed
        self._stalled: dict[CountedProtocol, float] = {}

    def __len__(self) -> int:
        return len(self._all)

    def came(self, one: "CountedProtocol") -> None:
        """A new connection; makes room for it, or sends it away."""
        if len(self._all) >= self._most() and not self._make_room():
            one.transport.abort()  # even a 503 would hold the descriptor until it is read
            return
        self._all.add(one)
        self.waits(one)

    def waits(self, one: "CountedProtocol") -> None:
        """`one` has no whole request under way."""
        if one in self._all:
            self._asked.pop(one, None)
            self._waiting.setdefault(one.address, {}).setdefault(one, self._clock())

    def asked(self, one: "CountedProtocol") -> None:
        """`one` has sent a whole request."""
        if one in self._all:
            self._waits_no_more(one)
            self._asked.setdefault(one, self._clock())

    def _waits_no_more(self, one: "CountedProtocol") -> None:
        here = self._waiting.get(one.address, {})
        here.pop(one, None)
        if not here:
            self._waiting.pop(one.address, None)

    def left(self, one: "CountedProtocol") -> None:
        """The connection has ended."""
        self._all.discard(one)
        self._stalled.pop(one, None)
        self._asked.pop(one, None)
        self._waits_no_more(one)

    def _make_room(self) -> bool:
        """Whoever has kept a place for longest without using it goes."""
        busiest = max(self._waiting.values(), key=len, default={})
        oldest = [next(iter(busiest.items()))] if busiest else []
        unread = (pair for pair in self._asked.items() if _unread(pair[0]))
        oldest += islice(unread, 1)
        if not oldest:
            return False
        self._cut(min(oldest, key=lambda pair: pair[1])[0])
        return True

    def _cut(self, one: "CountedProtocol") -> None:
        self.left(one)
        one.transport.abort()  # close() would wait until the rest of the answer is read

    def sweep(self) -> None:
        """Cut whoever keeps a place without using it; once a second."""
        now = self._clock()
        # a copy: _cut changes these dictionaries
        waiting = [pair for here in self._waiting.values() for pair in here.items()]
        for one, since in waiting:
            if now - since > (REQUEST_S if one.has_head else HEADER_S):
                self._cut(one)
        for one in list(self._all):
            if not _unread(one):
                self._stalled.pop(one, None)
            elif now - self._stalled.setdefault(one, now) > STALLED_S:
                self._cut(one)


def _unread(one: "CountedProtocol") -> bool:
    """Some of the answer has not even fitted into the kernel's buffer."""
    return one.transport.get_write_buffer_size() > 0


class CountedProtocol(H11Protocol):
    """uvicorn's protocol, which tells its server's connections what it is doing."""

    counted_by: ClassVar[Connections]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        accepted: socket.socket = transport.get_extra_info("socket")
        accepted.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self.counted_by.came(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.counted_by.left(self)
        super().connection_lost(exc)

    @property
    def has_head(self) -> bool:
        """The head of a request has come, its body not yet."""
        return self.conn.their_state is h11.SEND_BODY

    def data_received(self, data: bytes) -> None:
        """Some bytes: perhaps the end of a request."""
        super().data_received(data)
        self._tell()

    def on_response_complete(self) -> None:
        """An answer is written; the next request may have come already."""
        super().on_response_complete()
        self._tell()

    def _tell(self) -> None:
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.counted_by.waits(self)
        else:
            self.counted_by.asked(self)


def protocol_of(connections: Connections) -> type[asyncio.Protocol]:
    """The protocol whose connections are counted there."""
    # uvicorn creates the instances and passes no arguments of ours
    return type("CountedProtocol", (CountedProtocol,), {"counted_by": connections})


class StreamLimit:
    """Middleware: streams never end by themselves, so they get three places of four, and one
    address half of all; the rest stays for pages. Who is too many is answered 503 and tries again.

    `is_stream` tells by the path, so that a refusal costs nothing.
    """

    def __init__(
        self,
        app: ASGIApp,
        is_stream: Callable[[str], bool],
        most: Callable[[], int] = places,
    ) -> None:
        self._app = app
        self._is_stream = is_stream
        self._most = most
        self._streams: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._is_stream(scope["path"]):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        address = client[0] if client else ""
        if self._full(address):
            await _come_again(scope, receive, send)
            return
        self._streams[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]  # or every address of the day would stay in memory

    def _full(self, address: str) -> bool:
        most = self._most()
        return self._streams.total() >= most * 3 // 4 or self._streams[address] >= most // 2


# closed, as a kept-alive connection would hold a place until the next try
_come_again = PlainTextResponse("", 503, {"Retry-After": str(RETRY_S), "Connection": "close"})


class FewLines(logging.Filter):
    """Lets `most` lines through in `window_s` seconds and counts the others: whoever sends
    nonsense does not fill the disk.
    """

    def __init__(
        self, most: int = 20, window_s: float = 60, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._most = most
        self._window_s = window_s
        self._clock = clock
        self._begun = -window_s
        self._lines = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """True if the line may be written."""
        now = self._clock()
        if now - self._begun >= self._window_s:
            left_out = max(0, self._lines - self._most)
            self._begun, self._lines = now, 0
            if left_out:
                record.msg = f"{record.getMessage()} ({left_out} lines before this were left out)"
                record.args = ()  # already formatted: a remaining % is text
        self._lines += 1
        return self._lines <= self._most


_few_lines = FewLines()


def limit_logs() -> None:
    """Of what the server and the event loop have to say, a few lines a minute are enough."""
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(_few_lines)
