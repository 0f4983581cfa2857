"""The sources that tests look through, parsed once for all of them: a parse of the whole tree
takes longer than most of what is asked of it.
"""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READERS = (
    "tests/test_names.py",
    "tests/test_rooms.py",
    "tests/host/test_catalogue.py",
    "tests/host/test_refusals.py",
    "tests/host/test_supervisor.py",
)
"""Tests of these files run one after the other, so that one worker parses (conftest.py)."""


@cache
def tree(path: Path) -> ast.Module:
    """Of a file; not for changing. `ROOT / "a.py"`, so that a file has one name."""
    return ast.parse(path.read_text("utf8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """As `ast.walk`, which takes a while itself."""
    return list(ast.walk(tree(path)))


def forget() -> None:
    """Half a million nodes, which every later garbage collection would look through."""
    tree.cache_clear()
    nodes.cache_clear()
