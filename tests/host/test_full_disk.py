"""The disk is full: a write is refused in a sentence, nothing is half written, and when there is
room again everything goes on without a restart.
"""

import errno
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from desk_web import Clock, Web, result, users
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from host_tools.box.firmware import build
from host_tools.cli import main
from host_tools.commands.tournament import output, publishing
from host_tools.core.errors import Exit, UserError
from host_tools.sim.table import table_box
from host_tools.store import open_store
from host_tools.store.database import fault_of
from host_tools.tournament.verifying import verify
from host_tools.web.desk.app import make_app
from tests.support.hall_day import open_day

ROOM = 1 << 30
MAY_MOUNT = sys.platform == "linux" and os.geteuid() == 0
BALLAST = "ballast"


@contextmanager
def pages(engine: Engine, path: Path) -> Iterator[Callable[[bool], None]]:
    """SQLite's own limit: it says SQLITE_FULL as for a disk."""
    most = ROOM

    def limit(connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {most}")

    def fill(full: bool) -> None:
        nonlocal most
        with engine.connect() as connection:
            now = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        most = now if full else ROOM

    event.listen(engine, "checkout", limit)
    yield fill
    event.remove(engine, "checkout", limit)


@contextmanager
def ballast(engine: Engine, path: Path) -> Iterator[Callable[[bool], None]]:
    """A real file system of two megabytes, filled with a file."""

    def fill(full: bool) -> None:
        file = path.with_name(BALLAST)
        if not full:
            file.unlink()
            return
        with file.open("wb", buffering=0) as handle:
            try:
                while handle.write(bytes(512)):
                    pass
            except OSError:
                return

    yield fill


@pytest.fixture(params=["pages", *(["tmpfs"] if MAY_MOUNT else [])])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Any]]:
    """The folder of a database, and what fills its disk."""
    if request.param == "pages":
        yield tmp_path, pages
        return
    folder = tmp_path / "small"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    subprocess.run(mounting, check=True)
    try:
        yield folder, ballast
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def entered(client: TestClient, matches: list[str]) -> dict[str, tuple[int, str]]:
    """What became of the entry of each match: status and page."""
    found = {}
    client.headers["accept-language"] = "en"
    for match in matches:
        answer = client.post("/desk/do/enter", data=result(client, match))
        found[match] = (answer.status_code, answer.text)
    return found


def test_a_desk_goes_on_when_there_is_room_again(disk: tuple[Path, Any], tmp_path: Path) -> None:
    folder, filling = disk
    service = open_day(str(folder / "day.db"), players=32, tables=4, ko_size=4)
    accounts, clock = users(tmp_path), Clock()
    app = make_app(service, accounts, monotonic=clock, now=clock)
    matches = [match for match in service.state.matches if match[0] in "ABCDEFGH"]
    with TestClient(app) as running, filling(service.store.engine, folder / "day.db") as fill:
        client = Web(app, running, accounts, clock).visitor("jury")
        fill(True)
        tried = entered(client, matches)
        refused = [match for match, (status, _) in tried.items() if status == 409]
        assert refused, "the disk was not full"
        assert {status for status, _ in tried.values()} <= {303, 409}
        for match in refused:
            assert "is full, so nothing was written" in tried[match][1]
            assert service.state.matches[match].status == "open"
            assert not service.state.matches[match].reports
        written = service.last_seq()
        assert verify(service).events == written
        for page in ("/", "/desk", "/desk/grid", f"/desk/match/{refused[0]}"):
            assert client.get(page).status_code == 200
        fill(False)
        again = entered(client, refused)
        assert {status for status, _ in again.values()} == {303}
        assert all(service.state.matches[match].counts for match in matches)
        assert verify(service).events == written + 2 * len(refused)
    service.close()


