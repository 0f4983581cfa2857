"""SIGTERM, as `kill`, `timeout` and a service manager send it, at every command that runs for
long: it ends as with Ctrl-C, with 0 where only people end it, else as a shell counts signals.
"""

import _thread
import asyncio
import gc
import json
import os
import pty
import re
import selectors
import signal
import subprocess
import sys
import time
import tty
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psutil
import pytest
from starlette.applications import Starlette

from firmware.app.link_frames import CHAIN_START, write_record
from hardware.twin.reader_pty import ReaderPty
from host_tools.box.link import open_link
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.commands import hall
from host_tools.core.errors import Exit
from host_tools.core.signals import Stopped, heed_signals
from host_tools.store import open_store
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import Here
from host_tools.store.store import Store
from host_tools.web.desk.accounts import Accounts
from host_tools.web.serving import LOOPBACK, open_socket, serve
from tests.processes import LIMIT_S, free_port, free_ports, is_free, started, wait
from tests.support.air_box import recorded_hand
from tests.support.hall_day import open_day

TRANSCRIPT = Path(__file__).parents[1] / "transcripts/hattrick/ha-1-sixty-cards.ndjson"
STOPPED = 128 + signal.SIGTERM
LAST_WORDS = "schiri: stopped."
# One process imports everything once; a copy of it is the command.
COPIES = """
import os, sys
from host_tools.cli import main
from host_tools.commands import bringup, demo, desk, hall, play, provision, replay, sync
from host_tools.commands.tournament import matches, output
from host_tools.sim.demo import show
from host_tools.sim.twin import box, reader
from host_tools.web.table import server
for words in sys.stdin:
    if not os.fork():
        os.dup2(1, 2)
        print(os.getpid())
        main(words.split())
    print("ended", os.waitstatus_to_exitcode(os.wait()[1]))
"""


class Running:
    """A command that was started."""

    def __init__(self, copies: "subprocess.Popen[str]", words: str) -> None:
        assert copies.stdin is not None
        assert copies.stdout is not None
        print(words, file=copies.stdin, flush=True)
        self._lines = copies.stdout
        self.number = int(self.line())
        self._over = False

    def line(self) -> str:
        line = self._lines.readline()
        assert line, "the process whose copies the commands are has ended"
        return line.strip()

    def stop(self, by: signal.Signals = signal.SIGTERM) -> tuple[int, list[str]]:
        """Exit code, and what was printed since."""
        os.kill(self.number, by)
        return self.end()

    def end(self) -> tuple[int, list[str]]:
        """Wait for it; what `stop` returns."""
        said: list[str] = []
        while not (line := self.line()).startswith("ended "):
            said.append(line)
        self._over = True
        return int(line.removeprefix("ended ")), said

    def kill(self) -> None:
        """If it still runs, because its test has failed."""
        if not self._over:
            os.kill(self.number, signal.SIGKILL)
            self.end()

    def serves(self) -> None:
        """Wait for the page whose address is printed; no second line is waited for."""
        with urlopen(address_in(self.line()), timeout=LIMIT_S) as page:
            assert page.status == 200


