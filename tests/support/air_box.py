"""A box on the air without its electronics: the firmware's own link and journal, a recorded match
instead of players, and MQTT as docs/hall.md has it. A thousand of them fit into one process.
"""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import aiomqtt

from firmware.app.journal import NotConfirmed
from firmware.app.link_frames import read_frame, write_frame
from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from host_tools.hall import protocol
from host_tools.hall.connection import MqttClient, cancelled_too
from host_tools.sim.memory_files import MemoryFiles
from host_tools.sim.tournament.simulated_boxes import key_of
from host_tools.store.store import Store
from tests.support.memory_box import HATTRICK, MemoryBox, hand

BEAT_S = 10.0
AGAIN_S = 0.1
SEND_S = 0.5
ALLOWED = ("hello", "status", "matches", "records", "confirm", "time", "health", "screen")


@dataclass(frozen=True)
class Recorded:
    """A match that was played: header, (command, answer) lines, result line."""

    header: str
    steps: Sequence[tuple[str, str]]
    result: str


@cache
def recorded_hand(commands: int = 61) -> Recorded:
    """One hand of Hattrick, or its beginning."""
    match, played = open_match(HATTRICK), hand()[:commands]
    steps = [(json.dumps(command), write_answer(match.apply(command))) for command in played]
    return Recorded(json.dumps(HATTRICK), steps, write_result(match.result()))


def cards_laid(box: "RecordedBox") -> list[tuple[str, float]]:
    """The cards that a box laid, each once in its match, and when they were pushed (monotonic)."""
    steps = recorded_hand().steps
    return [
        (json.loads(steps[line - 1][0])["card"], at)
        for (_, line), at in box.sent.items()
        if 2 <= line <= len(steps)  # behind the header and `begin`
    ]


def enrol_behind(store: Store, *boxes: "RecordedBox") -> None:
    """Enrol boxes when their matches are there: they are proved by what the boxes have signed."""
    for box in boxes:
        store.enrolled.enrol(box.box, box.key.public, "Ada")
        store.judge_again(box.box)


