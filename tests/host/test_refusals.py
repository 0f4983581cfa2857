"""Refusals: both languages say everything, every key is used, nobody refuses in bare English."""

import ast
import errno
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from host_tools.core.errors import UserError
from host_tools.core.refusal import Refusal, Sentence, in_words
from host_tools.core.texts import REFUSALS as TEXTS

HOST_TOOLS = Path(__file__).resolve().parents[2] / "host_tools"
ROOMS = (
    "tournament",
    "commands/tournament",
    "print",
    "store",
    "web",
    "games",
    "sim/table",
    "sim/tournament",
    "core/spreadsheet.py",
    "core/text_check.py",
)
"""What a page of the desk or of the virtual table calls, and the desk's command line."""
SPEAKERS = ("Refusal", "Sentence", "BadMessage", "NotAllowed", "NotThere", "TooLong")
TERMINAL = {
    HOST_TOOLS / "web/table/serving.py",
    HOST_TOOLS / "print/labels.py",
    *(HOST_TOOLS / "tournament/slips").glob("*.py"),
}
"""What only the command line says: before there is a page, or where no page leads."""


def sources(*rooms: str) -> Iterator[tuple[Path, ast.Module]]:
    for room in rooms:
        place = HOST_TOOLS / room
        found = {place} if place.is_file() else set(place.rglob("*.py"))
        assert found, f"there is no room {room}"
        for path in sorted(found - TERMINAL):
            yield path, ast.parse(path.read_text(encoding="utf8"))


def calls(tree: ast.Module, *names: str) -> list[ast.Call]:
    """Calls of these names."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [node for node in nodes if called(node.func) in names]


def called(what: ast.expr) -> str:
    """`name` or `module.name`."""
    if isinstance(what, ast.Attribute) and isinstance(what.value, ast.Name):
        return what.attr
    return what.id if isinstance(what, ast.Name) else ""


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


# -- the texts ------------------------------------------------------------------------------------


def test_german_is_no_copy_of_english() -> None:
    same = {key for key, text in TEXTS["de"].items() if text == TEXTS["en"][key]}
    assert same == {"faults", "file_fault", "place_fault"}  # nothing but places and details


def test_german_needs_no_sharp_s() -> None:
    """Switzerland writes ss, Germany ß: the sentences do without either."""
    assert not [key for key, text in TEXTS["de"].items() if "ß" in text]


# -- the source -----------------------------------------------------------------------------------


def test_every_key_is_used() -> None:
    used = {
        node.value
        for _, tree in sources(*ROOMS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not TEXTS["en"].keys() - used


@pytest.mark.parametrize("room", ROOMS)
def test_every_refusal_has_a_key_and_the_values_of_its_text(room: str) -> None:
    for path, tree in sources(room):
        for call in calls(tree, *SPEAKERS):
            place = f"{path}:{call.lineno}"
            key = call.args[0]
            if isinstance(key, ast.Name):  # a function that is given the key
                continue
            assert isinstance(key, ast.Constant), place
            assert key.value in TEXTS["en"], place
            given = {keyword.arg for keyword in call.keywords}
            if None not in given:  # no **values
                assert given == placeholders(TEXTS["en"][key.value]), place


def is_bare(sentence: ast.expr) -> bool:
    """A literal, an f-string, or one of them put together: no table it could be translated by."""
    if isinstance(sentence, ast.Call) and isinstance(sentence.func, ast.Attribute):
        sentence = sentence.func.value
    literals = (ast.JoinedStr, ast.BinOp)
    return isinstance(sentence, literals) or (
        isinstance(sentence, ast.Constant) and isinstance(sentence.value, str)
    )


@pytest.mark.parametrize("room", ROOMS)
def test_nobody_refuses_in_a_bare_sentence(room: str) -> None:
    bare = [
        f"{path}:{call.lineno}"
        for path, tree in sources(room)
        for call in calls(tree, "UserError", "HTTPException")
        if call.args and is_bare(call.args[-1])
    ]
    assert not bare


@pytest.mark.parametrize(
    ("source", "bare"),
    [
        ('UserError("no table")', True),
        ('UserError(f"no table {table}")', True),
        ('UserError("no table {}".format(table))', True),
        ('UserError("no " + table)', True),
        ('UserError("\\n".join(faults))', True),
        ("UserError(sentence)", False),
        ('UserError(context.say("stale"))', False),
        ('UserError(texts["stale"].format(match=match))', False),
    ],
)
def test_a_bare_sentence_is_seen(source: str, bare: bool) -> None:
    (call,) = calls(ast.parse(source), "UserError")
    assert is_bare(call.args[0]) is bare


# -- one refusal ----------------------------------------------------------------------------------


def test_a_refusal_is_an_english_user_error_that_can_be_said_in_german() -> None:
    error = Refusal("not_lockable", match="A-1", status="open")
    assert isinstance(error, UserError)
    assert error.exit_code == 2
    assert str(error) == "match A-1 is open; only a checked result can be locked"
    assert in_words(error.sentence, "en") == str(error)
    assert in_words(error.sentence, "de") == (
        "Die Partie A-1 ist offen; sperren lässt sich nur ein geprüftes Ergebnis."
    )
    assert Refusal("desks_busy", 3).exit_code == 3


def test_players_are_called_by_name_where_there_is_a_list() -> None:
    level = Sentence("lot_first", players=["p1", "p2"])
    names = {"p1": "Anna", "p2": "Jörg"}
    assert level == "level in everything: p1, p2; draw the lot first"
    assert level.said("de", names.__getitem__) == (
        "Gleichauf in allem: Anna, Jörg. Bitte zuerst das Los ziehen."
    )


def test_a_detail_is_said_in_the_language_of_its_sentence() -> None:
    gap = Sentence("fault_gap", event=7)
    line = Sentence("line_fault", path="cup.ndjson", line=3, detail=gap)
    assert line == "cup.ndjson, line 3: is event 7; a line is missing"
    assert line.said("de") == "cup.ndjson, Zeile 3: ist Eintrag 7; eine Zeile fehlt"


def test_what_the_system_says_has_words_or_stays() -> None:
    missing = OSError(errno.ENOENT, "No such file or directory")
    strange = OSError(errno.EXDEV, "Invalid cross-device link")
    assert Sentence("unreadable", path="x", system=missing).said("de") == (
        "x lässt sich nicht lesen: Datei oder Ordner fehlt."
    )
    assert "Invalid cross-device link" in Sentence("unreadable", path="x", system=strange).said(
        "de"
    )


def test_a_sentence_without_a_key_stays_as_it_is() -> None:
    assert in_words("Bitte ausfüllen.", "de") == "Bitte ausfüllen."
