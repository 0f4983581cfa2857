"""The store on SQLite and PostgreSQL: once is once, histories stay, migrations fit the models."""

import sqlite3
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import event, text
from sqlalchemy.orm import Session

from firmware.app.flash import Flash
from host_tools.core.errors import UserError
from host_tools.store import database as database_module
from host_tools.store import open_store
from host_tools.store.database import (
    VERSION,
    database_url,
    make_engine,
    plain_errors,
    version_of,
)
from host_tools.store.journal.reading import JournalFile, read_journal
from host_tools.store.journal.verdict import CONTESTED
from host_tools.store.migrating import known_versions
from host_tools.store.models import Base
from host_tools.store.store import Store
from tests.support.memory_box import MemoryBox, journal_of, play


@pytest.fixture
def journal(tmp_path: Path) -> JournalFile:
    """The journal of one finished match."""
    box = MemoryBox(Flash(str(tmp_path / "box")))
    play(box.journal)
    return read_journal((tmp_path / "box" / "m000001.end").read_bytes())


def test_only_the_owner_reads_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    open_store(str(path)).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_line_that_is_no_utf8_is_stored_as_damaged(store: Store, journal: JournalFile) -> None:
    body = b"9 " + b"0" * 64 + b" \xff"
    stored = store.add(journal.raw + b"%08x %s\n" % (zlib.crc32(body), body))
    assert stored.state == CONTESTED
    assert "cannot be read" in stored.reason


def test_a_journal_is_stored_once(store: Store, journal: JournalFile) -> None:
    first = store.add(journal.raw)
    again = store.add(journal.raw)
    assert (first.new, again.new) == (True, False)
    assert first.id == again.id
    assert [match.journal for match in store.matches()] == [journal.raw]


def test_two_desks_at_once_store_it_once(store: Store, journal: JournalFile) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: store.add(journal.raw), range(8)))
    assert [stored.new for stored in done].count(True) == 1
    assert len(store.matches()) == 1


def test_no_match_comes_behind_a_later_one(postgres_url: str, journal: JournalFile) -> None:
    """Who reads on behind the last number it has seen misses none, however slow a commit is."""
    store = open_store(postgres_url)
    slow, may_end, committing = threading.current_thread(), threading.Event(), threading.Event()

    def wait(_: Session) -> None:
        if threading.current_thread() is not slow:
            return
        committing.set()
        assert may_end.wait(60)

    def add_slowly() -> None:
        nonlocal slow
        slow = threading.current_thread()
        store.add(journal.raw)

    event.listen(Session, "before_commit", wait)
    try:
        with ThreadPoolExecutor(2) as pool:
            one = pool.submit(add_slowly)
            assert committing.wait(60)
            two = pool.submit(store.add, journal_of({"box": "b2", "match": 1}))
            wait_for([two], 0.5)  # it waits for the first, or has overtaken it
            seen = store.digests()
            may_end.set()
            assert one.result(60) is None
            assert two.result(60).new
        seen += store.digests(seen[-1][0] if seen else 0)
    finally:
        event.remove(Session, "before_commit", wait)
        store.close()
    assert len({digest for _, digest, _ in seen}) == 2


def test_seats_come_with_place_and_score(store: Store, journal: JournalFile) -> None:
    store.add(journal.raw)
    match = store.matches()[0]
    scores = (journal.result or {})["scores"]
    assert [seat.count for seat in match.seats] == scores
    by_score = sorted(scores, reverse=True)
    assert [seat.place for seat in match.seats] == [by_score.index(s) + 1 for s in scores]


def test_another_journal_of_the_same_match_is_contested(
    store: Store, journal: JournalFile
) -> None:
    store.add(journal.raw)
    second = store.add(journal.raw[: journal.raw.rindex(b"\n", 0, -1) + 1])
    assert second.new
    assert (second.state, second.reason) == (
        CONTESTED,
        "another journal of the same match is stored as number 1",
    )


def test_a_contested_result_of_any_shape_is_kept(store: Store) -> None:
    odd = journal_of({"box": "b\0x", "match": 3}, {"result": {"counts": "many"}})
    match = store.match(store.add(odd).id)
    assert match is not None
    assert (match.state, match.result, match.seats) == (CONTESTED, {"counts": "many"}, [])


def test_boxes_are_new_once(store: Store) -> None:
    assert store.see_box("b1", "Tisch 1", "0.1.0")
    assert not store.see_box("b1", "Tisch 2", "0.1.1")
    assert [(box.id, box.name, box.firmware) for box in store.boxes()] == [
        ("b1", "Tisch 2", "0.1.1")
    ]


def test_half_a_journal_is_kept_and_dropped(store: Store) -> None:
    assert store.fetched("b1", 4) == (0, b"", True)
    store.keep_fetch("b1", 4, 17, b"abc")
    store.keep_fetch("b1", 4, 20, b"abcd")
    assert store.fetched("b1", 4) == (20, b"abcd", True)
    store.drop_fetch("b1", 4)
    store.drop_fetch("b1", 4)
    assert store.fetched("b1", 4) == (0, b"", True)


def test_migrations_make_what_the_models_say(database: str) -> None:
    store = open_store(database)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
    store.close()


def test_a_database_is_looked_at_for_the_newest_version_there_is(database: str) -> None:
    assert known_versions()[0] == VERSION
    with open_store(database).engine.connect() as connection:
        assert version_of(connection) == VERSION


def test_a_database_of_a_newer_version_is_left_alone(database: str) -> None:
    store = open_store(database)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(UserError, match="made by a newer schiri") as caught:
        open_store(database)
    assert caught.value.exit_code == 3


