"""A hostile air: messages of every topic, broken in every way, against the hall's door, the store
and the pages, on SQLite and on PostgreSQL.

    python -m bench.hostile_air --messages 1000000 --seed 1
    python -m bench.hostile_air --messages 20000 --fault unbounded

A message is a genuine one in which something was changed: bytes, a value, the topic, its time.
Half of them are signed anew afterwards, as only a box with the league's key could do. A fault is
an exception that leaves the hall, the store or a page; a row of a box that nobody spoke of; or a
genuine match that is not on the board as it was played. Exit code 1 if there is one.
"""

import argparse
import asyncio
import hmac
import json
import random
import sys
import tempfile
import time
from binascii import crc32
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec import defstruct

from bench.figure import Figure
from firmware.app.link_frames import CHAIN_START, pack_line, write_record
from host_tools.cards.keys import KeyRing, LeagueKey
from host_tools.core.errors import UserError
from host_tools.hall import air_link, lines, protocol, reception
from host_tools.hall.checking import check_boxes, why
from host_tools.hall.reception import Reception
from host_tools.store import said
from host_tools.store.journal.box_keys import BoxKeys
from host_tools.store.live import LiveStore, WriteBatch, Written
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.board_page import OVERLAY, AskedPage
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live_tables import LiveTables
from host_tools.web.desk.rendering import BoardRenderer
from tests.support import programs
from tests.support.air_box import recorded_hand
from tests.support.hall_day import open_day

KEY = bytes(range(32))
LEAGUE, AIR = protocol.league_id(KEY), protocol.air_key(KEY)
BOXES = ("b1", "b2", "b3")
QUIET = "b9"
"""It has said something at the beginning, and nobody speaks of it again."""
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


@dataclass
class Genuine:
    """What a box would say: signed, in the right order."""

    box: str
    boot: str = "00c0ffee"
    beat: int = 0
    number: int = 1
    records: list[bytes] = field(default_factory=list)
    heads: list[bytes] = field(default_factory=list)
    next: int = 0
    """The line that comes next."""

    def __post_init__(self) -> None:
        self.begin(self.number)

    def begin(self, number: int) -> None:
        """A match."""
        self.number, self.records, self.heads, self.next = number, [], [], 0
        hand, chain = recorded_hand(31), CHAIN_START
        header = {**json.loads(hand.header), "box": self.box, "match": self.number, "born": "0a"}
        for seq, text in enumerate([json.dumps(header), *map("\t".join, hand.steps)]):
            record, chain = write_record(chain, seq, text)
            self.records.append(record)
            self.heads.append(chain)

    def here(self) -> dict[str, Any]:
        return {
            "here": True,
            "boot": self.boot,
            "beat": self.beat,
            "box": self.box,
            "name": f"Box {self.box}",
            "table": int(self.box[1:]),
            "firmware": "0.1.0",
            "schiri": 1,
        }

    def state(self, lines: int) -> dict[str, Any]:
        self.beat += 1
        return {
            "boot": self.boot,
            "beat": self.beat,
            "match": self.number,
            "lines": lines,
            "head": self.heads[lines - 1].hex() if lines else "",
            "unix": int(time.time()),
            "clock": 90,
            "running": True,
            "jury": False,
            "reader": "ok",
            "rssi": -60,
            "heap": 12345,
            "battery_mv": 3900,
            "waiting": 0,
            "title": "Hattrick",
            "assignment": ["cup/1", "running"],
            "notice": [5, "shown"],
            "awaits": "lay",
        }

    def answer(self, chance: random.Random, do: str = "", first: int = 0) -> dict[str, Any]:
        lines = [pack_line(raw[:-1]) for raw in self.records[first : first + 2]]
        end = first + 2 >= len(self.records)
        said: dict[str, dict[str, Any]] = {
            "time": {"unix": int(time.time())},
            "matches": {"matches": [[1, "end", 900]], "more": False},
            "records": {"lines": lines, "next": first + len(lines), "end": end, "torn": False},
            "confirm": {"confirmed": 1},
            "hello": {name: self.here()[name] for name in ("box", "name", "table", "firmware")},
            "": {"error": "old_request", "n": 5, "boot": chance.choice((self.boot, "00000000"))},
        }
        said["hello"]["schiri"] = 1
        return {"id": chance.randrange(1 << 29), **said.get(do, said[""])}


