"""One name, one meaning: types, and what docstrings, pages and docs/GLOSSARY.md name."""

import ast
import builtins
import re
from collections.abc import Iterable
from pathlib import Path

from tests.sources import ROOT, nodes

OURS = ("firmware", "card_tags", "host_tools", "hardware", "bench", "tools", "schiri", "examples")
# defined in two files, each with its reason
TWICE = {"Game": "the box's half of a game and the laptop's; added games name both"}
GLOSSARY = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf8")


MODULES = sorted(
    path.relative_to(ROOT).as_posix() for top in OURS for path in (ROOT / top).rglob("*.py")
)


def types(path: Path) -> set[str]:
    """Classes and type aliases of a module: names as `CamelCase` has them. A type variable means
    something in its own module only.
    """
    found = set()
    for node in nodes(path):
        match node:
            case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
                pass
            case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                found |= {name} if re.fullmatch(r"_?[A-Z]\w*[a-z]\w*", name) else set()
            case _:
                pass
    return found


def defined_twice(modules: dict[str, set[str]]) -> dict[str, list[str]]:
    """Name -> the modules that define it, where there are several."""
    where: dict[str, list[str]] = {}
    for path, defined in modules.items():
        for name in defined:
            where.setdefault(name, []).append(path)
    return {name: paths for name, paths in where.items() if len(paths) > 1}


def test_each_type_has_a_name_of_its_own() -> None:
    # an example is a project of its own: it shows what somebody else writes
    ours = {path: types(ROOT / path) for path in MODULES if not path.startswith("examples/")}
    assert len(ours) > 400
    assert defined_twice(ours).keys() == TWICE.keys()


# what a text says is raised, returned or given, and whatever else is an error by its name
SAID = re.compile(r"(?:[Rr]aises|[Rr]eturns an?|[Gg]ets an?)\s+(_?[A-Z]\w+)|\b([A-Z]\w+Error)\b")
# in a page: `CommandReport(data, lines, error)`, `SwissHands`
ON_PAGE = re.compile(r"`([A-Z][a-z]\w+(?=\()|[A-Z][a-z]+[A-Z]\w*)[^`]*`")
OTHERS = {"EventSource", "ScanI2CTwoWire"}  # of browsers and of a library


def used(found_in: Iterable[ast.AST]) -> set[str]:
    """All names of a module, its own and those of others."""
    found = set()
    for node in found_in:
        match node:
            case ast.ClassDef(name=name) | ast.alias(name=name):
                found.add(name)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
            case _:
                pass
    return found


def said(found_in: Iterable[ast.AST]) -> set[str]:
    """The classes that the docstrings of a module name."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    texts = [ast.get_docstring(node) for node in found_in if isinstance(node, kinds)]
    return {one or two for text in texts for one, two in SAID.findall(text or "")}


def test_docstrings_and_pages_name_classes_that_are_there() -> None:
    known = set(dir(builtins)) | OTHERS
    wrong = []
    for top in OURS:
        found = {path: nodes(ROOT / path) for path in MODULES if path.startswith(f"{top}/")}
        # the box's classes are none of the laptop's, so each folder has its own
        here = set(dir(builtins)).union(*map(used, found.values()))
        wrong += [f"{path}: {name}" for path, each in found.items() for name in said(each) - here]
        known |= here
    for path in sorted((ROOT / "docs").rglob("*.md")):
        names = set(ON_PAGE.findall(path.read_text(encoding="utf8"))) - known
        wrong += [f"{path.relative_to(ROOT)}: {name}" for name in names]
    assert wrong == []


def identifiers() -> list[str]:
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \|", GLOSSARY, re.MULTILINE)
    return [
        word for cell in rows for term in re.findall(r"`(.+?)`", cell) for word in term.split()
    ]


def test_every_identifier_of_the_glossary_is_in_the_code() -> None:
    product = [path for path in MODULES if not path.startswith(("bench/", "tools/", "examples/"))]
    text = "\n".join((ROOT / path).read_text(encoding="utf8") for path in product)
    used = set(re.findall(r"[A-Za-z]+", text)) | set(re.findall(r"[A-Z]?[a-z]+", text))
    assert len(identifiers()) > 60
    assert [word for word in identifiers() if word not in used] == []
