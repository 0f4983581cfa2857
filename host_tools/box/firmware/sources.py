"""Which files the box needs: the import closure of its entry modules, found without running
anything. What it imports by a name in a variable is an entry too: texts, and the built-in games.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MAIN = "firmware.main"
GAMES = "firmware/games"
TEXTS = "texts_"
OUR_PACKAGES = ("firmware", "card_tags")


@dataclass(frozen=True)
class BoxModule:
    """One module for the box. `builtins` are the names of the built-in modules it imports."""

    module: str
    path: Path
    builtins: frozenset[str]

    @property
    def target(self) -> str:
        """Where it lies on the box, below the slot."""
        name = self.module.replace(".", "/")
        return f"{name}/__init__.mpy" if self.path.name == "__init__.py" else f"{name}.mpy"


def closure(root: Path = ROOT) -> list[BoxModule]:
    """Every module of ours that the entries import, directly or not, with their packages; by
    name.
    """
    found: dict[str, BoxModule] = {}
    waiting = entries(root)
    while waiting:
        module = waiting.pop()
        path = module_path(root, module)
        if module in found or path is None:
            continue
        ours, builtins = imports(path, module)
        found[module] = BoxModule(module, path, frozenset(builtins))
        waiting += ours
        # Python imports the packages above a module first
        if "." in module:
            waiting.append(module.rpartition(".")[0])
    return [found[name] for name in sorted(found)]


def entries(root: Path) -> list[str]:
    """The program, the app's texts, and all that lies in the folders of the built-in games."""
    folders = [root / GAMES / name for name in built_in(root)]
    by_name = [path for folder in folders for path in folder.glob("*.py")]
    by_name += (root / "firmware" / "app").rglob(f"{TEXTS}*.py")
    return [
        MAIN,
        *(
            ".".join(path.relative_to(root).with_suffix("").parts)
            for path in by_name
            if path.stem != "__init__"
        ),
    ]


def built_in(root: Path) -> list[str]:
    """`BUILT_IN` of firmware/games/__init__.py; [] in a tree without games."""
    listing = root / GAMES / "__init__.py"
    if not listing.is_file():
        return []
    for node in ast.parse(listing.read_text(encoding="utf8")).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "BUILT_IN":
            return list(ast.literal_eval(node.value)) if node.value else []
    return []


def module_path(root: Path, module: str) -> Path | None:
    """The file of a module, None if there is none (then the name is an object inside a module)."""
    base = root.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def imports(path: Path, module: str) -> tuple[list[str], set[str]]:
    """(names of ours, modules of others) that run-time imports of the file mention, late ones
    included.
    """
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    visitor = _Imports(package)
    visitor.visit(ast.parse(path.read_text(encoding="utf8")))
    ours = [name for name in visitor.names if name.split(".")[0] in OUR_PACKAGES]
    others = {name.split(".")[0] for name in visitor.names if name not in ours}
    return ours, others


class _Imports(ast.NodeVisitor):
    """Collects imported names, but not those for the type checker, which the compiler drops."""

    def __init__(self, package: str) -> None:
        self._package = package.split(".")
        self.names: list[str] = []

    def visit(self, node: ast.AST) -> None:
        # imports are statements: expressions, most of the tree, are left out
        if not isinstance(node, ast.expr):
            super().visit(node)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for statement in node.orelse:
                self.visit(statement)
            return
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.names += [alias.name for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        # one dot is the package itself, each further one the package above
        above = self._package[: len(self._package) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        self.names.append(base)
        # `from package import module`: the module is needed; an object's name leads to no file
        if base.split(".")[0] in OUR_PACKAGES:
            self.names += [f"{base}.{alias.name}" for alias in node.names]
