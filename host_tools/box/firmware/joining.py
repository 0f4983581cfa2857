"""Joins modules of the box that are always loaded together: one .mpy file instead of several.

Every .mpy file has a table of its names, and every module of the box a table of what it holds and
imports. So the modules of one room that are loaded by the same causes become one. A cause is the
program, a module that is imported inside a function, the row of a game, or a match. What the
program always loads lies in the package of the room; the others have the name of the largest.
What is let go by its name is not joined with what stays.

Functions and classes keep their names. Where two modules of a file have the same one, the second
gets its module's behind it (`_find_settings`), and so do variables.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from host_tools.box.firmware.sources import GAMES, MAIN
from host_tools.box.firmware.trees import Transformer, bound, text_of, walk

Trees = dict[str, ast.Module]
_GAMES = GAMES.replace("/", ".")
_OPENING = ".opening"  # of the app: a match follows
_ROOM_DEPTH = 2  # firmware.drivers.pn532 belongs to firmware.drivers
_BUILTINS = frozenset(dir(builtins))
_F = TypeVar("_F", ast.FunctionDef, ast.Lambda)
_C = TypeVar("_C", ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def join(trees: Trees, packages: frozenset[str]) -> tuple[Trees, dict[str, str]]:
    """The modules that are left, by dotted name, and where the others are now. `packages` are
    those of them that are packages. ValueError if two to be joined mean different things by the
    same imported name.
    """
    imports = _Imports(trees, packages)
    groups = imports.groups()
    homes = {module: home for home, group in groups.items() for module in group}
    names = {home: _names_of(home, group, imports) for home, group in groups.items()}
    joined: Trees = {}
    for module in imports.in_order():
        home = homes.get(module, module)
        mover = _Mover(imports, module, homes, names)
        body = mover.visit(trees[module]).body
        joined.setdefault(home, ast.Module([], [])).body += body
    for tree in joined.values():
        _import_once(tree)
    parts = {m: home for m, home in homes.items() if len(groups[home]) > 1 or m != home}
    return joined, parts


class _Imports:
    """Who imports whom among `trees`; relative imports count from the package."""

    def __init__(self, trees: Trees, packages: frozenset[str]) -> None:
        self.trees = trees
        self.packages = packages
        self.nodes = {module: walk(tree) for module, tree in trees.items()}
        self.eager: dict[str, list[str]] = {}
        late: set[str] = set()
        self._whole: set[str] = set()  # used as an object: stays a module
        for module, tree in trees.items():
            top = {id(node) for node in tree.body}
            self.eager[module] = []
            for node in self.nodes[module]:
                if isinstance(node, ast.ImportFrom):
                    found = [name for a in node.names if (name := self.target(module, node, a))]
                    self.eager[module] += found if id(node) in top else []
                    late |= set() if id(node) in top else set(found)
            self._whole |= self._objects(module)
        always = self._reached([MAIN])
        games = [name for name in trees if name.startswith(_GAMES + ".")]
        rows = self._reached(packages.intersection(games)) - always
        opening = {name for name in trees if name.endswith(_OPENING)}
        match = self._reached([*games, *opening]) - always - rows
        self._causes = {MAIN: always, "row": rows, "match": match}
        for entry in sorted(late - always - opening):
            self._causes[entry] = self._reached([entry]) - always
        self._let_go = {
            node.value
            for nodes in self.nodes.values()
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }

    def target(self, module: str, node: ast.ImportFrom, alias: ast.alias) -> str:
        """The module of ours that an import names, or that has the name; "" for others."""
        base = self.base(module, node)
        full = f"{base}.{alias.name}"
        return full if full in self.trees else base if base in self.trees else ""

    def base(self, module: str, node: ast.ImportFrom) -> str:
        """The dotted name behind `from`."""
        parts = (module if module in self.packages else module.rpartition(".")[0]).split(".")
        above = parts[: len(parts) - node.level + 1] if node.level else []
        return ".".join([*above, *([node.module] if node.module else [])])

    def imported(self, module: str) -> Iterator[tuple[str, str, str]]:
        """Each name that comes in, what it is there, and of which module of ours."""
        for node in self.nodes[module]:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    origin = f"{self.base(module, node)}.{alias.name}"
                    yield alias.asname or alias.name, origin, self.target(module, node, alias)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.asname or alias.name, alias.name, ""

    def groups(self) -> dict[str, list[str]]:
        """What becomes one module, by its name, in the order in which its parts can run."""
        groups: dict[tuple[frozenset[str], str, bool], list[str]] = {}
        for module in self.in_order():
            causes = frozenset(cause for cause, names in self._causes.items() if module in names)
            depth = _ROOM_DEPTH + module.startswith(_GAMES)
            room = ".".join(module.split(".")[:-1][:depth])
            if causes and module not in self.packages | self._whole | {MAIN}:
                key = causes, room, module in self._let_go
                groups.setdefault(key, []).append(module)
        return {
            room if causes == {MAIN} and self.is_bare(room) else max(group, key=self._size): group
            for (causes, room, _), group in groups.items()
        }

    def is_bare(self, package: str) -> bool:
        """True for a package of ours that has nothing of its own."""
        return package in self.trees and not _own_names(self.trees[package])

    def _size(self, module: str) -> int:
        return len(text_of(self.trees[module]))

    def in_order(self) -> list[str]:
        """Every module behind those that it needs to run."""
        order: dict[str, None] = {}

        def add(module: str) -> None:
            if module not in order and module not in adding:
                adding.add(module)
                for needed in self.eager[module]:
                    add(needed)
                order[module] = None

        adding: set[str] = set()
        for module in sorted(self.trees):
            add(module)
        return list(order)

    def _reached(self, modules: Iterable[str]) -> set[str]:
        reached: set[str] = set()
        waiting = [module for module in modules if module in self.trees]
        while waiting:
            module = waiting.pop()
            if module not in reached:
                reached.add(module)
                waiting += self.eager[module]
        return reached

    def _objects(self, module: str) -> set[str]:
        """The modules that this one does more with than to ask for what is in them."""
        nodes = self.nodes[module]
        asked = {
            id(node.value)
            for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
        }
        used = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in asked}
        return {
            self.target(module, node, alias)
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if f"{self.base(module, node)}.{alias.name}" in self.trees
            and (alias.asname or alias.name) in used
        }


# -- names ----------------------------------------------------------------------------------------


def _names_of(home: str, group: list[str], imports: _Imports) -> dict[tuple[str, str], str]:
    """(module, its own name) -> the name in the joined module."""
    trees = imports.trees
    if group == [home]:
        return {(home, name): name for name in _own_names(trees[home])}
    taken = set(_BUILTINS)
    # a module that is loaded becomes a name of its package
    taken |= {name.rpartition(".")[2] for name in trees if name.startswith(home + ".")}
    comes_from: dict[str, str] = {}
    for module in group:
        for name, origin, inside in imports.imported(module):
            if inside not in group and comes_from.setdefault(name, origin) != origin:
                raise ValueError(
                    f"{name} is {origin} in {module}, but {comes_from[name]} elsewhere"
                )
    taken |= set(comes_from)
    names = {}
    for module in reversed(group):  # the one that gives the file its name keeps its own
        for name in _own_names(trees[module]):
            free = name
            if free in taken:
                free = f"{name}_{module.rpartition('.')[2]}"
            taken.add(free)
            names[module, name] = free
    return names


def _own_names(tree: ast.Module) -> list[str]:
    """What a module defines itself."""
    names: dict[str, None] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names[node.name] = None
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            names |= {
                part.id: None
                for part in walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }
    return list(names)


def _import_once(tree: ast.Module) -> None:
    """One import a module, one of each name."""
    first: dict[str, ast.ImportFrom] = {}
    seen: set[str] = set()
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.level} {node.module}" if isinstance(node, ast.ImportFrom) else ""
            new = [a for a in node.names if f"{module} {ast.unparse(a)}" not in seen]
            seen |= {f"{module} {ast.unparse(alias)}" for alias in node.names}
            node.names = new
            if isinstance(node, ast.ImportFrom) and first.setdefault(module, node) is not node:
                first[module].names += new
                continue
            if not new:
                continue
        body.append(node)
    tree.body = body


class _Mover(Transformer):
    """Rewrites one module for its place in the joined one, and for where the others are now."""

    def __init__(
        self,
        imports: _Imports,
        module: str,
        homes: Mapping[str, str],
        names: Mapping[str, Mapping[tuple[str, str], str]],
    ) -> None:
        self._imports = imports
        self._module = module
        self._homes = homes
        self._home = homes.get(module, module)
        self._names = names
        self._here: dict[str, str] = {  # a name of this module -> what it is called now
            name: new
            for (owner, name), new in names.get(self._home, {}).items()
            if owner == module
        }
        self._modules: dict[str, str] = {}  # a name here -> the module that it stands for
        self._hidden: list[set[str]] = [set()]  # names that functions around have of their own
        tree = imports.trees[module]
        top = {id(node) for node in tree.body}
        for node in imports.nodes[module]:
            if isinstance(node, ast.ImportFrom):
                self._learn(node, id(node) in top)

    def _learn(self, node: ast.ImportFrom, at_top: bool) -> None:
        base = self._imports.base(self._module, node)
        for alias in node.names:
            name = alias.asname or alias.name
            full = f"{base}.{alias.name}"
            if full in self._homes:
                self._modules[name] = full
            elif self._homes.get(base) == self._home:
                self._here[name] = self._new_name(base, alias.name)

    def _new_name(self, module: str, name: str) -> str:
        names = self._names.get(self._homes.get(module, module), {})
        return names.get((module, name), name)

    # -- imports --

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt] | None:
        base = self._imports.base(self._module, node)
        made: dict[str, list[ast.alias]] = {}
        whole: list[ast.stmt] = []
        for alias in node.names:
            name = alias.asname or alias.name
            full = f"{base}.{alias.name}"
            if full in self._homes:
                home = self._homes[full]
                if home != self._home:
                    package, _, last = home.rpartition(".")
                    if not package:
                        whole.append(ast.Import([_alias(last, name)]))
                    else:
                        made.setdefault(package, []).append(_alias(last, name))
            elif base in self._homes:
                if self._homes[base] != self._home:
                    new = self._new_name(base, alias.name)
                    made.setdefault(self._homes[base], []).append(_alias(new, name))
            else:
                made.setdefault(base, []).append(alias)
        parts = [ast.ImportFrom(home, aliases, 0) for home, aliases in made.items()]
        return [*whole, *parts] or None

    # -- names --

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if not any(node.id in names for names in self._hidden):
            node.id = self._here.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node.value:
            case ast.Name(id=name) if name in self._modules and not self._is_hidden(name):
                module = self._modules[name]
                new = self._new_name(module, node.attr)
                if self._homes[module] == self._home:
                    return ast.Name(new, node.ctx)
                node.attr = new
                return node
            case _:
                self.generic_visit(node)
                return node

    def _is_hidden(self, name: str) -> bool:
        return any(name in names for names in self._hidden)

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """The dotted name of a module, to be let go."""
        if isinstance(node.value, str):
            node.value = self._homes.get(node.value, node.value)
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.Tuple:
        """In the row of a game: a module of its folder and the class in it."""
        match node.elts:
            case [ast.Constant(value=str(last)), ast.Constant(value=str(name))]:
                full = f"{self._module}.{last}"
                if self._module in self._imports.packages and full in self._homes:
                    home = self._homes[full].rpartition(".")[2]
                    new = self._new_name(full, name)
                    node.elts = [ast.Constant(home), ast.Constant(new)]
            case _:
                self.generic_visit(node)
        return node

    # -- functions and classes --

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if len(self._hidden) == 1:
            node.name = self._here.get(node.name, node.name)
        return self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return self._function(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.ListComp:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.SetComp:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.DictComp:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        return self._comprehension(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self._here.get(node.name, node.name)
        node.bases = [self.visit(base) for base in node.bases]
        own = bound(*node.body)
        body: list[ast.stmt] = []
        for part in node.body:
            function = isinstance(part, ast.FunctionDef)  # does not see what the class has
            self._hidden.append(set() if function else own)
            body.append(self.visit(part))
            self._hidden.pop()
        node.body = body
        return node

    def _function(self, node: _F) -> _F:
        args = node.args
        args.defaults = [self.visit(part) for part in args.defaults]
        args.kw_defaults = [part and self.visit(part) for part in args.kw_defaults]
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [self.visit(part) for part in node.decorator_list]
        body = node.body if isinstance(node.body, list) else [node.body]
        own = bound(*body) - set(self._modules) - self._from_here(body)
        own |= {arg.arg for arg in walk(args) if isinstance(arg, ast.arg)}
        self._hidden.append(own)
        if isinstance(node, ast.FunctionDef):
            parts = [self.visit(part) for part in node.body]
            flat = [p for part in parts for p in (part if isinstance(part, list) else [part])]
            node.body = [part for part in flat if part] or [ast.Pass()]
        else:
            node.body = self.visit(node.body)
        self._hidden.pop()
        return node

    def _from_here(self, body: list[ast.stmt] | list[ast.expr]) -> set[str]:
        """What the statements import from modules that are part of this one now."""
        return {
            alias.asname or alias.name
            for node in walk(*body)
            if isinstance(node, ast.ImportFrom)
            and self._homes.get(self._imports.base(self._module, node)) == self._home
            for alias in node.names
        }

    def _comprehension(self, node: _C) -> _C:
        self._hidden.append(bound(*(part.target for part in node.generators)))
        self.generic_visit(node)
        self._hidden.pop()
        return node


def _alias(name: str, here: str) -> ast.alias:
    return ast.alias(name, None if here == name else here)
