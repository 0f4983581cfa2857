"""A box in a live hall: the real firmware on the twin's radio, against a broker of the tests."""

import hashlib
import hmac
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from card_tags import codec, kinds, seal
from card_tags import hall as hall_format
from firmware.app import hall_settings
from firmware.app.flash import Flash
from firmware.app.link_frames import read_frame, unpack_line, write_frame
from firmware.app.slots import TwoFiles
from hardware.twin.radio import DOWN, UP, AccessPoint
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.box.link import BoxLink, BoxRefusal
from host_tools.box.sync import BoxSync
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.commands.box import air_line
from host_tools.core.json_types import Json
from host_tools.sim.demo.usb import TwinPort
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import LEAGUE_KEY, write
from host_tools.store import open_store
from host_tools.web.serving import LOOPBACK
from tests.chip import matches
from tests.processes import LIMIT_S, free_port, started, wait
from tests.twin.broker import Broker

BOX = "e6614c311b000000"
ROOT = f"schiri/1/{hashlib.sha256(b'schiri-key-id' + LEAGUE_KEY).hexdigest()[:8]}/{BOX}/"
AIR_KEY = hmac.digest(LEAGUE_KEY, b"schiri air 1", "sha256")
BEGUN = 3  # of the match with eight seats: a category is called, seats lay their cards
WAIT_MS = 60_000  # of virtual time; on the air no faster than the wall
WIFI = {"wifi": "Saal 1", "wifi_password": "zwölf Tische", "broker": "192.168.7.2"}


@pytest.fixture
def broker() -> Iterator[Broker]:
    broker = Broker()
    yield broker
    broker.close()


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    """A box in a hall, with a match under way."""
    folder = tmp_path / "flash"
    set_up(folder, "de", "Tisch 7")
    hall_settings.store(Flash(str(folder)), dict(WIFI))
    return folder


def point(broker: Broker) -> AccessPoint:
    return AccessPoint("Saal 1", "zwölf Tische", broker.address)


def codes(storage: Path) -> list[str]:
    """The cards that come next."""
    told = matches.commands_of("gastro", storage)[BEGUN : BEGUN + 4]
    return [json.loads(line)["card"] for line, _ in told]


def lay(box: TwinSession, code: str, number: int, done: Callable[[], bool]) -> None:
    tag = matches.card(code, number)
    box.field.place(tag)
    assert box.run_until(done, WAIT_MS)
    box.field.remove(tag)
    box.run_for(1_000)


def mac(topic: str, frame: bytes) -> bytes:
    digest = hmac.digest(AIR_KEY, topic.encode() + b"\n" + frame, "sha256")
    return digest[:16].hex().encode()


def signed(kind: str, data: bytes) -> bytes:
    return data[:-1] + b', "mac": "%s"}' % mac(ROOT + kind, data)


class Hall:
    """Asks the box through the broker."""

    def __init__(self, box: TwinSession, broker: Broker, boot: str) -> None:
        self.box = box
        self.broker = broker
        self.boot = boot
        self.n = 1_000

    def send(self, request: Json, code: bytes | None = None) -> None:
        frame = write_frame(request).rstrip(b"\n")
        topic = ROOT + "ask"
        self.broker.publish(topic, (code or mac(topic, frame)) + b" " + frame)

    def ask(self, do: str, **fields: object) -> Json:
        self.n += 1
        return self.answer({"id": self.n, "do": do, "n": self.n, "boot": self.boot, **fields})

    def answer(self, request: Json) -> Json:
        count = len(self.broker.payloads("/answer"))
        self.send(request)
        assert self.box.run_until(lambda: len(self.answers()) > count, WAIT_MS)
        code, _, frame = self.answers()[count].partition(b" ")
        assert code == mac(ROOT + "answer", frame)
        return read_frame(frame)

    def answers(self) -> list[bytes]:
        return self.broker.payloads("/answer")


def pushed(broker: Broker) -> dict[int, bytes]:
    """Line -> what was pushed from it on, of match 1."""
    start = ROOT + "records/1/"
    return {
        int(topic.removeprefix(start)): payload
        for topic, payload, _, _ in broker.heard
        if topic.startswith(start)
    }


