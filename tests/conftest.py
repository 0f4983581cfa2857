"""Settings for all tests: examples, programs of the system that some need, and limits.

`make test` draws the same random examples every time, so that its verdict is about the change at
hand; `make test-long` draws new ones.

A test that needs a program of the system asks `needs("chromium")` for it. Where it is missing the
test is left out and counted at the end of the run; where `CI=true` nothing may be left out.
"""

import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from typing import NamedTuple

import pytest
from argon2 import PasswordHasher
from hypothesis import settings

from host_tools.web.desk import accounts
from tests.sampling import STEP, Sample

# Else every program that a test starts compiles Schiri anew, and pytest every test.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Two busy cores make single examples slow; nothing here asserts wall-clock time.
settings.register_profile("same", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile("same")

Report = pytest.TestReport | pytest.CollectReport
Outcome = Generator[None, Report, Report]


class Program(NamedTuple):
    """`names` are what systems call it, the first one found is taken; `package` is Debian's.
    `module`: it comes with this package from PyPI, which only some systems have.
    """

    names: tuple[str, ...]
    package: str = ""
    module: str = ""


PROGRAMS = {
    # without windows, menus and tabs, which nobody sees: half of the processor time
    "chromium": Program(
        ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
        "chromium-headless-shell",
    ),
    "nfc-list": Program(("nfc-list",), "libnfc-bin"),
    "nfc-mfultralight": Program(("nfc-mfultralight",), "libnfc-bin"),
    "nfc-poll": Program(("nfc-poll",), "libnfc-examples"),
    "dot": Program(("dot",), "graphviz"),
    "openscad": Program(("openscad",), "openscad"),
    "kicad-cli": Program(("kicad-cli",), "kicad"),
    "xvfb-run": Program(("xvfb-run",), "xvfb xauth"),
    "micropython": Program((), module="micropython_unix"),
}
MISSING = "this machine has no "
"""A reason to leave a test out begins like this; the program's name follows."""


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
        patch.setattr(accounts, "_NOBODY", quick.hash("nobody"))
        yield real


@pytest.fixture(scope="session")
def needs() -> Callable[[str], str]:
    """The path of a program of the system; the test is left out if it is missing."""
    return find_program


def find_program(name: str) -> str:
    """`name` is one of PROGRAMS."""
    program = PROGRAMS[name]
    if program.module and find_spec(program.module):
        return program.module
    for known in program.names:
        if path := shutil.which(known):
            return path
    pytest.skip(MISSING + name)


def nothing_is_left_out() -> bool:
    return os.environ.get("CI", "").lower() in ("true", "1")


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
    programs = [r.removeprefix(MISSING) for r in counts if r.startswith(MISSING)]
    if programs:
        packages = sorted({PROGRAMS[program].package for program in programs} - {""})
        if packages:
            terminalreporter.line(f"To run them too: sudo apt install {' '.join(packages)}")


def pytest_configure() -> None:
    """Programs that tests start can be stopped with SIGINT, even if we run in the background.

    A shell starts background jobs with SIGINT ignored, and children inherit that. What is caught
    is not inherited, so we catch it and go on, as who started us wanted.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)
