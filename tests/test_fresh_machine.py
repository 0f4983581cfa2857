"""The tests themselves on a machine that lacks something: no Chromium, no libnfc, no patience."""

import ast
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MISSING

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 500
ONE_THAT_NEEDS_LIBNFC = "tests/peers/test_libnfc.py::test_nfc_list_finds_the_tag"
ONE_IN_THE_BROWSER = "tests/browser/test_play_trouble.py::test_reload_in_mid_match"
ONE_WITH_OPENSCAD = "tests/hardware/test_hw_case.py::test_sizes_worked_out_by_hand"
ONE_WITH_SIGINT = (
    "tests/twin/test_twin_commands.py::test_reader_serves_the_tag_and_stores_what_is_written"
)


def run_pytest(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Pytest in a process of its own, outside the run that asks."""
    inherited = {k: v for k, v in os.environ.items() if k != "CI" and not k.startswith("PYTEST_")}
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-c",
            "pyproject.toml",
            "-p",
            "no:cacheprovider",
            *arguments,
        ],
        cwd=ROOT,
        env={**inherited, **variables},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def write_tests(folder: Path, source: str, name: str = "test_sample.py") -> str:
    """A file of tests that has our settings."""
    (folder / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf8")
    path = folder / name
    path.write_text(source, encoding="utf8")
    return str(path)


def test_without_the_programs_tests_are_left_out_counted_and_explained(tmp_path: Path) -> None:
    tests = (ONE_THAT_NEEDS_LIBNFC, ONE_IN_THE_BROWSER, ONE_WITH_OPENSCAD)
    done = run_pytest(*tests, PATH=str(tmp_path))
    assert done.returncode == 0, done.stdout
    said = done.stdout.splitlines()
    assert f"1 left out: {MISSING}chromium-headless-shell" in said
    assert f"1 left out: {MISSING}nfc-list" in said
    assert f"1 left out: {MISSING}openscad" in said
    assert said[-2] == "To run them too: sudo make system"


def test_in_ci_a_missing_program_is_a_failure(tmp_path: Path) -> None:
    done = run_pytest(ONE_THAT_NEEDS_LIBNFC, ONE_IN_THE_BROWSER, PATH=str(tmp_path), CI="true")
    assert done.returncode == 1
    assert f"CI=true forbids that: {MISSING}nfc-list" in done.stdout
    assert f"CI=true forbids that: {MISSING}chromium-headless-shell" in done.stdout
    assert "1 failed, 1 error in" in done.stdout  # the browser is asked for in a fixture


WAYS_OUT = {
    "mark": "import pytest\n@pytest.mark.skip(reason='later: mark')\ndef test_a(): pass\n",
    "xfail": "import pytest\n@pytest.mark.xfail(reason='later: xfail')\n"
    "def test_a(): assert False\n",
    "call": "import pytest\ndef test_a(): pytest.skip('later: call')\n",
    "module": "import pytest\npytest.skip('later: module', allow_module_level=True)\n",
    "unittest": "import unittest\nclass TestA(unittest.TestCase):\n"
    "    @unittest.skip('later: unittest')\n    def test_a(self): pass\n",
}


def test_no_way_to_leave_a_test_out_hides_in_ci(tmp_path: Path) -> None:
    for way, source in WAYS_OUT.items():
        write_tests(tmp_path, source, f"test_{way}.py")
    # a module that cannot be collected shall not keep the others from being run
    whole = (str(tmp_path), "--continue-on-collection-errors")
    here, ci = run_pytest(*whole), run_pytest(*whole, CI="true")
    assert here.returncode == 0
    assert ci.returncode == 1
    for way in WAYS_OUT:
        assert re.search(rf"^1 left out: .*later: {way}$", here.stdout, re.MULTILINE), here.stdout
        assert f"CI=true forbids that: {'expected to fail: ' * (way == 'xfail')}later: {way}" in (
            ci.stdout
        )
    assert "3 failed, 2 errors in" in ci.stdout  # of which one could not even be collected


@pytest.mark.parametrize(
    "wait",
    [
        "import time; time.sleep(1000)",
        "import threading; threading.Event().wait()",
        "import subprocess; subprocess.run(['sleep', '1000'])",
    ],
)
def test_a_test_that_waits_for_ever_fails(tmp_path: Path, wait: str) -> None:
    path = write_tests(tmp_path, f"def test_a():\n    {wait}\n")
    done = run_pytest(path, "--timeout=1")
    assert done.returncode == 1
    assert "Timeout (>1.0s)" in done.stdout


def test_a_test_that_clings_to_waiting_ends_its_process_and_says_where(tmp_path: Path) -> None:
    """Hypothesis takes the first end for a finding and tries again."""
    source = (
        "import time\n\ndef test_a():\n    try: time.sleep(1000)\n    finally: time.sleep(1000)\n"
    )
    path = write_tests(tmp_path, source)
    done = run_pytest(path, "--timeout=1", "-o", "faulthandler_timeout=3")
    assert done.returncode == 1
    assert "test_sample.py" in done.stderr


def test_no_test_waits_without_a_limit_for_a_program_to_end() -> None:
    """`with Popen(…)` waits for ever when its block fails; tests/processes.py kills."""
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path.name != "processes.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Popen"
    ]
    assert calls == []


def test_every_test_has_a_limit(pytestconfig: pytest.Config) -> None:
    assert float(pytestconfig.getini("timeout")) > 0
    assert float(pytestconfig.getini("faulthandler_timeout")) > 0
    assert pytestconfig.getini("faulthandler_exit_on_timeout") is True


def test_programs_can_be_stopped_where_sigint_is_ignored() -> None:
    """As in a background job: `sh -c 'make test &'`."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        done = run_pytest(ONE_WITH_SIGINT, f"--timeout={LIMIT_S}")
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.returncode == 0, done.stdout


def test_ci_installs_every_program() -> None:
    """`make test` may go on without; `make system` fails."""
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf8").splitlines()
    assert lines.index("make system") < lines.index("CI=true make test")