class RecordedBox:
    """A box `box` of the league with this key. `run` keeps it connected; `play` plays."""

    def __init__(
        self,
        box: str,
        league_key: bytes,
        port: int,
        host: str = "127.0.0.1",
        table: int = 0,
        seed: int = 0,
    ) -> None:
        self.box, self.table = box, table
        self._key = league_key
        self._air = protocol.air_key(league_key)
        self.league = protocol.league_id(league_key)
        self._chance = random.Random(f"{box}/{seed}")
        self._host, self._port = host, port
        self.key = key_of(box)
        self.memory = MemoryBox(MemoryFiles(), box, self.key)
        self.memory.settings.set({"table": table})
        self.memory.settings.set_key(league_key)
        self.client: aiomqtt.Client | None = None
        self._number = self._lines = self._beat = 0
        self._jury = False
        self.unix_ahead = 0
        self.sent: dict[tuple[int, int], float] = {}
        """(match, line) -> when it was pushed (monotonic)."""
        self.switch_on()

    def switch_on(self) -> None:
        """After a power cut: another boot; what is on the flash is there."""
        self.boot = f"{self._chance.randrange(1 << 32):08x}"
        self._beat = self._n = 0
        self._clock_set = False

    # -- the air ----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Connect, answer, and again, until cancelled."""
        while True:
            try:
                await self._connected()
            except (aiomqtt.MqttError, OSError):
                cancelled_too()
            self.client = None
            await asyncio.sleep(AGAIN_S)

    async def _connected(self) -> None:
        will = self._signed("here", {"here": False, "boot": self.boot})
        client = MqttClient(
            self._host,
            self._port,
            username=self.box,
            password=protocol.password(self._air, self.box),
            identifier=protocol.client_id(self.box),
            keepalive=20,
            timeout=2,
            will=aiomqtt.Will(self.topic("here"), will, 1, True),
        )
        async with client:
            await client.subscribe(self.topic("ask"), qos=1)
            await client.publish(self.topic("here"), self.here(), 1, True)
            self.client = client
            await self.tell()
            beating = asyncio.create_task(self._beat_always())
            try:
                async for message in client.messages:
                    payload = message.payload
                    if isinstance(payload, bytes):
                        await self._answer(payload)
            finally:
                beating.cancel()

    def here(self) -> bytes:
        """What it says of itself when it is connected, signed."""
        here = {"here": True, "boot": self.boot, "box": self.box, "name": f"Box {self.box}"}
        here |= {"table": self.table, "firmware": "0.1.0", "schiri": 1, "beat": self._beat}
        return self._signed("here", here)

    async def _beat_always(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            await self.tell()

    def topic(self, kind: str) -> str:
        """One of the box's topics."""
        return protocol.topic_of(self.league, self.box, kind)

    async def send(self, kind: str, payload: bytes | str, qos: int, retain: bool = False) -> None:
        """Publish, if there is a connection: a box keeps no queue."""
        client = self.client
        if client is not None:
            with suppress(aiomqtt.MqttError, TimeoutError):
                async with asyncio.timeout(SEND_S):
                    await client.publish(self.topic(kind), payload, qos, retain)

    async def tell(self) -> None:
        """The state."""
        self._beat += 1
        status = self.memory.link._status({})
        state: dict[str, Any] = {
            "boot": self.boot,
            "beat": self._beat,
            "match": self._number,
            "lines": self._lines,
            "waiting": status["waiting"],
            "unix": int(time.time()) + self.unix_ahead if self._clock_set else None,
            "clock": 600 - self._lines,
            "running": bool(self._number),
            "jury": self._jury,
            "battery_mv": 3900,
            "reader": "ok",
            "rssi": -60,
        }
        if self._number:
            state["head"] = self.memory.journal.chain.hex()
        await self.send("state", self._signed("state", state), 0, True)

    def _signed(self, kind: str, message: dict[str, Any]) -> bytes:
        return protocol.sign_object(self._air, self.topic(kind), message)

    async def press_jury(self, pressed: bool = True) -> None:
        """Somebody wants the jury, or it has come."""
        self._jury = pressed
        await self.tell()

    async def _answer(self, payload: bytes) -> None:
        try:
            request = protocol.open_signed(self._air, self.topic("ask"), payload)
        except protocol.RefusedMessage:
            return
        reply = self._reply(request)
        topic = self.topic("answer")
        await self.send("answer", protocol.sign(self._air, topic, reply), 1)

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        number = request.get("id")
        if request.get("boot") != self.boot or request.get("n", 0) <= self._n:
            refusal = {"error": "old_request", "text": "", "n": self._n, "boot": self.boot}
            return {"id": number, **refusal}
        self._n = request["n"]
        if request["do"] not in ALLOWED:
            return {"id": number, "error": "not_by_air", "text": request["do"]}
        self._clock_set = self._clock_set or request["do"] == "time"
        if request["do"] == "time":
            self.unix_ahead = 0
        handler = self.memory.link.handlers.get(request["do"])
        if handler is not None:  # short: not by its line, which is stepped through
            try:
                return {**handler(request), "id": number}
            except NotConfirmed as error:
                return {"id": number, "error": "not_confirmed", "text": str(error)}
        port = self.memory.port()
        port.write(write_frame(request))
        said = bytearray()
        while b"\n" not in said.lstrip(b"\n"):
            said += port.read(4096)
        self.memory.step(50)
        self.memory.wire.to_laptop.clear()
        line = said.lstrip(b"\n").partition(b"\n")[0]
        return read_frame(bytes(line))

    # -- the match --------------------------------------------------------------------------------

    async def play(self, match: Recorded, pause_s: float = 0.0, most: int = 10_000) -> int:
        """Play a recorded match to its end (or so many commands); its number."""
        journal = self.memory.journal
        self._number, self._lines = journal.open_match(match.header), 1
        await self._push(0)
        await self.tell()
        for command, answer in match.steps[:most]:
            await asyncio.sleep(pause_s)
            journal.append(command, answer)
            self._lines += 1
            await self._push(self._lines - 1)
            await self.tell()
        if most >= len(match.steps):
            journal.close(match.result)
            self._lines += 2
            await self._push(self._lines - 2)
            await self.tell()
        return self._number

    async def _push(self, line: int) -> None:
        """The lines from this one on, if they fit."""
        names = [n for n in self.memory.flash.names() if n.startswith(f"m{self._number:06}.")]
        contents: dict[str, bytes] = self.memory.flash.contents  # type: ignore[attr-defined]
        data = b"".join(
            raw + b"\n" for raw in contents[names[0]].split(b"\n")[line : self._lines] if raw
        )
        self.sent[self._number, self._lines - 1] = time.monotonic()
        if data and len(data) <= 1024:
            await self.send(f"records/{self._number}/{line}", data, 1)

    @property
    def unconfirmed(self) -> int:
        """Finished matches that no desk has confirmed."""
        return int(self.memory.link._status({})["waiting"])

    def journals(self) -> dict[int, bytes]:
        """The finished matches on its flash, by number."""
        contents: dict[str, bytes] = self.memory.flash.contents  # type: ignore[attr-defined]
        return {
            int(name[1:7]): data
            for name, data in contents.items()
            if name.startswith("m") and not name.endswith(".run")
        }