def states(broker: Broker) -> list[Json]:
    return [json.loads(payload) for payload in broker.payloads("/state")]


def test_a_match_goes_on_the_air_and_goes_on_after_the_broker_died(
    storage: Path, broker: Broker
) -> None:
    """The log-in, what is retained, the journal's bytes; killed and back; half asked for."""
    matches.lay_down(storage, "gastro", BEGUN)
    journal = storage / "m000001.run"
    cards = codes(storage)
    with TwinSession("micropython", storage, point=point(broker)) as box:
        box.boot()
        assert box.run_until(lambda: bool(states(broker)), WAIT_MS)
        here = json.loads(broker.payloads("/here")[0])
        password = hmac.digest(AIR_KEY, b"mqtt " + BOX.encode(), "sha256")[:16].hex()
        will = signed("here", b'{"here": false, "boot": "%s"}' % here["boot"].encode())
        assert broker.said == [("schiri-" + BOX, BOX, password, ROOT + "here", will, 20)]
        assert broker.topics == [ROOT + "ask"]
        assert (here["here"], here["box"], here["name"], here["schiri"]) == (
            True,
            BOX,
            "Tisch 7",
            1,
        )
        before = len(journal.read_bytes().splitlines())  # the pause of the restart is the last
        assert states(broker)[-1]["match"] == 1
        assert states(broker)[-1]["lines"] == before
        assert pushed(broker) == {}  # nothing new: the hall asks
        box.box.vsys_mv = 3_600
        heartbeat = len(states(broker)) + 1  # one second and ten later the supply is asked for
        assert box.run_until(lambda: len(states(broker)) > heartbeat, WAIT_MS)
        first, last = states(broker)[0], states(broker)[-1]
        assert (first["battery_mv"], last["battery_mv"]) == (4_699, 3_599)  # 3 x 3.3 V / 65535
        assert (first["reader"], last["heap"] > 0) == ("ok", True)
        box.press("ok")  # the news of the restart
        box.run_for(1_000)
        BoxLink(TwinPort(box), first_id=1).request("settings", set={"table": 12})
        assert box.run_until(lambda: len(broker.payloads("/here")) == 2, WAIT_MS)
        for kind in ("here", "state"):
            for payload in broker.payloads("/" + kind):
                assert payload == signed(kind, payload[:-44] + b"}")
        moved = json.loads(broker.payloads("/here")[1])
        assert moved["beat"] > here["beat"]
        assert {**moved, "beat": 0, "mac": ""} == {**here, "table": 12, "beat": 0, "mac": ""}

        lay(box, cards[0], 1, lambda: before in pushed(broker))
        lines = journal.read_bytes().splitlines(keepends=True)
        assert b"".join(pushed(broker).values()) == b"".join(lines[before:])

        broker.close()
        lay(box, cards[1], 2, lambda: len(journal.read_bytes().splitlines()) > len(lines))
        again = Broker(broker.address[1])
        try:
            assert box.run_until(lambda: len(lines) in pushed(again), WAIT_MS)
            whole = journal.read_bytes().splitlines(keepends=True)
            assert b"".join(pushed(again).values()) == b"".join(whole[len(lines) :])
            hall = Hall(box, again, here["boot"])
            got: list[bytes] = []
            while len(got) < len(whole):
                reply = hall.ask("records", match=1, **{"from": len(got)})
                got += [unpack_line(line) + b"\n" for line in reply["lines"]]
            assert got == whole
            assert_obeys_only_what_it_may(hall, again)
        finally:
            again.close()


