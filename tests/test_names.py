"""Identifiers are terms an engineer would search for, not figures of speech, and have one meaning
(docs/GLOSSARY.md).
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.sources import ROOT, nodes

OURS = ("firmware", "card_tags", "host_tools", "hardware", "bench", "tools", "schiri", "examples")
# word -> the term to use
FIGURES = {
    "cheat": "illegal move",
    "company": "players",
    "crowd": "connections",
    "deed": "action",
    "door": "bridge, entry",
    "eye": "reader, view",
    "fright": "mistake",
    "gate": "session, access",
    "house": "imports, project",
    "ladder": "steps",
    "people": "players",
    "programme": "plan",
    "rehearsal": "dry run",
    "residents": "loaded modules",
    "stranger": "unknown, foreign",
    "told": "reported, printed, answer",
    "telling": "wording, report",
    "visit": "request",
    "wish": "command",
    "witness": "report, source",
}
# defined in two files, each with its reason
TWICE = {"Game": "the box's half of a game and the laptop's; added games name both"}
GLOSSARY = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf8")
# names that others gave: methods of ast.NodeVisitor
GIVEN = re.compile(r"(generic_)?visit(_[A-Z]\w+)?")


def names(path: Path) -> Iterator[str]:
    """What a module defines: itself, functions, classes, arguments, variables, attributes."""
    yield path.stem
    for node in nodes(path):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def words(name: str) -> set[str]:
    """The words of a snake_case or CamelCase name, in the singular."""
    if GIVEN.fullmatch(name):
        return set()
    found = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return {word if word in FIGURES else re.sub(r"e?s$", "", word) for word in found} | {
        word.removesuffix("s") for word in found if word not in FIGURES
    }


MODULES = sorted(
    path.relative_to(ROOT).as_posix() for top in OURS for path in (ROOT / top).rglob("*.py")
)


def test_no_identifier_is_a_figure_of_speech() -> None:
    found = [
        f"{path}: {name}: say {', '.join(FIGURES[word] for word in sorted(hit))}"
        for path in MODULES
        for name in sorted(set(names(ROOT / path)) | set(path.split("/")[:-1]))
        if (hit := words(name) & FIGURES.keys())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("_told_broken", "told"),
        ("StageFright", "fright"),
        ("wishes", "wish"),
        ("JournalEye", "eye"),
    ],
)
def test_a_figure_of_speech_is_seen(name: str, word: str) -> None:
    assert word in words(name)


def test_what_others_named_and_parts_of_words_are_none() -> None:
    assert words("visit_If") == set()
    assert not words("keyed_hash") & FIGURES.keys()


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


def test_a_name_defined_twice_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class Fault: ...\n")
    (tmp_path / "b.py").write_text("if 1:\n    Fault = dict[str, int]\nONCE = Once = 1\n")
    found = {name: types(tmp_path / name) for name in ("a.py", "b.py")}
    assert defined_twice(found) == {"Fault": ["a.py", "b.py"]}


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


def test_a_class_that_is_not_there_is_seen() -> None:
    text = """Gets a Desk. Raises Lost after a while, RequestError for a no."""
    assert said(ast.walk(ast.parse(f'def ask(): "{text}"'))) == {"Desk", "Lost", "RequestError"}
    assert ON_PAGE.findall("`Report(data)`, `PicoHands`; `Desk`, `hands.py`") == [
        "Report",
        "PicoHands",
    ]


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


def test_words_that_the_glossary_refuses_are_nowhere() -> None:
    refused = re.search(r"Found nowhere, in code, texts or docs: (.+)\.", GLOSSARY)
    assert refused is not None
    words = re.findall(r"\*(\w+)\*", refused[1])
    assert {"Saal", "Kartenset"} <= set(words)
    pattern = re.compile(rf"\b({'|'.join(words)})\b", re.IGNORECASE)
    found = []
    for top in (*OURS, "docs"):
        for path in (ROOT / top).rglob("*"):
            if path.suffix in {".py", ".po", ".md", ".html", ".json", ".js"}:
                if path.name != "GLOSSARY.md" and "node_modules" not in path.parts:
                    hit = pattern.search(path.read_text(encoding="utf8"))
                    found += [f"{path.relative_to(ROOT)}: {hit[0]}"] if hit else []
    assert found == []
