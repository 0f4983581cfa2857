"""Puts functions that one place calls into that place.

A function takes some 45 bytes of the box's memory beside what it does (docs/decisions/0230). Only
what is certain to do the same is moved: the one call is in the same module, or `self.…` in the
same class; what the call stands among is evaluated behind it; no generator, no default that is
worked out, no function inside; a `return` in the middle becomes `if … else`, or `break … else` of
a loop. What a function calls its own is called otherwise where the name is taken.

A frame of more than 11 words lies on MicroPython's heap (py/objfun.c, VM_MAX_STATE_ON_STACK), and
each brings the next collection nearer. So no function that runs in every turn of the box's loop
grows beyond that.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from typing import NamedTuple

from host_tools.box.firmware.returns import (
    Block,
    Refused,
    ReturnNothing,
    count_returns,
    ends,
    for_its_effect,
    give_to,
    refuse_unless,
    without_returns,
)
from host_tools.box.firmware.trees import Transformer, bound, children, copied, has, walk

_FRAME_WORDS = 11
_TURN = "step"  # what the loop calls, and the objects of it; two calls further is every turn
# what a statement keeps while those in it run: an iterator, what to do after a fault
_KEPT = {ast.For: 4, ast.Try: 3, ast.With: 6}
_BLOCKS = ("body", "orelse", "finalbody")
_KEPT_OUT = (
    *(ast.Yield, ast.YieldFrom, ast.Lambda, ast.GeneratorExp, ast.Global, ast.Nonlocal),
    *(ast.Delete, ast.ClassDef, ast.FunctionDef, ast.NamedExpr, ast.Import),
)


class _Site(NamedTuple):
    """Where the one call is: in `block[at]`, of the function `caller`."""

    caller: ast.FunctionDef
    block: Block
    at: int
    call: ast.Call
    is_last: bool  # nothing of the caller comes behind the statement


def place(trees: Mapping[str, ast.Module]) -> dict[str, dict[str, list[str]]]:
    """Do it in all modules. Returns, of each module: function -> what was put into it."""
    placed: dict[str, dict[str, list[str]]] = {module: {} for module in trees}
    while _once(trees, placed):
        pass
    return placed


def _once(trees: Mapping[str, ast.Module], placed: dict[str, dict[str, list[str]]]) -> bool:
    names = _named_once(trees)
    moved = False
    for module, tree in trees.items():
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        homes: list[ast.Module | ast.ClassDef] = [tree, *classes]
        for home in homes:
            callers = _callers(home)
            for function in [node for node in home.body if isinstance(node, ast.FunctionDef)]:
                site = _site_of(function, home, callers, names)
                if site is None or not _move(function, site, names.turn):
                    continue
                callers |= {name: site.caller for name in callers if callers[name] is function}
                home.body.remove(function)
                home.body = home.body or [ast.Pass()]
                inside = placed[module].pop(function.name, [])
                placed[module].setdefault(site.caller.name, []).extend([function.name, *inside])
                moved = True
    return moved


class _Names(NamedTuple):
    """`once`: functions of one definition that stand at one place, and in no string; `stored`:
    attributes that are given a value somewhere; `turn`: functions that may run in every turn of
    the loop.
    """

    once: set[str]
    stored: set[str]
    turn: set[str]


def _named_once(trees: Mapping[str, ast.Module]) -> _Names:
    defined: Counter[str] = Counter()
    named: Counter[str] = Counter()
    stored = set()
    nodes = walk(*trees.values())
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name):
                defined[name] += 1
            case ast.Attribute(attr=name, ctx=ast.Store()):
                stored.add(name)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                named[name] += 1
            case ast.alias(name=name) | ast.arg(arg=name) | ast.ClassDef(name=name):
                named[name] += 2
            case ast.keyword(arg=str(name)):
                named[name] += 2
            case ast.Constant(value=str(text)):
                named.update(2 * re.findall(r"\w+", text))
            case _:
                pass
    once = {name for name, count in defined.items() if count == named[name] == 1}
    private = {name for name in once - stored if name[0] == "_" and name[:2] != "__"}
    return _Names(private, stored, _called_from(nodes, _called_from(nodes, {_TURN})))


def _called_from(nodes: list[ast.AST], names: set[str]) -> set[str]:
    """These functions, and what they call."""
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef) and n.name in names]
    return names | {_called(call.func) for call in walk(*functions) if isinstance(call, ast.Call)}


# -- the place ------------------------------------------------------------------------------------


def _callers(home: ast.Module | ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """What is called in here -> by which function: the last one, if there are more."""
    callers = [node for node in home.body if isinstance(node, ast.FunctionDef)]
    if isinstance(home, ast.Module):
        classes = [node for node in home.body if isinstance(node, ast.ClassDef)]
        callers += [n for c in classes for n in c.body if isinstance(n, ast.FunctionDef)]
    return {
        _called(node.func): caller
        for caller in callers
        for node in walk(caller)
        if isinstance(node, ast.Call)
    }


def _site_of(
    function: ast.FunctionDef,
    home: ast.Module | ast.ClassDef,
    callers: Mapping[str, ast.FunctionDef],
    names: _Names,
) -> _Site | None:
    """Where the function is called, if that is what a statement does first."""
    caller = callers.get(function.name) if function.name in names.once else None
    if caller is None or caller is function:
        return None
    for block, at, is_last in _statements(caller.body, True):
        part = _begin(block[at])
        call = None if part is None else _first(part, function.name, names.stored)
        if call is not None and isinstance(call.func, ast.Name) == isinstance(home, ast.Module):
            return _Site(caller, block, at, call, is_last)
    return None


def _statements(block: Block, is_last: bool) -> Iterator[tuple[Block, int, bool]]:
    for at, node in enumerate(block):
        last = is_last and at == len(block) - 1
        yield block, at, last
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            for name in _BLOCKS:
                inside = getattr(node, name, [])
                yield from _statements(inside, last and isinstance(node, ast.If))
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body, False)


def _begin(node: ast.stmt) -> ast.expr | None:
    """The expression with which a statement begins."""
    match node:
        case ast.Expr(value=part) | ast.Assign(value=part) | ast.For(iter=part):
            return part
        case ast.If(test=part) | ast.AugAssign(target=ast.Name(), value=part):
            return part
        case ast.Return(value=part) | ast.Raise(exc=part):
            return part
        case _:
            return None


def _first(node: ast.expr, name: str, stored: set[str]) -> ast.Call | None:
    """The call of `name`, if all that is worked out before it are names and constants."""
    parts: list[ast.expr] = []
    match node:
        case ast.Call(func=ast.Name(id=called)) if called == name:
            return node
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=called)) if (
            called == name
        ):
            return node
        case ast.BoolOp(values=[part, *_]) | ast.UnaryOp(operand=part) | ast.IfExp(test=part):
            parts = [part]
        case ast.Attribute(value=part):
            parts = [part]
        case ast.Compare(left=left, comparators=[right]) | ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.Subscript(value=left, slice=right):
            parts = [left, right]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr), args=args):
            parts = args if attr not in stored else []
        case ast.Call(func=part, args=args):
            parts = [part, *args]
        case _:
            pass
    for part in parts:
        if not isinstance(part, ast.Name | ast.Constant):
            return _first(part, name, stored)
    return None


# -- the move -------------------------------------------------------------------------------------


def _move(function: ast.FunctionDef, site: _Site, turn: set[str]) -> bool:
    """Put it there. False if it cannot be, or should not; then all is as it was."""
    words = max(_frame(site.caller), _FRAME_WORDS)
    old = site.block[:]
    try:
        site.block[site.at : site.at + 1] = _made(function, site)
    except Refused:
        return False
    if site.caller.name in turn and _frame(site.caller) > words:
        site.block[:] = old
        return False
    return True


def _made(function: ast.FunctionDef, site: _Site) -> Block:
    """What stands there instead of the statement with the call."""
    refuse_unless(_is_plain(function) and not has(site.caller, ast.Yield, ast.YieldFrom))
    start, body, free = _renamed(function, site)
    statement = site.block[site.at]
    match statement:
        case ast.Return(value=value) if value is site.call:
            return [*start, *body, *([] if ends(body) else [ast.Return()])]
        case ast.Expr(value=value) if value is site.call:
            try:
                return [*start, *without_returns(copied(body), for_its_effect, [])]
            except Refused:
                refuse_unless(site.is_last)
                return [*start, *ReturnNothing().in_block(body)]
        case ast.Assign(targets=[ast.Name() | ast.Attribute(value=ast.Name()) as target]):
            if statement.value is site.call and count_returns(body) != 1:
                targets = [target]
                return [
                    *start,
                    *without_returns(body, partial(give_to, targets), give_to(targets, None)),
                ]
        case _:
            pass
    answer: ast.expr = ast.Constant(None)
    if body and isinstance(body[-1], ast.Return) and count_returns(body) == 1:
        answer = body[-1].value or answer
        body.pop()
    elif count_returns(body):
        answer = ast.Name(free, ast.Load())
        give = partial(give_to, [ast.Name(free, ast.Store())])
        body = without_returns(body, give, give(None))
    return [*start, *body, _Instead(function.name, answer).visit(copied(statement))]


def _is_plain(function: ast.FunctionDef) -> bool:
    args = function.args
    rest = args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg
    inside = ast.Module(function.body, [])
    return not (rest or function.decorator_list or has(inside, *_KEPT_OUT))


def _called(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


# -- names and arguments --


def _renamed(function: ast.FunctionDef, site: _Site) -> tuple[Block, Block, str]:
    """Statements that give the arguments their names, the body with its names as they are called
    there, and a name that is free there.
    """
    of_method = isinstance(site.call.func, ast.Attribute)
    params = [arg.arg for arg in function.args.args][of_method:]
    given = _arguments(function, site.call, params)
    body = copied(function.body)
    stored = _locals(body)
    theirs = _locals(site.caller.body) | {arg.arg for arg in site.caller.args.args}
    used = {node.id for node in walk(*body) if isinstance(node, ast.Name)}
    foreign = used - stored - set(params) - {"self"}
    refuse_unless(not foreign & theirs and "self" not in stored)
    taken = foreign | theirs | _words(site.caller)
    new: dict[str, ast.expr] = {}
    start: Block = []
    for name in [*params, *sorted(stored - set(params)), "answer"]:
        value = given.get(name)
        if value is not None and name not in stored and _stays(value, theirs):
            new[name] = value
            continue
        free = next(n for n in (f"{name}_{k}" if k else name for k in count()) if n not in taken)
        taken.add(free)
        new[name] = ast.Name(free, ast.Load())
        if value is not None:
            start.append(ast.Assign([ast.Name(free, ast.Store())], copied(value)))
    renamer = _Renamer({name: value for name, value in new.items() if name != "answer"})
    return start, [renamer.visit(part) for part in body], ast.unparse(new["answer"])


def _arguments(
    function: ast.FunctionDef, call: ast.Call, params: list[str]
) -> dict[str, ast.expr]:
    """What the call, or the definition, gives each parameter."""
    defaults = function.args.defaults
    given: dict[str, ast.expr] = {}
    if defaults:
        given = dict(zip(params[-len(defaults) :], defaults, strict=True))
        refuse_unless(all(isinstance(value, ast.Constant) for value in defaults))
    refuse_unless(not has(call, ast.Starred) and all(word.arg for word in call.keywords))
    given |= dict(zip(params, call.args, strict=False))
    given |= {word.arg: word.value for word in call.keywords if word.arg}
    refuse_unless(set(given) == set(params))
    # in the order in which they are worked out
    order = [*params[: len(call.args)], *(word.arg for word in call.keywords if word.arg)]
    refuse_unless(order == [name for name in params if name in order])
    return given


def _stays(value: ast.expr, names: set[str]) -> bool:
    """True for what is the same wherever it is asked for."""
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and value.id in names)


def _locals(body: Block) -> set[str]:
    """The names that statements give values, those of comprehensions included."""
    inner = {
        node.id
        for node in walk(*body)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return inner | bound(*body)


def _words(function: ast.FunctionDef) -> set[str]:
    """Every name in a function that is not behind a dot."""
    return _locals(function.body) | {
        getattr(node, "id", "") or getattr(node, "arg", "") or ""
        for node in walk(function)
        if isinstance(node, ast.Name | ast.arg)
    }


class _Renamer(Transformer):
    def __init__(self, new: Mapping[str, ast.expr]) -> None:
        self._new = new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._new.get(node.id)
        if value is None:
            return node
        if isinstance(value, ast.Name):
            return ast.Name(value.id, node.ctx)
        return copied(value)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        node.name = node.name and self._text(node.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        for one in node.names:
            here = self._text(one.asname or one.name)
            one.asname = None if here == one.name else here
        return node

    def _text(self, name: str) -> str:
        value = self._new.get(name)
        return value.id if isinstance(value, ast.Name) else name


class _Instead(Transformer):
    """Puts `answer` where the function `name` is called."""

    def __init__(self, name: str, answer: ast.expr) -> None:
        self._name = name
        self._answer = answer

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return self._answer if _called(node.func) == self._name else node


# -- the frame ------------------------------------------------------------------------------------


def _frame(function: ast.FunctionDef) -> int:
    """About how many words MicroPython needs for a call: names, stack, what `try` keeps."""
    names = bound(*function.body) | {arg.arg for arg in function.args.args}
    return len(names) + max(map(_depth, function.body))


def _depth(node: ast.AST) -> int:
    match node:
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return 3
        case ast.Call(func=ast.Attribute(value=value), args=args, keywords=words):
            parts = [value, ast.Constant(None), *args, *(p for w in words for p in (w, w.value))]
            return max(at + _depth(part) for at, part in enumerate(parts))
        case ast.expr():
            parts = [part for part in children(node) if isinstance(part, ast.expr)]
            return max([1, *(at + _depth(part) for at, part in enumerate(parts))])
        case ast.stmt() | ast.ExceptHandler():
            kept = _KEPT.get(type(node), 0)
            blocks = (ast.stmt, ast.ExceptHandler)
            inside = [_depth(p) + kept * isinstance(p, blocks) for p in children(node)]
            return max([0, *inside])
        case _:
            return 1
