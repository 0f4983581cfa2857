"""One client cannot take the hall down: half-open connections, slow readers, floods of headers and
of streams against a desk that may open 1 024 files. Everything on the loopback, bounded in count
and time.
"""

import asyncio
import logging
import re
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from host_tools.core.supervisor import end_tasks
from host_tools.web import connections
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.table.server import PlayServer
from tests.processes import started
from tests.support.hall_day import open_day
from tests.support.served import served
from tests.support.served import tables_served as play_served

RUN = "from host_tools.cli import main; main()"
FILES = 1024
ANSWER_S = 2.0
"""Without the time in which the machine did something else."""
LIMIT_S = 60.0
FLOOD_S = 6.0
ALL_ARE_THERE_S = 0.5
MOST_CONNECTIONS = 4300
FEWER_CONNECTIONS = 1300
"""More than the desk may open files; `make test-long` opens `MOST_CONNECTIONS`."""
LARGEST_LOG = 200_000
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
HALF_OPEN = b"GET / HTTP/1.1\r\nHost: hall\r\nX-Slow: "
HEADER_LINE = b"X-Flood: " + b"a" * 4000 + b"\r\n"


class Hall:
    """A desk in a process of its own, and where it listens."""

    def __init__(self, port: int, log: Path, process: int) -> None:
        self.port = port
        self.log = log
        self._process = process

    def answer_s(self, path: str) -> float:
        """How long a page takes; it must be whole. Not counted: how long the desk and this test
        could have gone on and waited for a processor (proc(5): /proc/PID/schedstat).
        """
        begun = time.monotonic() - self._kept_waiting_s()
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=LIMIT_S) as answer:
            assert answer.status == 200
            assert b"</html>" in answer.read()
        return time.monotonic() - self._kept_waiting_s() - begun

    def _kept_waiting_s(self) -> float:
        files = [Path(f"/proc/{process}/schedstat") for process in (self._process, "thread-self")]
        return sum(int(file.read_text().split()[1]) for file in files if file.exists()) / 1e9


def few_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


@pytest.fixture(scope="module")
def many_files() -> Iterator[None]:
    """The flood's own end of each connection is a file too, and a usual limit is 1024 of them."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * MOST_CONNECTIONS if most == resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(usual, needed), most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))


@pytest.fixture(scope="module")
def hall(many_files: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall")
    open_day(str(folder / "day.db"), players=8, ko_size=4).close()
    log = folder / "log.txt"
    command = [sys.executable, "-c", RUN, "desk", "--port", "0"]
    command += ["--db", str(folder / "day.db"), "--users", str(folder / "users.json")]
    with log.open("wb") as errors:
        options = {"stdout": subprocess.PIPE, "stderr": errors, "preexec_fn": few_files}
        with started(command, text=True, **options) as desk:
            assert desk.stdout is not None
            found = ADDRESS.search(desk.stdout.readline())
            assert found, log.read_text(encoding="utf8")
            opened = Hall(int(found[1]), log, desk.pid)
            opened.answer_s("/")
            yield opened


def half_open(port: int) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=1)
    line.sendall(HALF_OPEN)
    return line


def slow_reader(port: int) -> socket.socket:
    """Asks for the typeface again and again and never reads."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.settimeout(1)
    line.connect(("127.0.0.1", port))
    line.sendall(b"GET /font/Bold.ttf HTTP/1.1\r\nHost: hall\r\n\r\n" * 30)
    return line


def header_flood(port: int) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=1)
    line.sendall(b"GET / HTTP/1.1\r\n" + HEADER_LINE * 20)
    return line


def stream(port: int) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=1)
    line.sendall(b"GET /live HTTP/1.1\r\nHost: hall\r\n\r\n")
    return line