def assert_obeys_only_what_it_may(hall: Hall, broker: Broker) -> None:
    """Settings and old asks are refused, a wrong code is counted and not answered."""
    assert hall.ask("settings", set={"name": "Mine"})["error"] == "not_by_air"
    assert hall.ask("hello")["name"] == "Tisch 7"
    old = hall.answer({"id": 5, "do": "time", "unix": 1, "n": hall.n, "boot": hall.boot})
    assert (old["error"], old["n"], old["boot"]) == ("old_request", hall.n, hall.boot)
    other = hall.answer({"id": 6, "do": "hello", "n": hall.n + 9, "boot": "00000000"})
    assert other["error"] == "old_request"
    heard = len(hall.answers())
    hall.send({"id": 7, "do": "hello", "n": hall.n + 1, "boot": hall.boot}, b"0" * 32)
    broker.publish(ROOT + "ask", b"\xff" * 900)
    broker.publish(ROOT + "ask", b"x" * 5_000)  # longer than any ask: passed over
    assert hall.ask("hello")["box"] == BOX
    assert len(hall.answers()) == heard + 1
    count = len(states(broker))
    assert hall.box.run_until(lambda: len(states(broker)) > count, WAIT_MS)
    assert states(broker)[-1]["refused"] == 2


def fast(box: TwinSession) -> None:
    """Nobody answers from here on, so time need not wait for the wall."""
    box.box.air().sleep = lambda seconds: None


def why_not(box: TwinSession) -> tuple[str, str]:
    """As the box has it, and as people read it."""
    told = BoxLink(TwinPort(box), first_id=1).request("hall")
    return told["air"][0], air_line(told["hall"], told["air"])


def longest_turn_ms(box: TwinSession, act: Callable[[], None]) -> float:
    """The longest time between two steps of the firmware's loop while `act` is done."""
    feed, fed = box.box.feed_watchdog, [box.box.clock.now_us]
    gaps = []

    def seen() -> None:
        gaps.append(box.box.clock.now_us - fed[0])
        fed[0] = box.box.clock.now_us
        feed()

    box.box.feed_watchdog = seen  # type: ignore[method-assign]
    try:
        act()
    finally:
        box.box.feed_watchdog = feed  # type: ignore[method-assign]
    return max(gaps) / 1000


def play(box: TwinSession, storage: Path, number: int) -> None:
    """Lays four cards, one every two seconds."""
    journal = storage / "m000001.run"
    for place, code in enumerate(codes(storage)):
        count = len(journal.read_bytes())
        lay(box, code, number + place, lambda size=count: len(journal.read_bytes()) > size)
        box.run_for(1_000)


def test_a_stalled_connection_costs_no_tap_five_milliseconds(
    storage: Path, broker: Broker, tmp_path: Path
) -> None:
    """Nothing leaves the box while cards are laid and the hall asks and asks."""
    matches.lay_down(storage, "gastro", BEGUN)
    alone = tmp_path / "alone"
    shutil.copytree(storage, alone)
    with TwinSession("cpython", alone) as box:
        box.boot()
        box.run_for(8_000)
        box.press("ok")
        box.run_for(500)
        without = longest_turn_ms(box, lambda: play(box, alone, 1))
    air = point(broker)
    with TwinSession("cpython", storage, point=air) as box:
        box.boot()
        assert box.run_until(lambda: bool(states(broker)), WAIT_MS)
        hall = Hall(box, broker, json.loads(broker.payloads("/here")[0])["boot"])
        box.press("ok")
        box.run_for(500)
        air.stalled = True
        fast(box)
        for n in range(2_000, 2_120):  # their answers are more than lwIP has room for
            ask = {"id": n, "do": "health", "n": n, "boot": hall.boot}
            box.at(box.now_ms + 20 * (n - 2_000), lambda ask=ask: hall.send(ask))  # type: ignore[misc]
        quiet = longest_turn_ms(box, lambda: box.run_for(3_000))
        stalled = longest_turn_ms(box, lambda: play(box, storage, 1))
        assert box.resets == []
    print(
        f"\nlongest turn: {without:.1f} ms without a hall, {stalled:.1f} ms with one that stalls"
    )
    assert max(quiet, stalled) <= without + 5


def test_a_match_in_which_the_box_has_crashed_is_played_off_the_air(
    storage: Path, broker: Broker
) -> None:
    """It resumes, and nobody tells the hall: perhaps memory was what it lacked."""
    matches.lay_down(storage, "gastro", BEGUN)
    TwoFiles(Flash(str(storage)), "crashes").store("1")
    with TwinSession("cpython", storage, point=point(broker)) as box:
        box.boot()
        box.run_for(8_000)  # others are on the air after 4
        assert broker.said == []
        assert box.sounds


