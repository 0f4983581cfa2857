"""News from a box's thread to the pages that listen, in the server's event loop.

A page gets the newest picture and state, at most 25 times a second, not all of them; tones are
kept in order.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from host_tools.core.json_types import Json

_MOST_TONES = 40
PAUSE_S = 0.04
"""In a rush a box draws hundreds of pictures a second; to show them all takes a whole laptop."""

BEAT_S = 1.5
"""A page that hears nothing for 4 s takes its line for dead (static/line.js)."""


class Listener:
    """One page, of a seat's own device or not. `put` from any thread; `events` in the event
    loop.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._loop = asyncio.get_running_loop()
        self._ready = asyncio.Event()
        self._end = asyncio.Event()
        self._latest: dict[str, Json] = {}
        self._tones: list[Json] = []
        self._closed = False
        self._last_words = ""

    def put(self, kind: str, content: Json) -> None:
        """Tell the page something: `oled`, `state`, `refused`, `freed`, or `tone`."""
        try:
            self._loop.call_soon_threadsafe(self._keep, kind, content)
        except RuntimeError:  # the server has ended; the box has not heard of it yet
            self._closed = True

    def close(self, last_words: str = "") -> None:
        """End `events`, with a last kind of news if one is given. From any thread."""
        self._last_words = last_words
        self._closed = True
        # wakes `events`, which waits for something to tell
        self.put("state", {})

    def _keep(self, kind: str, content: Json) -> None:
        if self._closed:
            self._end.set()
        if kind == "tone":
            # a page that does not read must not heap them up
            self._tones = [*self._tones[1 - _MOST_TONES :], content]
        else:
            self._latest[kind] = content
        self._ready.set()

    async def events(self) -> AsyncIterator[tuple[str, Json]]:
        """What there is to tell, oldest kind first; while there is nothing, a sign of life."""
        while not self._closed:
            try:
                async with asyncio.timeout(BEAT_S):
                    await self._ready.wait()
            except TimeoutError:
                yield "beat", {}
                continue
            self._ready.clear()
            latest, self._latest = self._latest, {}
            tones, self._tones = self._tones, []
            if self._closed:
                break
            for kind, content in latest.items():
                yield kind, content
            for tone in tones:
                yield "tone", tone
            if latest:
                with suppress(TimeoutError):
                    async with asyncio.timeout(PAUSE_S):
                        # not a plain sleep: the pause must end with the stream
                        await self._end.wait()
        if self._last_words:
            yield self._last_words, {}
