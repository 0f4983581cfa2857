"""Server-sent events: every viewer hears every change of the board, told and packed once for all
(docs/decisions/desk-server.md).

A viewer that does not keep up has to load the page anew; it never slows the others.
"""

import asyncio
import json
import zlib
from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from host_tools.web.desk.follower import LogChange
from host_tools.web.desk.live_tables import is_live
from host_tools.web.one_at_a_time import render

BEHIND = 32
"""A viewer with so many unread messages has lost touch."""
PING_S = 4
"""So often something is sent, so that everybody notices when the line is gone, the page's script
too: it says so after ten seconds of silence.
"""
RETRY_MS = 1000
"""A browser that lost the stream tries again so soon: a call must be seen within five seconds."""
DESK = "desk"
"""The pages of the desk load their own news: they hear of everything, and what of it is new on
the board.
"""
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # RFC 1952: deflate, no name, no time
_LAST_BLOCK = b"\x03\x00"  # RFC 1951: an empty block that is marked as the last

Delta = dict[str, object]
Parts = Callable[[frozenset[str], str, str], Mapping[str, Delta] | None]
"""(touched topics, page, language) -> how the page's parts change; None: load the page anew."""
_Key = tuple[str, str]


@dataclass(frozen=True)
class StreamBlock:
    """What goes over the line, as it is and packed: a block that needs nothing before it, so that
    it is the same for every viewer.
    """

    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, text: str) -> "StreamBlock":
        plain = text.encode()
        # a full flush ends on a byte and drops the window, so any block may follow any other
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        return cls(plain, packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH))


def _event(data: object) -> StreamBlock:
    return StreamBlock.of(
        f"data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n"
    )


_AGAIN = _event({"again": True})
_PING = _event({})
_Queue = asyncio.Queue[StreamBlock | None]
"""Messages; None is the end."""


class Live:
    """Hands the changes of the tournament to all viewers."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._viewers: dict[_Queue, _Key] = {}
        self._reported: dict[_Key, int] = {}
        self._seq = 0

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    @property
    def longest_queue(self) -> int:
        """So many messages wait for the viewer who is farthest behind."""
        return max((queue.qsize() for queue in self._viewers), default=0)

    async def publish(self, change: LogChange) -> None:
        """Tell all viewers; a listener of `Follower`. What they hear is made in a thread."""
        keys = set(self._viewers.values())
        self._reported = {key: self._reported[key] for key in keys}  # drop unwatched pages
        messages = await render(self._messages, change, dict(self._reported))
        self._seq, _ = change
        for queue, key in self._viewers.items():
            if key in messages:
                _put(queue, messages[key])
            elif key not in keys:  # came meanwhile, and was told where the log stood before
                _put(queue, _AGAIN)
        self._reported |= dict.fromkeys(messages, self._seq)

    def again(self, page: str) -> None:
        """Have the viewers of a page load it anew: what is not in the log has changed."""
        for queue, (viewed, _) in self._viewers.items():
            if viewed == page:
                _put(queue, _AGAIN)

    def _messages(
        self, change: LogChange, reported: Mapping[_Key, int]
    ) -> dict[_Key, StreamBlock]:
        found = {}
        for key, since in reported.items():
            message = self._message(change, *key, since)
            if message is not None:
                found[key] = message
        return found

    def _message(self, change: LogChange, page: str, lang: str, since: int) -> StreamBlock | None:
        """For one page; None if nothing on it was touched. `since`: the message before it."""
        seq, touched = change
        parts = self._parts(touched, page, lang)
        if parts is None:
            return _AGAIN
        if page == DESK:
            # nothing touched: what is for the desk alone, as a sign-up or a protest
            if not parts and touched and all(map(is_live, touched)):
                return None
            # names alone: all hear the same message, and a page of the desk depends on the role
            return _event({"seq": seq, "parts": sorted(parts)})
        return _event({"seq": seq, "since": since, "parts": dict(parts)}) if parts else None

    def end(self) -> None:
        """Send all viewers away: the desk closes."""
        for queue in self._viewers:
            queue.put_nowait(None)

    async def listen(self, page: str, lang: str, packed: bool = False) -> AsyncIterator[bytes]:
        """What one viewer hears: first where the log stands and what time it is, then changes;
        with `packed` as one gzip stream.
        """
        queue: _Queue = asyncio.Queue()
        self._viewers[queue] = (page, lang)
        self._reported.setdefault((page, lang), self._seq)
        hello = _event({"hello": self._seq, "now": datetime.now(UTC).isoformat()})
        crc, size = 0, 0
        message: StreamBlock | None = StreamBlock.of(
            f"retry: {RETRY_MS}\n\n{hello.plain.decode()}"
        )
        try:
            yield _GZIP_HEAD if packed else b""
            while message is not None:
                crc, size = zlib.crc32(message.plain, crc), size + len(message.plain)
                yield message.packed if packed else message.plain
                message = await _next(queue)
            if packed:
                size %= 1 << 32  # RFC 1952, 2.3.1: ISIZE
                yield _LAST_BLOCK + crc.to_bytes(4, "little") + size.to_bytes(4, "little")
        finally:
            del self._viewers[queue]


async def _next(queue: _Queue) -> StreamBlock | None:
    try:
        async with asyncio.timeout(PING_S):
            return await queue.get()
    except TimeoutError:
        return _PING


def _put(queue: _Queue, message: StreamBlock) -> None:
    if queue.qsize() < BEHIND:
        queue.put_nowait(message)
        return
    # reloading the page brings all of these
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(_AGAIN)


def delta(old: str, new: str) -> Delta:
    """How to make `new` of `old`: `was`, the number of lines of `old`, and `now`: texts for what
    is new, pairs of step and count for what is copied. A step leads from behind the lines copied
    before to the next ones: in a table whose rows have moved all steps are alike, and pack well.
    """
    lines = old.split("\n")
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line, []).append(number)
    now: list[int | str] = []
    behind = 0
    copying = False
    for line in new.split("\n"):
        known = places.get(line, ())
        # the next one of several that are alike, else the last
        place = known[min(bisect_left(known, behind), len(known) - 1)] if known else -1
        if place < 0:
            joined = now and isinstance(now[-1], str)
            now = [*now[:-1], f"{now[-1]}\n{line}"] if joined else [*now, line]
            copying = False
            continue
        if copying and place == behind:
            now[-1] += 1  # type: ignore[operator]
        else:
            now += [place - behind, 1]
        behind, copying = place + 1, True
    return {"was": len(lines), "now": now}
