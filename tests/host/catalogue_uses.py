"""Which texts of the catalogues the laptop asks for, as its Python, templates and scripts say."""

import ast
import os
import re
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from host_tools.core import texts
from host_tools.core.texts import Texts
from host_tools.replay import wording as replay_words
from tests.sources import nodes

ROOM = Path(texts.__file__).parents[2]
# names by which tables of texts go from module to module: (folder, name) -> context
HANDED_ON = {
    ("commands/tournament", "words"): "tournament",
    ("print", "words"): "paper",
    ("web/desk", "text"): "desk",
    ("web/desk", "say"): "desk",
}
# module -> name of a table in it -> context
TABLES = {
    module.__name__: {n: t.context for n, t in vars(module).items() if isinstance(t, Texts)}
    for module in (texts, replay_words)
}


@cache
def all_speakers() -> frozenset[str]:
    """What is called with the key of a refusal: UserError, its subclasses, what makes one."""
    found = {"UserError", "Sentence", "counted", "_NoJson"}
    classes = [
        node
        for path in ROOM.rglob("*.py")
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
        and "__init__" not in [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
    ]
    before = 0
    while before < len(found):  # a class may stand before its base
        before = len(found)
        found |= {node.name for node in classes if found & {_name(base) for base in node.bases}}
    return frozenset(found)


class Use(NamedTuple):
    """`key` is "" where only the running program knows it."""

    context: str
    key: str
    place: str


def _modules() -> list[Path]:
    """The laptop's, and the programs that `make` runs beside them."""
    return [*sorted(ROOM.rglob("*.py")), *sorted((ROOM.parent / "tools").glob("*.py"))]


@cache
def uses() -> list[Use]:
    """Every use that can be seen in the sources."""
    return [
        *(use for path in _modules() for use in _PythonUses(path).found()),
        *_template_uses(),
        *_script_uses(),
    ]


class _PythonUses:
    """`table[lang]["key"]`, `words = table[lang]` and then `words["key"]`, `Refusal("key")`."""

    def __init__(self, path: Path) -> None:
        self._path = Path(os.path.relpath(path, ROOM)).as_posix()
        self._nodes = nodes(path)
        self._tables = dict(TABLES[texts.__name__]) if path == Path(texts.__file__) else {}
        self._words = {
            name: context for (folder, name), context in HANDED_ON.items() if folder in self._path
        }
        for node in self._nodes:
            if isinstance(node, ast.ImportFrom) and node.module in TABLES:
                tables = TABLES[node.module]
                names = {alias.name for alias in node.names}
                self._tables |= {name: tables[name] for name in names & tables.keys()}
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                self._assigned(node.targets[0], node.value, self._words, ast.Attribute)

    def _assigned(
        self, target: ast.expr, value: ast.expr, words: dict[str, str], kind: type[ast.expr]
    ) -> None:
        """Remembers what an assignment to a target of this kind makes the texts of a context."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, its in zip(target.elts, value.elts, strict=True):
                self._assigned(one, its, words, kind)
        elif isinstance(value, ast.Call) and _name(value.func) == "Texts":
            (context,) = (each.value for each in value.args[:1] if isinstance(each, ast.Constant))
            self._tables[_name(target)] = str(context)
        elif isinstance(target, kind):
            words[_name(target)] = self._context(value, words)

    def _context(self, what: ast.expr, words: dict[str, str]) -> str:
        """The context whose texts in one language `what` holds."""
        if isinstance(what, ast.Subscript) and _name(what.value) in self._tables:
            return self._tables[_name(what.value)]
        return words.get(_name(what), "")

    def found(self) -> Iterator[Use]:
        """Every use; a name means the same within a function, an attribute within the file."""
        inside: set[ast.AST] = set()
        for scope in self._nodes:
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) and scope not in inside:
                nodes = list(ast.walk(scope))
                inside.update(nodes)
                yield from self._found(nodes)
        yield from self._found([node for node in self._nodes if node not in inside])

    def _found(self, nodes: list[ast.AST]) -> Iterator[Use]:
        words = dict(self._words)
        for node in nodes:
            if isinstance(node, ast.Assign):
                self._assigned(node.targets[0], node.value, words, ast.Name)
        for node in nodes:
            if isinstance(node, ast.Subscript) and (context := self._context(node.value, words)):
                yield from self._keys(context, node.slice)
            elif isinstance(node, ast.Call) and node.args:
                function = node.func
                if _name(function) in all_speakers():
                    for key in node.args[: 2 if _name(function) == "counted" else 1]:
                        yield from self._keys("refusal", key)
                elif _name(function) == "say" and (context := words.get("say", "")):
                    yield from self._keys(context, node.args[0])
                elif isinstance(function, ast.Attribute) and function.attr == "get":
                    if context := self._context(function.value, words):
                        yield from self._keys(context, node.args[0])

    def _keys(self, context: str, key: ast.expr) -> Iterator[Use]:
        place = f"{self._path}:{key.lineno}"
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield Use(context, key.value, place)
        elif isinstance(key, ast.IfExp):
            yield from self._keys(context, key.body)
            yield from self._keys(context, key.orelse)
        elif not isinstance(key, ast.Constant | ast.Slice):
            yield Use(context, "", place)


def _name(what: ast.expr) -> str:
    return what.attr if isinstance(what, ast.Attribute) else getattr(what, "id", "")


def _template_uses() -> Iterator[Use]:
    """`t.key` on the desk, `words.key` on the virtual table and where decks are made."""
    rooms = (
        ("web/desk", "desk", "t"),
        ("web/table", "table", "words"),
        ("web/decks", "deck", "words"),
    )
    for room, context, name in rooms:
        for path in sorted((ROOM / room / "templates").rglob("*.html")):
            for found in re.finditer(rf"\b{name}(?:\.(\w+)|\[)", path.read_text("utf-8")):
                yield Use(context, found[1] or "", path.relative_to(ROOM).as_posix())


def _script_uses() -> Iterator[Use]:
    """`say("key")`, and every text of a script that is a choice of keys."""
    for room, context in (("web/table", "table"), ("games", "table"), ("web/decks", "deck")):
        for path in sorted((ROOM / room).rglob("*.js")):
            for found in re.finditer(r'\bsay\((?:"(\w+)"[,)])?', path.read_text("utf-8")):
                yield Use(context, found[1] or "", path.relative_to(ROOM).as_posix())
            # a step of the guided first match: guide.js says what of its text holds (`sayRules`)
            for key in re.findall(r'\btext: "(\w+)"', path.read_text("utf-8")):
                yield Use(context, key, path.relative_to(ROOM).as_posix())


WORDS = re.compile(r"[a-z] [a-z]")
"""Two words: a text for people, no key."""


def english_in_values(tree: ast.Module, speakers: Container[str]) -> Iterator[str]:
    """English that becomes a value of a sentence: it would stand in a German one as it is."""
    given: dict[str, list[ast.expr]] = {}  # name -> what it is given in this module
    for name, value in _given(tree):
        given.setdefault(name, []).append(value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in speakers:
            for keyword in node.keywords:
                named = given.get(getattr(keyword.value, "id", ""), [])
                for value in (keyword.value, *named):
                    yield from (text for text in samples(value, {}) if WORDS.search(text))


def _given(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """What names are assigned, have as their default, or are handed by calls in the module."""
    functions = {n.name: n.args.args for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((_name(target), node.value) for target in node.targets)
        elif isinstance(node, ast.arguments) and node.defaults:
            names = [arg.arg for arg in (*node.posonlyargs, *node.args)]
            yield from zip(names[-len(node.defaults) :], node.defaults, strict=True)
        elif isinstance(node, ast.Call) and _name(node.func) in functions:
            names = [arg.arg for arg in functions[_name(node.func)] if arg.arg != "self"]
            yield from zip(names, node.args, strict=False)


def samples(text: ast.expr, named: dict[str, ast.expr]) -> list[str]:
    """What an expression may say; where only the running program knows it, there stands a 1."""
    match text:
        case ast.Constant(value=str(said)):
            return [said]
        case ast.IfExp(body=one, orelse=other):
            return [*samples(one, named), *samples(other, named)]
        case ast.JoinedStr(values=parts):
            return ["".join(samples(part, named)[0] for part in parts)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [samples(left, named)[0] + samples(right, named)[0]]
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            values = right.elts if isinstance(right, ast.Tuple) else [right]
            (form,) = samples(left, named)
            return [form.replace("%d", "%s") % tuple(samples(each, named)[0] for each in values)]
        case ast.BoolOp(values=values):
            return [said for value in values for said in samples(value, named)]
        case ast.Name(id="text") if "text" in named:
            return samples(named["text"], {})
    return ["1"]


def english_of_rules(path: Path) -> Iterator[str]:
    """What a module of the rules says of malformed input, as `Malformed(field, text)` or as pairs
    that it yields; and what a module of the store says of a journal.
    """
    for function in nodes(path):
        if isinstance(function, ast.FunctionDef):
            yield from _english_of(function, path.parent.name == "journal")


def _english_of(function: ast.FunctionDef, returned: bool) -> Iterator[str]:
    nodes = list(ast.walk(function))
    named = {_name(n.targets[0]): n.value for n in nodes if isinstance(n, ast.Assign)}
    for node in nodes:
        text: ast.expr | None = None
        if isinstance(node, ast.Call) and _name(node.func) in ("Malformed", "Verdict"):
            text = node.args[1] if len(node.args) == 2 else None
        elif isinstance(node, ast.Call) and _name(node.func) == "_fault":
            text = node.args[-1]
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            text = node.value.elts[1]
        elif isinstance(node, ast.Return) and returned:
            text = node.value
        if text is not None:
            yield from (each for each in samples(text, named) if WORD.search(each))


WORD = re.compile(r"[a-z]{3}")


PRINTERS = {
    *("echo", "secho", "echo_line", "prompt", "confirm", "confirmed", "print", "progressbar"),
    *("CommandReport", "Table", "Text", "add_column", "add_row", "add_task"),
    *("BadParameter", "UsageError", "ClickException"),
}
"""What shows a text to people, as it is."""
A_WORD = re.compile(r"[A-Za-z]{3,}")
NOT_SHOWN = {"style", "justify", "title_style", "type", "data", "error", "mode", "box"}
"""Arguments of these that nobody reads as a text."""


def english_printed(tree: ast.Module) -> Iterator[str]:
    """Words that are printed as they stand in the source, so in English only."""
    given: dict[str, list[ast.expr]] = {}
    for name, value in _given(tree):
        given.setdefault(name, []).append(value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in PRINTERS:
            first = 1 if _name(node.func) == "CommandReport" else 0  # behind the data
            keywords = [k.value for k in node.keywords if k.arg not in NOT_SHOWN]
            for shown in (*node.args[first:], *keywords):
                named = given.get(getattr(shown, "id", ""), [])
                for value in (shown, *named):
                    yield from (text for text in _literals(value) if A_WORD.search(text))
        elif isinstance(node, ast.Yield) and node.value is not None:
            if not isinstance(node.value, ast.Constant | ast.Tuple):  # of a list of lines
                yield from (text for text in _literals(node.value) if A_WORD.search(text))


def _literals(shown: ast.expr) -> Iterator[str]:
    """The literal parts of what an expression says; a call or a look-up says something else."""
    match shown:
        case ast.Constant(value=str(text)):
            yield text
        case ast.FormattedValue(value=value) | ast.Starred(value=value):
            yield from _literals(value)
        case ast.IfExp(body=one, orelse=other):
            yield from (*_literals(one), *_literals(other))
        case ast.BinOp(left=left, right=right):
            yield from (*_literals(left), *_literals(right))
        case ast.ListComp(elt=each) | ast.GeneratorExp(elt=each):
            yield from _literals(each)
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts):
            yield from (text for part in parts for text in _literals(part))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from (text for part in parts for text in _literals(part))
        case ast.Call(func=ast.Attribute(value=ast.Constant() as text)):  # "…".format(…)
            yield from _literals(text)
