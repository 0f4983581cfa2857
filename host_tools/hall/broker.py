"""The broker of `schiri hall` on one laptop: amqtt, with the league's passwords and topics.

Who may do what is the same as in the files that `mosquitto.write_setup` makes.
"""

import asyncio
import hmac
import json
import logging
from dataclasses import dataclass, field

from amqtt.broker import Broker, BrokerContext
from amqtt.contexts import Action, BaseContext
from amqtt.errors import BrokerError
from amqtt.mqtt.connack import UNACCEPTABLE_PROTOCOL_VERSION, ConnackPacket
from amqtt.plugins.base import BaseAuthPlugin, BasePlugin, BaseTopicPlugin
from amqtt.session import Session

from host_tools.core.errors import UserError
from host_tools.hall import protocol

CONNECTIONS = 4096
DEVICE_EXIT = 3


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
        league = next((name for name in self._air if self._fits(name, user, given)), None)
        client = str(session.client_id or "")
        known = user in (protocol.HALL_USER, protocol.WATCH_USER)
        if league is None or not (known or client == protocol.client_id(user)):
            await self._refuse(user or client, "wrong_password")
            return False
        self._league_of[user] = league
        return True

    def _fits(self, league: str, user: str, given: str) -> bool:
        right = protocol.password(self._air[league], user)
        return hmac.compare_digest(right.encode(), given.encode("utf8", "replace"))

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
        if user == protocol.WATCH_USER:
            parts = name.split("/")
            return action != Action.PUBLISH and parts[-1] in (protocol.HERE, protocol.STATE)
        own = protocol.topic_of(self._league_of.get(user, ""), user, "")
        allowed = protocol.KINDS if action == Action.PUBLISH else (protocol.ASK,)
        if name.startswith(own) and name.removeprefix(own).split("/")[0] in allowed:
            return True
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
        data = {"sender": sender[:64], "reason": reason, "detail": detail[:80]}
        if isinstance(self.context, BrokerContext):
            await self.context.broadcast_message(
                protocol.REFUSED_TOPIC, json.dumps(data).encode(), 0
            )


async def serve_broker(host: str, port: int, leagues: dict[str, bytes]) -> None:
    """Serve until cancelled. Raises UserError if the port cannot be had."""
    logging.getLogger("amqtt").setLevel(logging.CRITICAL)
    logging.getLogger("transitions").setLevel(logging.CRITICAL)
    air = {league: protocol.air_key(key).hex() for league, key in leagues.items()}
    at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    listener = {"type": "tcp", "bind": at, "max_connections": CONNECTIONS}
    plugins = {"host_tools.hall.broker.LeagueAccess": {"air": air}}
    broker = Broker({"listeners": {"default": listener}, "plugins": plugins})
    try:
        await broker.start()
    except (BrokerError, OSError) as error:
        why = error.__cause__ if isinstance(error.__cause__, OSError) else OSError(str(error))
        raise UserError("not_listening", DEVICE_EXIT, host=host, port=port, system=why) from error
    try:
        await asyncio.Event().wait()
    finally:
        await broker.shutdown()
