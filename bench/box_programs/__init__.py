"""Programs that run on the box instead of `firmware.main:turns`, to measure it from inside.

`place` copies them into a firmware tree as `firmware/<name>.py`; entry `firmware.<name>:turns`.
"""

import ast
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from host_tools.box.firmware.sources import OUR_PACKAGES, ROOT

_HERE = Path(__file__).parent
_NOT_COPIED = shutil.ignore_patterns("__pycache__")


def place(name: str, folder: Path, sources: Path = ROOT) -> str:
    """Make `folder` a tree of `sources` (the repository, or a build's box folder) with the program
    in it; returns the entry for TwinSession.
    """
    for package in OUR_PACKAGES:
        shutil.copytree(sources / package, folder / package, ignore=_NOT_COPIED)
    return put(_HERE / f"{name}.py", folder, sources)


def put(program: Path, folder: Path, sources: Path) -> str:
    """Put one more program into such a tree; returns its entry."""
    names = sources.parent / "names.json"  # of a build
    text = program.read_text(encoding="utf8")
    if names.exists():
        text = ast.unparse(_Asking(json.loads(names.read_text())).visit(ast.parse(text)))
    (folder / "firmware" / program.name).write_text(text, encoding="utf8")
    return f"firmware.{program.stem}:turns"


class _Asking(ast.NodeTransformer):
    """Asks a build's modules and objects by their short names (docs/decisions/0197)."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._own: set[str] = set()

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self._own |= {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        self.generic_visit(node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        for alias in node.names:
            alias.asname = alias.asname or alias.name
            if node.module != "firmware":  # that has modules
                alias.name = self._names.get(alias.name, alias.name)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        own = node.attr in self._own or getattr(node.value, "id", "") == "self"
        node.attr = node.attr if own else self._names.get(node.attr, node.attr)
        return node
