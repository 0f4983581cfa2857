"""Looks through the trees of the box's modules as `ast` does, in a fraction of its time: a build
looks through all of them dozens of times. What holds no name and no statement is passed over:
operators, and whether a name is read or stored.
"""

import ast
from typing import Any, TypeVar

_NO_NODES = frozenset(
    (
        *("id", "attr", "arg", "name", "asname", "module", "level", "kind", "type_comment"),
        *("conversion", "simple", "is_async", "lineno", "rest", "kwd_attrs"),
        *("ctx", "op", "ops", "type_ignores"),
    )
)
_PLAIN = (ast.Constant, ast.Global, ast.Nonlocal)
_Node = TypeVar("_Node", bound=ast.AST)
_Part = TypeVar("_Part")
CHILDREN: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(
        name for name in kind._fields if name not in _NO_NODES and not issubclass(kind, _PLAIN)
    )
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""Kind of node -> its fields that may hold nodes."""


def walk(*nodes: ast.AST) -> list[ast.AST]:
    """The nodes and all below them, those above first."""
    found = list(nodes)
    for node in found:
        _add_children(found, node)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below this one."""
    found: list[ast.AST] = []
    _add_children(found, node)
    return found


def _add_children(found: list[ast.AST], node: ast.AST) -> None:
    for name in CHILDREN[node.__class__]:
        child = getattr(node, name, None)
        if child.__class__ is list:
            found += filter(None, child)
        elif child is not None:
            found.append(child)


def copied(part: _Part) -> _Part:
    """A node, or a list of nodes, with all below."""
    if isinstance(part, list):
        return [node and copied(node) for node in part]  # type: ignore[return-value]
    new = type(part)()
    vars(new).update(vars(part))
    for name in CHILDREN[type(part)]:  # type: ignore[index]
        child = getattr(part, name, None)
        if child is not None:
            setattr(new, name, copied(child))
    return new


def text_of(tree: ast.Module) -> str:
    """The module's text, also of statements that were made and lie in no line."""
    for node in walk(tree):
        if isinstance(node, ast.stmt):
            node.lineno = 1
    return ast.unparse(tree)


def has(node: ast.AST, *kinds: type[ast.AST]) -> bool:
    return any(isinstance(part, kinds) for part in walk(node))


def bound(*nodes: ast.AST) -> set[str]:
    """The names that statements give a value in their own function."""
    found = set()
    waiting = list(nodes)
    for node in waiting:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
                continue
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                continue
            case ast.GeneratorExp():
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {(alias.asname or alias.name).split(".")[0] for alias in names}
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
            case _:
                pass
        waiting += children(node)
    return found


class Transformer(ast.NodeTransformer):
    """Changes a tree; what a visitor may answer is as with `ast`."""

    def generic_visit(self, node: _Node) -> _Node:
        for name in CHILDREN[node.__class__]:
            child = getattr(node, name, None)
            if child.__class__ is list:
                child[:] = self._visited(child)
            elif child is not None:
                new = self.visit(child)
                if new is None:
                    delattr(node, name)
                elif new is not child:
                    setattr(node, name, new)
        return node

    def _visited(self, nodes: list[Any]) -> list[Any]:
        kept: list[Any] = []
        for node in nodes:
            new = node and self.visit(node)
            if isinstance(new, ast.AST) or node is None:
                kept.append(new)
            elif new is not None:
                kept += new
        return kept


class StatementTransformer(Transformer):
    """Does not look into expressions."""

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, ast.expr) else super().visit(node)
