"""A hostile air: somebody has the MQTT password of one box, and an MQTT client. What that one says
changes no result, stops nothing, and is named; on Mosquitto and on the built-in broker.
"""

import asyncio
import json
import random
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from firmware.app.link_frames import CHAIN_START, read_record, write_record
from host_tools.box.link import BoxLink
from host_tools.box.sync import BoxSync
from host_tools.core.supervisor import end_tasks
from host_tools.hall import air_link, connection, protocol
from host_tools.hall.broker import serve_broker
from host_tools.hall.mosquitto import write_setup
from host_tools.hall.reception import Reception
from host_tools.store import open_store
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import ByHall, Here, SaidState
from host_tools.store.store import SECOND_JOURNAL, Store
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.desk.live_tables import LiveTables
from host_tools.web.serving import LOOPBACK
from tests.host.test_hall import (
    AIR,
    KEY,
    LEAGUE,
    LINES,
    at,
    receiving,
    run,
    signed,
    until,
)
from tests.processes import free_port, started
from tests.support import air_box
from tests.support.air_box import RecordedBox, enrol_behind, recorded_hand
from tests.support.hall_day import open_day

PATIENCE_S = 120
TAKEOVERS = 24
GREETINGS = 400
NOW = datetime.now(UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "schiri.db"))
    yield opened
    opened.close()


@pytest.fixture
def service(tmp_path: Path) -> Any:
    opened = open_day(str(tmp_path / "day.db"), 4, 2)
    yield opened
    opened.close()


@pytest.fixture(params=["built-in", "mosquitto"])
def broker(
    request: pytest.FixtureRequest, tmp_path: Path, needs: Callable[[str], str]
) -> Callable[[], Any]:
    """A broker on a port, while the block lasts."""

    @asynccontextmanager
    async def serving() -> AsyncIterator[int]:
        port = free_port()
        if request.param == "mosquitto":
            program = needs("mosquitto")
            write_setup(tmp_path, {LEAGUE: KEY}, ["b1", "b2"], LOOPBACK, port=port)
            with started(
                [program, "-c", str(tmp_path / "mosquitto.conf")], stderr=subprocess.DEVNULL
            ):
                yield port
            return
        task = asyncio.create_task(serve_broker(LOOPBACK, port, {LEAGUE: KEY}))
        try:
            yield port
        finally:
            await end_tasks(task)

    return serving


def login(port: int, user: str, client: str = "", word: str = "") -> aiomqtt.Client:
    """Anybody who has read this user's password in the air."""
    word = word or protocol.password(AIR, user)
    name = client or protocol.client_id(user)
    return aiomqtt.Client(
        LOOPBACK, port, username=user, password=word, identifier=name, timeout=PATIENCE_S
    )


def pages_of(service: TournamentService, folder: Path) -> dict[str, int]:
    """The status of every page on which boxes stand."""
    app = make_app(service, Accounts(folder / "users.json"))
    with TestClient(app, raise_server_exceptions=False) as client:
        tables = LiveTables(service.store.live)
        tables.look()
        places = [f"/table/{table.place}" for table in tables.tables()]
        wanted = ["/", "/tables", "/overlay", *places]
        return {page: client.get(page).status_code for page in wanted}


# -- values ---------------------------------------------------------------------------------------

OURS = b'{"here": true, "box": "b1", "boot": "%s", "beat": 99999, "match": 1, "lines": 1, '
HOSTILE = (
    ("state", b'"unix": 1' + b"0" * 400),
    ("state", b'"unix": NaN'),
    ("state", b'"unix": 1e999'),
    ("state", b'"clock": -1'),
    ("state", b'"title": "\\u0000"'),
    ("state", b'"title": "\\ud800"'),
    ("state", b'"title": {}'),
    ("here", b'"table": ' + b"7" * 5_000),
    ("here", b'"name": "\\u0000"'),
    ("here", b'"name": "\\ud800"'),
    ("here", b'"name": []'),
)
HEADERS = ({"born": "\0"}, {"born": "\ud800"}, {"clock": float("inf")}, {"a": 1 << 99})


