"""The box names every fault: another one would end in the REPL, with a dark screen."""

import ast
import builtins
import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.app import slots
from hardware.twin.session import TwinSession

ROOT = Path(__file__).resolve().parents[2]
# docs.micropython.org, library/builtins, Exceptions; with what py/objexcept.c has besides
MICROPYTHON = (
    *("ArithmeticError", "AssertionError", "AttributeError", "EOFError", "ImportError"),
    *("IndentationError", "IndexError", "KeyError", "LookupError", "MemoryError", "NameError"),
    *("NotImplementedError", "OSError", "OverflowError", "RuntimeError", "StopIteration"),
    *("SyntaxError", "TypeError", "UnicodeError", "ValueError", "ZeroDivisionError"),
)
# appended to app.py: the hundredth step dies
FAULTY = """

_step = App.step
_made = []


def _faulty(app, now_ms):
    _made.append(now_ms)
    if len(_made) == 100:
        raise {}("thrown by a test")
    return _step(app, now_ms)


App.step = _faulty
"""
# they end the program or a generator, and are meant
MEANT = (KeyboardInterrupt, SystemExit, GeneratorExit)


def main_faults() -> tuple[str, ...]:
    """Names in `FAULTS` of main.py, which cannot be imported here: its own part, and slots'."""
    tree = ast.parse((ROOT / "firmware" / "main.py").read_text("utf8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "OUR_FAULTS":
            assert isinstance(node.value, ast.Tuple)
            return tuple(name.id for name in node.value.elts if isinstance(name, ast.Name))
    raise AssertionError("main.py has no OUR_FAULTS")


def our_exceptions() -> Iterator[type[BaseException]]:
    for top in ("firmware", "card_tags"):
        for path in sorted((ROOT / top).rglob("*.py")):
            text = path.read_text("utf8")
            if "Exception)" not in text and "Error)" not in text:
                continue
            for node in ast.parse(text).body:
                if isinstance(node, ast.ClassDef):
                    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                    kind = getattr(importlib.import_module(name), node.name)
                    if issubclass(kind, BaseException):
                        yield kind


@pytest.mark.parametrize("name", MICROPYTHON)
def test_every_fault_of_the_interpreter_is_named(name: str) -> None:
    assert issubclass(getattr(builtins, name), slots.FAULTS)


@pytest.mark.parametrize("kind", MEANT)
def test_what_is_meant_is_no_fault(kind: type[BaseException]) -> None:
    assert not issubclass(kind, slots.FAULTS)


def test_every_exception_of_ours_is_named() -> None:
    named = {*main_faults()}
    found = list(our_exceptions())
    assert len(found) > len(named)
    for kind in found:
        lineage = {parent.__name__ for parent in kind.__mro__}
        assert lineage & named or issubclass(kind, slots.FAULTS), kind


@pytest.mark.parametrize("fault", ["NameError", "AssertionError", "StopIteration"])
def test_a_fault_in_a_step_is_kept_shown_and_ended_by_a_reset(fault: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for top in ("firmware", "card_tags"):
        shutil.copytree(ROOT / top, tree / top)
    with (tree / "firmware" / "app" / "app.py").open("a") as file:
        file.write(FAULTY.format(fault))
    with TwinSession("cpython", tmp_path / "flash", sources=tree, survive_resets=True) as box:
        box.boot()
        box.run_for(3_000)  # the fault is shown for 5 s
        assert not box.screen().dark
        box.run_for(3_500)
        assert box.resets == ["machine.reset"]
    assert fault in (tmp_path / "flash" / "crash.txt").read_text()
