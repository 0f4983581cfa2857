"""Server-sent events: they say that a page has changed, and its browsers fetch it again
(docs/decisions/desk-server.md).

A viewer that does not keep up misses nothing: only the newest version counts.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from host_tools.web.desk.board_page import AskedPage
from host_tools.web.one_at_a_time import render

PING_S = 4
"""So often something is sent, so that everybody notices when the line is gone, the page's script
too: it says so after ten seconds of silence.
"""
RETRY_MS = 1000
"""A browser that lost the stream tries again so soon: a call must be seen within five seconds."""
GAP_S = 0.25
"""Cards fall faster than pages are to be fetched."""
A_VIEWER_S = 0.002
"""For each viewer of a page, so that fetching it takes a desk a part of a core."""
DESK: Literal["desk"] = "desk"
"""The pages of the desk: they differ by role, but all change with everything."""
Watchable = AskedPage | Literal["desk"]


@dataclass
class _WatchedPage:
    """A page that somebody looks at; `changed` is another event after each change."""

    version: str = ""
    viewers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def become(self, version: str) -> None:
        if version != self.version:
            self.version = version
            self.changed.set()
            self.changed = asyncio.Event()


class Live:
    """Tells viewers when their page has changed."""

    def __init__(self, version_of: Callable[[Watchable], str]) -> None:
        """`version_of` a page is another word when it looks different; it may render it."""
        self._version_of = version_of
        self._watched: dict[Watchable, _WatchedPage] = {}
        self._ended = False

    @property
    def viewers(self) -> int:
        return sum(watched.viewers for watched in self._watched.values())

    async def publish(self) -> None:
        """Something has changed: a listener of `Follower`. The page of most viewers comes first,
        and each is rendered once for all of them.
        """
        for page, _ in sorted(self._watched.items(), key=lambda item: -item[1].viewers):
            await self._look_at(page)

    async def _look_at(self, page: Watchable) -> None:
        version = await render(self._version_of, page)
        if page in self._watched:  # its last viewer may have left meanwhile
            self._watched[page].become(version)

    def end(self) -> None:
        """Send all viewers away: the desk closes."""
        self._ended = True
        for watched in self._watched.values():
            watched.changed.set()

    async def listen(self, page: Watchable) -> AsyncIterator[bytes]:
        """What one viewer hears: the page's version now and what time it is, then each change."""
        watched = self._watched.setdefault(page, _WatchedPage())
        watched.viewers += 1
        known = ""
        try:
            yield f"retry: {RETRY_MS}\n\n".encode()
            if not watched.version:
                await self._look_at(page)
            while not self._ended:
                changed, version = watched.changed, watched.version
                yield _event({"version": version} if version != known else {})
                if known not in ("", version):
                    await asyncio.sleep(gap_s(watched.viewers))
                known = version
                with suppress(TimeoutError):
                    async with asyncio.timeout(PING_S):
                        await changed.wait()
        finally:
            watched.viewers -= 1
            if not watched.viewers:
                self._watched.pop(page, None)


def gap_s(viewers: int) -> float:
    """So long after a change the next one is told: never longer than a call may take."""
    return min(max(GAP_S, A_VIEWER_S * viewers), PING_S)


def _event(news: dict[str, str]) -> bytes:
    return f"data: {json.dumps(news | {'now': datetime.now(UTC).isoformat()})}\n\n".encode()
