"""What the build leaves out of the modules, and that nothing else changes. That the lean firmware
does what it should is shown by tests/chip and by the tests in the VM, which run it.
"""

import ast
import builtins
import re
import symtable
from collections.abc import Iterator
from importlib.util import resolve_name
from typing import Any

import pytest

from host_tools.box.firmware.lean import Lean, lean
from host_tools.box.firmware.naming import shorten
from host_tools.box.firmware.placing import place
from host_tools.box.firmware.rom_names import COMMON, NUMBERED, ON_SOME
from host_tools.box.firmware.sources import closure

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
KEPT = ("nested",)
_kept = const
_rows = {}


class Hall:
    '''Says _width in a docstring.'''

    def __init__(self, width: int, height=LARGE):
        self._width = width
        self.height: int = height - m.SMALL
        self._named = getattr(self, "_findsmall")

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


def made_lean(**texts: str) -> Lean:
    modules = {"firmware": ""} | {f"firmware.{name}": text for name, text in texts.items()}
    return lean(modules, frozenset({"firmware"}))


def same(made: Lean, module: str, expected: str) -> None:
    """`expected` has the names of the sources."""
    text = re.sub(r"\w+", lambda word: made.names.get(word[0], word[0]), expected)
    assert ast.unparse(ast.parse(made.texts[module])) == ast.unparse(ast.parse(text))


def test_constants_leave_their_module_and_the_rest_stays() -> None:
    same(made_lean(measures=MEASURES), "firmware.measures", 'NAMES = ("small", "large")')


def test_constants_and_arguments_are_short() -> None:
    """Worked out by hand: `step` is named by a call."""
    same(
        made_lean(measures=MEASURES, hall=HALL),
        "firmware.hall",
        """
from micropython import const
from .measures import NAMES
KEPT = ("nested",)
_kept = const
_rows = {}


class Hall:
    pass

    def __init__(self, a, b=16):
        self._width = a
        self.height = b - 2
        self._named = getattr(self, "_findsmall")

    def _findsmall(self, a, *b, step=1):
        a = a + 15
        return lambda c: [a * c + other for other in b if other != self._width]


def nested(a, b):
    def inner(c):
        nonlocal a
        a += 1
        return _rows.get(a, c)

    try:
        return inner(step=b)
    except KeyError as a:
        return [names for names in a.args]
""",
    )


def test_what_nobody_names_is_left_out_and_what_it_alone_used() -> None:
    text = (
        "def a():\n    b()\n\ndef b():\n    pass\n\ndef c():\n    pass\n\ndef do_d():\n    pass\n"
    )
    same(made_lean(x=text), "firmware.x", "")
    named = {"main": "def run():\n    from .x import c\n    c('d')\n", "x": text}
    same(made_lean(**named), "firmware.x", "def c(): pass\ndef do_d(): pass\n")
    same(made_lean(**named), "firmware.main", named["main"])


def test_short_texts_are_constants_and_public_ones_stay_for_programs_beside_the_firmware() -> None:
    kinds = "CARD = 'card'\n_LATE = 'late'\nLONGER = 'thirteen char'\nx = (CARD, _LATE, LONGER)\n"
    use = "from . import kinds\nfrom .kinds import CARD, LONGER\ny = (kinds.CARD, CARD, LONGER)\n"
    made = made_lean(kinds=kinds, use=use)
    same(
        made,
        "firmware.kinds",
        kinds.replace("_LATE = 'late'\n", "").replace("(CARD, _LATE", "('card', 'late'"),
    )
    same(made, "firmware.use", "from .kinds import LONGER\ny = ('card', 'card', LONGER)\n")


def short_names(*texts: str) -> dict[str, str]:
    trees = {f"firmware.m{at}": ast.parse(text) for at, text in enumerate(texts)}
    return shorten(trees, "turns")


def test_a_name_that_may_be_meant_otherwise_stays() -> None:
    """It stands in a string, a call names an argument so, MicroPython has it, a loader asks for
    it, it is put together behind do_, it is an exception's.
    """
    stays = """
class Lost(OSError):
    pass
class Kiosk:
    def turns(self, opening=0):
        self.prices = getattr(self, "visitors")
        self.visitors = Kiosk().turns(opening=1)
    def write(self):
        raise Lost("gates.doors")
    def do_shut(self):
        self.doors = self.opening = ()
"""
    assert set(short_names(stays)) == {"Kiosk", "prices"}


