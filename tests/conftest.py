"""Settings for all tests: examples, programs of the system that some need, and limits.

`make test` draws the same random examples every time, so that its verdict is about the change at
hand; `make test-long` draws new ones.

A test that needs a program of the system asks `needs("openscad")` for it. Where it is missing the
test is left out and counted at the end of the run; where `CI=true` nothing may be left out.
"""

import asyncio
import gc
import itertools
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from hypothesis import settings
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from sqlalchemy import Engine

from hardware.twin.node import ROOT
from host_tools.commands.doctor import system_packages
from host_tools.store import database
from host_tools.web.desk import accounts
from tests import sources
from tests.sampling import STEP, Sample
from tests.scope import MARKS, THOROUGH

# Else every program that a test starts compiles Schiri anew, and pytest every test.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Two busy cores make single examples slow; nothing here asserts wall-clock time.
settings.register_profile("same", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile("same")

HERE = Path(__file__).parent
TESTS = itertools.count()
"""Every test of this worker has a number."""

Report = pytest.TestReport | pytest.CollectReport
Outcome = Generator[None, Report, Report]


# `names` are what systems call it, the first one found is taken
PROGRAMS = {
    names.split("|")[0]: tuple(names.split("|"))
    for package in system_packages()
    for names in package.names
}
# these come with a package from PyPI, which only some systems have
MODULES = {"micropython": "micropython_unix"}
MISSING = "this machine has no "
"""A reason to leave a test out begins like this; the program's name follows."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A folder whose tests are all left out is not even imported: the libraries for solids and
    for the browser take each worker seconds.
    """
    mark = MARKS.get(collection_path.name) if collection_path.parent == HERE else None
    left_out = str(config.option.markexpr).split(" and ")
    return True if f"not {mark}" in left_out else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests are marked by their folder, and as `thorough` by a list (scope.py). Those that share
    what is parsed are the first, so that one worker has them all: the others take from the end of
    what it has left.
    """
    for item in items:
        if item.path.is_relative_to(HERE):
            folder = item.path.relative_to(HERE).parts[0]
            if folder in MARKS:
                item.add_marker(MARKS[folder])
        if item.nodeid.startswith(THOROUGH):
            item.add_marker("thorough")
    items.sort(key=lambda item: not reads_sources(item))


def reads_sources(item: pytest.Item) -> bool:
    return item.nodeid.partition("::")[0] in sources.READERS


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if reads_sources(item) and not (nextitem and reads_sources(nextitem)):
        sources.forget()


@pytest.fixture(params=["some", pytest.param("all", marks=pytest.mark.long)])
def sampled(request: pytest.FixtureRequest) -> Sample:
    """For a loop over every bit or every power cut: some of it, in `make test-long` all of it."""
    return Sample(1 if request.param == "all" else STEP)


@pytest.fixture(scope="session", autouse=True)
def real_hasher() -> Iterator[PasswordHasher]:
    """What hashes the passwords of the desk's users; tests log in a hundred times and use one that
    takes a thousandth of its time.
    """
    real = accounts._hasher
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_hasher", quick)
        yield real


@pytest.fixture(scope="session", autouse=True)
def real_pragmas() -> Iterator[Callable[[Any, object], None]]:
    """What a new connection to SQLite is set to. No test cuts the laptop's power, so nothing that
    tests write in their own process waits for the disk: that took longer than many a test.
    """
    real = database._set_pragmas

    def quick(connection: Any, record: object) -> None:
        real(connection, record)
        connection.execute("PRAGMA synchronous = OFF")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _file: None)
        patch.setattr(database, "_set_pragmas", quick)
        yield real


@pytest.fixture(scope="session", autouse=True)
def migrated_once() -> Iterator[None]:
    """A new SQLite file is what alembic made of the first one: tests begin hundreds, and the
    migrations took longer than many a test. Where the copy finds no room, alembic runs.
    """
    real = database.migrate
    made: list[bytes] = []

    def first() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            engine = database.make_engine(database.database_url(f"{folder}/first.db"))
            real(engine)
            engine.dispose()
            return Path(folder, "first.db").read_bytes()

    def copied(engine: Engine) -> None:
        path = Path(engine.url.database or "")
        if engine.dialect.name == "sqlite" and path.is_file() and not path.stat().st_size:
            made[:] = made or [first()]
            try:
                path.write_bytes(made[0])
            except OSError:
                os.truncate(path, 0)
        real(engine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "migrate", copied)
        yield


class CompiledPages(BytecodeCache):
    """What templates were compiled to, by a hash of their source."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if kept := self._kept.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def compiled_pages() -> Iterator[None]:
    """Every server compiles the templates of the pages that it is asked for; tests start hundreds
    of servers, and compiling took more than half the time of an answer.
    """
    pages, begin = CompiledPages(), Environment.__init__

    def begin_with_cache(self: Environment, *parts: Any, **named: Any) -> None:
        begin(self, *parts, **({"bytecode_cache": pages} | named))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "__init__", begin_with_cache)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_asked_collections() -> Iterator[None]:
    """The box's code collects garbage at fixed places: its heap is small. On CPython that looks
    through all that the worker holds, up to a second; Python's own collections go on.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "collect", lambda *_: 0)
        yield


@pytest.fixture(scope="session")
def needs() -> Callable[[str], str]:
    """The path of a program of the system; the test is left out if it is missing."""
    return find_program


def find_program(name: str) -> str:
    """`name` is one of PROGRAMS or MODULES."""
    if name in MODULES and find_spec(MODULES[name]):
        return MODULES[name]
    for known in () if name in MODULES else PROGRAMS[name]:
        if path := shutil.which(known):
            return path
    pytest.skip(MISSING + name)


def nothing_is_left_out() -> bool:
    return os.environ.get("CI", "").lower() in ("true", "1")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Playwright's event loop counts as running in a worker's thread from its first browser test
    on, and asyncio runs no second one: for a test of something else it does not.
    """
    loop = None if "browser" in item.keywords else asyncio._get_running_loop()
    if loop is None:
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Outcome:
    """In CI whatever is left out, for whichever reason, fails."""
    return forbid_leaving_out((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Outcome:
    """The same for a module that leaves itself out."""
    return forbid_leaving_out((yield))


def forbid_leaving_out(report: Report) -> Report:
    if report.skipped and nothing_is_left_out():
        report.longrepr = f"left out, and CI=true forbids that: {reason_of(report)}"
        report.outcome = "failed"
        vars(report).pop("wasxfail", None)  # with it pytest shows a failure and ends with 0
    return report


def reason_of(report: Report) -> str:
    """A skip's own words."""
    if expected := getattr(report, "wasxfail", ""):
        return f"expected to fail: {expected}"
    said = report.longrepr[-1] if isinstance(report.longrepr, tuple | list) else report.longrepr
    return str(said).removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was left out, how often and why, and the one command that brings what is missing."""
    stats = terminalreporter.stats
    left_out = stats.get("skipped", []) + stats.get("xfailed", [])
    counts = Counter(reason_of(report) for report in left_out)
    if not counts:
        return
    terminalreporter.section(f"{len(left_out)} left out")
    for reason, count in sorted(counts.items()):
        terminalreporter.line(f"{count} left out: {reason}")
    if any(r.removeprefix(MISSING) in PROGRAMS for r in counts if r.startswith(MISSING)):
        terminalreporter.line("To run them too: sudo make system")


def pytest_collection_finish() -> None:
    """What thousands of tests are made of is looked through by no garbage collection, neither
    while it grows nor later.
    """
    gc.enable()
    gc.freeze()


def pytest_configure() -> None:
    """A home and a Ctrl-C for the programs that tests start, and SIGTERM for ourselves. Garbage
    is collected from `pytest_collection_finish` on.
    """
    gc.disable()
    if not os.access(os.environ.get("HOME") or "/nowhere", os.W_OK):
        home = ROOT / "build" / "home"
        home.mkdir(parents=True, exist_ok=True)
        os.environ["HOME"] = str(home)
    catch_sigint()
    # as Ctrl-C does: fixtures end what they started
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def no_own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Whoever runs the tests keeps their own decks, ledger and database out of them."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("data")
        patch.setenv("XDG_DATA_HOME", str(folder / "of-all"))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "of-all" / "config"))
        patch.setenv("XDG_STATE_HOME", str(folder / "of-all" / "state"))
        patch.setenv("SCHIRI_DECKS", str(folder / "of-all" / "decks"))
        yield folder


@pytest.fixture(autouse=True)
def data_of_this_test(no_own_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """And what one test keeps, the next one on the same worker does not see. The folder of XDG."""
    folder = no_own_data / f"of-{next(TESTS)}"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("SCHIRI_DECKS", str(folder / "decks"))
    return folder


def catch_sigint() -> None:
    """Programs that tests start can be stopped with SIGINT, even if we run in the background.

    A shell starts background jobs with SIGINT ignored, and children inherit that. What is caught
    is not inherited, so we catch it and go on, as who started us wanted.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)
