"""A box that is enrolled, on the air: what it says counts with the key that it shares with its
desk; who has opened another box, or has the league's key, is nobody here.
"""

import asyncio
import json
import random
import signal
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import aiomqtt
import pytest
from click.testing import CliRunner

from card_tags.p256 import finished
from firmware.app.own_key import OwnKey
from host_tools.cards.public_keys import SigningKey
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.core.supervisor import end_tasks
from host_tools.hall import broker, passwords, protocol
from host_tools.hall.connection import MqttClient
from host_tools.hall.mosquitto import CONF, USERS, write_setup
from host_tools.hall.reception import Reception
from host_tools.sim.memory_files import MemoryFiles
from host_tools.store import open_store
from host_tools.store.store import Store
from host_tools.web.serving import LOOPBACK
from tests.processes import free_port, is_free, started, wait

KEY = bytes(range(32))
LEAGUE, AIR = protocol.league_id(KEY), protocol.air_key(KEY)
DESK, OTHER_DESK = SigningKey(bytes(31) + b"\x07"), SigningKey(bytes(31) + b"\x08")


def box_key(seed: int, desk: SigningKey = DESK) -> tuple[bytes, bytes]:
    """The public key that a box has made, and what it shares with its desk."""
    draw = random.Random(seed).randbytes
    own = OwnKey(MemoryFiles())
    finished(own.making(draw))
    own.enrol(desk.public)
    from card_tags.hmac import hmac_sha256

    return own.public, hmac_sha256(finished(own.sharing(draw)), b"schiri air 2")


def here(key: bytes, box: str = "b0c5", **changed: object) -> tuple[str, bytes]:
    topic = protocol.topic_of(LEAGUE, box, "here")
    said = {"here": True, "boot": "aa", "beat": 1, "box": box, "name": "", "table": 1}
    said |= {"firmware": "0.1.0", "schiri": 1, **changed}
    return topic, protocol.sign_object(key, topic, said)


def state(key: bytes, **changed: object) -> tuple[str, bytes]:
    topic = protocol.topic_of(LEAGUE, "b0c5", "state")
    said = {"boot": "aa", "beat": 2, "match": 0, "lines": 0, **changed}
    return topic, protocol.sign_object(key, topic, said)


def hears(
    store: Store, *messages: tuple[str, bytes], desk: SigningKey | None = DESK
) -> dict[str, int]:
    async def hear() -> dict[str, int]:
        reception = Reception(store, {LEAGUE: KEY}, now=lambda: 1000.0, desk=lambda: desk)
        await reception.begin(nowhere)
        for topic, payload in messages:
            reception.hear(topic, payload)
        refused = dict(reception.refusals)
        heard = [box for box in reception.boxes.values() if box.is_here]
        await reception.close()
        return {**refused, "here": len(heard)}

    return asyncio.run(hear())


async def nowhere(_topic: str, _payload: bytes) -> None:
    return


def test_box_and_desk_make_the_same_key() -> None:
    public, shared = box_key(1)
    assert protocol.pair_key(DESK, public) == shared
    assert protocol.pair_key(OTHER_DESK, public) != shared
    assert protocol.pair_key(DESK, box_key(2)[0]) != shared


def test_an_enrolled_box_speaks_with_the_shared_key_alone(store: Store) -> None:
    public, shared = box_key(1)
    assert hears(store, here(AIR)) == {"here": 1}  # before it is enrolled, as ever
    store.enrolled.enrol("b0c5", public, "Ada")
    assert hears(store, here(shared), state(shared)) == {"here": 1}
    # the league's key lies in every box: a downgrade
    assert hears(store, here(AIR), state(AIR, jury=True)) == {"bad_mac": 2, "here": 0}
    other = box_key(2)[1]
    assert hears(store, here(other), state(other, jury=True)) == {"bad_mac": 2, "here": 0}
    topic, payload = state(shared)
    bare = json.loads(payload)
    del bare["mac"]
    assert hears(store, (topic, json.dumps(bare).encode())) == {"unsigned": 1, "here": 0}
    assert hears(store, (topic, payload[:-3] + b'0"}')) == {"bad_mac": 1, "here": 0}
    again = (here(shared), state(shared), state(shared))
    assert hears(store, *again) == {"replayed": 1, "here": 1}
    # signed for another topic
    moved = (here(shared)[0].replace("here", "state"), here(shared)[1])
    assert hears(store, moved) == {"bad_mac": 1, "here": 0}


