"""The receiver hangs or dies: `schiri hall` starts it again, and its boxes are heard again."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest

from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.supervisor import end_tasks
from host_tools.hall import connection, protocol
from host_tools.hall.connection import BrokerAddress, ReceivingState, receive
from host_tools.hall.mosquitto import write_setup
from host_tools.hall.reception import Reception
from host_tools.store import open_store
from host_tools.store.store import Store
from host_tools.web.serving import LOOPBACK
from tests.processes import LIMIT_S, free_port, started, wait
from tests.support import programs
from tests.support.air_box import RecordedBox, enrol_behind, recorded_hand

Outcome = TypeVar("Outcome")
BOXES = ("b1", "b2")
KEY = bytes(range(32))
LEAGUES = {protocol.league_id(KEY): KEY}
RING = KeyRing([LeagueKey("test", KEY)])
HEARD_AGAIN_S = 10.0
"""The promise of docs/hall.md. A box by itself says something every ten seconds."""

BLOCKS = """
import signal, time
signal.signal(signal.SIGUSR1, lambda *_: time.sleep(1000))
"""
"""Every Python that finds this as its sitecustomize blocks its main thread at SIGUSR1: the event
loop of the receiver, as an endless calculation would.
"""


class Hall:
    """`schiri hall` from outside."""

    def __init__(self, number: int, db: str) -> None:
        self._hall = psutil.Process(number)
        self.store = open_store(db)

    def receiver(self) -> int:
        """Its process; 0 if there is none now."""
        found = [one.pid for one in self._hall.children() if is_receiver(one)]
        return found[0] if found else 0

    def heard_since(self, moment: datetime) -> bool:
        """All boxes."""
        heard = [box.heard for box in self.store.live.boxes()]
        return len(heard) == len(BOXES) and min(heard) > moment

    def heard_again_s(self, fault: signal.Signals) -> float:
        """From the fault until a new receiver has stored what every box has said to it."""
        wait(lambda: self.heard_since(datetime.fromtimestamp(0, UTC)))
        broken, begun = self.receiver(), time.monotonic()
        os.kill(broken, fault)
        wait(lambda: self.receiver() not in (0, broken))
        again = datetime.now(UTC)  # what is heard from now on, it hears
        wait(lambda: self.heard_since(again))
        return time.monotonic() - begun


def is_receiver(process: psutil.Process) -> bool:
    try:
        return "receive" in process.cmdline()
    except programs.GONE:
        return False


@contextmanager
def hall(folder: Path) -> Iterator[tuple[Hall, int]]:
    save_keys(RING, folder / "keys.json")
    (folder / "sitecustomize.py").write_text(BLOCKS)
    port, db = free_port(), str(folder / "hall.db")
    words = ["hall", "--db", db, "--port", str(port), "--desk-port", "0", "--health", "0"]
    own = {"SCHIRI_KEYS": str(folder / "keys.json"), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "schiri", *words]
    with started(command, env={**os.environ, **own}, stdout=subprocess.DEVNULL) as process:
        running = Hall(process.pid, db)
        try:
            yield running, port
        finally:
            running.store.close()


def run(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """In a thread: in this one the browser's own event loop may be running."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP, signal.SIGUSR1])
def test_a_receiver_that_dies_or_hangs_hears_its_boxes_again(
    fault: signal.Signals, tmp_path: Path
) -> None:
    """Killed; halted as a whole; its event loop blocked. One box plays, and its match is stored
    once; the other has nothing to say for ten seconds.
    """

    async def day(running: Hall, port: int) -> None:
        boxes = [RecordedBox(name, KEY, port, table=n) for n, name in enumerate(BOXES, 1)]
        on_the_air = [asyncio.create_task(box.run()) for box in boxes]
        box, _ = boxes
        await until(lambda: box.client is not None)
        playing = asyncio.create_task(box.play(recorded_hand(31), 0.2))
        taken_s = await asyncio.to_thread(running.heard_again_s, fault)
        print(f"{fault.name}: heard again after {taken_s:.1f} s")
        assert taken_s < HEARD_AGAIN_S
        await playing
        await until(lambda: not box.unconfirmed)
        enrol_behind(running.store, box)
        stored = [(m.number, m.state, m.journal) for m in running.store.matches()]
        assert stored == [(1, "verified", box.journals()[1])]
        await end_tasks(*on_the_air)

    with hall(tmp_path) as (running, port):
        run(day(running, port))


def test_the_hall_that_ends_takes_its_parts_along(tmp_path: Path) -> None:
    with hall(tmp_path) as (running, _):
        wait(lambda: bool(running.receiver()))
        parts = psutil.Process(running.receiver()).parent().children()
        assert len(parts) == 2  # broker and receiver
        parts[0].parent().kill()
        _, left = psutil.wait_procs(parts, LIMIT_S)
        assert left == []


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "hall.db"))
    yield opened
    opened.close()


def test_a_broker_that_hangs_is_given_up_and_taken_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs: Callable[[str], str]
) -> None:
    """It keeps its connections and says nothing: only what the receiver sends itself tells."""
    monkeypatch.setattr(connection, "CONNECT_S", 1.0)
    program, port = needs("mosquitto"), free_port()
    write_setup(tmp_path, LEAGUES, [], LOOPBACK, port=port)
    words = [program, "-c", str(tmp_path / "mosquitto.conf")]
    states: list[str] = []
    progress = ReceivingState(changed=lambda said: states.append(said.state))

    async def day(broker: "subprocess.Popen[bytes]") -> None:
        reception = Reception(store, LEAGUES)
        address = BrokerAddress(LOOPBACK, port)
        air = protocol.air_key(KEY)
        task = asyncio.create_task(receive(reception, address, air, progress))
        await until(lambda: progress.state == "receiving")
        broker.send_signal(signal.SIGSTOP)
        await until(lambda: progress.state == "connecting")
        assert progress.error is not None
        assert progress.error.sentence.key == "broker_silent"
        broker.send_signal(signal.SIGCONT)
        await until(lambda: progress.state == "receiving")
        await end_tasks(task)

    with started(words, stderr=subprocess.DEVNULL) as broker:
        programs.wait_for(port)
        run(day(broker))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not holds():
            await asyncio.sleep(0.02)
