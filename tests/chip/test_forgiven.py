"""What CPython forgives and MicroPython does not, looked for in everything the box runs. What a
Pico lacks and the port has: the type stubs of the RP2 build.
"""

import ast
import builtins
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(p for top in ("firmware", "card_tags") for p in (ROOT / top).rglob("*.py"))


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
    return isinstance(node, ast.Name) and node.id in set(dir(builtins)) - micropython_builtins()


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


@cache
def micropython_builtins() -> frozenset[str]:
    """As its UNIX port has them."""
    program = "import builtins; print(*dir(builtins))"
    command = [sys.executable, "-m", "micropython_unix", "-c", program]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return frozenset(told.stdout.split())


def test_the_box_uses_nothing_that_only_cpython_forgives() -> None:
    used = {path: list(found(path.read_text(encoding="utf8"))) for path in MODULES}
    assert {path: lines for path, lines in used.items() if lines} == {}
