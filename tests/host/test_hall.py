"""The live hall from the broker to the store: what counts arrives once, what does not is named."""

import asyncio
import hmac
import json
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import aiomqtt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from firmware.app.link_frames import read_record, trade_quotes, write_frame
from host_tools.box.link import ATTEMPTS, LinkLost
from host_tools.cards.public_keys import load_desk_key, verify
from host_tools.core.supervisor import end_tasks
from host_tools.hall import air_link, connection, protocol
from host_tools.hall import reception as reception_module
from host_tools.hall.air_link import AirBox, BlockingAirLink
from host_tools.hall.broker import serve_broker
from host_tools.hall.connection import BrokerAddress, ReceivingState, receive
from host_tools.hall.lines import MatchLines
from host_tools.hall.mosquitto import write_setup
from host_tools.hall.pairing import Pairing
from host_tools.hall.protocol import RefusedMessage
from host_tools.hall.reception import Follow, Meter, Reception
from host_tools.store import open_store
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import Here, converted
from host_tools.store.store import Store
from host_tools.tournament.actions import matches
from host_tools.tournament.service import TournamentService, command
from host_tools.web.serving import LOOPBACK
from tests.processes import DEAD_S, free_port, started
from tests.support import air_box
from tests.support.air_box import RecordedBox, enrol_behind, recorded_hand
from tests.support.bad_air import BadAir
from tests.support.hall_day import call_next, open_day
from tests.support.memory_box import journal_of

KEY = bytes(range(32))
LEAGUE = protocol.league_id(KEY)
AIR = protocol.air_key(KEY)
PATIENCE_S = 120
Outcome = TypeVar("Outcome")
JOURNAL = journal_of(
    {"schiri": 1, "born": "0a1b2c3d"}, *({"note": str(n)} for n in range(8)), {"seal": {}}
)
LINES = JOURNAL.split(b"\n")[:-1]
OTHERS = journal_of(
    {"schiri": 1, "born": "ffffffff"}, *({"note": str(n)} for n in range(3))
).split(b"\n")[:-1]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "schiri.db"))
    yield opened
    opened.close()


