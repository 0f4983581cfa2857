"""A hostile air: messages of every topic, broken in every way, against the hall's entry, the store
and the pages.

A message is a genuine one in which something was changed: bytes, a value, the topic, its time.
Most of them are signed afterwards, as only a box with the league's key could do. A fault is an
exception that leaves the hall, the store or a page; a row of a box that nobody spoke of; or a
genuine match that is not on the board as it was played.
"""

import asyncio
import hmac
import json
import random
from binascii import crc32
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

from firmware.app.link_frames import CHAIN_START, read_record, write_record
from host_tools.core.errors import UserError
from host_tools.hall import air_link, lines, protocol, reception
from host_tools.hall.checking import check_boxes, why
from host_tools.hall.reception import Reception
from host_tools.store import said
from host_tools.store.live import LiveStore, WriteBatch, Written
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.board_page import page_of
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live_tables import LiveTables
from host_tools.web.desk.rendering import BoardRenderer
from tests.support.air_box import RecordedBox, recorded_hand
from tests.support.hall_day import open_day

KEY = bytes(range(32))
LEAGUE, AIR = protocol.league_id(KEY), protocol.air_key(KEY)
BOXES = ("b1", "b2", "b3")
QUIET, SOUND = "b9", "b7"
"""One has said something at the beginning, and nobody speaks of it again; one comes at the end."""
FLUSH = 50
"""So many messages are written at once."""
LOOK = 2_000
"""After so many messages the pages are drawn."""
VALUES: tuple[str, ...] = (
    *("null", "true", "-1", "0", "1.5", "1e999", "-1e999", "NaN", "Infinity", "1" + "0" * 400),
    *("7" * 5000, "9007199254740993", "2147483648", "18446744073709551616", '"\\u0000"', '""'),
    *('"\\ud800"', '"\ufeff"', '"' + "x" * 300 + '"', "[]", "{}", "[[]]", '[null, "none"]'),
    *('{"a": ' * 60 + "1" + "}" * 60, "[" * 3000 + "]" * 3000, '"../../x"', '"<script>"'),
)
BORN = ('"\\u0000"', '"\\ud800"', '"0b"', "5", '"' + "z" * 40 + '"')
AirMessage = tuple[str, bytes, bool]


class Genuine(RecordedBox):
    """A box whose messages, signed and in the right order, are kept instead of sent."""

    def __init__(self, box: str) -> None:
        super().__init__(box, KEY, 0, table=int(box[1:]))
        self.due: deque[tuple[str, bytes]] = deque()
        self.chain = CHAIN_START
        """Of the record before the next one."""

    async def send(self, kind: str, payload: bytes | str, qos: int, retain: bool = False) -> None:
        assert isinstance(payload, bytes)
        self.due.append((self.topic(kind), payload))

    async def begin(self, most: int) -> None:
        """Connect, and play so many commands of a hand of 31."""
        await self.send("here", self.here(), 1)
        await self.play(recorded_hand(31), most=most)


