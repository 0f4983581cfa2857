"""The broker of `schiri hall` on one laptop: amqtt, with the league's passwords and topics.

Who may do what is the same as in the files that `mosquitto.write_setup` makes.
"""

import asyncio
import json
import logging
import struct
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from amqtt.adapters import (
    BufferReader,
    ReaderAdapter,
    StreamReaderAdapter,
    StreamWriterAdapter,
    WriterAdapter,
)
from amqtt.broker import Broker, BrokerContext
from amqtt.contexts import Action, BaseContext
from amqtt.errors import AMQTTError, BrokerError, MQTTError, NoDataError
from amqtt.mqtt.connack import UNACCEPTABLE_PROTOCOL_VERSION, ConnackPacket
from amqtt.mqtt.connect import ConnectPacket
from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler
from amqtt.plugins.base import BaseAuthPlugin, BasePlugin, BaseTopicPlugin
from amqtt.session import Session

from host_tools.core.errors import Exit, UserError
from host_tools.hall import protocol
from host_tools.hall.children import Heart
from host_tools.hall.passwords import league_of, load_logins

CONNECTIONS = 4096
"""Maximum open connections. Each is an open file (web.connections.MANY_FILES)."""
OPENING, OPENING_EACH = 1024, 256
"""Maximum connections that have not logged in: in all, and of one address."""
CONNECT_S = 5.0
"""Seconds in which a connection must have said who it is."""
LOGINS_S = 2.0
"""Poll interval for boxes that were locked out, in seconds."""
_NO_CONNECT = (AMQTTError, MQTTError, NoDataError, ValueError, LookupError, struct.error)
"""What amqtt raises for bytes that are no CONNECT packet."""
REFUSED_CLIENT = "refused"
"""The client id of everybody who does not know a password."""


