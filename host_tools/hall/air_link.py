"""The link to a box on the air: the requests of docs/link.md, signed, over MQTT."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from host_tools.box.link import ATTEMPTS, BoxLink, LinkLost, RequestError
from host_tools.hall import protocol
from host_tools.hall.protocol import Refusal

ANSWER_S = 2.0
"""So long one attempt waits."""
RECORD_BYTES = 1024
"""Bytes of records in one answer: what a box on the air can spare."""

_HELLO = {"box": str, "name": str, "table": int, "firmware": str, "schiri": int}
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
    here: dict[str, Any] = field(default_factory=dict)
    """What it said of itself when it came, or `"here": False` since its will was published."""
    _n: int = 0
    _closed: bool = False
    _id: int = field(default_factory=lambda: random.SystemRandom().randrange(1 << 24))
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _awaited: dict[int, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """The answer. Raises LinkLost after five attempts, or when the box is gone or was switched
        on again; RequestError for a no.
        """
        async with self._turn:  # a box answers one at a time
            boot = self.boot  # another may be another box with this id
            for _ in range(ATTEMPTS):
                if self._closed or self.here.get("here") is False or self.boot != boot:
                    break
                reply = await self._attempt(do, fields)
                if reply is None:
                    continue
                if reply.get("error") == "old_request":
                    if reply.get("boot") != self.boot:
                        break  # it was meant for another: who answers says `here`
                    self._catch_up(reply)
                    continue
                if "error" in reply:
                    raise RequestError(str(reply["error"]), str(reply.get("text", "")))
                return reply
        raise LinkLost("box_silent", name=self.box)

    async def _attempt(self, do: str, fields: dict[str, Any]) -> dict[str, Any] | None:
        self._id += 1
        self._n = max(self._n + 1, time.time_ns() // 1_000_000)
        message = {"id": self._id, "n": self._n, "boot": self.boot, "do": do, **fields}
        topic = protocol.topic_of(self.league, self.box, protocol.ASK)
        answer = self._awaited[self._id] = asyncio.get_running_loop().create_future()
        started = time.monotonic()
        try:
            await self.publish(topic, protocol.sign(self.key, topic, message))
            reply: dict[str, Any] = await asyncio.wait_for(answer, ANSWER_S)
        except TimeoutError:
            return None
        finally:
            self._awaited.pop(message["id"], None)
        self.round_trip_ms = int((time.monotonic() - started) * 1000)
        return reply

    def _catch_up(self, reply: dict[str, Any]) -> None:
        """Another hall process has asked."""
        if isinstance(reply.get("n"), int):
            self._n = max(self._n, reply["n"])

    def close(self) -> None:
        """Nobody answers any more: whoever waits is told at once."""
        self._closed = True
        self._wake()

    def left(self) -> None:
        """The box has gone off the air."""
        self.here = {**self.here, "here": False}
        self._wake()

    def came(self, here: dict[str, Any]) -> None:
        """The box is on the air, perhaps anew: what it did not get is asked again."""
        self.here = here
        self._wake()

    def _wake(self) -> None:
        for waiting in self._awaited.values():
            if not waiting.done():
                waiting.set_exception(TimeoutError())

    def answered(self, topic: str, payload: bytes) -> None:
        """An answer came. Raises Refusal if it is not from this box, or was not awaited."""
        reply = protocol.open_signed(self.key, topic, payload)
        waiting = self._awaited.get(reply.get("id", -1))
        if waiting is None:
            raise Refusal("replayed", "answer")
        if not waiting.done():
            waiting.set_result(reply)


class AirLink(BoxLink):
    """The same for who waits in a thread: `BoxSync` and what gives assignments use it as USB."""

    def __init__(self, box: AirBox, loop: asyncio.AbstractEventLoop) -> None:
        self._box = box
        self._loop = loop
        self._name = box.box

    def hello(self) -> dict[str, Any]:
        """As `BoxLink.hello`; a box on the air has said it in its `here`, which is not signed."""
        here = self._box.here
        if all(isinstance(here.get(name), kind) for name, kind in _HELLO.items()):
            return {**here, "key": self._box.league}
        return BoxLink.hello(self)

    def request(self, do: str, **fields: object) -> dict[str, Any]:
        """As `BoxLink.request`; not from the thread of the event loop."""
        if do == "records":
            fields.setdefault("bytes", RECORD_BYTES)
        asked = asyncio.run_coroutine_threadsafe(self._box.ask(do, **fields), self._loop)
        return asked.result()

    def close(self) -> None:
        """There is nothing to give back."""