def nonsense(port: int) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=1)
    line.sendall(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
    return line


def flood(
    open_one: Callable[[int], socket.socket],
    port: int,
    most: int,
    full: threading.Event,
    end: threading.Event,
) -> None:
    """Open as many as the time and `most` allow, which is `full`; keep them."""
    lines = []
    try:
        for _ in range(most):
            if end.is_set():
                break
            with suppress(OSError):  # the desk may hang up, that is the point
                lines.append(open_one(port))
        full.set()
        end.wait(2 * LIMIT_S)
    finally:
        for line in lines:
            line.close()


@pytest.mark.parametrize(
    "most", [FEWER_CONNECTIONS, pytest.param(MOST_CONNECTIONS, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("open_one", [half_open, slow_reader, header_flood, stream, nonsense])
def test_board_and_desk_answer_while_one_client_floods(
    hall: Hall, open_one: Callable[[int], socket.socket], most: int
) -> None:
    full, end = threading.Event(), threading.Event()
    details = (open_one, hall.port, most, full, end)
    attack = threading.Thread(target=flood, args=details, daemon=True)
    attack.start()
    times = []
    until = time.monotonic() + FLOOD_S
    try:
        while time.monotonic() < until:
            times += [hall.answer_s("/"), hall.answer_s("/desk/login")]
            if full.wait(0.2):  # nobody more will come
                full.clear()
                until = min(until, time.monotonic() + ALL_ARE_THERE_S)
    finally:
        end.set()
        attack.join(LIMIT_S)
    assert max(times) < ANSWER_S
    assert hall.log.stat().st_size < LARGEST_LOG, hall.log.read_text(encoding="utf8")[-2000:]


# -- each limit by itself -------------------------------------------------------------------------


def board(folder: Path) -> AbstractContextManager[str]:
    service = open_day(str(folder / "day.db"), players=8, ko_size=4)
    return served(make_app(service, Accounts(folder / "users.json")))


def virtual_table(_folder: Path) -> AbstractContextManager[str]:
    return play_served(PlayServer("cpython", "en"))


@pytest.mark.parametrize("server", [board, virtual_table])
@pytest.mark.parametrize("sent", [b"", HALF_OPEN, b"POST /desk/login HTTP/1.1\r\nHost: h\r\n"])
def test_who_never_ends_a_request_is_sent_away(
    server: Callable[[Path], AbstractContextManager[str]],
    sent: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = "REQUEST_S" if sent.startswith(b"POST") else "HEADER_S"
    for name in ("HEADER_S", "REQUEST_S", "STALLED_S"):  # no other limit ends it
        monkeypatch.setattr(connections, name, 0.5 if name == short else 10 * LIMIT_S)
    if sent.startswith(b"POST"):
        sent += b"Content-Length: 1000\r\n\r\nuser="
    with server(tmp_path) as base:
        port = int(base.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as line:
            line.sendall(sent)
            with suppress(ConnectionResetError):
                while line.recv(4096):  # a refusal may come before the end
                    pass


class Place:
    """A connection that only takes a place."""

    has_head = False

    def __init__(self, address: str) -> None:
        self.address = address
        self.transport = self
        self.cut = False

    def abort(self) -> None:
        self.cut = True

    def get_write_buffer_size(self) -> int:
        return 0


def test_the_busiest_address_makes_room_and_nobody_else() -> None:
    now = [0.0]
    full = connections.Connections(lambda: 4, lambda: now[0])
    places = [Place(address) for address in ("10.0.0.1", "10.0.0.9", "10.0.0.9", "10.0.0.9")]
    for place in places:
        now[0] += 1
        full.came(place)  # type: ignore[arg-type]
    newest = Place("10.0.0.2")
    full.came(newest)  # type: ignore[arg-type]
    assert [place.cut for place in [*places, newest]] == [False, True, False, False, False]
    assert len(full) == 4


def test_who_is_answered_keeps_the_place_and_the_next_one_is_refused() -> None:
    full = connections.Connections(lambda: 2)
    answered = [Place("10.0.0.1"), Place("10.0.0.1")]
    for place in answered:
        full.came(place)  # type: ignore[arg-type]
        full.asked(place)  # type: ignore[arg-type]
    newest = Place("10.0.0.1")
    full.came(newest)  # type: ignore[arg-type]
    assert [place.cut for place in [*answered, newest]] == [False, False, True]


def test_a_thousand_lines_of_log_are_a_few_and_a_count() -> None:
    now = [0.0]
    few = connections.FewLines(most=3, window_s=60, clock=lambda: now[0])
    written = []
    for number in range(1000):
        now[0] += 0.05  # 50 seconds in all
        record = logging.LogRecord("uvicorn.error", 30, "", 0, "line %d", (number,), None)
        if few.filter(record):
            written.append(record.getMessage())
    now[0] += 60
    last = logging.LogRecord("uvicorn.error", 30, "", 0, "line %d", (1000,), None)
    assert few.filter(last)
    assert written == ["line 0", "line 1", "line 2"]
    assert last.getMessage() == "line 1000 (997 lines before this were left out)"


def test_an_address_may_hold_half_of_all_streams_and_pages_go_on() -> None:
    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        await PlainTextResponse("page")(scope, _receive, send)
        if scope["path"] == "/live":
            await asyncio.sleep(60)

    limited = connections.StreamLimit(app, lambda path: path == "/live", lambda: 8)

    async def statuses() -> list[int]:
        found: list[int] = []

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                found.append(message["status"])

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        def ask(path: str, address: str) -> asyncio.Task[None]:
            scope = {"type": "http", "path": path, "client": (address, 1), "method": "GET"}
            return asyncio.create_task(limited(scope, receive, send))

        streams = [ask("/live", address) for address in ["a"] * 5 + ["b"] * 3]
        await asyncio.sleep(0)
        streams.append(ask("/", "a"))
        await asyncio.sleep(0)
        await end_tasks(*streams)
        streams = [ask("/live", "a")]
        await asyncio.sleep(0)
        streams[0].cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        return found

    # four of a and two of b are six of eight places: then streams end, pages do not
    assert asyncio.run(statuses()) == [200] * 4 + [503] + [200] * 2 + [503] + [200] + [200]