class HostileMessages:
    """Messages one after the other, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._boxes = {box: Genuine(box) for box in BOXES}
        self._before: list[AirMessage] = []

    async def next(self) -> AirMessage:
        """A message to which something was done; sometimes nothing."""
        chance = self._chance
        box = chance.choice(list(self._boxes.values()))
        if not box.due:
            await box.begin(chance.choice((2, 2, 31)))  # most are left for the next
        where, payload = box.due.popleft()
        if where.endswith(("/here", "/state")):
            payload = self._object(where, payload)
        else:
            where, payload = self._records(box, where, payload)
        if chance.random() < 0.02:
            where = self._elsewhere(where)
        if chance.random() < 0.2 and self._before:
            where, payload, _ = chance.choice(self._before)
        return self._said(where, payload, kept=chance.random() < 0.1)

    def answer_to(self, name: str, asked: dict[str, Any]) -> AirMessage | None:
        """Something like the answer to what the hall has asked; None: no answer."""
        box = self._boxes.get(name)
        if box is None or self._chance.random() < 0.2:
            return None
        where, text = box.topic("answer"), self._text(box._reply(asked))
        frame = b"%s %08x" % (text, crc32(text))
        data = _code(where, frame) + b" " + frame
        return self._said(where, data if self._chance.random() < 0.8 else self._bytes(data))

    def _said(self, where: str, payload: bytes, *, kept: bool = False) -> AirMessage:
        """Some of what was said is said again later."""
        message = where, payload, kept
        if len(self._before) < 200:
            self._before.append(message)
        else:
            self._before[self._chance.randrange(200)] = message
        return message

    def _elsewhere(self, where: str) -> str:
        parts = where.split("/")
        at = self._chance.randrange(len(parts))
        words = ("", "schiri", "2", "\u0663", "\0", "b9\0", "x" * 70, "..", "9" * 30, "-1", "b2")
        parts[at] = self._chance.choice(words)
        return "/".join(parts)

    def _text(self, message: dict[str, Any]) -> bytes:
        """JSON with a value in it that is none of a box."""
        fields = {name: json.dumps(value) for name, value in message.items()}
        for _ in range(self._chance.choice((0, 0, 0, 1, 1, 2))):
            name = self._chance.choice([*fields, "new"])
            if self._chance.random() < 0.15:
                fields.pop(name, None)
            else:
                fields[name] = self._chance.choice(VALUES)
        inside = ", ".join(f'"{name}": {value}' for name, value in fields.items())
        return ("{" + inside + "}").encode("utf8", "surrogatepass")

    def _bytes(self, data: bytes) -> bytes:
        """Bytes changed, lost or added."""
        chance, kind = self._chance, self._chance.randrange(4)
        at = chance.randrange(len(data) + 1)
        if kind == 0:
            return data[:at] + chance.randbytes(chance.randrange(1, 5)) + data[at + 1 :]
        if kind == 1:
            return data[:at]
        if kind == 2:
            return data[:at] + data[at : at + 40] * 2 + data[at:]
        return data + b"\0" * chance.choice((1, 20_000))

    def _object(self, where: str, payload: bytes) -> bytes:
        fields = json.loads(payload)
        del fields["mac"]
        data = self._text(fields)
        if self._chance.random() < 0.05:
            data = self._bytes(data)
        if self._chance.random() < 0.8 and data:
            data = data[:-1] + b', "mac": "%s"}' % _code(where, data)
        return data if self._chance.random() < 0.95 else self._bytes(data)

    def _records(self, box: Genuine, where: str, data: bytes) -> tuple[str, bytes]:
        """Genuine ones, cut ones, and others that follow: anybody can chain."""
        chance = self._chance
        first, last = (read_record(data.split(b"\n")[at]) for at in (0, -2))
        assert first is not None
        assert last is not None
        chain, box.chain = box.chain if first.seq else CHAIN_START, last.chain
        if chance.random() < (0.1 if first.seq else 0.8):
            parts = first.payload.split("\t")
            texts = [self._text(json.loads(part)).decode("utf8", "replace") for part in parts]
            if not first.seq and chance.random() < 0.8:
                texts = [texts[0][:-1] + f', "born": {chance.choice(BORN)}}}']
            data, _ = write_record(chain, first.seq, "\t".join(texts))
        if chance.random() < 0.05:
            number = chance.choice((0, 2, 3, 10**9, 10**12))
            where = box.topic(f"records/{number}/{first.seq}")
        return where, data if chance.random() < 0.9 else self._bytes(data)


def _code(where: str, data: bytes) -> bytes:
    code = hmac.digest(AIR, where.encode("utf8", "surrogatepass") + b"\n" + data, "sha256")
    return code[: protocol.MAC_BYTES].hex().encode()


# -- the hall under it ----------------------------------------------------------------------------


class AttackedHall:
    """Entry, store and pages of one day, without a broker. `faults`: what raised or changed, with
    how often.
    """

    def __init__(self, service: TournamentService, seed: int) -> None:
        self.messages = self.lines = 0
        self.faults: Counter[str] = Counter()
        self._hostile = HostileMessages(seed)
        self._live = service.store.live
        self._tables = LiveTables(self._live)
        self._board = BoardRenderer(Follower(service, self._tables))
        self.reception = Reception(service.store, {LEAGUE: KEY})

    async def attack(self, messages: int) -> None:
        """So many messages; what a sound box says then must be stored and shown."""
        asyncio.get_running_loop().set_exception_handler(self._on_error)
        await self.reception.begin(self._answer)
        await self._say(QUIET, 2)
        self._quiet = self._rows()
        for count in range(1, messages + 1):
            self._hear(await self._hostile.next())
            if count % FLUSH == 0:
                await self._flush()
            if count % LOOK == 0:
                self._look()
        said = await self._say(SOUND, 30)
        self._look()
        if [line.raw + b"\n" for line in self._live.lines(box=SOUND, number=1)] != said:
            self.faults["a sound box is not stored"] += 1
        self.lines = len(self._live.lines())
        with suppress(UserError):
            await self.reception.close()

    async def _say(self, name: str, commands: int) -> list[bytes]:
        """A box says what it should; its records."""
        box = Genuine(name)
        await box.begin(commands)
        for where, payload in box.due:
            self._hear((where, payload, False))
        await self._flush()
        return [payload for where, payload in box.due if "/records/" in where]

    async def _answer(self, where: str, payload: bytes) -> None:
        """What the hall asks of a box is answered, mostly, with something like an answer."""
        asked = protocol.open_signed(AIR, where, payload)
        message = self._hostile.answer_to(where.split("/")[3], asked)
        if message is not None:
            asyncio.get_running_loop().call_soon(self._hear, message)

    def _on_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._fault(context.get("exception") or Exception(context["message"]), "task")

    def _fault(self, error: BaseException, where: str) -> None:
        self.faults[f"{where}: {type(error).__name__}: {str(error)[:80]}"] += 1

    def _hear(self, message: AirMessage) -> None:
        """A message comes; no flood is cut, so that each is looked at."""
        for box in self.reception.boxes.values():
            box.signed.allowed = box.unsigned.allowed = reception.BURST
        try:
            self.reception.hear(*message)
        except Exception as error:  # noqa: BLE001  # whatever it is, is what is looked for
            self._fault(error, message[0].split("/")[4:5][0] if "/" in message[0] else "?")
        self.messages += 1

    async def _flush(self) -> None:
        try:
            await self.reception.flush()
        except Exception as error:  # noqa: BLE001
            self._fault(error, "store")
        await asyncio.sleep(0)

    def _look(self) -> None:
        """Every page on which boxes stand."""
        try:
            self._tables.look()
            asked = [
                "/tables",
                "/overlay",
                *(f"/table/{one.place}" for one in self._tables.tables()),
            ]
            for page in (page_of(path, {}, "en") for path in asked):
                assert page is not None
                self._board.page(page)
            checks = check_boxes(self._tables.boxes(), datetime.now(UTC), "", [LEAGUE])
            str([check.faults for check in checks])
            str([why(refused) for refused in self._tables.refusals()])
        except Exception as error:  # noqa: BLE001
            self._fault(error, "page")
        if self._rows() != self._quiet:
            self.faults["rows of a box of which nobody spoke"] += 1

    def _rows(self) -> list[object]:
        status = [(one.here, one.state) for one in self._live.boxes() if one.box == QUIET]
        return [status, self._live.lines(box=QUIET, number=1)]


def run(db: str, messages: int, seed: int) -> AttackedHall:
    """So many messages against a hall on this database."""
    service = open_day(db, 4, 2)
    hall = AttackedHall(service, seed)
    try:
        with patch.object(air_link, "ANSWER_S", 0.01), patch.object(reception, "AGAIN_S", 60.0):
            asyncio.run(hall.attack(messages))
    finally:
        service.close()
    return hall


# -- faults that must be found --------------------------------------------------------------------


@contextmanager
def unbounded() -> Iterator[None]:
    """Numbers of any size and texts of any kind pass the door."""

    def loose(data: bytes) -> said.SaidState:
        fields = json.loads(data).items()
        names = said.SaidState.__struct_fields__
        return said.SaidState(**{k: v for k, v in fields if k in names and v is not None})

    with patch.object(protocol, "read_state", loose):
        yield


@contextmanager
def together() -> Iterator[None]:
    """What records hold is not looked at, and a batch is written as a whole or not at all."""

    def header(payload: str) -> said.MatchHeader:
        return said.MatchHeader(born=str(json.loads(payload).get("born", "")))

    def write(self: LiveStore, batch: WriteBatch) -> Written:
        self._write(batch)
        return Written()

    with (
        patch.object(lines.MatchLines, "_look", lambda *_: None),
        patch.object(lines, "_header", header),
        patch.object(LiveStore, "write", write),
    ):
        yield


@contextmanager
def unmarked() -> Iterator[None]:
    """Who signs is not looked at: anybody speaks for any box."""

    def opened(_air: bytes, _topic: str, payload: bytes) -> bytes:
        return payload

    def take(self: Reception, read: protocol.Topic, *rest: Any) -> None:
        other = protocol.Topic(read.league, QUIET, read.kind, read.rest)
        original(self, other if read.kind == "state" else read, *rest)

    original = Reception._take
    with patch.object(protocol, "open_object", opened), patch.object(Reception, "_take", take):
        yield


PLANTED: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "unbounded": unbounded,
    "together": together,
    "unmarked": unmarked,
}
"""Deliberate faults of our own programs: each must turn the run red."""