def test_a_revoked_box_and_another_desk_are_not_heard(store: Store) -> None:
    public, shared = box_key(1)
    store.enrolled.enrol("b0c5", public, "Ada")
    for desk in (None, OTHER_DESK):
        assert hears(store, here(shared), desk=desk) == {"bad_mac": 1, "here": 0}
    store.enrolled.revoke(protocol_id(public), "Ada")
    assert hears(store, here(shared), here(AIR)) == {"bad_mac": 2, "here": 0}


def protocol_id(public: bytes) -> str:
    from host_tools.cards.public_keys import key_id

    return key_id(public)


@pytest.mark.parametrize("before", [None, OTHER_DESK, DESK])
def test_a_box_that_is_enrolled_meanwhile_changes_its_key(
    before: SigningKey | None, store: Store
) -> None:
    """Also by a desk that had no key before, or another one."""
    public, shared = box_key(1)
    desks = [before]

    async def hear() -> list[int]:
        reception = Reception(store, {LEAGUE: KEY}, now=lambda: 1000.0, desk=lambda: desks[-1])
        await reception.begin(nowhere)
        reception.hear(*here(AIR))
        store.enrolled.enrol("b0c5", public, "Ada")
        desks.append(DESK)
        await reception._learn_keys()
        found = []
        for key in (AIR, shared):
            before = sum(reception.refusals.values())
            reception.hear(*state(key))
            found.append(sum(reception.refusals.values()) - before)
        assert reception.boxes["b0c5"].air.key == shared
        await reception.close()
        return found

    assert asyncio.run(hear()) == [1, 0]


# -- passwords of the broker ----------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "broker-passwords.json"
    monkeypatch.setattr(places, "broker_passwords", lambda: path)
    return path


def lets_in(user: str, word: str) -> bool:
    return passwords.league_of({LEAGUE: AIR}, user, word) == LEAGUE


@pytest.mark.usefixtures("kept")
def test_what_a_box_holds_lets_it_be_nobody_else() -> None:
    derived: Callable[[str], str] = lambda user: protocol.password(AIR, user)  # noqa: E731
    for user in ("b1", "b2", "hall", "watch"):  # none has a drawn password yet
        assert lets_in(user, derived(user))
    one, two = passwords.login_of_box("b1", LEAGUE), passwords.login_of_box("b2", LEAGUE)
    assert one.password != two.password
    # who has opened b1 has the league's key and this password
    held = {one.password, *(derived(user) for user in ("b1", "b2", "hall", "watch", "watch-4"))}
    for word in held:
        for user in ("b2", "hall", "watch", "watch-4"):
            assert not lets_in(user, word), user
    assert lets_in("b1", one.password)
    assert lets_in("b3", derived("b3"))  # by a hall tag: until it comes to the cable
    assert lets_in("hall", passwords.password(AIR, "hall"))
    assert passwords.league_of({"0": AIR}, "b1", one.password) is None  # of another league


@pytest.mark.usefixtures("kept")
def test_a_new_password_touches_no_other() -> None:
    for box in ("b1", "b2"):
        passwords.login_of_box(box, LEAGUE)
    before = passwords.load_logins()
    assert passwords.login_of_box("b1", LEAGUE) == before["b1"]
    passwords.lock_out("b1")
    passwords.lock_out("b3")  # paired by a hall tag
    passwords.lock_out("hall")  # is no box
    for user in ("b1", "b3"):
        for word in (before["b1"].password, protocol.password(AIR, user)):
            assert not lets_in(user, word)
        assert not lets_in(user, passwords.load_logins()[user].password)
    assert lets_in("b2", before["b2"].password)
    assert lets_in("hall", before["hall"].password)
    again = passwords.login_of_box("b1", LEAGUE)
    assert again.password != before["b1"].password
    del (now := passwords.load_logins())["b3"]
    assert now == {**before, "b1": again}


class OnAir:
    """A client that is let in, until the broker hangs up."""

    def __init__(self, port: int, user: str, password: str) -> None:
        login = {"username": user, "password": password, "identifier": f"schiri-{user}"}
        self.client = MqttClient(LOOPBACK, port, timeout=20, **login)

    async def hung_up(self) -> bool:
        """Stay until that happens."""
        try:
            async with self.client:
                async for _ in self.client.messages:
                    pass
        except aiomqtt.MqttError:
            return True
        return False


