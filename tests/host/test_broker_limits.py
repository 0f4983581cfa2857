"""What both brokers refuse: the one built in, and a Mosquitto with the files of `hall setup`."""

import asyncio
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiomqtt
import pytest

from host_tools.hall import broker, protocol
from host_tools.hall.broker import serve_broker
from host_tools.hall.connection import BrokerAddress, WaitingMessages
from host_tools.hall.mosquitto import CONF, write_setup
from host_tools.web.serving import LOOPBACK
from tests.processes import free_ports, is_free, started, wait

KEY = bytes(range(32))
LEAGUE, AIR = protocol.league_id(KEY), protocol.air_key(KEY)
WAIT_S = 30
FOREIGN = (protocol.topic_of(LEAGUE, "b1", protocol.STATE), protocol.REFUSED_TOPIC)
KINDS = ["built-in", "mosquitto"]


@asynccontextmanager
async def serving(kind: str, folder: Path, needs: Callable[[str], str]) -> AsyncIterator[int]:
    (port, tls) = free_ports(2)
    if kind == "mosquitto":
        write_setup(folder, {LEAGUE: KEY}, ["b0", "b1"], LOOPBACK, None, port, tls)
        told = [needs("mosquitto"), "-c", str(folder / CONF)]
        with started(told, stderr=subprocess.DEVNULL):
            await asyncio.to_thread(wait, lambda: not is_free(port))
            yield port
        return
    task = asyncio.create_task(serve_broker(LOOPBACK, port, {LEAGUE: KEY}))
    await asyncio.to_thread(wait, lambda: not is_free(port))
    try:
        yield port
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def box(port: int, name: str, will: aiomqtt.Will | None = None) -> aiomqtt.Client:
    word = protocol.password(AIR, name)
    return aiomqtt.Client(
        LOOPBACK, port, username=name, password=word, identifier=f"schiri-{name}", will=will
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_last_will_has_the_rights_of_its_box(
    kind: str, tmp_path: Path, needs: Callable[[str], str]
) -> None:
    async def wills() -> None:
        async with (
            serving(kind, tmp_path, needs) as port,
            BrokerAddress(LOOPBACK, port).client(AIR) as hall,
            asyncio.timeout(WAIT_S),
        ):
            await hall.subscribe(f"{protocol.ROOT}/#")
            own = protocol.topic_of(LEAGUE, "b0", protocol.STATE)
            for topic in (*FOREIGN, own):
                await die(port, aiomqtt.Will(topic, b"from a will", 1, True))
            assert [one.topic.value async for one in of_wills(hall)] == [own]

    asyncio.run(wills())


async def die(port: int, will: aiomqtt.Will) -> None:
    async with box(port, "b0", will) as client:
        wire = client._client.socket()
        assert isinstance(wire, socket.socket)
        wire.shutdown(socket.SHUT_RDWR)  # without a DISCONNECT
        with suppress(aiomqtt.MqttError):
            await client._disconnected


async def of_wills(hall: aiomqtt.Client) -> AsyncIterator[aiomqtt.Message]:
    """Until the last, which is allowed."""
    async for message in hall.messages:
        if message.payload == b"from a will":
            yield message
            if message.topic.value not in FOREIGN:
                return


@pytest.mark.parametrize("kind", KINDS)
def test_a_packet_of_more_than_16_kb_ends_its_connection(
    kind: str, tmp_path: Path, needs: Callable[[str], str]
) -> None:
    async def long() -> None:
        topic = protocol.topic_of(LEAGUE, "b0", protocol.ANSWER)
        async with serving(kind, tmp_path, needs) as port:
            async with asyncio.timeout(WAIT_S):
                with pytest.raises(aiomqtt.MqttError):
                    await send_and_lose(port, topic, 17000)
                await send(port, topic, 16000)

    asyncio.run(long())


async def send_and_lose(port: int, topic: str, size: int) -> None:
    async with box(port, "b0") as client:
        await client.publish(topic, bytes(size), qos=0)
        await client._disconnected  # raises when the broker hangs up


async def send(port: int, topic: str, size: int) -> None:
    async with box(port, "b0") as client:
        await client.publish(topic, bytes(size), qos=1, timeout=WAIT_S)


def test_connections_that_say_nothing_keep_nobody_out(
    tmp_path: Path, needs: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "OPENING_EACH", 4)
    monkeypatch.setattr(broker, "CONNECT_S", 0.5)

    async def half_open() -> None:
        async with serving("built-in", tmp_path, needs) as port, asyncio.timeout(WAIT_S):
            silent = [await asyncio.open_connection(LOOPBACK, port) for _ in range(12)]
            for reader, _ in silent:
                with suppress(ConnectionResetError):
                    assert await reader.read() == b""
            async with box(port, "b0"):
                pass
            for _, writer in silent:
                writer.close()

    asyncio.run(half_open())


def test_what_waits_in_the_hall_is_bounded_by_bytes() -> None:
    queue = WaitingMessages()
    message = aiomqtt.Message("schiri", bytes(16 << 20), 0, False, 0, None)
    queue.put_nowait(message)
    queue.put_nowait(message)
    with pytest.raises(asyncio.QueueFull):
        queue.put_nowait(message)
    queue.get_nowait()
    queue.put_nowait(message)
