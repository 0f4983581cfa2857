"""What fails on a fault day, and comes back: programs of the hall, PostgreSQL, links, boxes; and
what somebody says who has a box's own password.
"""

import asyncio
import random
import re
import signal
from collections.abc import Sequence
from contextlib import suppress
from typing import LiteralString

import aiomqtt
import psycopg

from firmware.app.link_frames import read_record, write_record
from host_tools.hall import protocol
from host_tools.hall.connection import MqttClient
from host_tools.web.serving import LOOPBACK
from tests.long.hall_programs import AIR, DESKS, LEAGUE, MAD, HallPrograms
from tests.long.hostile_air import VALUES
from tests.support.bad_air import BadAir
from tests.support.hall_boxes import Boxes
from tests.support.programs import Postgres

OF_HALL = ("broker", "hall", "hung", "desk", "links", "box", "fuse", "twin", "foreign")
OF_DATABASE = ("disk", "halted", "orderly", "immediate", "crash")
OF_AIR = ("flood", "hostile", "forged")
KINDS = (*OF_HALL, *OF_DATABASE, *OF_AIR)
FOREIGN_KEY = bytes(32)
FLOOD = 1000
"""So many messages at once."""
_CARD = re.compile(r'"card": ?"(\w+)"')
_HERE = '{"here": true, "box": "mad", "boot": "x", "beat": 1, "match": 0, "lines": 0'


