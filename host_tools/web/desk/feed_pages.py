"""`/feed/1`: the public feed for other people's programs (docs/feed.md), as JSON lines and as
server-sent events. Both begin behind the number that a reader has.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import lru_cache

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from host_tools.core.texts import ORIGINAL
from host_tools.tournament.feed import Feed, FeedEnd, FeedLine, feed_schema, table_line, written
from host_tools.web.desk.content import EVERYWHERE, FRESH, TaggedContent, answer
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live import PING_S, RETRY_MS
from host_tools.web.desk.live_tables import line_of
from host_tools.web.one_at_a_time import render

FEED = "/feed/1"
STREAM = f"{FEED}/stream"
GAP_S = 0.5
"""So long after something was told the next is gathered."""
JSON_LINES = "application/x-ndjson"
_HEADERS = FRESH | EVERYWHERE
_DIGITS = 18  # of a number that fits into 64 bits


@lru_cache(maxsize=1)
def feed_schema_content() -> TaggedContent:
    """As docs/feed-1.schema.json has it."""
    data = msgspec.json.format(msgspec.json.encode(feed_schema()), indent=1) + b"\n"
    return TaggedContent(data, "application/json")


class FeedPages:
    """The routes of the feed; `changed` is a listener of the follower."""

    def __init__(self, follower: Follower, tournament: str) -> None:
        self._follower = follower
        self._feed = Feed(tournament)
        self._changed = asyncio.Event()
        self._ended = False

    def routes(self) -> list[BaseRoute]:
        return [
            Route(FEED, self.lines),
            Route(STREAM, self.stream),
            Route(f"{FEED}/schema.json", self.schema),
        ]

    def changed(self) -> None:
        """Something is new: whoever listens is woken."""
        self._changed.set()
        self._changed = asyncio.Event()

    def end(self) -> None:
        """Send those who listen away: the desk closes."""
        self._ended = True
        self._changed.set()

    async def lines(self, request: Request) -> Response:
        """What is new behind `since`, and the tables as they are."""
        since = _number(request.query_params.get("since", "0"))
        if since is None:
            return _not_a_number(request.query_params["since"])

        def make() -> Response:
            # tables first: the last line tells where the next request starts
            found = written([*self._tables(), *self._since(since)])
            return answer(request, TaggedContent(found, JSON_LINES), _HEADERS)

        return await render(make)

    async def stream(self, request: Request) -> Response:
        """The same as events, as it happens; a browser that lost it names the last one."""
        asked = request.headers.get("last-event-id") or request.query_params.get("since", "0")
        since = _number(asked)
        if since is None:
            return _not_a_number(asked)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"} | EVERYWHERE
        return StreamingResponse(
            self._listen(since), media_type="text/event-stream", headers=headers
        )

    async def schema(self, request: Request) -> Response:
        """Of a line."""
        return answer(request, feed_schema_content(), _HEADERS)

    def _since(self, since: int) -> list[FeedLine]:
        self._feed.take(self._follower.public.state)
        return self._feed.since(since)

    def _tables(self) -> list[FeedLine]:
        state = self._follower.public.state
        return [
            table_line(line_of(state, table, ORIGINAL)) for table in self._follower.live.tables()
        ]

    async def _listen(self, since: int) -> AsyncIterator[bytes]:
        yield f"retry: {RETRY_MS}\n\n".encode()
        known: dict[str, FeedLine] = {}
        first = True
        while not self._ended:
            # taken before reading, so that a change in between ends the wait at once
            changed = self._changed
            lines, tables = await render(lambda at: (self._since(at), self._tables()), since)
            moved = [table for table in tables if known.get(table.id) != table]
            known |= {table.id: table for table in moved}
            end = lines[-1]
            assert isinstance(end, FeedEnd)
            if moved or len(lines) > 1 or end.seq != since or first:
                yield _event([*moved, *lines], end.seq)
            else:
                yield b": still here\n\n"
            since, first = end.seq, False
            await _woken(changed)


async def _woken(changed: asyncio.Event) -> None:
    await asyncio.sleep(GAP_S)
    with suppress(TimeoutError):  # nothing new: time for a sign of life
        async with asyncio.timeout(PING_S - GAP_S):
            await changed.wait()


def _event(lines: list[FeedLine], seq: int) -> bytes:
    data = b"".join(b"data: " + line + b"\n" for line in written(lines).splitlines())
    return data + f"id: {seq}\n\n".encode()


def _number(asked: str) -> int | None:
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= _DIGITS else None


def _not_a_number(asked: str) -> Response:
    sentence = f"since: {asked[:40]!r} is no number; take the seq of a line of kind end, or 0"
    return PlainTextResponse(f"{sentence}\n", 400, EVERYWHERE)
