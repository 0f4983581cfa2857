"""The link to a box on the air: the requests of docs/link.md, signed, over MQTT."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from host_tools.box.link import ATTEMPTS, BoxLink, BoxRefusal, LinkLost
from host_tools.core.json_types import Json
from host_tools.hall import protocol
from host_tools.hall.protocol import RefusedMessage
from host_tools.store.said import (
    NOBODY,
    Here,
    Large,
    Moment,
    PlainText,
    TableNumber,
    Unfit,
    WholeNumber,
    Word,
    converted,
)

ANSWER_S = 2.0
"""Timeout of one attempt, in seconds."""
RECORD_BYTES = 1024
"""Bytes of records in one answer: what a box on the air can spare."""

ASKED = 64
"""Request ids remembered, so that late or duplicate answers are ignored."""
OF_LEAGUES = 1 << 29
"""Request ids from here on are a league's: the box's own hall asks it too."""
SETTLING_S = 10.0
"""Seconds after a start in which answers to requests of the process before may arrive."""


class _Hello(Struct):
    box: Word
    name: Word
    table: TableNumber
    firmware: Word
    schiri: WholeNumber


class _Time(Struct):
    unix: Moment | None = None


class _Matches(Struct):
    matches: list[tuple[WholeNumber, Word, WholeNumber]]
    more: bool


class _Records(Struct):
    lines: list[str]
    next: WholeNumber
    end: bool
    torn: bool


class _Given(Struct):
    assigned: PlainText | None = None
    issued: Large = 0
    state: Word = ""
    here: list[PlainText] = []
    match: WholeNumber = 0
    plays: PlainText | None = None
    clock: WholeNumber | None = None
    ticking: bool = False
    t_s: WholeNumber = 0
    notice: Large | None = None
    notice_state: Word | None = None


_ANSWERS: dict[str, type[Struct]] = {
    "hello": _Hello,
    "time": _Time,
    "matches": _Matches,
    "records": _Records,
    "assign": _Given,
    "notice": _Given,
}
Publish = Callable[[str, bytes], Awaitable[None]]


@dataclass
class AirBox:
    """The hall's end of one box: what signs, what was asked, what is awaited."""

    box: str
    league: str
    key: bytes = field(repr=False)
    publish: Publish = field(repr=False)
    boot: str = ""
    round_trip_ms: int | None = None
    here: Here = NOBODY
    """What it said of itself last."""
    gone: bool = False
    """Its will was published, and it has not spoken since."""
    spoke_as: str = ""
    """The boot of who answered last, if it was another."""
    since: float = field(default_factory=time.monotonic)
    """When this hall began to hear it."""
    for_league: bool = False
    _n: int = 0
    _closed: bool = False
    # not from 0: an answer to an earlier process must fit no ask of this one
    _id: int = field(default_factory=lambda: random.SystemRandom().randrange(1 << 28))
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _awaited: dict[int, asyncio.Future[Json | None]] = field(default_factory=dict)
    _asked: deque[int] = field(default_factory=lambda: deque(maxlen=ASKED))

    async def ask(self, do: str, **fields: Any) -> Json:
        """The answer. Raises LinkLost after five attempts, or when the box is gone or was switched
        on again; BoxRefusal for a no; RefusedMessage for an answer that is none.
        """
        async with self._turn:  # a box answers one at a time
            # a different boot may be a second box with the same id: one was once handed the first
            # box's match halfway through an exchange, and both were played
            boot = self.boot
            for _ in range(ATTEMPTS):
                if self._closed or self.gone or self.boot != boot:
                    break
                reply = await self._attempt(do, fields)
                if reply is None:
                    continue
                if reply.get("error") == "old_request":
                    if reply.get("boot") != self.boot:
                        self.spoke_as = _word(reply.get("boot"))
                        break  # it was meant for another
                    self._catch_up(reply)
                    continue
                if "error" in reply:
                    raise BoxRefusal(str(reply["error"])[:64], str(reply.get("text", ""))[:256])
                return _checked(do, reply)
        raise LinkLost("box_silent", name=self.box)

    async def whose(self) -> str:
        """The boot of the box that answers; "" if none does. What it says is signed."""
        self._wake()  # an ask under way may wait for a box that is no more
        async with self._turn:
            reply = await self._attempt("time", {})  # without `unix` this only reads the clock
            if reply is None:
                return ""
            if reply.get("error") == "old_request" and reply.get("boot") != self.boot:
                return _word(reply.get("boot"))
            self._catch_up(reply)
            return self.boot

    async def _attempt(self, do: str, fields: Json) -> Json | None:
        self._id = (self._id + 1) % OF_LEAGUES + (OF_LEAGUES if self.for_league else 0)
        # by the clock, so that a restarted receiver is above it too; boxes refuse what is not
        # above the last, and need no write to the flash for that
        self._n = max(self._n + 1, time.time_ns() // 1_000_000)
        message = {"id": self._id, "n": self._n, "boot": self.boot, "do": do, **fields}
        topic = protocol.topic_of(self.league, self.box, protocol.ASK)
        answer: asyncio.Future[Json | None] = asyncio.get_running_loop().create_future()
        self._awaited[self._id] = answer
        self._asked.append(self._id)
        started = time.monotonic()
        try:
            await self.publish(topic, protocol.sign(self.key, topic, message))
            async with asyncio.timeout(ANSWER_S):  # not wait_for: see connection.MqttClient
                reply = await answer
        except TimeoutError:
            return None
        finally:
            self._awaited.pop(message["id"], None)
        if reply is None:  # whoever waits is told: nobody will answer this one
            return None
        self.round_trip_ms = int((time.monotonic() - started) * 1000)
        return reply

    def _catch_up(self, reply: Json) -> None:
        """The box was asked with a higher number: by its other hall, or before a restart."""
        if isinstance(reply.get("n"), int):
            self._n = max(self._n, reply["n"])

    def close(self) -> None:
        """Nobody answers any more: whoever waits is told at once."""
        self._closed = True
        self._wake()

    def left(self) -> None:
        """The box has gone off the air."""
        self.gone = True
        self._wake()

    def came(self, here: Here) -> None:
        """The box is on the air, perhaps anew: what it did not get is asked again."""
        self.here, self.gone = here, False
        self._wake()

    def _wake(self) -> None:
        for waiting in self._awaited.values():
            if not waiting.done():
                waiting.set_result(None)

    def answered(self, topic: str, payload: bytes) -> bool:
        """Take an answer; False if it came late or twice. Raises RefusedMessage if it is not from
        this box, or was not awaited.
        """
        reply = protocol.open_signed(self.key, topic, payload)
        number = reply.get("id")
        waiting = self._awaited.get(number) if isinstance(number, int) else None
        if isinstance(number, int) and (number >= OF_LEAGUES) != self.for_league:
            return False  # the hall's, and this is the league; or the other way round
        if waiting is None:
            if number in self._asked or time.monotonic() - self.since < SETTLING_S:
                return False  # late, twice, or to a request of this receiver before its restart
            raise RefusedMessage("replayed", "answer")
        if not waiting.done():
            waiting.set_result(reply)
        return True


def _word(said: object) -> str:
    return said[:16] if isinstance(said, str) else ""


def _checked(do: str, reply: Json) -> Json:
    """Raises RefusedMessage for an answer with which nobody could go on."""
    if do in _ANSWERS:
        try:
            converted(_ANSWERS[do], reply)
        except Unfit as error:
            raise RefusedMessage("bad_value", f"{do}: {error}") from error
    return reply


class BlockingAirLink(BoxLink):
    """The same for who waits in a thread: `BoxSync` and what gives assignments use it as USB."""

    def __init__(self, box: AirBox, loop: asyncio.AbstractEventLoop) -> None:
        self._box = box
        self._loop = loop
        self._name = box.box

    def hello(self) -> Json:
        """As `BoxLink.hello`; a box on the air has said it in its `here`. It speaks for itself."""
        here = self._box.here
        if here.box != self._box.box:  # its `here` was not heard yet
            return {**BoxLink.hello(self), "box": self._box.box, "key": self._box.league}
        said = {"name": here.name, "table": here.table, "firmware": here.firmware}
        return {**said, "box": here.box, "schiri": here.schiri, "key": self._box.league}

    def request(self, do: str, **fields: object) -> Json:
        """As `BoxLink.request`; not from the thread of the event loop."""
        # over a cable a box sends up to four times as much per answer (link_frames.MAX_REPLY)
        if do == "records":
            fields.setdefault("bytes", RECORD_BYTES)
        asked = asyncio.run_coroutine_threadsafe(self._box.ask(do, **fields), self._loop)
        return asked.result()

    def close(self) -> None:
        """There is nothing to give back."""