def test_sqlite_runs_in_wal_with_full_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_pragmas: Callable[..., None]
) -> None:
    monkeypatch.setattr(database_module, "_set_pragmas", real_pragmas)
    store = open_store(str(tmp_path / "schiri.db"))
    with store.engine.connect() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    store.close()
    assert pragmas == ["wal", 2, 1]


def test_a_locked_database_is_a_sentence(tmp_path: Path, journal: JournalFile) -> None:
    path = tmp_path / "schiri.db"
    store = open_store(str(path))
    with store.engine.connect() as waiting:
        waiting.exec_driver_sql("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(UserError, match="locked"):
        store.add(journal.raw)
    other.rollback()
    assert store.add(journal.raw).new
    other.close()
    store.close()


def test_a_full_disk_is_a_sentence(tmp_path: Path, journal: JournalFile) -> None:
    store = open_store(str(tmp_path / "schiri.db"))
    with store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(UserError, match="is full"):
        store.add(journal.raw)
    store.close()


@pytest.mark.parametrize(
    ("db", "words"),
    [
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be reached"),
        ("mystery://x", "in an SQLite file or in PostgreSQL"),
        ("mysql://u@h/d", "in an SQLite file or in PostgreSQL"),
        ("://", "no database URL"),
    ],
)
def test_a_database_that_cannot_be_had_is_a_sentence(db: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        open_store(db)


def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("x" * 5000, encoding="utf8")
    with pytest.raises(UserError, match="is no database"):
        open_store(str(path))


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf8")
    with pytest.raises(UserError, match="cannot be made"):
        open_store(str(tmp_path / "file" / "sub" / "schiri.db"))


def test_a_file_that_may_only_be_read_is_a_sentence(tmp_path: Path, journal: JournalFile) -> None:
    store = open_store(str(tmp_path / "schiri.db"))
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    with pytest.raises(UserError, match="may only be read"):
        store.add(journal.raw)
    store.close()


def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    """The header still says SQLite; the pages behind it are noise."""
    path = tmp_path / "schiri.db"
    open_store(str(path)).close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xa5" * (path.stat().st_size - 100))
    with pytest.raises(UserError, match="is damaged"):
        open_store(str(path))


def test_a_folder_is_no_file_to_open(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be opened"):
        open_store(str(tmp_path))


def told(url: str, *statements: str) -> str:
    """What a person reads when the last of the statements fails."""
    with pytest.raises(UserError) as refused:
        say(url, statements)
    return str(refused.value)


def say(url: str, statements: tuple[str, ...]) -> None:
    engine = make_engine(database_url(url))
    with plain_errors(engine.url), engine.connect() as talk:
        for statement in statements:
            talk.exec_driver_sql(statement)


def raising(code: str, words: str) -> str:
    """PostgreSQL raises it itself, under the code that its manual gives in appendix A."""
    return f"DO $$ BEGIN RAISE EXCEPTION '{words}' USING ERRCODE = '{code}'; END $$"


def test_words_of_the_data_do_not_decide(postgres_url: str, tmp_path: Path) -> None:
    """A team called «Connection Lost» twice is no broken line, and no locked database."""
    table = "CREATE TEMP TABLE clubs (name TEXT UNIQUE)"
    add = "INSERT INTO clubs VALUES ('Connection malformed')"
    assert "cannot be reached" not in told(postgres_url, table, add, add)
    assert "says: duplicate key value" in told(postgres_url, table, add, add)
    name = '"not a database, Connection locked"'
    sqlite = told(str(tmp_path / "a.db"), f"SELECT * FROM {name}")
    assert "says: no such table" in sqlite


def test_what_postgresql_refuses_is_a_sentence(postgres_url: str) -> None:
    read_only = "SET TRANSACTION READ ONLY"
    assert "may only be read" in told(postgres_url, read_only, "CREATE TABLE a (b INT)")
    assert "is full" in told(postgres_url, raising("53100", "no room"))
    assert "cannot be reached" in told(postgres_url, raising("53300", "sorry, too many clients"))
    assert "is damaged" in told(postgres_url, raising("XX001", "invalid page in block 3"))


def test_a_server_that_ends_the_talk_is_a_sentence(postgres_url: str) -> None:
    leave = "SELECT pg_terminate_backend(pg_backend_pid())"
    assert "cannot be reached" in told(postgres_url, leave)


def test_a_table_that_another_desk_keeps_is_a_sentence(postgres_url: str) -> None:
    keeper = make_engine(database_url(postgres_url))
    with keeper.connect() as talk:
        talk.exec_driver_sql("CREATE TABLE clubs (name TEXT)")
        talk.commit()
        talk.exec_driver_sql("LOCK TABLE clubs")
        hurry = "SET lock_timeout = '50ms'"
        assert "keeps the database" in told(postgres_url, hurry, "SELECT * FROM clubs")
    keeper.dispose()


@pytest.mark.parametrize(
    ("command", "seconds"),
    [
        ({}, 0),
        ({"t": 61_999}, 61),
        ({"t": "61000"}, None),
        ({"t": -1}, None),
        ({"t": 1 << 50}, None),
    ],
)
def test_the_duration_is_the_time_of_the_last_command(
    command: dict[str, object], seconds: int | None
) -> None:
    """A contested journal may hold any time; it must not stop the upload."""
    assert JournalFile(b"", steps=[(1, {"t": 5000}, {}), (2, command, {})]).duration_s == seconds
    assert JournalFile(b"").duration_s is None
