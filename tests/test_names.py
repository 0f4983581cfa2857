"""Identifiers are terms an engineer would search for, not figures of speech (docs/GLOSSARY.md)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
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
# names that others gave: methods of ast.NodeVisitor
GIVEN = re.compile(r"(generic_)?visit(_[A-Z]\w+)?")


def names(path: Path) -> Iterator[str]:
    """What a module defines: itself, functions, classes, arguments, variables, attributes."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
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


@pytest.mark.parametrize("room", sorted({"/".join(path.split("/")[:2]) for path in MODULES}))
def test_no_identifier_is_a_figure_of_speech(room: str) -> None:
    found = [
        f"{path}: {name}: say {', '.join(FIGURES[word] for word in sorted(hit))}"
        for path in MODULES
        if path == room or path.startswith(f"{room}/")
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
