"""Gives the names of the box's modules short ones, which many of them share.

The box keeps every name that it has met for ever, with 6 bytes in a table beside its letters. So
things that never meet have one name: a variable of a module and an attribute of a class, or
attributes of two classes. That is safe whatever an expression looks like: where `x.width` works
today, `x` is of a class that has `width`, and there it is the only one with that short name.

A name stays as it is if it stands in a string (it may be looked up by it), if MicroPython has one
like it (the object may be one of MicroPython's), or if a call names an argument by it; so do
modules and exceptions. Functions of a file have names of their own: a traceback can be read.
"""

import ast
import builtins
import itertools
import keyword
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping

from host_tools.box.firmware.rom_names import COMMON, NUMBERED, ON_SOME
from host_tools.box.firmware.trees import Transformer, walk

Trees = Mapping[str, ast.Module]
Nodes = list[ast.AST]
_MICROPYTHON = frozenset((*NUMBERED, *COMMON, *ON_SOME))
_EXCEPTIONS = frozenset(
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)
# what the interpreter itself may ask an object of ours for
_NEVER = frozenset(["self", "args", "errno", "value", "_"])
# what the compiler itself knows
_NEVER |= frozenset(["const", "super", "micropython", "builtins", "main"])
_LOOKED_UP = "do_"  # Match.apply puts it before a command


def shorten(trees: Trees, asked: str) -> dict[str, str]:
    """Rename in all modules; returns the short names. Somebody outside needs the name `asked`."""
    spaces = _Spaces(trees, asked)
    short = spaces.short_names()
    for tree in trees.values():
        _Renamer(short).visit(tree)
    return short


def renamed(text: str, short: Mapping[str, str]) -> str:
    """A program that runs beside modules with these names."""
    return ast.unparse(_Renamer(short).visit(ast.parse(text)))


def functions(tree: ast.Module) -> list[str]:
    """The names of all functions in a module."""
    return _functions(walk(tree))


def _functions(nodes: Nodes) -> list[str]:
    return [node.name for node in nodes if isinstance(node, ast.FunctionDef)]


