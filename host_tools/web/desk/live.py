"""Server-sent events: every viewer hears every change of the board, rendered once for all of them.

A viewer that does not keep up has to load the page anew; it never slows the others.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime

from host_tools.web.desk.follower import Change

BEHIND = 32
"""A viewer with so many unread messages has lost touch."""
_AGAIN = json.dumps({"again": True})
DESK = "desk"
"""The pages of the desk load their own news: they hear of everything, and what of it is new on
the board.
"""

Parts = Callable[[frozenset[str], str, str], Mapping[str, str] | None]
"""(touched topics, page, language) -> HTML of the page's parts; None: load the page anew."""
_Key = tuple[str, str]
_Queue = asyncio.Queue[str | None]
"""Messages; None is the end."""


class Live:
    """Hands the changes of the tournament to all viewers."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._viewers: dict[_Queue, _Key] = {}
        self._seq = 0

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    def publish(self, change: Change) -> None:
        """Tell all viewers; a listener of `Follower`."""
        self._seq, touched = change
        messages: dict[_Key, str | None] = {}
        for queue, key in self._viewers.items():
            if key not in messages:
                messages[key] = self._message(touched, *key)
            message = messages[key]
            if message is not None:
                _put(queue, message)

    def _message(self, touched: frozenset[str], page: str, lang: str) -> str | None:
        """For one page; None if nothing on it was touched."""
        parts = self._parts(touched, page, lang)
        if parts is None:
            return _AGAIN
        if page == DESK:
            return json.dumps({"seq": self._seq, "parts": sorted(parts)})
        return json.dumps({"seq": self._seq, "parts": dict(parts)}) if parts else None

    def end(self) -> None:
        """Send all viewers away: the desk closes."""
        for queue in self._viewers:
            queue.put_nowait(None)

    async def listen(self, page: str, lang: str) -> AsyncIterator[str]:
        """What one viewer hears: first where the log stands and what time it is, then changes."""
        queue: _Queue = asyncio.Queue()
        self._viewers[queue] = (page, lang)
        try:
            yield json.dumps({"hello": self._seq, "now": datetime.now(UTC).isoformat()})
            while (message := await queue.get()) is not None:
                yield message
        finally:
            del self._viewers[queue]


def _put(queue: _Queue, message: str) -> None:
    if queue.qsize() < BEHIND:
        queue.put_nowait(message)
        return
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(_AGAIN)