def test_what_never_meets_has_one_name_and_what_may_meet_has_two() -> None:
    """`wide` and `long` are never of one object; `deep` is of both through the class that
    inherits from both. In a module nothing is called as something else there.
    """
    first = """
class Box:
    def __init__(self):
        self.wide = self.deep = 0
class Bag:
    def __init__(self):
        self.long = 0
class Both(Box):
    def __init__(self):
        self.tight = 0
"""
    second = "def carry(bag):\n    return bag.long\ndef weigh(box):\n    return box.wide\n"
    short = short_names(first, second)
    assert short["long"] in (short["wide"], short["deep"], short["tight"])
    assert len({short["wide"], short["deep"], short["tight"]}) == 3
    assert len({short["Box"], short["Bag"], short["Both"]}) == 3
    assert short["carry"] != short["weigh"]
    assert not {short["carry"], short["weigh"]} & {"bag", "box"}
    row = short_names("Row = namedtuple('Row', ('left', 'right'))")
    assert row["left"] != row["right"]


def test_relative_imports_find_their_constants() -> None:
    use = "from .measures import SMALL\nfrom . import measures\nx = (SMALL, measures.LARGE)\n"
    same(made_lean(measures=MEASURES, use=use), "firmware.use", "x = (2, 16)")


SOURCES = [source for source in closure() if not source.is_texts]
PACKAGES = frozenset(source.module for source in SOURCES if source.path.stem == "__init__")
MADE = lean({s.module: s.path.read_text(encoding="utf8") for s in SOURCES}, PACKAGES, placing=True)
LEAN, HOMES, NAMES = MADE.texts, MADE.homes, MADE.names
PLACED = {name for parts in MADE.placed.values() for names in parts.values() for name in names}
# What nothing on the box calls: for the laptop's side of the link, for drivers used elsewhere, and
# for tests. A name that is new here must not be one that only the interpreter calls.
UNUSED = set(
    """write_frame unpack_line write_event make_read_only read_page_zero write_user contrast
    changed best_turns _load_slot _keep_reason""".split()  # noqa: SIM905 a long list reads better so
)


@pytest.mark.parametrize("module", sorted(LEAN))
def test_functions_and_classes_keep_their_order(module: str) -> None:
    """A module has what its parts have, one after the other."""
    parts = [s for s in SOURCES if HOMES.get(s.module, s.module) == module]
    left = shown(LEAN[module])
    while parts and left:
        for source in parts:
            whole = shown(source.path.read_text(encoding="utf8"))
            own = [NAMES.get(name, name) for name in whole if name not in UNUSED | PLACED]
            if left[: len(own)] == own:
                left = left[len(own) :]
                parts.remove(source)
                break
        else:
            raise AssertionError(f"none of {[p.module for p in parts]} begins with {left[:5]}")
    assert left == []
    assert [p.module for p in parts if shown(p.path.read_text(encoding="utf8"))] == []


def test_modules_that_are_loaded_together_become_one() -> None:
    """Worked out by hand: the program loads `size` and `shape`, a function loads `late`. Both
    modules of the program have a `_find`, so one is renamed.
    """
    texts = {
        "firmware": "",
        "firmware.app": "",
        "firmware.main": (
            "from .app import shape\nfrom .app.size import size_of\n"
            "def run(find):\n    from .app import late\n"
            "    return late.tell(shape.SHAPES, size_of(find))\n"
        ),
        "firmware.app.size": (
            "import gc\nSIZES = {1: 2}\ndef _find(key):\n    return SIZES.get(key, gc)\n"
            "def size_of(name):\n    return _find(name)\n"
        ),
        "firmware.app.shape": (
            "import gc\nfrom . import size\nfrom .size import SIZES\nSHAPES = [SIZES]\n"
            "def _find(SHAPES):\n    return size.size_of(SHAPES), gc\n"
            "class Shape:\n    SHAPES = SHAPES\n"
            "    def size(self):\n        return _find(SHAPES)\n"
        ),
        "firmware.app.late": (
            "from .shape import Shape\ndef tell(*things):\n    return Shape, things\n"
        ),
    }
    made = lean(texts, frozenset({"firmware", "firmware.app"}))
    assert made.homes == {
        "firmware.app.size": "firmware.app",
        "firmware.app.shape": "firmware.app",
    }
    same(
        made,
        "firmware.app",
        """
import gc
SIZES = {1: 2}
def _find_size(a):
    return SIZES.get(a, gc)
def size_of(a):
    return _find_size(a)
SHAPES = [SIZES]
def _find(a):
    return size_of(a), gc
class Shape:
    SHAPES = SHAPES
    def size(self):
        return _find(SHAPES)
""",
    )
    same(
        made,
        "firmware.main",
        """
from firmware import app as shape
from .app import size_of
def run(a):
    from .app import late
    return late.tell(shape.SHAPES, size_of(a))
""",
    )
    same(
        made,
        "firmware.app.late",
        "from ..app import Shape\ndef tell(*a):\n    return Shape, a\n",
    )


def test_two_modules_that_mean_different_things_by_a_name_are_not_joined() -> None:
    texts = {
        "firmware": "",
        "firmware.app": "",
        "firmware.main": "from .app import one, two\ndef run(): return one.f, two.f\n",
        "firmware.app.one": "from os import stat\ndef f(): return stat\n",
        "firmware.app.two": "from gc import collect as stat\ndef f(): return stat\n",
    }
    with pytest.raises(ValueError, match="stat"):
        lean(texts, frozenset({"firmware", "firmware.app"}))