def address_in(line: str) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+/\S*", line)
    assert found, line
    return found[0]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[subprocess.Popen[str]]":
    keys = tmp_path_factory.mktemp("keys") / "keys.json"
    save_keys(KeyRing([LeagueKey("test", bytes(32))]), keys)
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "BROWSER": "true", "LC_ALL": "C.UTF-8"}
    environment["SCHIRI_KEYS"] = str(keys)
    with started(
        [sys.executable, "-c", COPIES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        yield process


Run = Callable[[str], Running]
Row = Callable[[Run, Path], tuple[int, list[str]]]


@contextmanager
def deaf_port() -> Iterator[tuple[str, Callable[[], None]]]:
    """A port that nobody answers at, and a wait for the first byte."""
    near, far = pty.openpty()
    tty.setraw(far)
    try:
        yield os.ttyname(far), lambda: None if os.read(near, 1) else pytest.fail("closed")
    finally:
        os.close(near)
        os.close(far)


def at_a_deaf_port(words: str) -> Row:
    def row(run: Run, folder: Path) -> tuple[int, list[str]]:
        with deaf_port() as (path, heard):
            command = run(f"{words} --port {path}".format(folder=folder))
            heard()
            return command.stop()

    return row


def desk(run: Run, folder: Path) -> tuple[int, list[str]]:
    open_day(f"{folder}/day.db", players=8, ko_size=4).close()
    Accounts(folder / "users.json").add("jury", "jury", "eine lange Losung")
    command = run(f"desk --port 0 --db {folder}/day.db --users {folder}/users.json")
    command.serves()
    return command.stop()


def play(run: Run, _folder: Path) -> tuple[int, list[str]]:
    command = run("play --port 0 --engine cpython --no-open")
    command.serves()
    return command.stop()


def watch(run: Run, _folder: Path) -> tuple[int, list[str]]:
    command = run(f"replay --watch {TRANSCRIPT}")
    command.serves()
    return command.stop()


def twin_box(run: Run, folder: Path) -> tuple[int, list[str]]:
    command = run(f"twin box --engine cpython --flash {folder}/flash")
    link = open_link(command.line())
    link.hello()
    link.close()
    return command.stop()


def twin_reader(run: Run, folder: Path) -> tuple[int, list[str]]:
    assert run(f"twin tag {folder}/a.tag").end()[0] == 0
    command = run(f"twin reader --pty --tag {folder}/a.tag")
    command.line()
    return command.stop()  # what was written is stored: tests/twin/test_twin_commands.py


def demo(run: Run, folder: Path) -> tuple[int, list[str]]:
    command = run(f"demo --engine cpython --lang en --db {folder}/demo.db")
    command.line()
    return command.stop()


def provision(run: Run, folder: Path) -> tuple[int, list[str]]:
    with ReaderPty() as reader:
        words = f"--reader pn532 --port {reader.path} --no-seal --ledger {folder}/tags.jsonl"
        command = run(f"provision deck berge {words}")
        command.line()  # what it waits for
        return command.stop()


def collect(run: Run, folder: Path) -> tuple[int, list[str]]:
    open_day(f"{folder}/day.db", players=8, ko_size=4).close()
    command = run(f"tournament collect --watch --lang en --db {folder}/day.db")
    assert command.line() == "Nothing to do."
    return command.stop()


def simulate(run: Run, folder: Path) -> tuple[int, list[str]]:
    command = run(f"tournament simulate --players 32 --lang en --db {folder}/day.db")
    command.line()
    return command.stop()


LONG: dict[str, tuple[Row, int]] = {
    "desk": (desk, 0),
    "play": (play, 0),
    "replay --watch": (watch, 0),
    "twin box": (twin_box, 0),
    "twin reader": (twin_reader, 0),
    "tournament collect --watch": (collect, 0),
    "tournament simulate": (simulate, STOPPED),
    "demo": (demo, STOPPED),
    "sync": (at_a_deaf_port("sync --db {folder}/day.db"), STOPPED),
    "box bringup": (at_a_deaf_port("box bringup --report {folder}/bringup.json"), STOPPED),
    "box certify": (at_a_deaf_port("box certify"), STOPPED),
    "box backup": (at_a_deaf_port("box backup -o {folder}/box.json"), STOPPED),
    "provision": (provision, 1),  # and what is left, docs/provisioning.md
}


@pytest.fixture
def run(copies: "subprocess.Popen[str]") -> Iterator[Run]:
    """Starts a command; none outlives its test."""
    begun: list[Running] = []

    def start(words: str) -> Running:
        begun.append(Running(copies, words))
        return begun[-1]

    yield start
    for command in begun:
        command.kill()


@pytest.mark.parametrize("name", LONG)
def test_sigterm_ends_it_in_order(name: str, run: Run, tmp_path: Path) -> None:
    row, wanted = LONG[name]
    code, said = row(run, tmp_path)
    assert code == wanted, said
    assert "Traceback" not in "\n".join(said)
    assert (said[-1:] == [LAST_WORDS]) == (code == STOPPED)
    assert not list(tmp_path.glob("*.new"))  # nothing half written


# -- a hall, which keeps other processes beside itself --------------------------------------------


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=str)
def test_a_hall_ends_with_its_broker_and_its_desk(
    by: signal.Signals, run: Run, tmp_path: Path
) -> None:
    open_day(f"{tmp_path}/day.db", players=8, ko_size=4).close()
    ports = free_ports(2)
    command = run(f"hall --port {ports[0]} --desk-port {ports[1]} --db {tmp_path}/day.db")
    missing = {"receiving", "board"}
    said = []
    while missing:
        said.append(command.line())
        assert not said[-1].startswith("ended "), said
        missing.discard(said[-1].partition(" ")[0])
    code, behind = command.stop(by)
    assert code == (-signal.SIGKILL if by == signal.SIGKILL else 0)
    assert "Traceback" not in "\n".join(said + behind)
    assert not [line for line in said if "broker" in line]  # its own is waited for
    wait(lambda: all(is_free(port) for port in ports))


@pytest.mark.parametrize(
    ("option", "advice"), [("port", "mosquitto"), ("desk-port", "--desk-port 0")]
)
def test_a_port_that_is_taken_is_said_once(
    option: str, advice: str, run: Run, tmp_path: Path
) -> None:
    open_day(f"{tmp_path}/day.db", players=8, ko_size=4).close()
    with open_socket(LOOPBACK, 0) as taken, open_socket(LOOPBACK, 0) as free:
        other = free.getsockname()[1]
        free.close()
        port = taken.getsockname()[1]
        ports = f"--port {other} --desk-port 0 --{option} {port}"
        code, said = run(f"hall --health 0 {ports} --db {tmp_path}/day.db").end()
    assert code == 3
    assert len(said) == 1, said
    sentence = said[0]
    assert sentence.startswith(f"schiri: port {port} of 127.0.0.1 is taken")
    assert advice in sentence


def test_a_port_that_is_taken_later_ends_the_hall(run: Run, tmp_path: Path) -> None:
    """Its broker dies, and another program is quicker."""
    port = free_port()
    command = run(f"hall --port {port} --desk-port 0 --db {tmp_path}/day.db")
    assert "receiving" in iter(command.line, "ended 0")
    children = psutil.Process(command.number).children()
    (broker,) = (child for child in children if "broker" in child.cmdline())
    os.kill(command.number, signal.SIGSTOP)
    broker.kill()
    wait(lambda: is_free(port))
    with open_socket(LOOPBACK, port):
        os.kill(command.number, signal.SIGCONT)
        code, said = command.end()
    assert code == 3
    assert [line for line in said if "is taken" in line] == [said[-1]]


def test_what_a_hall_writes_reaches_the_viewers_of_every_desk_and_one_may_be_killed(
    run: Run, tmp_path: Path, postgres_url: str
) -> None:
    """PostgreSQL tells all who listen; a desk that comes again knows what it has missed."""
    open_day(postgres_url, players=8, ko_size=4).close()
    Accounts(tmp_path / "users.json").add("jury", "jury", "eine lange Losung")
    words = f"desk --port 0 --db {postgres_url} --users {tmp_path}/users.json --no-boxes"
    program = [sys.executable, "-m", "schiri", *words.split()]
    hall = open_store(postgres_url)
    lay(hall, 0, 2)
    with ExitStack() as stack:
        options = {"stdout": subprocess.PIPE, "text": True}
        desks = [stack.enter_context(started(program, **options)) for _ in range(2)]
        viewers = [stack.enter_context(TablesViewer(desk)) for desk in desks]
        for viewer in viewers:
            assert b"opens a trick" not in viewer.next_version()
        lay(hall, 2, 3)
        for viewer in viewers:
            assert b"opens a trick with R1" in viewer.next_version()
        desks[0].kill()
        lay(hall, 3, 4)
        assert b"opens a trick with G1" in viewers[1].next_version()
    hall.close()
    again = run(words)
    with urlopen(f"{address_in(again.line())}table/3?lang=en", timeout=LIMIT_S) as page:
        shown = page.read()
    assert b"opens a trick with R1" in shown
    assert b"opens a trick with G1" in shown
    assert again.stop()[0] == 0


class TablesViewer:
    """A browser that shows the tables of this desk: it hears of a change and asks for the page."""

    def __init__(self, desk: "subprocess.Popen[str]") -> None:
        assert desk.stdout is not None
        self._board = address_in(desk.stdout.readline())

    def __enter__(self) -> "TablesViewer":
        self._events = urlopen(f"{self._board}live?page=/tables%3Flang=en", timeout=LIMIT_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._events.close()

    def next_version(self) -> bytes:
        """The page, after the next event that names a version."""
        assert next(line for line in self._events if b'"version"' in line)
        with urlopen(f"{self._board}tables?lang=en", timeout=LIMIT_S) as page:
            return bytes(page.read())


def lay(hall: Store, first: int, last: int) -> None:
    """Lines of a match at table 3, as a hall writes them."""
    match = recorded_hand()
    header = {**json.loads(match.header), "table": 3}
    chain: bytes = CHAIN_START
    for number, payload in enumerate(
        [json.dumps(header), *map("\t".join, match.steps[: last - 1])]
    ):
        raw, chain = write_record(chain, number, payload)
        if number >= first:
            line = LiveLine("b0c5", 1, "a", number, datetime.now(UTC), raw[:-1])
            status = HeardBox("b0c5", datetime.now(UTC), Here(here=True, table=3))
            hall.live.write(WriteBatch({"b0c5": status}, [line]))


@pytest.mark.parametrize("hook_s", [0.0, 0.2])
def test_a_signal_during_a_callback_of_python_is_not_lost(
    hook_s: float, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a weak reference calls may not raise: Python prints a traceback and goes on. Nor may
    the hook that is told of it, which takes long on a busy machine.
    """
    begin = _thread.start_new_thread

    def slowly(*arguments: Any) -> int:
        begun = begin(*arguments)
        if sys._getframe(2).f_code.co_name == "_not_lost":
            time.sleep(hook_s)
        return begun

    class Thing:
        pass

    def interrupted() -> None:
        thing = Thing()
        weak = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
        del thing
        wait(lambda: weak() is not None)

    monkeypatch.setattr(_thread, "start_new_thread", slowly)
    with heed_signals(), pytest.raises(Stopped) as stopped:
        interrupted()
    assert stopped.value.exit_code == Exit.INTERRUPTED
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM], ids=str)
def test_a_signal_is_not_raised_in_the_middle_of_a_task_of_the_hall(by: signal.Signals) -> None:
    """It would be told as that task's own fault, with a traceback."""
    raised: list[type[BaseException]] = []

    async def work() -> None:
        try:
            signal.raise_signal(by)
            for _ in range(1000):
                pass
        except BaseException as error:
            raised.append(type(error))
            raise
        await asyncio.sleep(LIMIT_S)

    with heed_signals():
        kept = signal.getsignal(by)
        hall.run_until_stopped(work())
        assert signal.getsignal(by) is kept
    assert raised == []


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM], ids=str)
@pytest.mark.parametrize("server", ["hall", "pages"])
def test_a_signal_while_the_event_loop_is_made_ends_it_without_a_complaint(
    server: str,
    by: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A loop that is half made complains to the terminal when it is collected."""
    make = selectors.DefaultSelector

    def interrupted() -> selectors.BaseSelector:
        signal.raise_signal(by)
        return make()

    monkeypatch.setattr(selectors, "DefaultSelector", interrupted)
    with heed_signals():
        if server == "hall":
            hall.run_until_stopped(asyncio.sleep(LIMIT_S))
        else:
            pages = Starlette()
            pages.state.farewell = lambda: None
            with open_socket("127.0.0.1", 0) as listening:
                serve(pages, listening)
    gc.collect()
    assert capfd.readouterr() == ("", "")


INTERRUPTED_IMPORT = """
import signal, sys
import schiri

class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == "host_tools.core.output":
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupts())
schiri.main()
"""


def test_ctrl_c_while_the_command_line_is_loaded_is_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, "--help"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (Exit.INTERRUPTED, "", "")
