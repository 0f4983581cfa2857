"""PostgreSQL fails in every way it can, and comes back: boards, desks and halls go on by
themselves. A real server; nothing of ours is started again.
"""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from starlette.testclient import TestClient

from host_tools.core.errors import UserError
from host_tools.core.supervisor import Supervisor
from host_tools.store import open_store
from host_tools.store.database import PATIENCE, database_url, make_engine
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveStore, WriteBatch
from host_tools.store.said import SaidState
from host_tools.store.store import Store
from host_tools.store.turns import IDLE_S
from host_tools.tournament.actions import matches
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from tests.processes import free_port, started, wait
from tests.support.hall_day import open_day, open_matches
from tests.support.programs import Postgres, postgres_server

HALTED_S = 8
"""Longer than a board may be old without saying so, and than a hall may be silent."""


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres_server() as running:
        hurry(running)
        yield running


def hurry(server: Postgres) -> None:
    """Nobody cuts the power of the machine."""
    with psycopg.connect(server.uri, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture
def url(server: Postgres, request: pytest.FixtureRequest) -> str:
    name = f"schiri_{abs(hash(request.node.nodeid))}"
    with psycopg.connect(server.uri, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.uri.replace("/postgres?", f"/{name}?", 1)


def ended(server: Postgres, how: signal.Signals) -> None:
    server.end(how)
    time.sleep(1)
    server.begin()


def halted(server: Postgres) -> None:
    server.halt()
    time.sleep(HALTED_S)
    server.go_on()


FAULTS = {
    "orderly": lambda server: ended(server, Postgres.ORDERLY),
    "immediate": lambda server: ended(server, Postgres.IMMEDIATE),
    "kill": lambda server: ended(server, Postgres.KILL),
    "stop": halted,
}


@contextmanager
def away() -> Iterator[None]:
    """The database may be; no other fault is let through."""
    try:
        yield
    except UserError as error:
        if error.sentence.key != "db_unreachable":
            raise


class Board:
    """A desk while it runs, and another one that enters results."""

    def __init__(self, url: str, client: TestClient, tasks: Supervisor) -> None:
        self.client = client
        self.tasks = tasks
        self._other = TournamentService.open(url, None)

    def enters(self) -> None:
        """The next match ends 20:12; while the database is away, again."""
        match = open_matches(self._other.known)[0]

        def is_entered() -> bool:
            with away():
                self._other.do("Beat", "", lambda state: matches.enter(state, match.id, (20, 12)))
                return True
            return False

        wait(is_entered)

    def shows(self, count: int) -> bool:
        return f"{count} of 12 matches played" in self.page()

    def page(self) -> str:
        answer = self.client.get("/?lang=en")
        assert answer.status_code == 200
        return str(answer.text)


@contextmanager
def board(url: str, folder: Path) -> Iterator[Board]:
    service = open_day(url, players=8, tables=2, ko_size=4)
    accounts = Accounts(folder / "users.json")
    tasks = Supervisor(end=lambda: pytest.fail("the desk would have ended"))
    with TestClient(make_app(service, accounts, supervisor=tasks)) as client:
        yield Board(url, client, tasks)
    service.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_board_goes_on_when_postgresql_is_back(
    fault: str, server: Postgres, url: str, tmp_path: Path
) -> None:
    with board(url, tmp_path) as running:
        running.enters()
        wait(lambda: running.shows(1))
        for count in (2, 3):  # twice: what listens anew must listen again
            FAULTS[fault](server)
            running.enters()
            wait(lambda count=count: running.shows(count))
        # a lost database is no fault of the program: what follows the log never stopped
        assert [task for task in running.tasks.tasks.values() if task.restarts] == []


def test_a_board_says_since_when_it_is_old_and_when_it_is_so_no_longer(
    server: Postgres, url: str, tmp_path: Path
) -> None:
    with board(url, tmp_path) as running:
        wait(lambda: running.shows(0))
        assert "Not up to date" not in running.page()
        before = time.strftime("%H:%M")
        server.halt()
        try:
            wait(lambda: "Not up to date since" in running.page())
            after = time.strftime("%H:%M")
            said = running.page().partition("Not up to date since ")[2][:5]
            assert before <= said <= after
            answer = running.client.get("/?lang=de", headers={"accept-encoding": "identity"})
            assert f"Nicht aktuell seit {said}" in answer.text
        finally:
            server.go_on()
        wait(lambda: "Not up to date" not in running.page())


# -- a hall ---------------------------------------------------------------------------------------


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


def writes(live: LiveStore, batch: WriteBatch) -> bool:
    with away():
        live.write(batch)
        return True
    return False


def status(beat: int) -> WriteBatch:
    now = datetime.now(UTC)
    state = SaidState(boot="aa", beat=beat, match=0, lines=0)
    return WriteBatch(boxes={"b0": HeardBox("b0", now, state=state)})


@pytest.mark.parametrize("fault", ["orderly", "immediate", "kill"])
def test_a_hall_receives_again_when_postgresql_is_back(
    fault: str, server: Postgres, store: Store
) -> None:
    store.live.write(status(1))
    FAULTS[fault](server)
    wait(lambda: writes(store.live, status(2)))
    assert [box.state.beat for box in store.live.boxes()] == [2]


def test_who_hangs_in_the_middle_of_a_write_keeps_nobody_waiting(
    server: Postgres, url: str, store: Store
) -> None:
    """PostgreSQL ends its transaction, and with it the lock of all who write."""
    words = [sys.executable, "-c", HANGS, url]
    with started(words, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as hall:
        assert hall.stdout.readline() == b"writes\n"
        begun = time.monotonic()
        store.live.write(status(7))
        assert time.monotonic() - begun < IDLE_S + 2


HANGS = """
import sys, time
from host_tools.store import open_store
from host_tools.store.live import LiveStore
store = open_store(sys.argv[1])
from tests.host.test_postgres_faults import status

def hang(*_):
    print("writes", flush=True)
    time.sleep(600)

LiveStore._put_boxes = hang
store.live.write(status(1))
"""


# -- another address ------------------------------------------------------------------------------


def test_several_hosts_are_named_as_libpq_names_them() -> None:
    url = database_url("postgresql://anna:geheim@db1:5432,db2:5433/cup?connect_timeout=9")
    assert url.query["host"] == ("db1:5432", "db2:5433")
    assert (url.username, url.password, url.database) == ("anna", "geheim", "cup")
    assert url.query["target_session_attrs"] == "read-write"
    engine = make_engine(url)
    _, words = engine.dialect.create_connect_args(url)
    assert (words["host"], words["port"]) == ("db1,db2", "5432,5433")
    assert words["connect_timeout"] == "9"
    assert "connect_timeout" in PATIENCE
    assert database_url("postgresql://db1/cup").host == "db1"


@contextmanager
def standby(server: Postgres) -> Iterator[tuple[str, Callable[[], None]]]:
    """A copy that follows the server: the folder of its socket, and what makes it take over."""
    folder = Path(tempfile.mkdtemp(prefix="schiri-pg-"))
    folder.chmod(0o777)
    data, port = folder / "data", free_port()
    server.run("pg_basebackup", "-d", server.uri, "-D", str(data), "-R", "-c", "fast")
    options = f"-p {port} -k {folder} -h ''"
    words = ("-D", str(data), "-w", "-o", options, "-l", str(folder / "log"))
    server.run("pg_ctl", "start", *words)
    try:
        yield f"{folder}:{port}", lambda: server.run("pg_ctl", "promote", "-D", str(data), "-w")
    finally:
        server.run("pg_ctl", "stop", "-D", str(data), "-m", "immediate")


def test_a_board_follows_to_another_address(tmp_path: Path) -> None:
    """The first server dies for good, its standby takes over elsewhere."""
    with postgres_server() as first:
        hurry(first)
        with standby(first) as (place, promote):
            home = first.uri.partition("host=")[2]
            hosts = f"host={home}:5432&host={place}&target_session_attrs=read-write"
            with board(f"{first.uri.partition('?')[0]}?{hosts}", tmp_path) as running:
                running.enters()
                wait(lambda: running.shows(1))
                first.end(Postgres.KILL)
                promote()
                running.enters()
                wait(lambda: running.shows(2))
