"""A box in a live hall: the real firmware on the twin's radio, against a broker of the tests."""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.app import hall_settings
from firmware.app.flash import Flash
from firmware.app.link_frames import read_frame, unpack_line, write_frame
from hardware.twin.radio import AccessPoint
from hardware.twin.session import TwinSession
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import LEAGUE_KEY
from tests.chip import matches
from tests.twin.broker import Broker

BOX = "e6614c311b000000"
ROOT = f"schiri/1/{hashlib.sha256(b'schiri-key-id' + LEAGUE_KEY).hexdigest()[:8]}/{BOX}/"
AIR_KEY = hmac.digest(LEAGUE_KEY, b"schiri air 1", "sha256")
BEGUN = 3  # of the match with eight seats: a category is called, seats lay their cards
WAIT_MS = 60_000  # of virtual time; on the air no faster than the wall
WIFI = {"wifi": "Saal 1", "wifi_password": "zwölf Tische", "broker": "192.168.7.2"}
Json = dict[str, Any]


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
        will = b'{"here": false, "boot": "%s"}' % here["boot"].encode()
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
        box.press("ok")  # the news of the restart
        box.run_for(1_000)

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
