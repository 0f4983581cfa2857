"""Runs inside the VM: imports the test modules named on its lines and runs every test in them."""

import sys

sys.path.insert(0, "/vm")
sys.path.insert(0, "/")

import unittest  # the one beside this file

import _host  # made by vm.mjs


def run_class(cases: "type[unittest.TestCase]") -> None:
    """One line for each test: its name, and the fault if it failed."""
    for name in sorted(dir(cases)):
        if not name.startswith("test"):
            continue
        case = cases()
        case.setUp()
        try:
            getattr(case, name)()
            _host.write(cases.__name__ + "." + name)
        except AssertionError as fault:
            _host.write(cases.__name__ + "." + name + ": " + str(fault))


def run_module(name: str) -> None:
    """All test classes of a module."""
    module = __import__("tests.rules." + name, None, None, ("x",))
    for key in sorted(dir(module)):
        value = getattr(module, key)
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            run_class(value)


while True:
    line = _host.read()
    if line is None:
        break
    run_module(line)
