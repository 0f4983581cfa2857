"""What CPython forgives and MicroPython does not, looked for in everything the box runs.

The interpreter is the source: each sample must run on CPython, fail in MicroPython's UNIX port,
and be found by the check. What a Pico lacks and the port has: the type stubs of the RP2 build.
"""

import ast
import builtins
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(p for top in ("firmware", "card_tags") for p in (ROOT / top).rglob("*.py"))

# fails -> a sample that CPython runs
SAMPLES = {
    "constant above its definition": (
        "from micropython import const\ndef f():\n    return _X\n_X = const(3)\nf()"
    ),
    "constant above its definition, in a class": (
        "from micropython import const\nclass A:\n    def f(self, a=1):\n        return a + _X\n"
        "_X = const(3)\nA().f()"
    ),
    "ljust": "'a'.ljust(3)",
    "zfill": "'a'.zfill(3)",
    "casefold": "'a'.casefold()",
    "isalnum": "'a'.isalnum()",
    "isdecimal": "'a'.isdecimal()",
    "removeprefix": "'a'.removeprefix('a')",
    "capitalize": "'a'.capitalize()",
    "translate": "'a'.translate({})",
    "expandtabs": "'a'.expandtabs()",
    "swapcase": "'a'.swapcase()",
    "maketrans": "str.maketrans('a', 'b')",
    "bit_length": "(5).bit_length()",
    "tobytes": "memoryview(b'a').tobytes()",
    "cast": "memoryview(b'ab').cast('B')",
    "with_traceback": "Exception().with_traceback(None)",
    "_replace": "from collections import namedtuple\nnamedtuple('A', ('b',))(1)._replace(b=2)",
    "_asdict": "from collections import namedtuple\nnamedtuple('A', ('b',))(1)._asdict()",
    "namedtuple defaults": (
        "from collections import namedtuple\nnamedtuple('A', ('b',), defaults=(1,))()"
    ),
    "__cause__": "OSError().__cause__",
    "sort_keys": "import json\njson.dumps({}, sort_keys=True)",
    "indent": "import json\njson.dumps({}, indent=1)",
    "from_bytes signed": "int.from_bytes(b'a', 'big', signed=True)",
    "from_bytes byteorder": "int.from_bytes(b'a', byteorder='big')",
    "bytes encoding": "bytes('a', encoding='utf8')",
    "str encoding": "str(b'a', encoding='utf8')",
    "split maxsplit": "'a b'.split(maxsplit=1)",
    "encode encoding": "'a'.encode(encoding='utf8')",
    "decode encoding": "b'a'.decode(encoding='utf8')",
    "sum start": "sum([], start=1)",
    "zip strict": "zip([1], [1], strict=True)",
    "print flush": "print('', flush=True)",
    "step of a str": "'123'[::-1]",
    "step of bytes": "b'123'[0:3:2]",
    "step of a tuple": "(1, 2, 3)[::2]",
    "unpacking in a list": "[*(1, 2)]",
    "unpacking in a dict": "{**{}}",
    "positional only": "def f(a, /): pass",
    "builtin vars": "vars()",
    "builtin ascii": "ascii('a')",
    "builtin format": "format(1, 'x')",
    "attribute of a function": "def f(): pass\nf.x = 1",
    "__init_subclass__": (
        "class A:\n    def __init_subclass__(cls):\n        cls.z = 1\nclass B(A): pass\nB.z"
    ),
    "__slots__": (
        "class A:\n    __slots__ = ('a',)\ntry:\n    A().b = 1\nexcept AttributeError:\n    pass\n"
        "else:\n    raise ValueError"
    ),
    "union of types": "isinstance(1, int | str)",
    "subscript in a format": "'{0[0]}'.format('a')",
}
# What the box's code does all day must not be found
GOOD = (
    "from micropython import const\n_X = const(3)\ndef f(a, *b):\n    return [a + _X, '%d' % a]\n"
    "g = f(1, *(2,))\nimport json\njson.dumps({}, separators=(',', ':'))\nb'ab'[1:]\n"
    "'{:>4}'.format('a')\nisinstance(1, (int, str))\nsorted([1], key=abs)\n"
    "int.from_bytes(b'a', 'big')"
)