def test_hostile_values_are_refused_and_named_and_the_hall_goes_on(
    service: TournamentService,
    tmp_path: Path,
    broker: Callable[[], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unsigned by who has a password, and signed, as only an opened box could say it."""
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)
    store = service.store

    async def day() -> Reception:
        async with broker() as port, receiving(store, port) as reception:
            boxes = [
                RecordedBox(name, KEY, port, table=n) for n, name in enumerate(("b1", "b2"), 1)
            ]
            runs = [asyncio.create_task(box.run()) for box in boxes]
            await until(lambda: all(box.client for box in boxes))
            await boxes[0].play(recorded_hand(31), most=3)
            client = boxes[0].client  # Mosquitto ends the older connection of a user
            assert client is not None
            for kind, value in HOSTILE:
                said = OURS % boxes[0].boot.encode() + value + b"}"
                await client.publish(at(kind, "b1"), said, 1, True)
                await client.publish(at(kind, "b1"), signed(at(kind, "b1"), said), 1, True)
            for header in HEADERS:
                line, _ = write_record(CHAIN_START, 0, json.dumps(header))
                await client.publish(at("records/2/0", "b1"), line, 1)
            await boxes[0].send("records/1/0", b"\xff\xff\n", 1)
            await boxes[1].play(recorded_hand(31))
            await until(lambda: any(match.box_id == "b2" for match in store.matches()))
            await boxes[0].play(recorded_hand(31))
            await until(lambda: len(store.matches()) == 3)
            await end_tasks(*runs)
            enrol_behind(store, *boxes)
            return reception

    reception = run(day())
    assert reception.refusals["unsigned"] == len(HOSTILE)
    assert reception.refusals["bad_value"] >= len(HOSTILE)
    assert {refused.sender for refused in store.live.refusals()} == {"b1"}
    stored = sorted((match.box_id, match.number, match.state) for match in store.matches())
    # the match that was under way was left for the second
    assert stored == [("b1", 1, "unverified"), ("b1", 2, "verified"), ("b2", 1, "verified")]
    assert set(pages_of(service, tmp_path).values()) == {200}


def test_rows_that_somebody_has_changed_by_hand_raise_nowhere(
    service: TournamentService, tmp_path: Path
) -> None:
    bad = ('{"table": ' + "7" * 5000 + "}", '{"unix": 1' + "0" * 400 + ', "clock": 1e999}')
    bad += ('{"name": "\\ud800", "table": "3"}', "[]", '{"names": 5, "table": NaN}', "5")
    with service.store.engine.begin() as connection:
        for n, row in enumerate(bad):
            connection.execute(
                text("INSERT INTO live_boxes VALUES (:box, :n, :at, :row, :row)"),
                {"box": f"b{n}", "n": n + 1, "at": "2026-11-20 09:00:00.000000", "row": row},
            )
    header = json.dumps({"schiri": 1, "names": 5, "table": "x", "game": []})
    raw, _ = write_record(CHAIN_START, 0, header)
    service.store.live.write(WriteBatch(lines=[LiveLine("b0", 1, "a", 0, NOW, raw[:-1])]))
    pages = pages_of(service, tmp_path)
    assert len(pages) == 3 + len(bad)
    assert set(pages.values()) == {200}


# -- a batch --------------------------------------------------------------------------------------


def test_one_box_never_holds_up_another(database: str) -> None:
    """Whatever it is that a database does not take: the rest of the batch is written, and the box
    is named; what it said before stays.
    """
    store = open_store(database)
    good = LiveLine("b2", 1, "a", 0, NOW, LINES[0])
    for bad in (
        LiveLine("b1", 1, "\ud800", 0, NOW, LINES[0]),
        LiveLine("b1", 1 << 70, "a", 0, NOW, LINES[0]),
    ):
        batch = WriteBatch({"b2": HeardBox("b2", NOW, Here(here=True))}, [bad, good])
        batch.refuse("b3", "chain", NOW, "")
        written = store.live.write(batch)
        assert list(written.refused) == ["b1"]
        assert not written.later
    assert [(line.box, line.raw) for line in store.live.lines()] == [("b2", LINES[0])]
    assert [box.box for box in store.live.boxes()] == ["b2"]
    assert [(refused.sender, refused.count) for refused in store.live.refusals()] == [("b3", 2)]
    store.close()


# -- a signed answer wins -------------------------------------------------------------------------


def forged(line: bytes, chain: bytes) -> bytes:
    """A line of the same length with another card, as anybody can chain it."""
    record = read_record(line)
    assert record is not None
    at = record.payload.index('"card": "') + len('"card": "')
    card = record.payload[at : at + 2]
    other = card[0] + ("1" if card[1] != "1" else "2")
    payload = record.payload.replace(card, other)
    made, _ = write_record(chain, record.seq, payload)
    assert len(made) == len(line) + 1
    assert made[:-1] != line
    return made


def lines_of(box: RecordedBox) -> list[bytes]:
    contents: dict[str, bytes] = box.memory.flash.contents  # type: ignore[attr-defined]
    return contents["m000001.run"].split(b"\n")[:-1]


async def forge(box: RecordedBox, store: Store) -> bytes:
    """Publish the line behind those that the hall has, before the box does."""
    known = len(lines_of(box))
    await until(lambda: len(store.live.lines()) == known)
    last = read_record(lines_of(box)[-1])
    assert last is not None
    steps = recorded_hand(31).steps
    genuine, _ = write_record(last.chain, last.seq + 1, "\t".join(steps[known - 1]))
    line = forged(genuine[:-1], last.chain)
    await box.send(f"records/1/{known}", line, 1)
    await until(lambda: len(store.live.lines()) == known + 1)
    return line


@pytest.mark.parametrize("way", ["air", "cable"])
def test_a_forged_line_ends_as_what_the_box_has(
    service: TournamentService,
    broker: Callable[[], Any],
    way: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By one box's password: same length, another card. On the board it is marked until the box's
    own lines are there; what is stored at the end is what the box has signed.
    """
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)
    monkeypatch.setattr(connection, "AGAIN_S", 0.1)
    store, tables = service.store, LiveTables(service.store.live)
    box = RecordedBox("b1", KEY, 0, table=1)
    doubts: list[bool] = []

    def shown() -> list[str]:
        tables.look()
        (table,) = tables.tables()
        doubts.append(table.doubt)
        assert table.match is not None
        return [step.command["card"] for step in table.match.steps if "card" in step.command]

    async def day() -> None:
        async with broker() as port:
            box._port = port
            task = asyncio.create_task(box.run())
            async with receiving(store, port) as reception:
                await until(lambda: box.client is not None)
                await box.play(recorded_hand(31), most=4)
                line = await forge(box, store)
                await until(lambda: shown() != [])
                if way == "air":
                    await play_on(box, 4, 9)
                    await until(lambda: reception.refusals["other_bytes"] == 1)
                    await until(lambda: not reception.boxes["b1"].doubt)
                    await until(lambda: line[:-1] not in {one.raw for one in store.live.lines()})
                    await until(lambda: [one.raw for one in store.live.lines()] == lines_of(box))
                    shown()
                    await play_on(box, 9, len(recorded_hand(31).steps))
                    await until(lambda: bool(store.matches()))
                    await until(lambda: not box.unconfirmed)
            await end_tasks(task)

    run(day())
    if way == "cable":
        # the air is gone; what was forged is in the store
        run(play_on(box, 4, len(recorded_hand(31).steps)))
        sync = BoxSync(BoxLink(box.memory.port()), store, lambda *_: None)
        sync.greet()
        assert [one.number for one in sync.matches()] == [1]
    enrol_behind(store, box)
    assert [match.state for match in store.matches()] == ["verified"]
    assert {match.number: match.journal for match in store.matches()} == box.journals()
    assert not box.unconfirmed


async def play_on(box: RecordedBox, first: int, last: int) -> None:
    """Some more commands of the hand, and its end."""
    hand = recorded_hand(31)
    for command, answer in hand.steps[first:last]:
        box.memory.journal.append(command, answer)
        box._lines += 1
        await box._push(box._lines - 1)
        await box.tell()
    if last == len(hand.steps):
        box.memory.journal.close(hand.result)
        box._lines += 2
        await box._push(box._lines - 2)
        await box.tell()


def test_what_was_contested_before_does_not_stand_in_the_way(store: Store) -> None:
    """A forged journal came into the store by a file: the sealed one is verified."""
    box = RecordedBox("b1", KEY, 0)
    enrol_behind(store, box)
    run(box.play(recorded_hand(31)))
    (raw,) = box.journals().values()
    lines = raw.split(b"\n")[:-1]
    record = read_record(lines[3])
    assert record is not None
    lines[4] = forged(lines[4], record.chain)[:-1]
    wrong = store.add(b"\n".join(lines) + b"\n")
    right = store.add(raw)
    assert (wrong.state, right.state) == ("contested", "verified")
    third = store.add(b"\n".join(lines[:-1]) + b"\n")
    assert third.reason == SECOND_JOURNAL.format(wrong.id)


# -- who is who -----------------------------------------------------------------------------------


def test_nobody_takes_over_the_client_id_of_a_box(
    store: Store, broker: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """24 tries each, as another box, as who watches, and without a password."""
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)

    async def day() -> None:
        async with broker() as port, receiving(store, port) as reception:
            box = RecordedBox("b1", KEY, port, table=1)
            task = asyncio.create_task(box.run())
            await until(lambda: "b1" in reception.boxes and bool(box.client))
            client = box.client
            for user in ("b2", protocol.WATCH_USER):
                for name in (protocol.client_id("b1"), "b1") * (TAKEOVERS // 2):
                    async with login(port, user, name):
                        await asyncio.sleep(0)
            for name in (protocol.client_id("b1"), "b1") * (TAKEOVERS // 2):
                nobody = aiomqtt.Client(
                    LOOPBACK,
                    port,
                    username="b1",
                    password="no",
                    identifier=name,
                    timeout=PATIENCE_S,
                )
                with pytest.raises(aiomqtt.MqttError):
                    await nobody.__aenter__()
            beat = reception.boxes["b1"].beat
            await until(lambda: reception.boxes["b1"].beat > beat + 2)
            assert box.client is client
            assert not reception.boxes["b1"].air.gone
            await reception.boxes["b1"].air.ask("hello")  # its subscription is there
            await end_tasks(task)

    run(day())


def test_who_only_watches_may_do_so_with_several_programs(broker: Callable[[], Any]) -> None:
    async def day() -> None:
        async with broker() as port:
            await until_up(port)
            async with login(port, "watch") as one, login(port, "watch-2") as other:
                for client in (one, other):
                    await client.subscribe(at("state", "+"), qos=1)
                async with login(port, "b1") as box:
                    await box.publish(at("state", "b1"), b"{}", qos=1)
                    for client in (one, other):
                        async with asyncio.timeout(PATIENCE_S):
                            assert (await anext(aiter(client.messages))).payload == b"{}"

    run(day())


async def until_up(port: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                async with login(port, protocol.HALL_USER):
                    return
            except aiomqtt.MqttError:
                await asyncio.sleep(0.05)


def test_another_boot_does_not_displace_a_box_that_answers(
    store: Store, broker: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it said under an earlier boot is kept and repeated: signed by the box itself. Nor does
    a call of the jury, with another beat or without a signature.
    """
    monkeypatch.setattr(air_box, "BEAT_S", 0.3)

    async def day() -> None:
        async with broker() as port, receiving(store, port) as reception:
            box = RecordedBox("b1", KEY, port, table=1)
            task = asyncio.create_task(box.run())
            await until(lambda: "b1" in reception.boxes and bool(box.client))
            old = box.boot
            box.switch_on()
            await box.tell()
            await until(lambda: reception.boxes["b1"].air.boot == box.boot)
            said = {"boot": old, "beat": 900, "match": 7, "lines": 3, "jury": True}
            before = dict(reception.refusals)
            await box.send("state", protocol.sign_object(AIR, at("state", "b1"), said), 1)
            await box.send("state", json.dumps({**said, "boot": box.boot}), 1)
            await until(lambda: reception.refusals["unsigned"] == 1)
            await until(lambda: reception.refusals["replayed"] == 1)
            assert reception.boxes["b1"].air.boot == box.boot
            assert not reception.boxes["b1"].state.jury
            assert before == {}
            beat = reception.boxes["b1"].beat
            await until(lambda: reception.boxes["b1"].beat > beat)
            await box.press_jury()
            await until(lambda: reception.boxes["b1"].state.jury)
            await end_tasks(task)

    run(day())


def test_a_box_that_comes_back_behind_another_with_its_id_is_heard_at_once(
    store: Store, broker: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It speaks while the hall still remembers the other one's no, and says nothing more: its next
    state is ten seconds away, as long as the board may take.
    """
    monkeypatch.setattr(air_box, "BEAT_S", 600)

    async def day() -> None:
        async with broker() as port, receiving(store, port) as reception:
            box = RecordedBox("b1", KEY, port, table=1)
            task = asyncio.create_task(box.run())
            await until(lambda: "b1" in reception.boxes and bool(box.client))
            said = {"boot": "back", "beat": 3, "match": 0, "lines": 0}
            await box.send("state", protocol.sign_object(AIR, at("state", "b1"), said), 1)
            await until(lambda: reception.refusals["replayed"] == 1)
            box.boot = "back"  # the other one has gone
            await box.tell()
            await until(lambda: reception.boxes["b1"].air.boot == "back")
            await until(lambda: reception.boxes["b1"].state.boot == "back")
            await end_tasks(task)

    run(day())


def test_an_answer_that_comes_late_or_twice_is_no_alarm(store: Store) -> None:
    """A fresh box loads what an ask needs, and takes longer than one attempt."""
    refused: list[str] = []

    async def day() -> None:
        reception = Reception(store, {LEAGUE: KEY})
        sent: list[bytes] = []

        async def slow(_topic: str, payload: bytes) -> None:
            sent.append(payload)

        await reception.begin(slow)
        said = {"here": True, "boot": "aa", "box": "b1"}
        reception.hear(at("here", "b1"), protocol.sign_object(AIR, at("here", "b1"), said))
        box = reception.boxes["b1"]
        box.air.since -= air_link.SETTLING_S
        said = {"boot": "aa", "beat": 1, "match": 0, "lines": 0}
        reception.hear(at("state", "b1"), protocol.sign_object(AIR, at("state", "b1"), said))
        await until(lambda: bool(sent))
        box.air._wake()  # the attempt is over
        await until(lambda: len(sent) > 1)
        for payload in (*sent, *sent):
            asked = protocol.open_signed(AIR, at("ask", "b1"), payload)
            reply = {"id": asked["id"], "unix": 1}
            topic = at("answer", "b1")
            reception.hear(topic, protocol.sign(AIR, topic, reply))
        await reception.close()
        refused.extend(reception.refusals)

    run(day())
    assert refused == []


def test_a_box_of_which_only_the_state_is_heard_is_asked_who_it_is(
    store: Store, broker: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody has put rubbish in the place of its kept `here`."""
    monkeypatch.setattr(air_box, "BEAT_S", 0.3)

    async def day() -> None:
        async with broker() as port:
            box = RecordedBox("b1", KEY, port, table=5)
            task = asyncio.create_task(box.run())
            await until(lambda: bool(box.client))
            await box.send("here", b"{}", 1, True)
            async with receiving(store, port) as reception:
                await until(lambda: "b1" in reception.boxes)
                await until(lambda: reception.boxes["b1"].here.table == 5)
            await end_tasks(task)

    run(day())


def test_the_hall_says_which_match_is_in_doubt(service: TournamentService, tmp_path: Path) -> None:
    record, _ = write_record(CHAIN_START, 0, recorded_hand().header)
    here = Here(here=True, box="b1", table=1, hall=ByHall(doubt=1))
    status = HeardBox("b1", datetime.now(UTC), here, SaidState(match=1, lines=1))
    service.store.live.write(
        WriteBatch({"b1": status}, [LiveLine("b1", 1, "a", 0, NOW, record[:-1])])
    )
    app = make_app(service, Accounts(tmp_path / "users.json"))
    with TestClient(app) as client:
        for page in ("/tables?lang=en", "/table/1?lang=en", "/overlay?lang=en&table=1"):
            assert "being checked" in client.get(page).text


def test_bytes_that_are_no_greeting_leave_the_built_in_broker_as_it_was(store: Store) -> None:
    """Cut, changed and foreign CONNECT packets; then a box comes in as ever."""
    chance = random.Random(5)
    name = b"schiri-b1"
    body = b"\0\x04MQTT\x04\xc2\0\x14" + bytes((0, len(name))) + name + b"\0\x02b1\0\x02no"
    good = b"\x10" + bytes((len(body),)) + body

    async def day() -> None:
        port = free_port()
        task = asyncio.create_task(serve_broker(LOOPBACK, port, {LEAGUE: KEY}))
        await until_up(port)
        for _ in range(GREETINGS):
            data = bytearray(good)
            for _ in range(chance.randrange(4)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            _, writer = await asyncio.open_connection(LOOPBACK, port)
            writer.write(bytes(data[: chance.randrange(1, len(data) + 1)]))
            writer.close()
        async with receiving(store, port) as reception:
            box = RecordedBox("b1", KEY, port)
            run = asyncio.create_task(box.run())
            await until(lambda: "b1" in reception.boxes)
            await end_tasks(run)
        await end_tasks(task)

    run(day())
