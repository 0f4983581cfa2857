"""The box's modules as mpy-cross gets them: without the names that the box never asks for.

Every .mpy file has a table with the letters of each name in it, and the box keeps them all. Over
all modules together, so that they still fit each other:

* constants (`NAME = const(…)`, `NAME = "short text"`) are put in where they are used, also in
  other modules, and no longer imported; what stands below `if TYPE_CHECKING` goes with them;
* arguments that no call names become letters;
* functions and methods that nothing on the box names are left out: they are for laptops and tests;
* modules that are always loaded together become one (`joining`), and those that are left are
  imported by the shorter way, from the package (`from ..rules`);
* all other names become short ones (`naming`).
"""

import ast
import builtins
import re
import string
from collections.abc import Mapping
from typing import NamedTuple

from host_tools.box.firmware.joining import join
from host_tools.box.firmware.naming import functions, shorten
from host_tools.box.firmware.placing import place
from host_tools.box.firmware.sources import MAIN
from host_tools.box.firmware.trees import (
    StatementTransformer,
    Transformer,
    bound,
    children,
    copied,
    text_of,
    walk,
)

Constants = dict[tuple[str, str], int | str]
_NAMING = (ast.Name, ast.Attribute, ast.alias)
_LONGEST = 12  # letters of a text that is put in where it is used
_Function = ast.FunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Lean(NamedTuple):
    """The lean modules by dotted name; for each that is part of another now, that one's name; the
    short name of each name that has one; and of each module the functions, as the sources call
    them.
    """

    texts: dict[str, str]
    homes: dict[str, str]
    names: dict[str, str]
    functions: dict[str, list[str]]
    placed: dict[str, dict[str, list[str]]]


def lean(
    texts: Mapping[str, str],
    packages: frozenset[str],
    whole: str = MAIN,
    asked: str = "turns",
    *,
    placing: bool = False,
) -> Lean:
    """`texts` are the modules by dotted name, `packages` those of them that are packages; the
    module `whole` keeps what nobody calls, and `asked` its name: both are wanted from outside.
    """
    trees = {module: _Bare().visit(ast.parse(text)) for module, text in texts.items()}
    constants: Constants = {}
    all_imported = [_Imported(name, name in packages, tree) for name, tree in trees.items()]
    while _find_constants(all_imported, constants):
        pass
    for imported in all_imported:
        _Constants(imported, constants).visit(imported.tree)
    while _drop_unused(trees, whole):
        pass
    trees, homes = join(trees, packages)
    placed = place(trees) if placing else {}
    named = {
        word.arg
        for node in walk(*trees.values())
        if isinstance(node, ast.Call)
        for word in node.keywords
    }
    for tree in trees.values():
        _Arguments(tree, named).rename(tree, {})
    called = {module: functions(tree) for module, tree in trees.items()}
    names = shorten(trees, asked)
    for module, tree in trees.items():
        _import_from_near(tree, module if module in packages else module.rpartition(".")[0])
    made = {module: text_of(tree) for module, tree in trees.items()}
    return Lean(made, homes, names, called, placed)


class _Bare(StatementTransformer):
    """Takes docstrings and annotations away, which leave nothing in the .mpy, but name names."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return ast.Pass() if isinstance(node.value, ast.Constant) else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        return ast.Assign([node.target], node.value) if node.value else ast.Pass()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        self.generic_visit(node)
        node.returns = None
        for arg in walk(node.args):
            if isinstance(arg, ast.arg):
                arg.annotation = None
        return node


# -- constants ------------------------------------------------------------------------------------


class _Imported:
    """A module with its imports, where they are in it."""

    def __init__(self, name: str, is_package: bool, tree: ast.Module) -> None:
        self.name = name
        self.tree = tree
        self._package = (name if is_package else name.rpartition(".")[0]).split(".")
        self.imports = [node for node in walk(tree) if isinstance(node, ast.ImportFrom)]

    def base(self, node: ast.ImportFrom) -> str:
        """The module that is imported from; relative imports count from this package."""
        above = self._package[: len(self._package) - node.level + 1] if node.level else []
        return ".".join([*above, *([node.module] if node.module else [])])


def _find_constants(modules: list[_Imported], constants: Constants) -> bool:
    """Add what can be worked out from those known so far. True if there was one."""
    before = len(constants)
    for module in modules:
        put_in = _Constants(module, constants)
        for node in module.tree.body:
            name, meant = _constant(node)
            if meant is None or (module.name, name) in constants:
                continue
            value = put_in.value_of(meant)
            if value is not None:
                constants[module.name, name] = value
    return len(constants) > before


def _constant(node: ast.stmt) -> tuple[str, ast.expr | None]:
    """NAME and value of `NAME = const(…)` and of `NAME = "short text"`; ("", None) for others."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="const"), args=[value])
        ):
            return name, value
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
            if name.isupper() and len(text) <= _LONGEST:
                return name, node.value
        case _:
            pass
    return "", None