def topic(box: str, kind: str) -> str:
    """Of this league."""
    return protocol.topic_of(LEAGUE, box, kind)


class Mutations:
    """Messages one after the other, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._boxes = [Genuine(box) for box in BOXES]
        self._before: list[AirMessage] = []

    def next(self) -> AirMessage:
        """A message to which something was done; sometimes nothing."""
        chance = self._chance
        box = chance.choice(self._boxes)
        kind = chance.choice(protocol.KINDS)
        where, payload = getattr(self, f"_{kind}")(box)
        if chance.random() < 0.02:
            where = self._elsewhere(where)
        if chance.random() < 0.05 and self._before:
            where, payload, _ = chance.choice(self._before)
        message = where, payload, chance.random() < 0.1
        if len(self._before) < 200:
            self._before.append(message)
        else:
            self._before[chance.randrange(200)] = message
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

    def _object(self, box: Genuine, kind: str, message: dict[str, Any]) -> tuple[str, bytes]:
        where, data = topic(box.box, kind), self._text(message)
        if self._chance.random() < 0.05:
            data = self._bytes(data)
        if self._chance.random() < 0.8 and data:
            data = data[:-1] + b', "mac": "%s"}' % _code(where, data)
        if self._chance.random() < 0.05:
            data = self._bytes(data)
        return where, data

    def _here(self, box: Genuine) -> tuple[str, bytes]:
        return self._object(box, "here", box.here())

    def _state(self, box: Genuine) -> tuple[str, bytes]:
        if box.next >= len(box.records) or self._chance.random() < 0.01:
            box.begin(box.number + 1)
        return self._object(box, "state", box.state(box.next))

    def _answer(self, box: Genuine) -> tuple[str, bytes]:
        return self._signed_answer(box, box.answer(self._chance))

    def answer_to(self, name: str, asked: dict[str, Any]) -> AirMessage | None:
        """Something like the answer to what the hall has asked; None: no answer."""
        box = next((one for one in self._boxes if one.box == name), None)
        if box is None or self._chance.random() < 0.2:
            return None
        first = asked.get("from", 0)
        said = {**box.answer(self._chance, asked["do"], first), "id": asked["id"]}
        return *self._signed_answer(box, said), False

    def _signed_answer(self, box: Genuine, said: dict[str, Any]) -> tuple[str, bytes]:
        where, text = topic(box.box, "answer"), self._text(said)
        frame = b"%s %08x" % (text, crc32(text))
        data = _code(where, frame) + b" " + frame
        return where, data if self._chance.random() < 0.8 else self._bytes(data)

    def _records(self, box: Genuine) -> tuple[str, bytes]:
        """Genuine ones, cut ones, and others that follow: anybody can chain."""
        chance, number = self._chance, box.number
        first = min(box.next, len(box.records) - 1)
        if chance.random() < 0.3:
            first = chance.randrange(len(box.records))
        data = b"".join(box.records[first : first + chance.randrange(1, 4)])
        if chance.random() < (0.2 if first else 0.6):
            chain = box.heads[first - 1] if first else CHAIN_START
            parts = box.records[first].split(b" ", 3)[3].decode().rstrip("\n").split("\t")
            texts = [self._text(json.loads(part)).decode("utf8", "replace") for part in parts]
            if not first and chance.random() < 0.6:
                texts = [texts[0][:-1] + f', "born": {chance.choice(BORN)}}}']
            data, _ = write_record(chain, first, "\t".join(texts))
        elif first == box.next:
            box.next += data.count(b"\n")
        if chance.random() < 0.1:
            data = self._bytes(data)
        if chance.random() < 0.05:
            number = chance.choice((0, 2, 3, 10**9, 10**12))
        return topic(box.box, f"records/{number}/{first}"), data


def _code(where: str, data: bytes) -> bytes:
    code = hmac.digest(AIR, where.encode("utf8", "surrogatepass") + b"\n" + data, "sha256")
    return code[: protocol.MAC_BYTES].hex().encode()


# -- the hall under it ----------------------------------------------------------------------------


@dataclass
class AirOutcome:
    """What came of it. `faults`: what raised or changed, with how often."""

    messages: int = 0
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    lines: int = 0


class HallUnderTest:
    """Door, store and pages of one day, without a broker."""

    def __init__(
        self, service: TournamentService, mutations: Mutations, outcome: AirOutcome
    ) -> None:
        self.outcome = outcome
        self._mutations = mutations
        self._service = service
        self._tables = LiveTables(service.store.live)
        self._board = BoardRenderer(Follower(service, self._tables))
        keys = BoxKeys(KeyRing([LeagueKey("bench", KEY)]))
        self.reception = Reception(service.store, {LEAGUE: KEY}, keys)

    async def begin(self) -> None:
        """Something is there before."""
        asyncio.get_running_loop().set_exception_handler(self._on_error)
        await self.reception.begin(self._answer)
        quiet = Genuine(QUIET)
        for kind, message in (("here", quiet.here()), ("state", quiet.state(3))):
            self.reception.hear(
                topic(QUIET, kind), protocol.sign_object(AIR, topic(QUIET, kind), message)
            )
        self.reception.hear(topic(QUIET, "records/1/0"), b"".join(quiet.records[:3]))
        await self.flush()
        self._quiet = self._rows()

    def _say(self, box: Genuine, count: int) -> None:
        for kind, message in (("here", box.here()), ("state", box.state(count))):
            where = topic(box.box, kind)
            self.hear((where, protocol.sign_object(AIR, where, message), False))

    async def _answer(self, where: str, payload: bytes) -> None:
        """What the hall asks of a box is answered, mostly, with something like an answer."""
        asked = protocol.open_signed(AIR, where, payload)
        message = self._mutations.answer_to(where.split("/")[3], asked)
        if message is not None:
            asyncio.get_running_loop().call_soon(self.hear, message)

    def _on_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._fault(context.get("exception") or Exception(context["message"]), "task")

    def _fault(self, error: BaseException, where: str) -> None:
        self.outcome.faults[f"{where}: {type(error).__name__}: {str(error)[:80]}"] += 1

    def hear(self, message: AirMessage) -> None:
        """A message comes; no flood is cut, so that each is looked at."""
        for box in self.reception.boxes.values():
            box.signed.allowed = box.unsigned.allowed = reception.BURST
        try:
            self.reception.hear(*message)
        except Exception as error:  # noqa: BLE001  # whatever it is, is what is looked for
            self._fault(error, message[0].split("/")[4:5][0] if "/" in message[0] else "?")
        self.outcome.messages += 1

    async def flush(self) -> None:
        try:
            await self.reception.flush()
        except Exception as error:  # noqa: BLE001
            self._fault(error, "store")
        await asyncio.sleep(0)

    def look(self) -> None:
        """Every page on which boxes stand."""
        try:
            self._tables.look()
            pages = [
                AskedPage("tables", "en"),
                AskedPage("screen", "en", "", (OVERLAY,)),
                *(AskedPage("table", "en", one.place) for one in self._tables.tables()),
            ]
            for page in pages:
                self._board.page(page)
                self.outcome.pages += 1
            checks = check_boxes(self._tables.boxes(), datetime.now(UTC), "", [LEAGUE])
            str([check.faults for check in checks])
            str([why(refused) for refused in self._tables.refusals()])
        except Exception as error:  # noqa: BLE001
            self._fault(error, "page")
        if self._rows() != self._quiet:
            self.outcome.faults["rows of a box of which nobody spoke"] += 1

    def _rows(self) -> list[object]:
        live = self._service.store.live
        status = [(one.here, one.state) for one in live.boxes() if one.box == QUIET]
        return [status, live.lines(box=QUIET, number=1)]

    async def end(self) -> None:
        """What a sound box says now must be stored and shown: nothing was stopped."""
        box = Genuine("b7")
        self._say(box, len(box.records))
        for first, record in enumerate(box.records):
            self.hear((topic("b7", f"records/1/{first}"), record, False))
        await self.flush()
        self.look()
        stored = b"".join(
            line.raw + b"\n" for line in self._service.store.live.lines(box="b7", number=1)
        )
        if stored != b"".join(box.records):
            self.outcome.faults["a sound box is not stored"] += 1
        self.outcome.lines = len(self._service.store.live.lines())
        self.outcome.refused = self.reception.refusals
        with suppress(UserError):
            await self.reception.close()


def run(db: str, messages: int, seed: int, seconds: float = 1e9) -> AirOutcome:
    """So many messages against a hall on this database, or as many as so long suffices for."""
    outcome = AirOutcome()

    async def day(service: TournamentService) -> None:
        mutations = Mutations(seed)
        hall = HallUnderTest(service, mutations, outcome)
        await hall.begin()
        for count in range(1, messages + 1):
            hall.hear(mutations.next())
            if count % FLUSH == 0:
                await hall.flush()
            if count % LOOK == 0:
                hall.look()
                if time.monotonic() - started > seconds:
                    break
        await hall.end()

    service = open_day(db, 4, 2)
    started = time.monotonic()
    try:
        with patch.object(air_link, "ANSWER_S", 0.01), patch.object(reception, "AGAIN_S", 60.0):
            asyncio.run(day(service))
    finally:
        service.close()
    outcome.seconds = time.monotonic() - started
    return outcome


# -- faults that must be found --------------------------------------------------------------------


@contextmanager
def unbounded() -> Iterator[None]:
    """Numbers of any size and texts of any kind pass the door."""
    free = defstruct("State", [(one, Any, None) for one in said.SaidState.__struct_fields__])
    with patch.object(protocol, "read_state", lambda data: _loose(free, data)):
        yield


def _loose(kind: Any, data: bytes) -> Any:
    fields = json.loads(data)
    known = {name: fields.get(name) for name in kind.__struct_fields__}
    return said.SaidState(**{name: value for name, value in known.items() if value is not None})


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


FAULTS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "unbounded": unbounded,
    "together": together,
    "unmarked": unmarked,
}
"""Deliberate faults: each must turn the run red."""


def figures(database: str, outcome: AirOutcome) -> list[Figure]:
    """Rows for docs/BENCHMARKS.md."""
    count = sum(outcome.faults.values())
    return [
        Figure(
            f"{outcome.messages} hostile messages, {database}: faults", count, "", "0", count == 0
        ),
        Figure("  pages drawn meanwhile", outcome.pages, ""),
        Figure("  lines of matches stored", outcome.lines, ""),
        Figure("  refused", sum(outcome.refused.values()), ""),
        Figure("  taken", outcome.seconds, "s"),
    ]


def measure(messages: int = 20_000, seed: int = 1) -> list[Figure]:
    """On both databases."""
    found: list[Figure] = []
    for name, db in databases():
        found += figures(name, run(db, messages, seed))
    return found


def databases() -> Iterator[tuple[str, str]]:
    """SQLite in a folder that goes, and PostgreSQL if it is there."""
    with tempfile.TemporaryDirectory() as folder:
        yield "SQLite", str(Path(folder) / "day.db")
    with programs.postgres() as url:
        if url:
            yield "PostgreSQL", url


def main() -> int:
    """Print the figures; 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000, help="half on each database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="no longer on each database")
    parser.add_argument("--fault", choices=FAULTS, help="put a fault in: it must be found")
    asked = parser.parse_args()
    faults = 0
    for name, db in databases():
        half = asked.messages // 2
        with FAULTS[asked.fault]() if asked.fault else nullcontext():
            once = run(db, half, asked.seed, asked.seconds)
        faults += sum(once.faults.values())
        for figure in figures(name, once):
            print(f"{figure.what}: {figure.value:g} {figure.unit}")
        for fault, count in [*once.faults.most_common(10), *once.refused.most_common()]:
            print(f"    {count:8} {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
