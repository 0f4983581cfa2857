"""What the build leaves out of the modules, and that nothing else changes. That the lean firmware
does what it should is shown by tests/chip and by the tests in the VM, which run it.
"""

import ast
import builtins
import symtable
from collections.abc import Iterator

import pytest

from host_tools.box.firmware.lean import lean
from host_tools.box.firmware.sources import Source, closure

MEASURES = """
from micropython import const

SMALL = const(2)
LARGE = const(SMALL << 3)
NAMES = ("small", "large")
"""
HALL = """
from micropython import const

from firmware.measures import LARGE, NAMES
from firmware import measures as m

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

_EDGE = const(LARGE - 1)
_kept = const
_rows = {}


class Hall:
    '''Says _width in a docstring.'''

    def __init__(self, width: int, height=LARGE):
        self._width = width
        self.height: int = height - m.SMALL
        self._named = getattr(self, "_find" + NAMES[0])

    def _findsmall(self, at, *rest, step=1):
        at = at + _EDGE
        return lambda width: [at * width + other for other in rest if other != self._width]


def nested(depth, names):
    def inner(names):
        nonlocal depth
        depth += 1
        return _rows.get(depth, names)

    try:
        return inner(step=names)
    except KeyError as depth:
        return [names for names in depth.args]
"""


def made_lean(**texts: str) -> dict[str, str]:
    modules = {"firmware": ""} | {f"firmware.{name}": text for name, text in texts.items()}
    return lean(modules, frozenset({"firmware"}))


def same(text: str, expected: str) -> None:
    assert ast.unparse(ast.parse(text)) == ast.unparse(ast.parse(expected))


def test_constants_leave_their_module_and_the_rest_stays() -> None:
    same(made_lean(measures=MEASURES)["firmware.measures"], 'NAMES = ("small", "large")')


def test_constants_arguments_and_private_names_are_short() -> None:
    """Worked out by hand: `_rows` and `_width` stand there twice. `step` is named by a call;
    `_findsmall` and `Hall` show in tracebacks.
    """
    same(
        made_lean(measures=MEASURES, hall=HALL)["firmware.hall"],
        """
from micropython import const
from firmware.measures import NAMES
_c = const
_a = {}


class Hall:
    pass

    def __init__(self, a, b=16):
        self._b = a
        self.height = b - 2
        self._d = getattr(self, "_find" + NAMES[0])

    def _findsmall(self, a, *b, step=1):
        a = a + 15
        return lambda c: [a * c + other for other in b if other != self._b]


def nested(a, b):
    def inner(c):
        nonlocal a
        a += 1
        return _a.get(a, c)

    try:
        return inner(step=b)
    except KeyError as a:
        return [names for names in a.args]
""",
    )


def test_a_private_name_that_stands_in_a_string_stays() -> None:
    text = "class A:\n    def f(self):\n        self._fast = hasattr(self, '_fast')\n"
    same(made_lean(a=text)["firmware.a"], text)


def test_relative_imports_find_their_constants() -> None:
    use = "from .measures import SMALL\nfrom . import measures\nx = (SMALL, measures.LARGE)\n"
    same(made_lean(measures=MEASURES, use=use)["firmware.use"], "x = (2, 16)")


def lean_firmware() -> dict[str, str]:
    sources = closure()
    packages = frozenset(source.module for source in sources if source.path.stem == "__init__")
    return lean({s.module: s.path.read_text(encoding="utf8") for s in sources}, packages)


LEAN = lean_firmware()


@pytest.mark.parametrize("source", closure(), ids=lambda source: source.module)
def test_functions_and_classes_keep_their_names_and_their_order(source: Source) -> None:
    assert shown(LEAN[source.module]) == shown(source.path.read_text(encoding="utf8"))


def shown(text: str) -> list[str]:
    """The functions and classes but those for the type checker."""
    nodes = list(ast.walk(ast.parse(text)))
    checked = {
        id(inside)
        for node in nodes
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inside in ast.walk(node)
    }
    return [
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and id(node) not in checked
    ]


@pytest.mark.parametrize("module", sorted(LEAN))
def test_every_name_of_the_lean_firmware_is_defined(module: str) -> None:
    top = symtable.symtable(LEAN[module], module, "exec")
    defined = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned()}
    defined |= {symbol.get_name() for symbol in top.get_symbols() if symbol.is_imported()}
    defined |= {table.get_name() for table in top.get_children()} | set(dir(builtins))
    wanted = {
        symbol.get_name()
        for table in tables(top)
        for symbol in table.get_symbols()
        if symbol.is_global() and symbol.is_referenced()
    }
    assert wanted - defined - {"__file__", "__name__"} == set()


@pytest.mark.parametrize("module", sorted(LEAN))
def test_every_import_of_the_lean_firmware_finds_its_name(module: str) -> None:
    for node in ast.walk(ast.parse(LEAN[module])):
        if not isinstance(node, ast.ImportFrom) or node.level or node.module not in LEAN:
            continue
        for alias in node.names:
            inside = symtable.symtable(LEAN[node.module], node.module, "exec")
            assert (
                f"{node.module}.{alias.name}" in LEAN or alias.name in inside.get_identifiers()
            ), f"{module}: {alias.name} of {node.module}"


def tables(top: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield top
    for child in top.get_children():
        yield from tables(child)