class _Constants(Transformer):
    """Puts the constants into one module, and takes their definitions and imports away."""

    def __init__(self, module: _Imported, constants: Constants) -> None:
        self._module = module
        self._all = constants
        self._known = {
            name: value for (home, name), value in constants.items() if home == module.name
        }
        self._modules: dict[str, str] = {}  # name here -> imported module
        self._read_imports()

    def visit_Module(self, tree: ast.Module) -> ast.Module:
        self.generic_visit(tree)
        nodes = walk(tree)
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        gone = {name for name in (*self._modules, "const") if name not in used}
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                node.names = [
                    alias for alias in node.names if (alias.asname or alias.name) not in gone
                ]
        tree.body = [
            node for node in tree.body if not isinstance(node, ast.ImportFrom) or node.names
        ]
        return tree

    def _read_imports(self) -> None:
        """Learn the names under which constants, and modules with constants, come in."""
        homes = {home for home, _ in self._all}
        for node in self._module.imports:
            base = self._module.base(node)
            for alias in node.names:
                here = alias.asname or alias.name
                if (base, alias.name) in self._all:
                    self._known[here] = self._all[base, alias.name]
                elif f"{base}.{alias.name}" in homes:
                    self._modules[here] = f"{base}.{alias.name}"

    def value_of(self, node: ast.expr) -> int | str | None:
        """The value of an expression of constants; None if something in it is not known."""
        text = ast.unparse(self.visit(copied(node)))
        try:
            value = eval(text, {"__builtins__": {}})
        except NameError:
            return None
        return value if isinstance(value, int | str) else None

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        name, value = _constant(node)
        text = isinstance(value, ast.Constant) and isinstance(value.value, str)
        if name in self._known and (name.startswith("_") or not text):
            return None  # a public text stays: a program beside the firmware may ask for it
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        base = self._module.base(node)
        kept = [alias for alias in node.names if (base, alias.name) not in self._all]
        node.names = kept
        return node if kept else None

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        self.generic_visit(node)
        unused = isinstance(node.test, ast.Constant) and not node.test.value
        return (node.orelse or None) if unused else node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._known:
            return _literal(self._known[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        match node:
            case ast.Attribute(value=ast.Name(id=here), attr=name) if here in self._modules:
                value = self._all.get((self._modules[here], name))
                return node if value is None else _literal(value)
            case _:
                return self.generic_visit(node)


def _literal(value: int | str) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body


# -- what nobody calls ----------------------------------------------------------------------------


def _drop_unused(trees: Mapping[str, ast.Module], whole: str) -> bool:
    """Leave out functions whose names stand nowhere, also in no string. True if there was one."""
    nodes = walk(*trees.values())
    words = _words_of(nodes)
    used = words | {
        "do_" + word for word in words
    }  # Match.apply looks a command's method up by it
    used |= {
        name
        for node in nodes
        if isinstance(node, _NAMING)
        for name in (getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "name", ""))
    }
    dropped = False
    kept_whole = {id(node) for node in walk(*(trees[name] for name in trees if name == whole))}
    for node in nodes:
        if isinstance(node, (ast.Module, ast.ClassDef)) and id(node) not in kept_whole:
            kept = [
                part
                for part in node.body
                if not isinstance(part, ast.FunctionDef)
                or part.name in used
                or part.name.startswith("__")
            ]
            dropped = dropped or len(kept) < len(node.body)
            node.body = kept
    return dropped


def _words_of(nodes: list[ast.AST]) -> set[str]:
    """The words of all strings: names may be looked up by them."""
    strings = [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return set(re.findall(r"\w+", " ".join(strings)))


# -- imports --------------------------------------------------------------------------------------


def _import_from_near(tree: ast.Module, package: str) -> None:
    """Count imports from the package of the module, where both have a package in common."""
    here = package.split(".")
    for node in walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            there = node.module.split(".")
            common = 0
            while common < min(len(here), len(there) - 1) and here[common] == there[common]:
                common += 1
            if common:
                node.level = len(here) - common + 1
                node.module = ".".join(there[common:])


# -- arguments ------------------------------------------------------------------------------------


class _Arguments:
    """Renames the arguments of the functions of one module. `named` are those of calls."""

    def __init__(self, tree: ast.Module, named: set[str | None]) -> None:
        nodes = walk(tree)
        taken = {node.id for node in nodes if isinstance(node, ast.Name)}
        taken |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        taken |= {
            alias.asname or alias.name
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        self._letters = [letter for letter in string.ascii_letters if letter not in taken]
        self._kept = named | {"self"} | set(dir(builtins))

    def rename(self, node: ast.AST, names: dict[str, str]) -> None:
        """`names` are the arguments in sight: as they are called -> their letters."""
        match node:
            case ast.FunctionDef() | ast.Lambda():
                self._function(node, names)
                return
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, names)
                return
            case ast.Name():
                node.id = names.get(node.id, node.id)
            case ast.Nonlocal():
                node.names = [names.get(name, name) for name in node.names]
            case ast.ExceptHandler() if node.name:
                node.name = names.get(node.name, node.name)
            case _:
                pass
        for child in children(node):
            self.rename(child, names)

    def _function(self, node: _Function, names: dict[str, str]) -> None:
        args = node.args
        decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
        for outside in (*decorators, *args.defaults, *(d for d in args.kw_defaults if d)):
            self.rename(outside, names)
        body = node.body if isinstance(node.body, list) else [node.body]
        own = bound(*body) - _nonlocal(body)
        inner = {name: letter for name, letter in names.items() if name not in own}
        letters = (letter for letter in self._letters if letter not in names.values())
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
            if arg is None:
                continue
            inner.pop(arg.arg, None)
            if arg.arg not in self._kept:
                inner[arg.arg] = arg.arg = next(letters)
        for child in body:
            self.rename(child, inner)

    def _comprehension(self, node: _Comprehension, names: dict[str, str]) -> None:
        self.rename(node.generators[0].iter, names)
        own = bound(*(part.target for part in node.generators))
        inner = {name: letter for name, letter in names.items() if name not in own}
        for at, part in enumerate(node.generators):
            for child in (*([part.iter] if at else []), part.target, *part.ifs):
                self.rename(child, inner)
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                self.rename(getattr(node, field), inner)


def _nonlocal(body: list[ast.stmt] | list[ast.expr]) -> set[str]:
    """The names that the statements take from the function around theirs."""
    return {name for node in walk(*body) if isinstance(node, ast.Nonlocal) for name in node.names}
