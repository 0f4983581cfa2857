"""Opening the database: where it lies, pragmas, migrations, and its faults in plain words."""

import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from host_tools.core.installing import bring
from host_tools.core.own_files import OWNER_ONLY
from host_tools.store.store import Store

URL_VARIABLE = "SCHIRI_DATABASE_URL"
POOL = {"pool_size": 15, "max_overflow": 0}
"""Connections of a process: PostgreSQL as it is delivered has 100. More than the pool's size
would be opened and closed for each question.
"""
PATIENCE = {
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""Of libpq, if the URL does not say otherwise: a server that is gone without a word is noticed
within about ten seconds, and each of several hosts is tried for three.
"""
_HOSTS = re.compile(r"(postgres(?:ql)?(?:\+psycopg)?://(?:[^@/?]*@)?)([^@/?]*,[^@/?]*)(/.*)?")
logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # what it tells is raised, too
VERSION = "0001"
"""Version of the tables: the newest in store/migrations/versions."""

# It tells with a traceback what is raised while a connection closes, Ctrl-C too; who ends the
# command says it in a sentence.
logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)

# SQLite's primary result code -> the refusal
SQLITE_FAULTS = {
    sqlite3.SQLITE_BUSY: "db_locked",
    sqlite3.SQLITE_LOCKED: "db_locked",
    sqlite3.SQLITE_FULL: "db_full",
    sqlite3.SQLITE_CANTOPEN: "db_closed",
    sqlite3.SQLITE_READONLY: "db_read_only",
    sqlite3.SQLITE_NOTADB: "db_none",
    sqlite3.SQLITE_CORRUPT: "db_damaged",
}
_PRIMARY = 0xFF  # the rest of a code says more about the same
_NO_ROOM = (sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN)
"""A full disk, where the first file that finds no room is the index of the write-ahead log."""
_NO_WRITE = (*_NO_ROOM, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE)
"""SQLite tells of EFBIG no more than that a write failed."""
# SQLSTATE of PostgreSQL, or how it begins (manual, appendix A) -> the refusal
POSTGRES_FAULTS = {
    "08": "db_unreachable",  # connection exception
    "25P03": "db_unreachable",  # this process hung in the middle of a transaction
    "25006": "db_read_only",  # read only transaction, as on a standby
    "28": "db_unreachable",  # wrong user or password
    "53100": "db_full",
    "53300": "db_unreachable",  # too many connections
    "55P03": "db_locked",
    "57P": "db_unreachable",  # the server is shut down, crashed or starts
    "XX": "db_damaged",
}


def database_url(db: str | None) -> URL:
    """`db` (file, URL, or `practice`), else SCHIRI_DATABASE_URL, else the user's own. Raises
    UserError.
    """
    # before the variable: practice must not fill the real database
    if db == places.PRACTICE:
        db = str(places.practice_database())
    asked = db or os.environ.get(places.DATABASE_VARIABLE) or str(places.database())
    if "://" not in asked:
        return URL.create("sqlite", database=str(Path(asked).absolute()))
    try:
        url = _one_of_several(asked) or make_url(asked)
    except ArgumentError as error:
        raise UserError("db_url", text=asked) from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise UserError("db_kind", kind=url.drivername)
    return url


def _one_of_several(text: str) -> URL | None:
    """libpq's own way to name several hosts, `//a:5432,b:5433/db`: the one that takes writes is
    taken. None for a URL with one.
    """
    found = _HOSTS.fullmatch(text)
    if found is None:
        return None
    url = make_url(f"{found[1]}{found[3] or '/'}")
    known = {"target_session_attrs": "read-write", **url.query}
    return url.set(query={**known, "host": tuple(found[2].split(","))})


def open_store(db: str | None = None, reads: bool = False) -> Store:
    """Open the database, bring it to this version, and return the store. A file that was named
    and is only to be looked at (`reads`) must be there: it was mistyped. Raises UserError.
    """
    url = database_url(db)
    if reads and db and url.get_backend_name() == "sqlite" and not Path(where(url)).is_file():
        raise UserError("db_missing", Exit.SYSTEM, where=where(url))
    engine = make_engine(url)
    try:
        with plain_errors(url):
            migrate(engine)
    except UserError:
        engine.dispose()
        raise
    return Store(engine, lambda: plain_errors(url))


@contextmanager
def all_or_nothing(db: str | None) -> Iterator[Store]:
    """The store for something that takes long and counts as a whole: before that, it is seen that
    the database can be written. Whoever asked closes it; if the something fails, it is closed
    here, and a file that was made for it goes again. Raises UserError.
    """
    url = database_url(db)
    made = _not_there_yet(url)
    store: Store | None = None
    try:
        store = open_store(db)
        with store.errors(), store.engine.connect() as connection:
            _check_writable(connection)
        yield store
    except BaseException:
        if store is not None:
            store.close()
        for path in made:
            if path.is_dir():
                path.rmdir()
            elif path.exists():
                path.unlink()
        raise


def _not_there_yet(url: URL) -> list[Path]:
    """The files and folders that opening a new SQLite file makes, and the key with which practice
    signs: files first, then the innermost folder.
    """
    files = [places.practice_key()]
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        path = Path(url.database)
        files += [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
    new = [file for file in files if not file.exists()]
    folders = {folder for file in new for folder in file.parents if not folder.exists()}
    return [*new, *sorted(folders, reverse=True)]


def _check_writable(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(text("BEGIN IMMEDIATE"))
    # as on a standby, or by a setting of its server
    elif connection.execute(text("SHOW transaction_read_only")).scalar() == "on":
        raise UserError("db_read_only", Exit.SYSTEM, where=where(connection.engine.url))


def make_engine(url: URL) -> Engine:
    """An engine with our pragmas; the folder of a new SQLite file is made."""
    sqlite = url.get_backend_name() == "sqlite"
    try:
        if sqlite and url.database:
            path = Path(url.database)
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():  # names of people: only the owner reads a new one
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT, OWNER_ONLY))
        engine = create_engine(url, **({} if sqlite else _of_server(url)))
    except OSError as error:
        raise UserError("db_unmade", Exit.SYSTEM, where=where(url), system=error) from error
    except ModuleNotFoundError as error:
        raise UserError("db_driver", Exit.SYSTEM, mend=bring("psycopg")) from error
    if sqlite:
        event.listen(engine, "connect", _set_pragmas)
    return engine


def _of_server(url: URL) -> dict[str, Any]:
    patience = {name: value for name, value in PATIENCE.items() if name not in url.query}
    return {**POOL, "connect_args": patience}


def ping() -> str:
    """Connect to the PostgreSQL that SCHIRI_DATABASE_URL names; returns what it is. Raises
    UserError.
    """
    url = database_url(None)
    engine = make_engine(url.update_query_dict({"connect_timeout": "3"}))  # in seconds
    with plain_errors(url), engine.connect():
        return where(url)


def _set_pragmas(connection: Any, _record: object) -> None:
    """WAL lets the board read while the desk writes; FULL survives a power cut of the laptop."""
    cursor = connection.cursor()
    for pragma in (
        "busy_timeout = 5000",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the tables to this version. Raises UserError for a database from a newer one."""
    with engine.begin() as connection:
        found = version_of(connection)
        if found == VERSION:
            return
        # alembic takes longer to load than all the rest of a command, and is needed once
        from host_tools.store.migrating import known_versions, upgrade

        if found is not None and found not in known_versions():
            raise UserError("db_newer", Exit.SYSTEM, where=where(engine.url), version=found)
        upgrade(connection)


def version_of(connection: Connection) -> str | None:
    """The version of the tables in a database; None if it has none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(
        text("SELECT version_num FROM alembic_version")
    ).scalar()
    return found


def where(url: URL) -> str:
    """The database for people, without a password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.render_as_string(hide_password=True)


def fault_of(error: DBAPIError) -> str | None:
    """The refusal for what a driver raised, by its code; None: only its own words say it."""
    if isinstance(error.orig, sqlite3.Error):
        fault = getattr(error.orig, "sqlite_errorcode", 0)
        if fault in _NO_WRITE and _files_are_limited():
            return "db_limit"
        return "db_full" if fault in _NO_ROOM else SQLITE_FAULTS.get(fault & _PRIMARY)
    code = getattr(error.orig, "sqlstate", None)
    if code is None:  # no server answered, so none gave a code
        return "db_unreachable" if isinstance(error, OperationalError) else None
    return next((key for part, key in POSTGRES_FAULTS.items() if code.startswith(part)), None)


def _files_are_limited() -> bool:
    """Whether this program may write files only up to a size."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY


@contextmanager
def plain_errors(url: URL) -> Iterator[None]:
    """Turn what a database driver raises into a sentence and exit code 3."""
    try:
        yield
    except NoConnectionFree as error:
        raise UserError("db_unreachable", Exit.SYSTEM, where=where(url)) from error
    except DBAPIError as error:
        if key := fault_of(error):
            raise UserError(key, Exit.SYSTEM, where=where(url)) from error
        said = str(error.orig).strip()
        first = said.splitlines()[0] if said else type(error).__name__
        raise UserError("db_says", Exit.SYSTEM, where=where(url), text=first) from error


def counted_in(path: Path) -> dict[str, int]:
    """How many tournaments and matches an SQLite file holds, which is not changed by looking, not
    even to this version; nothing if it is none of ours or cannot be read now.
    """
    # nobody writes it where it has no log of its own; then SQLite need not make one
    how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?{how}", uri=True)) as connection:
            return {
                table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("tournaments", "matches")
            }
    except sqlite3.Error:
        return {}