def test_postgresql_without_room_is_the_same(postgres_url: str, tmp_path: Path) -> None:
    """53100 from a real server, as a trigger raises it."""
    service = open_day(postgres_url, players=8, ko_size=4)
    accounts, clock = users(tmp_path), Clock()
    app = make_app(service, accounts, monotonic=clock, now=clock)
    with service.store.engine.begin() as connection:
        connection.execute(
            text(
                "CREATE FUNCTION full_disk() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION "
                "'could not extend file' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql"
            )
        )
        table = "tournament_events"
        trigger = f"CREATE TRIGGER no_room BEFORE INSERT ON {table} EXECUTE FUNCTION full_disk()"
        connection.execute(text(trigger))
    with TestClient(app) as running:
        client = Web(app, running, accounts, clock).visitor("jury")
        before = service.last_seq()
        status, page = entered(client, ["A-1"])["A-1"]
        assert (status, "is full, so nothing was written" in page) == (409, True)
        assert service.last_seq() == before
        with service.store.engine.begin() as connection:
            connection.execute(text(f"DROP TRIGGER no_room ON {table}"))
        assert entered(client, ["A-1"])["A-1"][0] == 303
        assert verify(service).events == before + 2
    service.close()


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a file is written, the system refuses whatever is larger than a kilobyte."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limited(write: Callable[[Path, Any], None]) -> Callable[[Path, Any], None]:
        def written(path: Path, data: Any) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
            try:
                write(path, data)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

        return written

    for module, name in (
        (output, "write_whole"),
        (output, "write_folder"),
        (output, "write_for_owner"),
        (publishing, "write_for_owner"),
    ):
        monkeypatch.setattr(module, name, limited(getattr(module, name)))


@pytest.mark.parametrize(
    "command",
    [
        *(("export", "--format", kind) for kind in ("proof", "json", "xlsx", "site")),
        ("print", "slips"),
    ],
    ids=lambda command: command[-1],
)
@pytest.mark.usefixtures("no_room")
def test_no_half_file_is_left(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, out = tmp_path / "day.db", tmp_path / "out"
    open_day(str(db), players=16, ko_size=4).close()
    out.mkdir()
    target = out / "file"
    if command[-1] != "site":
        target.write_bytes(b"as it was")
    before = sorted(out.rglob("*"))
    with pytest.raises(SystemExit) as stopped:
        main(["tournament", *command, "--db", str(db), "-o", str(target)])
    assert stopped.value.code in (2, 3)
    assert "cannot be written" in capsys.readouterr().err
    assert sorted(out.rglob("*")) == before
    assert command[-1] == "site" or target.read_bytes() == b"as it was"


def test_a_firmware_for_which_there_is_no_room_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_source: object, _root: Path, target: Path) -> None:
        target.write_bytes(b"")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))

    monkeypatch.setattr(build, "_compile", full)
    with pytest.raises(UserError) as refused:
        build.build(tmp_path)
    assert refused.value.exit_code == Exit.SYSTEM
    assert list(tmp_path.iterdir()) == []


def test_no_room_for_the_index_of_the_log_is_a_full_disk() -> None:
    """SQLite calls that an input/output error: its first file that finds no room is mapped."""
    found = sqlite3.OperationalError("disk I/O error")
    found.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert fault_of(OperationalError("PRAGMA journal_mode = WAL", {}, found)) == "db_full"
    found.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
    assert fault_of(OperationalError("SELECT 1", {}, found)) is None


@pytest.mark.parametrize("most", [1_000, 20_000, 40_000])  # an index, a page, the log
def test_a_limit_of_file_sizes_is_called_so(most: int, tmp_path: Path) -> None:
    """As `ulimit -f` sets it; the day that was simulated is not there, and nothing of it."""
    program = f"""
import resource
from host_tools.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
main(["tournament", "simulate", "--players", "8", "--db", "day.db"])
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == Exit.SYSTEM
    assert done.stderr.splitlines()[-1].startswith("schiri: ")
    assert "(`ulimit -f`), and nothing was written" in done.stderr
    assert done.stdout == ""


def test_ctrl_c_while_a_connection_closes_shows_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    store = open_store(str(tmp_path / "day.db"))
    monkeypatch.setattr(store.engine.dialect, "do_close", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.engine.dispose()
    assert caplog.records == []


def test_a_table_that_finds_no_room_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path, *_: object) -> None:
        (folder / "half").touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(table_box, "set_up", full)
    with pytest.raises(UserError, match="No space left on device"):
        table_box.TableBox(1, "cpython", "en")
    assert list(tmp_path.iterdir()) == []