async def revoking(port: int, revoke: Callable[[], None]) -> None:
    """Of two boxes on the air one is revoked: it is off, and comes in no more; the other stays."""
    words = {user: passwords.login_of_box(user, LEAGUE).password for user in ("b1", "b2")}
    async with asyncio.timeout(60), OnAir(port, "b2", words["b2"]).client as other:
        gone = asyncio.create_task(OnAir(port, "b1", words["b1"]).hung_up())
        await asyncio.sleep(0.3)
        assert not gone.done()
        await asyncio.to_thread(revoke)
        assert await gone
        assert await OnAir(port, "b1", words["b1"]).hung_up()
        await other.publish(protocol.topic_of(LEAGUE, "b2", "state"), b"x", 1)
        assert passwords.load_logins()["b2"].password == words["b2"]


def revoke(*words: str) -> str:
    """By the command; what it says."""
    name = protocol_id(box_key(1)[0])
    done = CliRunner().invoke(schiri, ["box", "revoke", name, "--yes", *words])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.usefixtures("kept")
def test_a_revoked_box_is_off_the_air_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "LOGINS_S", 0.05)
    with closing(open_store()) as store:
        store.enrolled.enrol("b1", box_key(1)[0], "Ada")
    port = free_port()

    async def evening() -> None:
        serving = asyncio.create_task(broker.serve_broker(LOOPBACK, port, {LEAGUE: KEY}))
        while is_free(port):
            await asyncio.sleep(0.05)
        await revoking(port, lambda: said.append(revoke()))
        await end_tasks(serving)

    said: list[str] = []
    asyncio.run(evening())
    assert "lets box b1 in no more" in said[0]


@pytest.mark.usefixtures("kept")
def test_a_revoked_box_is_none_of_mosquittos_users(
    tmp_path: Path, needs: Callable[[str], str]
) -> None:
    program, port, folder = needs("mosquitto"), free_port(), tmp_path / "hall"
    with closing(open_store()) as store:
        store.enrolled.enrol("b1", box_key(1)[0], "Ada")
    for user in ("b1", "b2"):
        passwords.login_of_box(user, LEAGUE)
    write_setup(folder, {LEAGUE: KEY}, ["b1", "b2"], LOOPBACK, port=port)
    with started([program, "-c", str(folder / CONF)], stderr=subprocess.DEVNULL) as mosquitto:
        wait(lambda: not is_free(port))

        def revoked() -> None:
            assert "let Mosquitto read them again" in revoke("--hall", str(folder))
            mosquitto.send_signal(signal.SIGHUP)

        asyncio.run(revoking(port, revoked))
    assert (folder / USERS).stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("kept")
def test_a_key_that_was_replaced_takes_no_password_with_it(store: Store) -> None:
    with closing(open_store()) as mine:
        mine.enrolled.enrol("b1", box_key(1)[0], "Ada")
        mine.enrolled.enrol("b1", box_key(2)[0], "Ada")
    login = passwords.login_of_box("b1", LEAGUE)
    assert "broker" not in revoke()
    assert lets_in("b1", login.password)


@pytest.mark.usefixtures("kept")
def test_the_hall_locks_out_what_another_laptop_has_revoked(store: Store) -> None:
    for seed, box in ((1, "b1"), (2, "b2")):
        store.enrolled.enrol(box, box_key(seed)[0], "Ada")
    words = {user: passwords.login_of_box(user, LEAGUE).password for user in ("b1", "b2")}
    hears(store)
    assert lets_in("b1", words["b1"])
    store.enrolled.revoke(protocol_id(box_key(1)[0]), "Ada")
    hears(store)
    assert not lets_in("b1", words["b1"])
    assert lets_in("b2", words["b2"])


def test_a_file_that_others_may_read_or_that_is_none_is_refused(kept: Path) -> None:
    passwords.login_of_box("b1", LEAGUE)
    assert kept.stat().st_mode & 0o077 == 0
    kept.chmod(0o644)
    with pytest.raises(UserError):
        passwords.load_logins()
    kept.chmod(0o600)
    kept.write_text("[]")
    with pytest.raises(UserError):
        passwords.load_logins()
