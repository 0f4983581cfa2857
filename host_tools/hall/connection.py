"""The hall's connection to its broker, for as long as the hall runs."""

import asyncio
import errno
import json
import logging
import os
import re
import ssl
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import aiomqtt

from host_tools.core.errors import Exit, UserError
from host_tools.core.supervisor import end_tasks
from host_tools.hall import protocol
from host_tools.hall.children import Heart
from host_tools.hall.passwords import password
from host_tools.hall.reception import Reception

AGAIN_S = 1.0
"""Seconds before the broker is tried again."""
CONNECT_S = 10.0
"""Timeout of one attempt to connect, in seconds."""
PROBE_S, WORRIED_S, QUIET_S = 1.0, 2.5, 5.0
"""Seconds. The receiver sends itself a message through the broker every second. After 2.5 s
without any message, its own or a box's, it stops beating; after 5 s it gives up the connection and
makes another. If it cannot even do that, it is killed meanwhile.
"""
ALIVE_TOPIC = f"{protocol.ROOT}/hall/alive"
BEAT_S = 0.5
"""Seconds between two beats to `schiri hall`, which kills a receiver without (hall.children)."""
KEEP_ALIVE_S = 20
"""Seconds. The broker gives up a silent hall after half as long again (MQTT 3.1.1, 3.1.2.10)."""
LOG_TOPIC = "$SYS/broker/log/#"
"""Where Mosquitto logs whom it turned away, if its configuration says so."""
WAITING = 100_000
"""Messages that may wait in this process. More are lost, and asked for again."""
WAITING_BYTES = 32 << 20
"""Bytes of payloads that may wait; one box alone could send 100 000 long messages."""
_SILENT = logging.getLogger("schiri.mqtt")
_SILENT.setLevel(logging.CRITICAL)
# CONNACK return codes of MQTT 3.1.1 (3.2.2.3) and the matching reason codes of MQTT 5
_VERSION_REFUSED = {1, 132}
_LOGIN_REFUSED = {4, 5, 134, 135}
# X509_V_ERR_ of OpenSSL's x509_vfy.h
_CERTIFICATE_REFUSED = {
    9: "broker_tls_expired",
    10: "broker_tls_expired",
    62: "broker_tls_name",
    64: "broker_tls_name",
}
_T = TypeVar("_T")
_FROM_BOXES = tuple(
    # of every version: boxes of another one are named
    f"{protocol.ROOT}/+/+/+/{kind}"
    for kind in (protocol.HERE, protocol.STATE, f"{protocol.RECORDS}/#", protocol.ANSWER)
)
_WHEN = re.compile(r"^\d+: ")
# Mosquitto 2.0's words -> why
_LOG_LINES = (
    (re.compile(r"Client (\S+) disconnected, not authorised"), "wrong_password"),
    (re.compile(r"Client (\S+) already connected"), "two_boxes"),
    (re.compile(r"Client (\S+) disconnected due to protocol error"), "other_version"),
    (re.compile(r"Invalid protocol version \d+ in CONNECT from (\S+)"), "other_version"),
    (re.compile(r"Denied PUBLISH from (\S+)"), "foreign_topic"),
)


class WaitingMessages(asyncio.Queue[aiomqtt.Message]):
    """Is full by bytes, too. aiomqtt drops what does not fit."""

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._bytes = 0

    def full(self) -> bool:
        return super().full() or self._bytes >= WAITING_BYTES

    def _put(self, item: aiomqtt.Message) -> None:
        self._bytes += _size(item)
        super()._put(item)

    def _get(self) -> aiomqtt.Message:
        item: aiomqtt.Message = super()._get()
        self._bytes -= _size(item)
        return item


def _size(message: aiomqtt.Message) -> int:
    payload = message.payload
    return len(payload) if isinstance(payload, bytes | bytearray) else 0


class MqttClient(aiomqtt.Client):
    """Can be cancelled at any time. aiomqtt waits by `asyncio.wait_for`, which in Python 3.11
    forgets a cancellation that comes in the same turn of the loop as what it waits for: who was
    told to end went on, and whoever waited for its end waited for ever.
    """

    async def _wait_for(self, fut: Awaitable[_T], timeout: float | None) -> _T:
        try:
            async with asyncio.timeout(self.timeout if timeout is None else timeout):
                return await fut
        except TimeoutError:
            raise aiomqtt.MqttError("Operation timed out") from None