METHODS = {
    "ljust",
    "rjust",
    "zfill",
    "casefold",
    "isalnum",
    "isdecimal",
    "isnumeric",
    "isidentifier",
    "isprintable",
    "istitle",
    "removeprefix",
    "removesuffix",
    "capitalize",
    "translate",
    "maketrans",
    "expandtabs",
    "swapcase",
    "format_map",
    "bit_length",
    "bit_count",
    "tobytes",
    "cast",
    "with_traceback",
    "add_note",
    "_replace",
    "_asdict",
    "_fields",
    "__cause__",
    "__context__",
    "__traceback__",
    "__slots__",
}
SPECIAL = {"__init_subclass__", "__slots__", "__set_name__", "__class_getitem__", "__del__"}
# function or method -> the keywords it takes there
KEYWORDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ("from_bytes", "to_bytes", "bytes", "str", "split", "sum", "zip"),
        frozenset[str](),
    ),
    "namedtuple": frozenset(),
    "dumps": frozenset({"separators"}),
    "print": frozenset({"sep", "end", "file"}),
}

Find = Callable[[ast.AST], bool]


def found(text: str) -> Iterator[str]:
    """Line and reason of everything that only CPython forgives."""
    tree = ast.parse(text)
    defined = _constants(tree)
    checked = set(_under_type_checking(tree))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if node in checked:
            continue
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Name) and line < defined.get(node.id, 0):
            yield f"{line}: {node.id} is used above its const()"
        if _sets_attribute(node, functions):
            yield f"{line}: a function has no attributes"
        for reason, is_so in CHECKS.items():
            if is_so(node):
                yield f"{line}: {reason}"


def _constants(tree: ast.Module) -> dict[str, int]:
    """Underscore constants of the module: they exist only from their line on."""
    return {
        node.targets[0].id: node.lineno
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id.startswith("_")
        and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "id", "") == "const"
    }


def _under_type_checking(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            for inside in node.body:
                yield from ast.walk(inside)


def _sets_attribute(node: ast.AST, functions: set[str]) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(t, ast.Attribute) and getattr(t.value, "id", "") in functions
        for t in node.targets
    )


def _missing_method(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in METHODS


def _special(node: ast.AST) -> bool:
    names = [getattr(node, "name", "")]
    if isinstance(node, ast.Assign):
        names += [getattr(target, "id", "") for target in node.targets]
    return not SPECIAL.isdisjoint(names)


def _keyword(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    given = {word.arg for word in node.keywords}
    if name in ("encode", "decode"):  # codec.py has such functions of its own
        return not given.isdisjoint(("encoding", "errors"))
    return name in KEYWORDS and not given <= KEYWORDS[name]


def _step(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice) and node.step is not None


def _unpacking(node: ast.AST) -> bool:
    if isinstance(node, ast.Dict):
        return None in node.keys
    stars = isinstance(node, ast.List | ast.Tuple | ast.Set) and any(
        isinstance(item, ast.Starred) for item in node.elts
    )
    return stars and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _positional_only(node: ast.AST) -> bool:
    return isinstance(node, ast.arguments) and bool(node.posonlyargs)


def _union(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "isinstance"
        and isinstance(node.args[1], ast.BinOp)
    )


def _format_subscript(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "format"
        and isinstance(node.value, ast.Constant)
        and any(
            "[" in part.split("}")[0].split(":")[0]
            for part in str(node.value.value).split("{")[1:]
        )
    )


def _missing_builtin(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in set(dir(builtins)) - micropython()[0]


CHECKS: dict[str, Find] = {
    "no such method": _missing_method,
    "no such hook": _special,
    "no such keyword": _keyword,
    "only slices with step 1": _step,
    "no unpacking in a display": _unpacking,
    "no positional-only arguments": _positional_only,
    "no union of types": _union,
    "no subscript in a format": _format_subscript,
    "no such builtin": _missing_builtin,
}


_TRY_ALL = """
import builtins
print(*dir(builtins))
for number, text in enumerate({samples!r}):
    try:
        exec(text, {{}})
    except Exception:
        print(number)
"""


@cache
def micropython() -> tuple[frozenset[str], frozenset[int]]:
    """Its builtins, and the numbers of the samples that fail there; GOOD is the last one."""
    program = _TRY_ALL.format(samples=[*SAMPLES.values(), GOOD])
    command = [sys.executable, "-m", "micropython_unix", "-c", program]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    first, *failed = told.stdout.splitlines()
    return frozenset(first.split()), frozenset(map(int, failed))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_runs_on_cpython_fails_in_micropython_and_is_found(name: str) -> None:
    exec(SAMPLES[name], {"__name__": "sample"})
    assert list(SAMPLES).index(name) in micropython()[1]
    assert list(found(SAMPLES[name]))


def test_what_the_box_does_all_day_is_not_found() -> None:
    assert len(SAMPLES) not in micropython()[1]
    assert list(found(GOOD)) == []


def test_the_box_uses_nothing_that_only_cpython_forgives() -> None:
    used = {path: list(found(path.read_text(encoding="utf8"))) for path in MODULES}
    assert {path: lines for path, lines in used.items() if lines} == {}
