"""The unittest files of this folder, unchanged, inside the MicroPython VM."""

import re
import unittest
from pathlib import Path

import pytest

from host_tools.replay.engine.session import VmSession, rules_files

HERE = Path(__file__).parent
MODULES = [
    path.stem
    for path in sorted(HERE.glob("test_*.py"))
    if re.search(r"^import unittest$", path.read_text("utf-8"), re.MULTILINE)
    and path != Path(__file__)
]

HELPERS = [
    path.stem
    for path in HERE.glob("*.py")
    if not path.stem.startswith(("test_", "oracle_", "second_"))
]


def count_tests(module: str) -> int:
    """How many tests CPython finds in a module."""
    return unittest.defaultTestLoader.loadTestsFromName(f"tests.rules.{module}").countTestCases()


@pytest.mark.vm
@pytest.mark.parametrize("module", MODULES)
def test_every_test_passes_in_the_vm(module: str) -> None:
    files = rules_files()
    files += [("/vm/unittest.py", HERE / "vm/unittest.py")]
    files += [(f"/tests/rules/{name}.py", HERE / f"{name}.py") for name in MODULES]
    files += [
        (f"/tests/rules/{path.name}", path)
        for path in sorted(HERE.glob("*.py"))
        if path.stem in HELPERS
    ]
    with VmSession(HERE / "vm/main.py", files) as vm:
        lines = list(vm.talk([module]))
    failed = [line for line in lines if ": " in line]
    assert not failed
    assert len(lines) == count_tests(module)