@dataclass(frozen=True)
class BrokerAddress:
    """Where the broker is; `cafile`: the certificate that signs its own, for TLS."""

    host: str
    port: int
    tls: bool = False
    cafile: Path | None = None

    @classmethod
    def read(cls, url: str, cafile: Path | None = None) -> "BrokerAddress":
        """`mqtt://host:port`, `mqtts://…`. Raises UserError."""
        parts = urlsplit(url if "://" in url else f"mqtt://{url}")
        try:
            port = parts.port
        except ValueError as error:
            raise UserError("broker_url", text=url) from error
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname:
            raise UserError("broker_url", text=url)
        if cafile is not None and not cafile.is_file():
            raise UserError("no_tls_file", Exit.SYSTEM, path=cafile)
        try:
            ssl.create_default_context(cafile=cafile)
        except ssl.SSLError as error:
            raise UserError("no_signer", Exit.SYSTEM, path=cafile) from error
        tls = parts.scheme == "mqtts"
        return cls(
            parts.hostname, port or (protocol.TLS_PORT if tls else protocol.PORT), tls, cafile
        )

    def client(self, air: bytes) -> aiomqtt.Client:
        """A client that logs in as the hall."""
        user = protocol.HALL_USER
        context = ssl.create_default_context(cafile=self.cafile) if self.tls else None
        return MqttClient(
            self.host,
            self.port,
            username=user,
            password=password(air, user),
            # new each time: a broker ends the older of two connections with one id
            identifier=f"schiri-hall-{os.getpid()}-{os.urandom(3).hex()}",
            tls_context=context,
            keepalive=KEEP_ALIVE_S,
            timeout=CONNECT_S,
            max_queued_incoming_messages=WAITING,
            queue_type=WaitingMessages,
            logger=_SILENT,  # what goes wrong `broker_error` says
        )


@dataclass
class ReceivingState:
    """What the receiver says of itself: `connecting`, and why not yet; or `receiving`."""

    state: str = "connecting"
    error: UserError | None = None
    changed: Callable[["ReceivingState"], None] | None = None
    _last: float = field(default_factory=time.monotonic)

    def came(self) -> None:
        """Note that a message came, whoever sent it."""
        self._last = time.monotonic()

    @property
    def quiet_s(self) -> float:
        """Seconds since the last message."""
        return time.monotonic() - self._last

    def set(self, state: str, error: UserError | None = None) -> None:
        before = (self.state, str(self.error))
        self.state, self.error = state, error
        if self.changed is not None and before != (state, str(error)):
            self.changed(self)


async def receive(
    reception: Reception, address: BrokerAddress, air: bytes, progress: ReceivingState
) -> None:
    """Receive until cancelled: connect, listen, and again. `reception.tasks` runs the parts."""
    asyncio.get_running_loop().set_exception_handler(on_loop_error)
    reception.tasks.keep("write", reception.write_always)
    reception.tasks.keep("keys", reception.learn_always)
    reception.tasks.keep("receive", partial(_receive_always, reception, address, air, progress))
    reception.tasks.keep("beat", partial(_beat_always, progress))
    try:
        await asyncio.Event().wait()
    finally:
        await reception.tasks.close()
        await reception.close()


async def _receive_always(
    reception: Reception, address: BrokerAddress, air: bytes, progress: ReceivingState
) -> None:
    while True:
        try:
            await _receive_once(reception, address, air, progress)
        except (aiomqtt.MqttError, OSError) as error:
            cancelled_too()
            progress.set("connecting", broker_error(error, address))
        except UserError as error:  # the database
            progress.set("connecting", error)
        await asyncio.sleep(AGAIN_S)


async def _beat_always(progress: ReceivingState) -> None:
    """Tell `schiri hall` that this process is well: its loop turns, and it hears its messages."""
    with closing(Heart()) as heart:
        while True:
            if progress.state == "connecting" or progress.quiet_s < WORRIED_S:
                heart.beat()
            await asyncio.sleep(BEAT_S)