def shown(text: str) -> list[str]:
    """The functions and classes but those for the type checker, each before what is in it."""
    return list(_shown(ast.parse(text)))


def _shown(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    for inside in ast.iter_child_nodes(node):
        yield from _shown(inside)


@pytest.mark.parametrize("module", sorted(LEAN))
def test_a_traceback_can_be_read(module: str) -> None:
    """No two functions of a file have one short name, and none has another's own."""
    called = set(MADE.functions[module])
    assert len({NAMES.get(name, name) for name in called}) == len(called)


CALLED_ONCE = """
class Cat:
    def __init__(self, n):
        self.n = n
        self.said = []

    def plain(self, at):
        self._note(at, "x")
        return at

    def _note(self, at, text):
        data = text * at
        self.said.append(data)

    def early(self, at):
        data = at
        self._tell(at)
        self.said.append(data)

    def _tell(self, at):
        if at > 2:
            if at > 4:
                self.said.append("far")
                return
            self.said.append("near")
        else:
            return
        data = at + 1
        self.said.append(data)

    def found(self, at):
        return [self._search(at), self.n]

    def _search(self, at):
        for k in range(self.n):
            if k * k == at:
                return k
        return -1

    def chosen(self, at):
        if at and not self._is_small(at):
            return "right side"
        if self._is_small_too(at):
            return "small"
        return "large"

    def _is_small(self, at):
        return at < 2

    def _is_small_too(self, at):
        try:
            first = self.said[at]
        except IndexError:
            return at < 3
        return first < 2

    def captured(self, at):
        cards = self._without(at)
        return cards, at

    def _without(self, cat):
        return [at for at in range(self.n) if at != cat]

    def last(self, at):
        at += 1
        self._loop(at)

    def _loop(self, at):
        while True:
            at += 1
            for k in range(3):
                if at % 7 == k:
                    self.said.append(at)
                    return 5

    def given(self, at):
        at = _scaled(at, by=3)
        return at

    def turns(self, at):
        yield self._stays(at)

    def _stays(self, at):
        return at


def _scaled(at, more=2, by=1):
    at *= by
    return at + more
"""


def test_what_one_place_calls_is_put_there_and_does_the_same() -> None:
    """`_is_small` stands behind an `and`, `_stays` in a generator: they stay."""
    tree = ast.parse(CALLED_ONCE)
    placed = place({"firmware.cat": tree})["firmware.cat"]
    assert placed == {
        "plain": ["_note"],
        "early": ["_tell"],
        "found": ["_search"],
        "chosen": ["_is_small_too"],
        "captured": ["_without"],
        "last": ["_loop"],
        "given": ["_scaled"],
    }
    kinds = []
    for text in (CALLED_ONCE, ast.unparse(ast.fix_missing_locations(tree))):
        space: dict[str, Any] = {}
        exec(text, space)
        kinds.append(space["Cat"])
    for name in (*placed, "turns"):
        for at in range(12):
            whole, lean_one = (kind(5) for kind in kinds)
            said = [getattr(cat, name)(at) for cat in (whole, lean_one)]
            said = [list(one) if name == "turns" else one for one in said]
            assert said[0] == said[1], (name, at)
            assert whole.said == lean_one.said, (name, at)


def test_a_frame_that_every_turn_needs_does_not_leave_the_stack() -> None:
    """Eleven words: `step` has two names, `_far` ten more; `seldom` may grow."""
    names = "\n".join(f"    n{k} = at + {k}" for k in range(10))
    text = f"""
def step(now, at):
    _far(at)
def _far(at):
{names}
def seldom(now, at):
    _away(at)
def _away(at):
{names}
"""
    assert place({"firmware.far": ast.parse(text)})["firmware.far"] == {"seldom": ["_away"]}


def test_what_micropython_has_is_called_as_ever_and_costs_nothing() -> None:
    of_micropython = {*NUMBERED, *COMMON, *ON_SOME}
    assert not set(NAMES) & of_micropython
    new = set(NAMES.values()) - of_micropython
    assert not new & {"self", "const"}
    assert not set(NAMES.values()) & set(ON_SOME), "one board has it in its flash, another has not"
    assert len(new) < len(NAMES) / 10


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
    package = module if module in PACKAGES else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(LEAN[module])):
        if not isinstance(node, ast.ImportFrom):
            continue
        home = resolve_name("." * node.level + (node.module or ""), package)
        for alias in node.names:
            if home in LEAN and f"{home}.{alias.name}" not in LEAN:
                inside = symtable.symtable(LEAN[home], home, "exec")
                assert alias.name in inside.get_identifiers(), f"{module}: {alias.name} of {home}"


def tables(top: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield top
    for child in top.get_children():
        yield from tables(child)
