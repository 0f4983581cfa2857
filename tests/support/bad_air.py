"""Air between boxes and broker that cuts, delays, doubles and reorders, by a seed.

It stands on TCP and knows where an MQTT packet ends (3.1.1, section 2.2), so that it can double
and exchange whole PUBLISH packets.
"""

import asyncio
import random
from contextlib import suppress

from host_tools.core.supervisor import end_tasks

PUBLISH = 3
LOOPBACK = "127.0.0.1"


class BadAir:
    """`async with BadAir(broker's port) as air`: boxes connect to `air.port`. Chances a packet."""

    def __init__(
        self,
        broker: int,
        seed: int,
        cut: float = 0.01,
        double: float = 0.05,
        exchange: float = 0.05,
        delay: float = 0.05,
        longest_s: float = 0.05,
    ) -> None:
        self._broker = broker
        self._chance = random.Random(seed)
        self._chances = {"cut": cut, "double": double, "exchange": exchange, "delay": delay}
        self._due: dict[str, float] = {}
        self._longest_s = longest_s
        self.cuts = self.doubled = self.reordered = 0
        self.calm = False
        """True: packets pass as they are."""
        self.port = 0
        self.carried = 0
        """Bytes of packets that came, both ways."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "BadAir":
        self._server = await asyncio.start_server(self._come, LOOPBACK, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await end_tasks(*self._tasks)

    def cut_all(self) -> None:
        """Every link at once, as when an access point fails."""
        self.cuts += len(self._tasks)
        for task in self._tasks:
            task.cancel()

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            there, back = await asyncio.open_connection(LOOPBACK, self._broker)
        except OSError:
            writer.close()
            return
        ways = [
            asyncio.create_task(self._carry(reader, back)),
            asyncio.create_task(self._carry(there, writer)),
        ]
        try:
            with suppress(asyncio.CancelledError):  # the server would print it
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end_tasks(*ways)
            writer.close()
            back.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One way, until it ends or is cut."""
        held = _Held(writer)
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                packet = await _packet(reader)
                self.carried += len(packet)
                if packet[0] >> 4 == PUBLISH and not self.calm:
                    if self._happens("cut"):
                        self.cuts += 1
                        return
                    if self._happens("delay"):
                        await asyncio.sleep(self._chance.random() * self._longest_s)
                    if not held.packet and self._happens("exchange"):
                        self.reordered += 1
                        held.hold(packet, self._longest_s)
                        continue
                    if self._happens("double"):
                        self.doubled += 1
                        writer.write(packet)
                writer.write(packet)
                held.let_go()
                await writer.drain()

    def _happens(self, what: str) -> bool:
        """So often as was asked for, from a random beginning: never not at all."""
        self._due[what] = self._due.get(what, self._chance.random()) + self._chances[what]
        happens = self._due[what] >= 1
        self._due[what] -= happens
        return happens


class _Held:
    """A packet that waits for the next one to pass, or until it is late."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.packet = b""

    def hold(self, packet: bytes, longest_s: float) -> None:
        self.packet = packet
        asyncio.get_running_loop().call_later(longest_s, self.let_go)

    def let_go(self) -> None:
        packet, self.packet = self.packet, b""
        if packet and not self._writer.is_closing():
            self._writer.write(packet)


async def _packet(reader: asyncio.StreamReader) -> bytes:
    """One whole packet: type, length in sevenths of a byte, the rest."""
    head = await reader.readexactly(1)
    length, shift = 0, 0
    while True:
        byte = await reader.readexactly(1)
        head += byte
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if not byte[0] & 0x80:
            return head + await reader.readexactly(length)