def cancelled_too() -> None:
    """A connection that breaks while it is given up hides why it was: raises CancelledError."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """aiomqtt reports a lost connection twice, and may still ask for its socket."""
    error = context.get("exception")
    gone = isinstance(error, OSError) and error.errno == errno.EBADF
    if not gone and not isinstance(error, aiomqtt.MqttError):
        loop.default_exception_handler(context)


async def _receive_once(
    reception: Reception, address: BrokerAddress, air: bytes, progress: ReceivingState
) -> None:
    async with address.client(air) as client:

        async def publish(topic: str, payload: bytes) -> None:
            with suppress(aiomqtt.MqttError):  # treat a lost connection like no answer
                await client.publish(topic, payload, qos=1)

        # before subscribing: retained messages arrive at once
        await reception.begin(publish)
        await client.subscribe([(topic, 1) for topic in _FROM_BOXES])
        for own in (protocol.REFUSED_TOPIC, LOG_TOPIC, ALIVE_TOPIC):
            await client.subscribe(own)
        progress.came()
        progress.set("receiving")
        await _together(_probe_always(client, progress), _hear_all(reception, client, progress))


async def _probe_always(client: aiomqtt.Client, progress: ReceivingState) -> None:
    """Raises TimeoutError when nothing comes any more, not even what was sent to itself: a broker
    that hangs keeps its connections.
    """
    while progress.quiet_s < QUIET_S:
        await client.publish(ALIVE_TOPIC, qos=0)
        await asyncio.sleep(PROBE_S)
    raise TimeoutError


async def _together(*parts: Coroutine[Any, Any, None]) -> None:
    """Until the first fails: it ends the others, and is raised. A TaskGroup would cancel whoever
    waits, and Python 3.11 does not take that back: to `cancelled_too` it were told to end.
    """
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end_tasks(*tasks)
    for task in done:
        task.result()


async def _hear_all(
    reception: Reception, client: aiomqtt.Client, progress: ReceivingState
) -> None:
    waiting = client.messages
    async for message in waiting:
        reception.waiting = len(waiting)
        progress.came()
        topic, payload = message.topic.value, message.payload
        data = payload if isinstance(payload, bytes) else bytes(str(payload), "utf8")
        if topic == ALIVE_TOPIC:
            continue
        if topic == protocol.REFUSED_TOPIC:
            _hear_broker(reception, data)
        elif topic.startswith("$SYS/"):
            _hear_log(reception, data.decode("utf8", "replace"))
        else:
            reception.hear(topic, data, bool(message.retain))


def _hear_broker(reception: Reception, data: bytes) -> None:
    with suppress(ValueError, KeyError, TypeError):
        status = json.loads(data)
        sender, reason = str(status["sender"]), str(status["reason"])[:32]
        reception.refuse(sender, reason, str(status["detail"]))


def _hear_log(reception: Reception, line: str) -> None:
    for pattern, reason in _LOG_LINES:
        found = pattern.search(line)
        if found:
            sender = found[1].removeprefix("schiri-")
            reception.refuse(sender, reason, _WHEN.sub("", line)[:200])


def broker_error(error: Exception, address: BrokerAddress) -> UserError:
    """Why there is no connection, as a sentence."""
    where = f"{address.host}:{address.port}"
    rc = getattr(error, "rc", None)
    code = getattr(rc, "value", rc)
    if code in _VERSION_REFUSED:
        return UserError("broker_version", Exit.SYSTEM, where=where)
    if code in _LOGIN_REFUSED:
        return UserError("broker_login", Exit.SYSTEM, where=where)
    # aiomqtt wraps socket errors; the original one is its context
    system = error if isinstance(error, OSError) else error.__context__
    if isinstance(system, ssl.SSLCertVerificationError):
        why = _CERTIFICATE_REFUSED.get(system.verify_code, "broker_tls")
        return UserError(why, Exit.SYSTEM, where=where, detail=system.verify_message)
    if isinstance(system, ssl.SSLError | ConnectionResetError | TimeoutError):
        # somebody is there, and understands nothing
        why = "broker_no_tls" if address.tls else "broker_silent"
        return UserError(why, Exit.SYSTEM, where=where)
    return UserError("broker_none", Exit.SYSTEM, where=where, detail=str(error))