class Faults:
    """Each kind is a method that returns when what failed is mended. The first `tables` boxes play
    the tournament; behind them `twin` has the id of one of them, `foreign` is of another league.
    `down_s`: the longest that something is away.
    """

    def __init__(
        self,
        day: "tuple[HallPrograms, Postgres, BadAir, Boxes]",
        chance: random.Random,
        tables: int,
        down_s: float,
    ) -> None:
        self._hall, self._server, self._air, self._boxes = day
        self._chance, self._tables, self._down_s = chance, tables, down_s
        self._database, self._power = asyncio.Lock(), asyncio.Lock()
        """They fail in one way at a time."""
        self.twin, self.foreign = tables, tables + 1
        self._boxes.set_up(self.twin, 1, self._boxes.ids[chance.randrange(tables)])
        self._boxes.set_up(self.foreign, 0, "e6614c311bffffff", FOREIGN_KEY)

    async def fail(self, kind: str) -> None:
        """One of `KINDS`, from its beginning to its end."""
        await getattr(self, f"{kind}_fails")()

    async def _away(self) -> None:
        await asyncio.sleep(self._chance.uniform(self._down_s / 4, self._down_s))

    # -- programs and boxes -----------------------------------------------------------------------

    async def broker_fails(self) -> None:
        await self._is_killed("broker")

    async def hall_fails(self) -> None:
        await self._is_killed("hall")

    async def desk_fails(self) -> None:
        await self._is_killed(f"desk{self._chance.choice(DESKS)}")

    async def _is_killed(self, name: str) -> None:
        self._hall.kill(name)
        await self._away()
        self._hall.begin(name)

    async def hung_fails(self) -> None:
        """The hall stands still, with its connections."""
        if self._hall.is_running("hall"):
            with self._hall.hung_hall():
                await asyncio.sleep(2 * self._down_s)

    async def links_fails(self) -> None:
        self._air.cut_all()

    async def box_fails(self) -> None:
        await self._without_power(self._chance.randrange(self._tables))

    async def fuse_fails(self) -> None:
        """All boxes lose their power at once."""
        await self._without_power(*range(self._tables))

    async def _without_power(self, *numbers: int) -> None:
        async with self._power:
            for number in numbers:
                self._boxes.cut(number)
            await self._away()
            for number in numbers:
                self._boxes.start(number)

    async def twin_fails(self) -> None:
        """Another box with the id of one of them, which plays matches of its own."""
        await self._is_there(self.twin, 2)

    async def foreign_fails(self) -> None:
        await self._is_there(self.foreign, 1)

    async def _is_there(self, number: int, times: int) -> None:
        self._boxes.start(number, assigned=False)
        for _ in range(times):
            await self._away()
        self._boxes.cut(number)

    # -- PostgreSQL -------------------------------------------------------------------------------

    async def disk_fails(self) -> None:
        """It refuses every write as on a full disk (SQLSTATE 53100)."""
        async with self._database:
            await asyncio.to_thread(_execute, self._hall.db, _FULL)
            try:
                await self._away()
            finally:
                await asyncio.to_thread(_execute, self._hall.db, _EMPTY)

    async def halted_fails(self) -> None:
        """Its machine stands still, five times as long as others are away."""
        async with self._database:
            self._server.halt()
            try:
                await asyncio.sleep(5 * self._down_s)
            finally:
                self._server.go_on()

    async def orderly_fails(self) -> None:
        await self._database_ends(Postgres.ORDERLY)

    async def immediate_fails(self) -> None:
        await self._database_ends(Postgres.IMMEDIATE)

    async def crash_fails(self) -> None:
        await self._database_ends(Postgres.KILL)

    async def _database_ends(self, how: signal.Signals) -> None:
        async with self._database:
            await asyncio.to_thread(self._server.end, how)
            try:
                await self._away()
            finally:
                await asyncio.to_thread(self._server.begin)

    # -- who has the password of a box ------------------------------------------------------------

    def _client(self, user: str) -> aiomqtt.Client:
        return MqttClient(
            LOOPBACK,
            self._hall.broker_port,
            username=user,
            password=protocol.password(AIR, user),
            identifier=protocol.client_id(user),
            timeout=5,
        )

    async def flood_fails(self) -> None:
        """Thousands of messages at once."""
        topic = protocol.topic_of(LEAGUE, MAD, protocol.STATE)
        with suppress(aiomqtt.MqttError, TimeoutError):
            async with self._client(MAD) as client:
                for beat in range(FLOOD):
                    state = {"boot": MAD, "beat": beat, "match": 0, "lines": 0}
                    await client.publish(topic, protocol.sign_object(AIR, topic, state))

    async def hostile_fails(self) -> None:
        """What cannot be kept; the broker keeps it for whoever comes."""
        with suppress(aiomqtt.MqttError, TimeoutError):
            async with self._client(MAD) as client:
                for value in VALUES:
                    text = f'{_HERE}, "unix": {value}, "title": {value}, "table": {value}}}'
                    for kind in (protocol.STATE, protocol.HERE):
                        topic = protocol.topic_of(LEAGUE, MAD, kind)
                        await client.publish(topic, text, qos=1, retain=True)

    async def forged_fails(self) -> None:
        """The next line of a box's match before the box says it: the chain has no key."""
        number = self._chance.randrange(self._tables)
        journal = next(self._boxes.storage(number).glob("m*.run"), None)
        with suppress(aiomqtt.MqttError, TimeoutError, FileNotFoundError):
            lines = journal.read_bytes().split(b"\n")[:-1] if journal else []
            forged = forge(lines)
            if journal is None or forged is None:
                return
            box = self._boxes.ids[number]
            topic = protocol.topic_of(LEAGUE, box, protocol.RECORDS)
            place = f"{topic}/{int(journal.stem[1:])}/{len(lines)}"
            async with self._client(box) as client:
                await client.publish(place, forged, qos=1)


def forge(lines: Sequence[bytes]) -> bytes | None:
    """The line behind these as the box did not say it: another card, the chain as it must be.
    None before a card was laid.
    """
    record = read_record(lines[-1]) if lines else None
    cards = [found for line in lines for found in _CARD.findall(line.decode("utf8", "replace"))]
    if record is None or not cards:
        return None
    payload = _CARD.sub(f'"card":"{cards[0]}"', record.payload)
    return write_record(record.chain, record.seq + 1, payload)[0]


# -- a full disk ----------------------------------------------------------------------------------

_FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$;
DO $$ DECLARE name text; BEGIN
FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP EXECUTE format(
'CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON %I EXECUTE FUNCTION full_disk()', name);
END LOOP; END $$
"""
_EMPTY = "DROP FUNCTION full_disk() CASCADE"


def _execute(db: str, statements: LiteralString) -> None:
    with psycopg.connect(db, autocommit=True) as connection:
        connection.execute(statements)