class _Spaces:
    """Which names may not be alike: those of a module, of an object, of a file's functions."""

    def __init__(self, trees: Trees, asked: str) -> None:
        self._trees = trees
        self._files = [walk(tree) for tree in trees.values()]
        self._nodes = [node for nodes in self._files for node in nodes]
        self._classes: dict[str, list[ast.ClassDef]] = {}
        for node in self._nodes:
            if isinstance(node, ast.ClassDef):
                self._classes.setdefault(node.name, []).append(node)
        modules = [_names_in(nodes) for nodes in self._files]
        for package, names in zip(trees, modules, strict=True):
            names |= {name.rpartition(".")[2] for name in trees if name.startswith(package + ".")}
        objects = [self._attributes(name) for name in self._classes]
        objects += [set(fields) for fields in filter(None, map(_fields, self._nodes))]
        self._all = [*modules, *objects, *(set(_functions(nodes)) for nodes in self._files)]
        own = set().union(*objects, *(_defined_in(tree) for tree in trees.values()))
        self._free = own - self._kept() - {asked}

    def short_names(self) -> dict[str, str]:
        """The more files name it, the shorter."""
        words = [set(_words(nodes)) for nodes in self._files]
        weights = Counter(name for here in words for name in here & self._free)
        around: dict[str, list[set[str]]] = {name: [] for name in self._free}
        taken = [names - self._free for names in self._all]
        for names, used in zip(self._all, taken, strict=True):
            for name in names & self._free:
                around[name].append(used)
        strange = set().union(*words) - self._free
        choices = [name for name in _choices() if name in _MICROPYTHON or name not in strange]
        short: dict[str, str] = {}
        for name in sorted(self._free, key=lambda name: (-weights[name], name)):
            forbidden = set().union(*around[name])
            short[name] = next(choice for choice in choices if choice not in forbidden)
            for used in around[name]:
                used.add(short[name])
        return short

    def _kept(self) -> set[str]:
        nodes = self._nodes
        kept = set(_MICROPYTHON) | set(dir(builtins))
        kept |= {part for module in self._trees for part in module.split(".")}
        kept |= {
            word.arg
            for node in nodes
            if isinstance(node, ast.Call)
            for word in node.keywords
            if word.arg
        }
        kept |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        kept |= {name for name in self._classes if self._ancestors(name) & _EXCEPTIONS}
        kept |= set(_looked_up(nodes))
        for node in nodes:
            if isinstance(node, ast.Import):
                kept |= {part for alias in node.names for part in alias.name.split(".")}
            elif isinstance(node, ast.ImportFrom) and node.module not in self._trees:
                kept |= {alias.name for alias in node.names}
        defined = set(_functions(nodes))
        kept |= {name for name in defined | set().union(*self._all) if name.startswith("__")}
        return kept | {name for name in defined if name.startswith(_LOOKED_UP)}

    def _ancestors(self, name: str) -> set[str]:
        """A class and all that it inherits from, also what is not ours."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            for node in self._classes.get(name, ()):
                waiting += [_last(base) for base in node.bases]
        return found

    def _attributes(self, name: str) -> set[str]:
        """What an object of the class may have."""
        return set().union(
            *(
                _own_attributes(node)
                for ancestor in self._ancestors(name)
                for node in self._classes.get(ancestor, ())
            )
        )


def _choices() -> Iterator[str]:
    """Short names, the cheapest first."""
    letters = string.ascii_letters
    common = sorted(COMMON, key=lambda name: (len(name), name))
    yield from (name for name in NUMBERED if name not in _NEVER)
    yield from (name for name in common if len(name) < 4 and name not in _NEVER)
    yield from (name for name in letters if name not in common)
    for pair in itertools.product(letters, letters):
        name = "".join(pair)
        if name not in _MICROPYTHON and not keyword.iskeyword(name):
            yield name


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _own_attributes(node: ast.ClassDef) -> set[str]:
    """What a class has in its body, and what its methods do with `self` or the class."""
    found: set[str] = set()
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            found.add(part.name)
            holders = {arg.arg for arg in part.args.args[:1]} | {node.name}
            found |= {
                inside.attr
                for inside in walk(part)
                if isinstance(inside, ast.Attribute) and getattr(inside.value, "id", "") in holders
            }
        else:
            found |= _stored_in(part)
    return found


def _stored_in(node: ast.AST) -> set[str]:
    """The names that a statement gives to something."""
    return {
        inside.id
        for inside in walk(node)
        if isinstance(inside, ast.Name) and isinstance(inside.ctx, ast.Store)
    }


def _names_in(nodes: Nodes) -> set[str]:
    """Every name in a module that is not behind a dot, and what the module defines."""
    assert isinstance(nodes[0], ast.Module)
    found = _defined_in(nodes[0])
    inside: set[int] = set()
    for node in nodes:
        match node:
            case ast.ClassDef():
                inside |= {id(part) for part in node.body}
                found.add(node.name)
            case ast.Name():
                found.add(node.id)
            case ast.arg():
                found.add(node.arg)
            case ast.Import() | ast.ImportFrom():
                found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            case ast.ExceptHandler() if node.name:
                found.add(node.name)
            case _:
                pass
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and id(node) not in inside:
            found.add(node.name)
    return found


def _defined_in(tree: ast.Module) -> set[str]:
    """What a module gives a name itself."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname for alias in node.names if alias.asname}
        else:
            found |= _stored_in(node)
    return found


def _words(nodes: Nodes) -> Iterator[str]:
    """All names of a module, behind a dot or not."""
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias():
                yield from node.name.split(".")
                yield node.asname or node.name
            case ast.Call() if _fields(node):
                yield from _fields(node)
            case _:
                pass


def _fields(node: ast.AST) -> list[str]:
    """The fields that a `namedtuple(…)` names."""
    match node:
        case ast.Call(func=ast.Name(id="namedtuple"), args=[_, ast.Tuple(elts=fields)]):
            return [str(getattr(field, "value", "")) for field in fields]
        case _:
            return []


def _looked_up(nodes: Nodes) -> Iterator[str]:
    """Names in strings: a string that is one, and the parts of a dotted one."""
    fields = {id(part) for part in walk(*filter(_fields, nodes))}
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)) if id(node) not in fields:
                yield from text.split(".") if re.fullmatch(r"[\w.]+", text) else ()
            case _:
                pass


class _Renamer(Transformer):
    def __init__(self, short: Mapping[str, str]) -> None:
        self._short = short

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._new(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        node.attr = self._new(node.attr)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = self._new(node.name)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.name = self._new(node.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        for alias in node.names:
            here = self._new(alias.asname or alias.name)
            alias.name = self._new(alias.name)
            alias.asname = None if here == alias.name else here
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            alias.asname = alias.asname and self._new(alias.asname)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.Nonlocal:
        node.names = [self._new(name) for name in node.names]
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self._new(name) for name in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        node.name = node.name and self._new(node.name)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        if _fields(node):
            fields = node.args[1]
            assert isinstance(fields, ast.Tuple)
            fields.elts = [ast.Constant(self._new(name)) for name in _fields(node)]
            node.args[0] = ast.Constant("")
        self.generic_visit(node)
        return node

    def _new(self, name: str) -> str:
        return self._short.get(name, name)
