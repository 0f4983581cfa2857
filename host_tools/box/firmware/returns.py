"""The body of a function as it is without its `return`s, for a place in the middle of another
(`placing`).
"""

import ast
from collections.abc import Callable, Sequence

from host_tools.box.firmware.trees import StatementTransformer, copied, has, walk

Block = list[ast.stmt]
Give = Callable[[ast.expr | None], Block]


class Refused(Exception):
    """It stays a function."""


def refuse_unless(condition: bool) -> None:
    if not condition:
        raise Refused


def without_returns(block: Block, give: Give, end: Block) -> Block:
    """`block` with `give(value)` for each `return value`, and `end` where it ends without one;
    whichever it was, what comes behind it is next.
    """
    for at, node in enumerate(block):
        done, rest = block[:at], block[at + 1 :]
        if isinstance(node, ast.Return):
            return [*done, *give(node.value)]
        if isinstance(node, ast.Raise):
            return [*done, node]
        if has(node, ast.Return):
            return [*done, *_through(node, rest, give, end)]
    return [*block, *copied(end)]


def _through(node: ast.stmt, rest: Block, give: Give, end: Block) -> Block:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            refuse_unless(ends(body) or ends(orelse) or not rest)
            first = without_returns([*body, *([] if ends(body) else rest)], give, end)
            second = without_returns([*orelse, *([] if ends(orelse) else rest)], give, end)
            if first:
                return [ast.If(test, first, second)]
            return [ast.If(ast.UnaryOp(ast.Not(), test), second or [ast.Pass()], [])]
        case ast.For(orelse=[]) | ast.While(orelse=[]):
            loops = [part for part in walk(node) if isinstance(part, ast.For | ast.While)]
            refuse_unless(loops == [node] and not has(node, ast.Break))
            node.body = _ReturnAndBreak(give).in_block(node.body)
            node.orelse = without_returns(rest, give, end)
            return [node]
        case ast.Try(finalbody=[]):
            for handler in node.handlers:
                refuse_unless(not rest or ends(handler.body))
                handler.body = without_returns(handler.body, give, end) or [ast.Pass()]
            if has(ast.Module(node.body, []), ast.Return):
                refuse_unless(not node.orelse and (not rest or ends(node.body)))
                node.body = without_returns(node.body, give, end)
            else:
                node.orelse = without_returns([*node.orelse, *rest], give, end)
            return [node]
        case ast.With() if not rest or ends(node.body):
            node.body = without_returns(node.body, give, end)
            return [node]
        case _:
            raise Refused


def ends(block: Block) -> bool:
    """True if nothing behind the block is reached."""
    match block[-1] if block else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=body, orelse=orelse):
            return ends(body) and ends(orelse)
        case _:
            return False


def count_returns(body: Block) -> int:
    return sum(isinstance(node, ast.Return) for node in walk(*body))


def give_to(targets: Sequence[ast.expr], value: ast.expr | None) -> Block:
    return [ast.Assign(copied(list(targets)), value or ast.Constant(None))]


def for_its_effect(value: ast.expr | None) -> Block:
    if value is None or isinstance(value, ast.Constant | ast.Name):
        return []
    return [ast.Expr(value)]


class _Returns(StatementTransformer):
    """Something else for each `return`."""

    def in_block(self, block: Block) -> Block:
        tree = ast.Module(block, [])
        self.visit(tree)
        return tree.body


class ReturnNothing(_Returns):
    def visit_Return(self, node: ast.Return) -> Block:
        return [*for_its_effect(node.value), ast.Return()]


class _ReturnAndBreak(_Returns):
    def __init__(self, give: Give) -> None:
        self._give = give

    def visit_Return(self, node: ast.Return) -> Block:
        return [*self._give(node.value), ast.Break()]