@pytest.mark.parametrize(
    ("wrong", "why", "in_words"),
    [
        ("password", "wifi_password", "the network's password is wrong"),
        ("name", "wifi_not_found", "no network of this name is in reach"),
        ("log-in", "refused_5", "the broker 192.168.7.2:1883 refuses its log-in"),
    ],
)
def test_why_a_box_is_not_in_the_hall(
    storage: Path, broker: Broker, wrong: str, why: str, in_words: str
) -> None:
    air = point(broker)
    if wrong == "password":
        air.password = "another"
    elif wrong == "name":
        air.name = "Saal 2"
    broker.refuse = 5 if wrong == "log-in" else 0
    with TwinSession("cpython", storage, point=air) as box:
        box.boot()
        done = (lambda: bool(broker.said)) if wrong == "log-in" else (lambda: bool(air.refused))
        assert box.run_until(done, WAIT_MS)
        box.run_for(4_000)
        word, sentence = why_not(box)
        assert word == why
        assert f"not in the hall: {in_words}" in sentence


def test_silence_on_the_air_is_noticed_within_twenty_seconds(
    storage: Path, broker: Broker
) -> None:
    """The access point says that the box is joined, and carries nothing."""
    air = point(broker)
    with TwinSession("cpython", storage, point=air) as box:
        box.boot()
        assert box.run_until(lambda: bool(states(broker)), WAIT_MS)
        air.silent = True
        fast(box)
        radio = box.box.air()  # asked once: later the box may be at its supply, GP29
        begun_ms = box.now_ms
        assert box.run_until(lambda: radio.status() == DOWN, WAIT_MS)
        assert box.now_ms - begun_ms <= 20_000
        assert box.run_until(lambda: radio.status() == UP, WAIT_MS)  # joined anew


def test_a_broker_that_was_away_for_long_does_not_wait_for_the_box(
    storage: Path, broker: Broker
) -> None:
    with TwinSession("cpython", storage, point=point(broker)) as box:
        box.boot()
        assert box.run_until(lambda: bool(states(broker)), WAIT_MS)
        broker.close()
        fast(box)
        box.run_for(70_000)  # just behind a try, if the pauses grow to half a minute
        again = Broker(broker.address[1])
        try:
            begun_ms = box.now_ms
            assert box.run_until(lambda: bool(again.said), WAIT_MS)
            # 6 s and the joining, which is as slow as this machine; pauses that grow made it 30
            assert box.now_ms - begun_ms <= 20_000
        finally:
            again.close()


def test_a_box_without_radio_or_hall_loads_none_of_it(storage: Path, tmp_path: Path) -> None:
    """A plain Pico that was told of a hall, and one with a radio that was not."""
    plain = tmp_path / "plain"
    set_up(plain, "de", "Tisch 8")
    nowhere = AccessPoint("Saal 1", "zwölf Tische", ("127.0.0.1", 9))
    for folder, air in ((storage, None), (plain, nowhere)):
        with TwinSession("cpython", folder, point=air) as box:
            box.boot()
            box.run_for(3_000)
            loaded = box.engine.loader.modules  # type: ignore[attr-defined]
            assert "firmware.main" in loaded
            assert "firmware.drivers.radio" not in loaded or air is None
            assert ("firmware.hall" in loaded) == (air is None)
            assert box.box.radio is None or not box.box.radio.active
            link = BoxLink(TwinPort(box), first_id=1)
            assert link.request("hall")["hall"]["radio"] is (air is not None)
            if air is None:
                with pytest.raises(BoxRefusal, match="no_radio"):
                    link.request("hall", set={"wifi": "x", "broker": "1.2.3.4"})


def hall_tag(number: int, sealed: bool = True) -> NtagTwin:
    hall = hall_format.Hall("Saal 1", "192.168.7.2", 1883, b"", "zwölf Tische".encode())
    tag = NtagTwin.ntag213(uid=bytes((4, 0x77, 0, 0, 0, 0, number)))
    content = seal.sealed(
        kinds.HALL, hall, tag.memory.uid, seal.tag_key_id(LEAGUE_KEY), LEAGUE_KEY
    )
    if not sealed:
        content = codec.unsealed(kinds.HALL, content.content)
    write(tag, codec.encode(content))
    return tag