def run(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """In a thread: in this one the browser's own event loop may be running."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


# -- the lines of a match -------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), max_size=40))
def test_lines_in_any_order_and_number_make_the_journal_once(
    pushes: list[tuple[int, int]],
) -> None:
    known, stored = MatchLines(1), []
    for first, count in [*pushes, *((n, 1) for n in range(10))]:
        stored += known.take(first, LINES[first : first + count])
    assert stored == LINES
    assert known.sealed
    assert known.born == "0a1b2c3d"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (LINES[1].replace(b"0", b"1", 1), "damaged"),  # a bit is wrong
        (LINES[2], "chain"),  # another line than the next one
        (journal_of({"schiri": 2}, {"note": "0"}).split(b"\n")[1], "chain"),  # of another match
    ],
)
def test_a_line_that_does_not_follow_is_not_taken(line: bytes, reason: str) -> None:
    known = MatchLines(1)
    known.take(0, LINES[:1])
    with pytest.raises(RefusedMessage) as refused:
        known.take(1, [line])
    assert refused.value.reason == reason
    assert known.take(1, LINES[1:3]) == LINES[1:3]


def test_a_known_line_sent_again_with_numbers_that_are_none_is_passed_over() -> None:
    known = MatchLines(1)
    known.take(0, LINES)
    body = b"one " + b"-" * 64 + b" {}"
    assert known.take(1, [b"%08x %s" % (crc32(body), body)]) == []


def test_a_command_is_obeyed_on_its_own_topic_only() -> None:
    topic = protocol.topic_of(LEAGUE, "b0c5", protocol.ASK)
    signed = protocol.sign(AIR, topic, {"id": 1, "do": "hello"})
    assert protocol.open_signed(AIR, topic, signed) == {"id": 1, "do": "hello"}
    others = (
        (AIR, protocol.topic_of(LEAGUE, "b0c6", protocol.ASK), signed),
        (AIR, protocol.topic_of(LEAGUE, "b0c5", protocol.ANSWER), signed),
        (protocol.air_key(bytes(32)), topic, signed),
        (AIR, topic, signed[:-1] + bytes([signed[-1] ^ 1])),
        (AIR, topic, write_frame({"id": 1, "do": "hello"})),
    )
    for air, where, payload in others:
        with pytest.raises(RefusedMessage):
            protocol.open_signed(air, where, payload)


# -- what is refused ------------------------------------------------------------------------------


def at(kind: str, box: str = "b0c5", league: str = LEAGUE) -> str:
    return protocol.topic_of(league, box, kind)


def state(box: str = "b0c5", **fields: object) -> bytes:
    """As a box signs it."""
    said = {"boot": "aa", "beat": 5, "match": 3, "lines": 0, "unix": 1000, **fields}
    return protocol.sign_object(AIR, at("state", box), said)


def here(box: str = "b0c5", **fields: object) -> bytes:
    """As a box signs it."""
    said = {"here": True, "boot": "aa", "box": box, **fields}
    return protocol.sign_object(AIR, at("here", box), said)


def signed(topic: str, data: bytes) -> bytes:
    """Whatever a box with the right key could say."""
    mac = hmac.digest(AIR, topic.encode() + b"\n" + data, "sha256")[:16].hex()
    return data[:-1] + f', "mac": "{mac}"}}'.encode()


# topic, payload, who, why: each after the same box has said `here` and state 5 of match 3
HUGE = b"1" + b"0" * 400
DIGITS = b"7" * 5_000
OURS = b'{"boot": "aa", "beat": 6, "match": 3, "lines": 0, '
BAD = [
    (at("state", league="00000000"), state(beat=6), "b0c5", "other_league"),
    ("schiri/2/x/b0c5/state", b"{}", "?", "other_version"),
    ("other/1/x/b0c5/state", b"{}", "?", "foreign_topic"),
    (at("settings"), b"{}", "b0c5", "foreign_topic"),
    (at("state", "b\u00e4r"), b"{}", "?", "foreign_topic"),
    (at("state", "b" * 65), b"{}", "?", "foreign_topic"),
    (at("records/3"), b"x\n", "b0c5", "foreign_topic"),
    (at("records/3/\u0663"), b"x\n", "b0c5", "foreign_topic"),
    (at("records/3000000000/0"), b"x\n", "b0c5", "foreign_topic"),
    (at("here"), signed(at("here"), here("b0c6")[:-44] + b"}"), "b0c5", "foreign_topic"),
    (at("here"), here(schiri=9), "b0c5", "other_version"),
    (at("here", "b0c6"), here("b0c6", boot="b", name="Anna"), "b0c6", "two_boxes"),
    (at("state"), OURS[:-2] + b"}", "b0c5", "unsigned"),
    (at("state"), state(beat=6)[:-4], "b0c5", "unsigned"),
    (at("state"), state(beat=6).replace(b"6", b"7", 1), "b0c5", "bad_mac"),
    (at("state"), state("b0c6", beat=6), "b0c5", "bad_mac"),
    (at("state"), signed(at("state"), b"{" + b"[" * 4000 + b"}"), "b0c5", "bad_value"),
    (at("state"), state(beat=-1), "b0c5", "bad_value"),
    (at("state"), signed(at("state"), OURS + b'"unix": ' + HUGE + b"}"), "b0c5", "bad_value"),
    (at("state"), signed(at("state"), OURS + b'"unix": NaN}'), "b0c5", "bad_value"),
    (at("state"), signed(at("state"), OURS + b'"clock": 1e999}'), "b0c5", "bad_value"),
    (at("state"), signed(at("state"), OURS + b'"title": "\\u0000"}'), "b0c5", "bad_value"),
    (at("state"), signed(at("state"), OURS + b'"title": "\\ud800"}'), "b0c5", "bad_value"),
    (at("state"), state(beat=6, title="x" * 9000), "b0c5", "damaged"),
    (
        at("here"),
        signed(at("here"), b'{"here": true, "boot": "aa", "box": "b0c5", "table": %s}' % DIGITS),
        "b0c5",
        "bad_value",
    ),
    (at("state"), state(beat=5), "b0c5", "replayed"),
    (at("state"), state(beat=6, unix=1000 + 3600), "b0c5", "from_future"),
    (at("records/3/0"), LINES[0], "b0c5", "damaged"),
    (at("records/3/0"), LINES[0][:-9] + b"\n", "b0c5", "damaged"),
    (at("records/3/0"), LINES[1] + b"\n", "b0c5", "chain"),
    (at("records/3/0"), journal_of({"schiri": 1, "born": "a\0"}), "b0c5", "bad_value"),
    (at("records/3/0"), journal_of({"schiri": 1, "born": "\ud800"}), "b0c5", "bad_value"),
    (at("records/3/0"), journal_of({"schiri": 1, "clock": float("inf")}), "b0c5", "bad_value"),
    (at("records/3/0"), journal_of({"schiri": 1, "clock": 1 << 70}), "b0c5", "bad_value"),
    (at("records/3/0"), journal_of({"schiri": 1, "box": "b0c6"}), "b0c5", "foreign_topic"),
    (at("records/3/0"), journal_of({"schiri": 1, "match": 4}), "b0c5", "foreign_topic"),
    (at("records/2/0"), LINES[0] + b"\n", "b0c5", "replayed"),
    (at("answer"), b"0" * 32 + b" {}", "b0c5", "bad_mac"),
    (at("answer"), protocol.sign(AIR, at("answer"), {"id": 1}), "b0c5", "replayed"),
    (at("answer"), protocol.sign(AIR, at("answer"), {"id": float("inf")}), "b0c5", "bad_value"),
]


@pytest.mark.parametrize(("topic", "payload", "who", "why"), BAD)
def test_what_is_wrong_is_refused_by_name_and_counted(
    store: Store, topic: str, payload: bytes, who: str, why: str
) -> None:
    async def hear() -> None:
        reception = Reception(store, {LEAGUE: KEY}, now=lambda: 1000.0)
        reception.hear(at("here"), here(name="Anna"))
        reception.hear(at("state"), state())
        reception.boxes["b0c5"].air.since -= air_link.SETTLING_S
        for _ in range(2):
            reception.hear(topic, payload)
        await reception.close()
        assert reception.refusals == {why: 2}

    run(hear())
    found = [(r.sender, r.reason, r.count) for r in store.live.refusals()]
    assert found == [(who, why, 2)]
    assert store.live.lines() == []


@pytest.mark.parametrize(
    ("heard", "will", "gone"),
    [("aa", "aa", True), ("aa", "zz", False), ("", "zz", True)],
    ids=["its own", "of an earlier boot", "of nobody known"],
)
def test_a_box_has_left_by_the_will_of_its_own_boot(
    store: Store, heard: str, will: str, gone: bool
) -> None:
    """A broker publishes the will of a line that it takes for dead long after the box is back."""

    async def hear() -> bool:
        reception = Reception(store, {LEAGUE: KEY}, now=lambda: 1000.0)
        if heard:
            reception.hear(at("here"), here(boot=heard))
            reception.hear(at("state"), state(boot=heard))
        reception.hear(at("here"), here(boot=will, here=False))
        await reception.close()
        return reception.boxes["b0c5"].air.gone

    assert run(hear()) == gone


def test_of_two_boxes_with_one_id_the_one_that_is_left_is_served_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second is unplugged: the first, which never knew of it, must not be taken for a replay,
    nor its match for the second's of the same number.
    """

    def says(reception: Reception, boot: str, lines: list[bytes], beat: int) -> None:
        head = read_record(lines[-1]).chain.hex()  # type: ignore[union-attr]
        said = state(boot=boot, beat=beat, lines=len(lines), head=head)
        reception.hear(at("state"), said)

    async def hear() -> Reception:
        monkeypatch.setattr(air_link, "ANSWER_S", 0.01)  # nobody answers
        reception = Reception(store, {LEAGUE: KEY}, now=lambda: 1000.0)
        await reception.begin(_nowhere)
        for table, (boot, lines) in enumerate({"aa": LINES[:4], "zz": OTHERS}.items(), 1):
            reception.hear(at("here"), here(boot=boot, table=table))
            await until(lambda boot=boot: reception.boxes["b0c5"].air.boot == boot)
            says(reception, boot, lines, 5)
            for n, line in enumerate(lines):
                reception.hear(at(f"records/3/{n}"), line + b"\n")
            reception.hear(at("here"), here(boot=boot, here=False))
        for beat in (6, 7):
            says(reception, "aa", LINES[:4], beat)
            await until(lambda: reception.boxes["b0c5"].air.boot == "aa")
        await reception.close()
        return reception

    box = run(hear()).boxes["b0c5"]
    assert (box.air.boot, box.beat, box.is_here, box.here.table) == ("aa", 7, True, 1)
    assert box.lines is not None
    assert len(box.lines) == 0  # they are asked for anew
    assert [line.raw for line in store.live.lines() if line.born == "0a1b2c3d"] == LINES[:4]
    found = [(r.sender, r.reason, r.count) for r in store.live.refusals()]
    assert found == [("b0c5", "two_boxes", 1)]


def test_a_match_of_another_tournament_is_not_shown(store: Store) -> None:
    old = journal_of({"schiri": 1, "born": "0a", "tournament": "last-year"}, {"note": "1"})

    async def hear() -> None:
        reception = Reception(store, {LEAGUE: KEY}, "cup-2026", now=lambda: 1000.0)
        reception.hear(at("state"), state())
        for n, line in enumerate(old.split(b"\n")[:-1]):
            reception.hear(at(f"records/3/{n}"), line + b"\n")
        reception.hear(at("records/4/0"), LINES[0] + b"\n")  # names none
        assert reception.boxes["b0c5"].early  # until its state names the match
        reception.hear(at("state"), state(beat=6, match=4))
        await reception.close()

    run(hear())
    found = [(r.sender, r.reason, r.count, r.detail) for r in store.live.refusals()]
    assert found == [("b0c5", "finished_event", 1, "last-year")]
    assert [line.number for line in store.live.lines()] == [4]


def test_a_flood_is_cut_and_the_others_are_heard(store: Store) -> None:
    async def hear() -> None:
        reception = Reception(store, {LEAGUE: KEY})
        for beat in range(3000):
            reception.hear(at("state"), state(beat=beat, unix=None))
        reception.hear(at("state", "b0c6"), state("b0c6", unix=None))
        await reception.close()

    run(hear())
    assert [box.box for box in store.live.boxes()] == ["b0c5", "b0c6"]
    (flood,) = store.live.refusals()
    assert (flood.sender, flood.reason) == ("b0c5", "flood")
    assert flood.count > 2000


def test_a_box_may_send_two_hundred_messages_at_once_and_thirty_a_second() -> None:
    meter = Meter()
    assert [meter.passes(50.0) for _ in range(202)] == [True] * 200 + [False] * 2
    assert [meter.passes(51.0) for _ in range(31)] == [True] * 30 + [False]
    assert [meter.passes(51.0 + 3600) for _ in range(201)] == [True] * 200 + [False]


def test_only_so_many_senders_are_refused_by_name(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes up names fills no table; who has a line keeps it. A reason has 32 letters."""
    monkeypatch.setattr(reception_module, "SENDERS", 2)

    async def hear() -> None:
        reception = Reception(store, {LEAGUE: KEY})
        for sender in ("a", "b", "c", "d", "a", "\0"):
            reception.refuse(sender, "x" * 33)
        await reception.close()

    run(hear())
    found = {(r.sender, r.reason, r.count) for r in store.live.refusals()}
    assert found == {("a", "x" * 32, 2), ("b", "x" * 32, 1), ("?", "x" * 32, 3)}


# -- two halls on one database --------------------------------------------------------------------


def test_two_halls_that_write_the_same_lines_store_them_once(postgres_url: str) -> None:
    first, second = open_store(postgres_url), open_store(postgres_url)
    now = datetime.now(UTC)
    lines = [LiveLine("b0c5", 1, "a", n, now, raw) for n, raw in enumerate(LINES)]
    first.live.write(WriteBatch(lines=lines[:4]))
    second.live.write(WriteBatch(lines=lines[2:]))
    first.live.write(WriteBatch(lines=lines[1:]))
    assert [line.raw for line in first.live.lines()] == LINES
    assert first.fetched("b0c5", 1) == (
        len(LINES),
        JOURNAL,
        False,
    )  # a sync by USB begins behind it
    first.close()
    second.close()


def test_what_was_meant_for_one_boot_is_not_asked_of_another() -> None:
    """Two boxes with one id take turns in the middle of a call: a match given to the first table
    must not come to the second.
    """
    box = AirBox("b0c5", LEAGUE, AIR, _nowhere, boot="aa")
    asked: list[dict[str, Any]] = []

    async def answer(topic: str, payload: bytes) -> None:
        asked.append(protocol.open_signed(AIR, topic, payload))
        reply = {"id": asked[-1]["id"], "error": "old_request", "n": 5, "boot": "zz"}
        box.answered(at("answer"), protocol.sign(AIR, at("answer"), reply))

    async def _ask() -> None:
        box.publish = answer
        with pytest.raises(LinkLost):
            await box.ask("assign")

    run(_ask())
    assert [request["boot"] for request in asked] == ["aa"]
    assert box.boot == "aa"


def test_who_a_box_is_it_is_asked_only_if_it_did_not_say_so() -> None:
    """256 boxes come in at once when a broker is started again."""
    named = {"box": "b0c5", "name": "Anna", "table": 3, "firmware": "0.1.0", "schiri": 1}
    box = AirBox("b0c5", LEAGUE, AIR, _nowhere, boot="aa")
    asked: list[dict[str, Any]] = []

    async def answer(topic: str, payload: bytes) -> None:
        asked.append(protocol.open_signed(AIR, topic, payload))
        reply = {**named, "id": asked[-1]["id"], "name": "asked", "box": "another"}
        box.answered(at("answer"), protocol.sign(AIR, at("answer"), reply))

    async def hello(said: Here) -> dict[str, Any]:
        box.publish = answer
        box.came(said)
        return await asyncio.to_thread(BlockingAirLink(box, asyncio.get_running_loop()).hello)

    assert run(hello(converted(Here, named))) == {**named, "key": LEAGUE}
    assert not asked
    said = run(hello(Here()))
    assert (said["name"], said["box"]) == ("asked", "b0c5")  # a box speaks for itself


def test_what_a_box_did_not_get_is_asked_again_and_nobody_waits_for_one_that_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(air_link, "ANSWER_S", 10 * PATIENCE_S)
    box = AirBox("b0c5", LEAGUE, AIR, _nowhere, boot="aa")
    asked: list[bytes] = []

    async def hear(_topic: str, payload: bytes) -> None:
        asked.append(payload)

    async def lost(change: Callable[[], None], times: int) -> None:
        """Asked so often, then the change."""
        box.publish = hear
        asking = asyncio.create_task(box.ask("hello"))
        for count in range(1, times + 1):
            await until(lambda count=count: len(asked) == count)  # type: ignore[misc]
            box.came(Here()) if count < times else change()
        with pytest.raises(LinkLost):
            await asking
        asked.clear()

    def boots_again() -> None:
        box.boot = "ab"
        box.came(Here())

    run(lost(box.left, 3))
    box.came(Here())
    run(lost(boots_again, 1))


async def with_a_mute_box(store: Store, *said: tuple[str, bytes]) -> tuple[Reception, list[bytes]]:
    """A hall that a box has told so much, and what it asks the box, which does not answer."""
    asked: list[bytes] = []

    async def hear(_topic: str, payload: bytes) -> None:
        asked.append(payload)

    reception = Reception(store, {LEAGUE: KEY}, now=lambda: 1000.0)
    await reception.begin(hear)
    for kind, payload in said:
        reception.hear(at(kind), payload)
    return reception, asked


def test_a_box_that_was_silent_is_asked_again_without_a_word_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing may be the matter at its table for ten seconds."""
    monkeypatch.setattr(air_link, "ANSWER_S", 0.01)
    monkeypatch.setattr(reception_module, "AGAIN_S", 0.0)

    async def day() -> None:
        reception, asked = await with_a_mute_box(store, ("here", here()), ("state", state()))
        await until(lambda: len(asked) > ATTEMPTS)
        await reception.close()

    run(day())


def test_a_desk_reads_who_has_left_and_who_is_back(store: Store) -> None:
    """What the broker has only kept of a box proves nobody's presence; its will says that it left,
    its next state that it is back.
    """
    said = [
        ("state", state(), True, False),
        ("here", here(), False, True),
        ("here", here(here=False), False, False),
        ("state", state(beat=6), False, True),
    ]

    async def hear() -> list[bool]:
        reception = Reception(store, {LEAGUE: KEY}, now=lambda: 1000.0)
        read = []
        for kind, payload, kept, _ in said:
            reception.hear(at(kind), payload, kept)
            await reception.flush()
            read += [box.here.here for box in store.live.boxes()]
        await reception.close()
        return read

    assert run(hear()) == [is_here for *_, is_here in said]


def test_a_hall_that_ends_leaves_nobody_waiting(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has asked a box, which does not answer, for the lines of its match. What came before is
    in the store."""
    monkeypatch.setattr(air_link, "ANSWER_S", 10 * PATIENCE_S)
    head = read_record(LINES[3]).chain.hex()  # type: ignore[union-attr]
    said = [
        ("here", here()),
        ("state", state(lines=4, head=head)),
        ("records/3/0", LINES[0] + b"\n"),
    ]

    def waiting() -> list[str]:
        return [one.name for one in threading.enumerate() if one.name.startswith("sync")]

    async def day() -> None:
        reception, asked = await with_a_mute_box(store, *said)
        await until(lambda: bool(asked) and bool(waiting()))
        await reception.close()
        await until(lambda: not waiting())
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run(day())
    assert [line.raw for line in store.live.lines()] == LINES[:1]


async def _nowhere(_topic: str, _payload: bytes) -> None:
    """Until the test has its own."""


# -- a whole hall ---------------------------------------------------------------------------------


@asynccontextmanager
async def receiving(
    store: Store, port: int, follow: Follow | None = None, for_league: bool = False
) -> AsyncIterator[Reception]:
    """A hall that is connected, until the end of the block."""
    connected = asyncio.Event()

    def changed(progress: ReceivingState) -> None:
        if progress.state == "receiving":
            connected.set()

    reception = Reception(store, {LEAGUE: KEY}, follow=follow, for_league=for_league)
    address = BrokerAddress(LOOPBACK, port)
    task = asyncio.create_task(receive(reception, address, AIR, ReceivingState(changed=changed)))
    try:
        async with asyncio.timeout(PATIENCE_S):
            await connected.wait()
        yield reception
    finally:
        await end_tasks(task)


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not done():
            await asyncio.sleep(0.05)


def test_a_hall_ends_although_its_connection_breaks_at_that_moment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Breaking:
        async def __aenter__(self) -> None:
            tried.append(self)
            try:
                connecting.set()
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if len(tried) == 2:
                    raise
                raise aiomqtt.MqttError("lost") from None

        async def __aexit__(self, *_: object) -> None:
            """Never entered."""

    async def ended() -> None:
        reception = Reception(store, {LEAGUE: KEY})
        hall = receive(reception, BrokerAddress(LOOPBACK, 1), AIR, ReceivingState())
        task = asyncio.create_task(hall)
        await connecting.wait()
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=PATIENCE_S)
        assert done

    tried: list[Breaking] = []
    connecting = asyncio.Event()
    monkeypatch.setattr(BrokerAddress, "client", lambda *_: Breaking())
    run(ended())


def test_bad_air_a_killed_broker_and_another_hall_lose_and_double_nothing(
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    needs: Callable[[str], str],
) -> None:
    """Two boxes play two matches each through air that cuts, delays, doubles and reorders; the
    broker is killed under the second, and another hall takes over.
    """
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)
    monkeypatch.setattr(air_link, "ANSWER_S", 0.5)
    monkeypatch.setattr(connection, "AGAIN_S", 0.1)
    program, port = needs("mosquitto"), free_port()
    write_setup(tmp_path, {LEAGUE: KEY}, ["b0", "b1", "b2"], LOOPBACK, port=port)
    mosquitto = [program, "-c", str(tmp_path / "mosquitto.conf")]

    async def day(brokers: ExitStack) -> list[RecordedBox]:
        broker = brokers.enter_context(started(mosquitto, stderr=subprocess.DEVNULL))
        async with BadAir(port, seed=7, cut=0.02) as air:
            boxes = [RecordedBox(f"b{n}", KEY, air.port, table=n + 1) for n in range(2)]
            runs = [asyncio.create_task(box.run()) for box in boxes]
            async with receiving(store, port):
                await until(lambda: all(box.client for box in boxes))
                await asyncio.gather(*(box.play(recorded_hand(31), 0.01) for box in boxes))
                playing = [asyncio.create_task(b.play(recorded_hand(31), 0.01)) for b in boxes]
                await until(lambda: any(line.number == 2 for line in store.live.lines()))
                broker.kill()
                broker.wait(DEAD_S)
            brokers.enter_context(started(mosquitto, stderr=subprocess.DEVNULL))
            await asyncio.gather(*playing)
            air.calm = True
            async with receiving(store, port):
                await until(lambda: not any(box.unconfirmed for box in boxes))
            await end_tasks(*runs)
            assert air.cuts > 0
            assert air.doubled > 0
            assert air.reordered > 0
            return boxes

    with ExitStack() as brokers:
        boxes = run(day(brokers))
    enrol_behind(store, *boxes)
    stored = [(match.box_id, match.number, match.state) for match in store.matches()]
    assert sorted(stored) == [(f"b{n}", number, "verified") for n in range(2) for number in (1, 2)]
    on_boxes = {(b.box, n): raw for b in boxes for n, raw in b.journals().items()}
    assert {(m.box_id, m.number): m.journal for m in store.matches()} == on_boxes


def test_a_hall_comes_back_to_a_broker_that_was_killed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs: Callable[[str], str]
) -> None:
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)
    program, port = needs("mosquitto"), free_port()
    write_setup(tmp_path, {LEAGUE: KEY}, ["b1"], LOOPBACK, port=port)
    mosquitto = [program, "-c", str(tmp_path / "mosquitto.conf")]

    async def day(brokers: ExitStack) -> None:
        broker = brokers.enter_context(started(mosquitto, stderr=subprocess.DEVNULL))
        box = RecordedBox("b1", KEY, port, table=1)
        runs = [asyncio.create_task(box.run())]
        async with receiving(store, port):
            await until(lambda: bool(store.live.boxes()))
            broker.kill()
            broker.wait(DEAD_S)
            brokers.enter_context(started(mosquitto, stderr=subprocess.DEVNULL))
            await until(lambda: box.client is not None)
            await box.play(recorded_hand(11), 0.01)
            await until(lambda: not box.unconfirmed)
        await end_tasks(*runs)

    with ExitStack() as brokers:
        run(day(brokers))


def test_a_league_confirms_nothing_before_the_hall_of_the_box_has_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a match that the league had first would never come to its hall."""
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)
    port, of_league = free_port(), open_store(str(tmp_path / "league.db"))

    async def day() -> None:
        broker = asyncio.create_task(serve_broker(LOOPBACK, port, {LEAGUE: KEY}))
        box = RecordedBox("b1", KEY, port, table=1)
        runs = [asyncio.create_task(box.run())]
        async with receiving(of_league, port, for_league=True):
            await until(lambda: box.client is not None)
            await box.play(recorded_hand(11), 0.01)
            await until(lambda: len(of_league.live.lines()) == 14)  # header, 11, result, seal
            await asyncio.sleep(2)
            assert (box.unconfirmed, of_league.matches()) == (1, [])
            async with receiving(store, port):
                await until(lambda: not box.unconfirmed)
                assert len(store.matches()) == 1
                await until(lambda: len(of_league.matches()) == 1)
        await end_tasks(*runs, broker)

    run(day())
    of_league.close()


class PairedBox(RecordedBox):
    """A box that takes its match and what the desk announces, if both are signed for it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.given: dict[str, Any] = {}
        self.notice = ""

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        if request.get("do") not in ("assign", "notice"):
            return super()._reply(request)
        self._n = request["n"]
        kind = {"assign": "assignment", "notice": "notice"}[request["do"]]
        if kind in request:
            text = trade_quotes(request[kind])
            desk, signed = load_desk_key(), f"{request['do']}\n{text}".encode()
            assert desk is not None
            assert verify(desk.public, "order", signed, bytes.fromhex(request["sig"]))
            if kind == "notice":
                self.notice = json.loads(text)["text"]
            else:
                self.given = json.loads(text)
        return {
            "id": request["id"],
            "assigned": self.given.get("id"),
            "issued": self.given.get("issued", 0),
            "state": "shown" if self.given.get("id") else "none",
            "here": [],
            "plays": None,
        }


async def speaks_mqtt_9(port: int) -> None:
    """CONNECT of a version that there is not; refused with return code 1 (MQTT 3.1.1, 3.2.2.3)."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.write(b"\x10\x0e\0\x04MQTT\x09\x02\0\x14\0\x02b9")
    assert await asyncio.wait_for(reader.readexactly(4), PATIENCE_S) == b"\x20\x02\0\x01"
    writer.close()


def test_the_desk_calls_and_the_box_on_the_air_gets_its_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By our own broker, which lets in who knows the league's key and nobody else."""
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)
    service = open_day(str(tmp_path / "day.db"), 4, 2)
    load_desk_key(make="Cup")
    pairing, port = Pairing([service], "en"), free_port()

    async def day() -> None:
        broker = asyncio.create_task(serve_broker(LOOPBACK, port, {LEAGUE: KEY}))
        box = PairedBox("b1", KEY, port, table=1)
        other = RecordedBox("b2", bytes(32), port)  # of another league
        runs = [asyncio.create_task(one.run()) for one in (box, other)]
        async with receiving(service.store, port, pairing.follow) as reception:
            runs.append(asyncio.create_task(pairing.watch(reception)))
            await until(lambda: bool(service.store.live.boxes()))
            call_next(service, 1)
            await until(lambda: box.given.get("table") == 1)
            service.do("Anna", "", command(matches.announce, "Round 2 at 14:30"))
            await until(lambda: box.notice == "Round 2 at 14:30")
            service.do("Anna", "", command(matches.signal_start))
            await until(lambda: box.notice == "Please begin your match now.")
            await speaks_mqtt_9(port)
            wrong = {("b2", "wrong_password"), ("?", "other_version")}
            await until(
                lambda: wrong <= {(r.sender, r.reason) for r in service.store.live.refusals()}
            )
        await end_tasks(*runs, broker)
        (called,) = [match for match in service.state.matches.values() if match.status == "called"]
        assert box.given["id"] == f"{service.id}/{called.id}"
        assert [seat["id"] for seat in box.given["seats"]] == [called.a, called.b]

    try:
        run(day())
    finally:
        service.close()


def test_a_box_on_the_air_gets_the_match_of_each_tournament_of_the_hall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has called a match to its table; then the first."""
    monkeypatch.setattr(air_box, "BEAT_S", 0.5)
    db = str(tmp_path / "day.db")
    first = open_day(db, 4, 2)
    setup = structs.replace(first.events()[0].body, name="Youth")
    log = [structs.replace(first.events()[0], body=setup), *first.events()[1:]]
    second = TournamentService.restore(db, log, "youth")
    load_desk_key(make="Cup")
    pairing, port = Pairing([first, second], "en"), free_port()

    async def day() -> None:
        broker = asyncio.create_task(serve_broker(LOOPBACK, port, {LEAGUE: KEY}))
        box = PairedBox("b1", KEY, port, table=1)
        runs = [asyncio.create_task(box.run())]
        async with receiving(first.store, port, pairing.follow) as reception:
            runs.append(asyncio.create_task(pairing.watch(reception)))
            await until(lambda: bool(first.store.live.boxes()))
            for service, other in ((second, first), (first, second)):
                call_next(service, 1)
                await until(lambda own=f"{service.id}/": box.given.get("id", "").startswith(own))
                assert not any(match.status == "called" for match in other.state.matches.values())
                (called,) = (m.id for m in service.state.matches.values() if m.status == "called")
                service.do("Anna", "", command(matches.enter, called, (20, 12)))
        await end_tasks(*runs, broker)

    try:
        run(day())
    finally:
        second.close()
        first.close()