class BoundedReader(StreamReaderAdapter):  # type: ignore[misc]  # untyped
    """Ends a connection at the header of a packet that is too long, before amqtt waits for it."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        super().__init__(reader)
        self._left, self._header = 0, b""

    async def read(self, n: int = -1) -> bytes:
        if n < 0 or n > max(1, self._left):
            raise ConnectionResetError  # amqtt takes this as the end of the connection
        data = bytes(await super().read(n))
        if self._left:
            self._left -= len(data)
            return data
        self._header += data
        if len(self._header) > 1 and data[0] < 0x80:  # MQTT 3.1.1, 2.2.3
            digits = enumerate(self._header[1:])
            self._left = sum((digit & 0x7F) << 7 * place for place, digit in digits)
            self._header = b""
        if self._left > protocol.PACKET_BYTES:
            raise ConnectionResetError
        return data


class LeagueBroker(Broker):  # type: ignore[misc]  # untyped
    """A client id belongs to the user who logs in: nobody throws another off its connection."""

    def __init__(self, config: dict[str, object], air: dict[str, bytes]) -> None:
        super().__init__(config)
        self._air = air
        self._opening: Counter[str] = Counter()

    async def stream_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, listener_name: str
    ) -> None:
        """Connections that say nothing must not use up those of boxes."""
        peer = writer.get_extra_info("peername")
        full = self._opening.total() >= OPENING
        if peer is None or full or self._opening[peer[0]] >= OPENING_EACH:
            writer.transport.abort()
            return
        self._opening[peer[0]] += 1
        await self._client_connected(
            listener_name, BoundedReader(reader), StreamWriterAdapter(writer)
        )

    async def _authenticate(self, session: Session, listener: object) -> bool:
        """amqtt publishes a last will without asking who may write there."""
        is_let_in = bool(await super()._authenticate(session, listener))
        if is_let_in and session.will_flag:
            topic = str(session.will_topic or "")
            allowed = await self._topic_filtering(session, topic, Action.PUBLISH)
            session.will_flag = bool(allowed) and not {*topic} & {*"+#"}
        return is_let_in

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        """amqtt sends to a new client what is kept for the subscriptions of all others."""
        subscribed = [one.client_id for one, _ in self._subscriptions.get(subscription[0], ())]
        if session.client_id in subscribed:
            await super()._publish_retained_messages_for_subscription(subscription, session)

    async def _initialize_client_session(
        self, reader: ReaderAdapter, writer: WriterAdapter, address: str, port: int
    ) -> tuple[BrokerProtocolHandler, Session]:
        """amqtt ends the older connection of a client id before it looks at the password, so the
        id is changed before amqtt has seen it.
        """
        try:
            async with asyncio.timeout(CONNECT_S):
                packet = await ConnectPacket.from_stream(reader)
        except (*_NO_CONNECT, OSError) as fault:  # TimeoutError is an OSError
            await writer.close()
            raise AMQTTError(str(fault)) from fault
        finally:
            self._opening[address] -= 1
            self._opening += Counter()  # forgets addresses without any
        if packet.payload is not None:
            packet.payload.client_id = self._own_client(packet)
        # amqtt reads the packet once more, now with the id of its user
        again = BufferReader(bytes(packet.to_bytes()))
        return await super()._initialize_client_session(again, writer, address, port)  # type: ignore[no-any-return]

    async def hang_up_always(self) -> None:
        """End the connections of who would not be let in any more, until cancelled."""
        before = None
        heart = Heart()
        while True:
            heart.beat()
            with suppress(UserError):  # then nobody is let in, and who is in stays
                logins = load_logins()
                if logins != before:
                    before = logins
                    for session, handler in list(self.sessions.values()):
                        user, given = str(session.username or ""), str(session.password or "")
                        if league_of(self._air, user, given, logins) is None:
                            await handler.handle_connection_closed()
            await asyncio.sleep(LOGINS_S)

    def _own_client(self, packet: ConnectPacket) -> str:
        user = str(packet.payload.username or "")
        if league_of(self._air, user, str(packet.payload.password or "")) is None:
            return REFUSED_CLIENT
        if user in protocol.COMMON_USERS:
            return f"{user} {packet.payload.client_id}"  # a program may connect more than once
        return protocol.client_id(user)


class LeagueAccess(BaseAuthPlugin, BaseTopicPlugin):  # type: ignore[misc]  # untyped
    """A box logs in as itself and writes below its own topic only."""

    @dataclass
    class Config:
        """`air`: league id -> air key in hex."""

        air: dict[str, str] = field(default_factory=dict)

    def __init__(self, context: BaseContext) -> None:
        BasePlugin.__init__(self, context)
        self._air = {league: bytes.fromhex(key) for league, key in self.config.air.items()}
        self._league_of: dict[str, str] = {}

    async def authenticate(self, *, session: Session) -> bool:
        user, given = str(session.username or ""), str(session.password or "")
        league = league_of(self._air, user, given)
        if league is None:
            await self._refuse(user or str(session.client_id or ""), "wrong_password")
            return False
        self._league_of[user] = league
        return True

    async def topic_filtering(
        self,
        *,
        session: Session | None = None,
        topic: str | None = None,
        action: Action | None = None,
    ) -> bool:
        user = str(session.username or "") if session is not None else ""
        if user == protocol.HALL_USER:
            return True
        name = topic or ""
        if user in protocol.WATCH_USERS:
            parts = name.split("/")
            return action != Action.PUBLISH and parts[-1] in (protocol.HERE, protocol.STATE)
        own = protocol.topic_of(self._league_of.get(user, ""), user, "")
        allowed = protocol.KINDS if action == Action.PUBLISH else (protocol.ASK,)
        if name.startswith(own) and name.removeprefix(own).split("/")[0] in allowed:
            return True
        # RECEIVE is amqtt's check before it delivers to a subscriber, no attempt of this user
        if action != Action.RECEIVE:
            await self._refuse(user, "foreign_topic", name)
        return False

    async def on_mqtt_packet_sent(self, *, packet: object, session: Session | None = None) -> None:
        """Of who speaks another version nothing more is known: the broker has hung up."""
        if (
            isinstance(packet, ConnackPacket)
            and packet.return_code == UNACCEPTABLE_PROTOCOL_VERSION
        ):
            await self._refuse("?", "other_version")

    async def _refuse(self, sender: str, reason: str, detail: str = "") -> None:
        # truncated: a refused client chooses these strings
        data = {"sender": sender[:64], "reason": reason, "detail": detail[:80]}
        if isinstance(self.context, BrokerContext):
            await self.context.broadcast_message(
                protocol.REFUSED_TOPIC, json.dumps(data).encode(), 0
            )


async def serve_broker(host: str, port: int, leagues: dict[str, bytes]) -> None:
    """Serve until cancelled. Raises UserError if the port cannot be had."""
    # a trace for every broken client would hide the rest; they are counted by reason
    logging.getLogger("amqtt").setLevel(logging.CRITICAL)
    logging.getLogger("transitions").setLevel(logging.CRITICAL)
    air = {league: protocol.air_key(key) for league, key in leagues.items()}
    # IPv6 addresses need brackets before a port (RFC 3986, 3.2.2)
    at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    listener = {"type": "tcp", "bind": at, "max_connections": CONNECTIONS}
    keys = {league: key.hex() for league, key in air.items()}
    plugins = {"host_tools.hall.broker.LeagueAccess": {"air": keys}}
    # what it keeps for subscribers ends with this process: boxes repeat all within ten seconds
    broker = LeagueBroker({"listeners": {"default": listener}, "plugins": plugins}, air)
    try:
        await broker.start()
    except (BrokerError, OSError) as error:
        why = error.__cause__ if isinstance(error.__cause__, OSError) else OSError(str(error))
        raise UserError("not_listening", Exit.SYSTEM, host=host, port=port, system=why) from error
    try:
        await broker.hang_up_always()
    finally:
        await broker.shutdown()