def test_a_hall_tag_brings_a_box_into_the_hall(tmp_path: Path, broker: Broker) -> None:
    """Laid on the reader, OK pressed; one that is not sealed does nothing."""
    folder = tmp_path / "flash"
    set_up(folder, "de", "Tisch 7")
    good, unsealed = hall_tag(1), hall_tag(2, sealed=False)
    assert b"Tische" not in good.memory.user_bytes()
    with TwinSession("micropython", folder, point=point(broker), survive_resets=True) as box:
        box.boot()
        box.run_for(3_000)
        for tag in (unsealed, good):
            box.field.place(tag)
            box.run_for(1_500)
            box.field.remove(tag)
            box.run_for(500)
            box.press("ok")
            box.run_for(1_500)
            assert (folder / "hall.0").exists() == (tag is good)
        assert box.run_until(lambda: bool(broker.payloads("/here")), WAIT_MS)
        assert box.resets == ["machine.reset"]


@pytest.mark.thorough
def test_with_schiri_hall_a_match_is_stored_by_air_and_the_next_half_by_air_half_by_cable(
    storage: Path, tmp_path: Path
) -> None:
    """The real app, the broker and the reception of `schiri hall`, the store, and the cable."""
    matches.lay_down(storage, "gastro", 0, whole=True)
    told = matches.commands_of("gastro", storage)
    before_last = len(told) - 3  # two cards, and the result
    matches.lay_down(storage, "gastro", before_last)
    first, last = [json.loads(line)["card"] for line, _ in told[before_last:-1]]
    running = storage / "m000002.run"
    ring = KeyRing([LeagueKey("test", LEAGUE_KEY)])
    save_keys(ring, tmp_path / "keys.json")
    port, db = free_port(), str(tmp_path / "hall.db")
    words = ["hall", "--port", str(port), "--desk-port", "0", "--db", db]
    air = AccessPoint("Saal 1", "zwölf Tische", (LOOPBACK, port))
    store = open_store(db)
    with TwinSession("micropython", storage, point=air) as box:

        def until(done: Callable[[], bool]) -> None:
            wait(lambda: box.run_for(100) or done())  # type: ignore[func-returns-value]

        def on_the_air() -> bytes:
            return b"".join(line.raw + b"\n" for line in store.live.lines() if line.number == 2)

        with started(
            [sys.executable, "-m", "schiri", *words],
            env={**os.environ, "SCHIRI_KEYS": str(tmp_path / "keys.json")},
        ) as hall:
            box.boot()
            box.run_for(3_000)
            box.press("ok")  # the news of the restart
            until(lambda: (storage / "m000001.ok").exists())  # confirmed
            size = len(running.read_bytes())
            lay(box, first, 1, lambda: len(running.read_bytes()) > size)
            until(lambda: on_the_air() == running.read_bytes())
            hall.terminate()
            hall.wait(LIMIT_S)
        half = len(on_the_air())
        lay(box, last, 2, lambda: len(running.read_bytes()) > half)
        box.press("ok")  # who has won
        box.run_for(1_500)
        box.press("ok")  # the ranking
        assert box.run_until((storage / "m000002.end").exists, WAIT_MS)
        whole = (storage / "m000002.end").read_bytes()
        parts: list[int] = []
        job = BoxSync(
            BoxLink(TwinPort(box), first_id=1),
            store,
            lambda _number, done, _size: parts.append(done),
        )
        job.greet()
        assert [(one.number, one.state, one.new) for one in job.matches()] == [
            (1, "unverified", False),
            (2, "unverified", True),
        ]
        assert (storage / "m000002.ok").exists()
    assert half < parts[0] <= len(whole)
    assert parts[-1] == len(whole)
    assert [match.number for match in store.matches()] == [1, 2]
    assert store.matches()[1].journal == whole
    store.close()
