"""Errors that people see: each has a key of the catalogues and the values of its text."""

import ast
import errno
import json
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from host_tools.cli import main
from host_tools.core.errors import Exit, Sentence, UserError, as_data, in_words, recognised
from host_tools.core.texts import REFUSALS as TEXTS
from host_tools.games import add_game, remove_game
from host_tools.store.journal.verdict import NOT_ENROLLED
from host_tools.store.store import SECOND_JOURNAL, SET_ASIDE
from tests.host.catalogue_uses import (
    all_speakers,
    english_in_values,
    english_of_rules,
    english_printed,
)
from tests.sources import ROOT
from tests.sources import tree as parsed

HOST_TOOLS = ROOT / "host_tools"
SOURCES = sorted(HOST_TOOLS.rglob("*.py"))


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
    # nothing but places and details
    assert same == {
        "deck_guessed",
        "faults",
        "board_fault",
        "board_fault_needs",
        "fault_at",
        "file_fault",
        "place_fault",
        "first_fault",
        "vm_missing",
        "system_refused",
        "usage_other",
        "demo_box",  # a Box is one in both
        "key_line",
        "in_brackets",
        "tag_is",
        "game_in",
        "setting_line",
        "ledger_row",
        "holds_both",
    }


# -- the source -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    """The laptop's sources."""
    return {path: parsed(path) for path in SOURCES}


def test_every_refusal_has_a_key_and_the_values_of_its_text(trees: dict[Path, ast.Module]) -> None:
    for path, tree in trees.items():
        for call in calls(tree, *all_speakers()):
            place, key = f"{path}:{call.lineno}", call.args[0] if call.args else None
            if not isinstance(key, ast.Constant):  # a function that is given the key
                continue
            given = {keyword.arg for keyword in call.keywords}
            if None not in given and called(call.func) != "counted":  # no **values
                assert given == placeholders(TEXTS["en"][key.value]), place


def is_bare(sentence: ast.expr) -> bool:
    """A literal, an f-string, or one of them put together, that is no key of a text."""
    if isinstance(sentence, ast.Call) and isinstance(sentence.func, ast.Attribute):
        return isinstance(sentence.func.value, ast.Constant | ast.JoinedStr)
    if isinstance(sentence, ast.JoinedStr):
        first = sentence.values[0]
        return not (isinstance(first, ast.Constant) and str(first.value).endswith("_"))
    if isinstance(sentence, ast.Constant):
        return isinstance(sentence.value, str) and not sentence.value.isidentifier()
    return isinstance(sentence, ast.BinOp)


def test_nobody_refuses_in_a_bare_sentence(trees: dict[Path, ast.Module]) -> None:
    """A key is a word; only keys that are put together stand in an f-string, a word too."""
    bare = [
        f"{path}:{call.lineno}"
        for path, tree in trees.items()
        for call in calls(tree, *all_speakers(), "HTTPException")
        if call.args and is_bare(call.args[0])
    ]
    assert not bare


def test_no_value_of_a_sentence_is_english(trees: dict[Path, ast.Module]) -> None:
    found = {path: list(english_in_values(tree, all_speakers())) for path, tree in trees.items()}
    assert {path: texts for path, texts in found.items() if texts} == {}


FOR_WHO_WRITES_A_GAME = {"game_checks.py", "game_ends.py"}
"""`schiri games GAME`: as English as the guide that it belongs to, docs/adding-a-game.md."""
NO_TEXT = {
    *("http", "https", "http://", "/?key=", "?key=", "/after"),  # addresses
    *("left", "fold", "dir", "file", "raw", "micropython", "cpython", "\n[bold]"),  # values
    *("schiri: ", "schiri, version ", "SHA-256 "),
}


def test_nothing_is_printed_in_english_only(trees: dict[Path, ast.Module]) -> None:
    found = {
        f"{path.relative_to(HOST_TOOLS)}: {text}"
        for path, tree in trees.items()
        if path.name not in FOR_WHO_WRITES_A_GAME and path.parent.name != "versions"
        for text in english_printed(tree)
        if text not in NO_TEXT
    }
    assert found == set()


@pytest.fixture
def example() -> Iterator[None]:
    """The example game is added, with its catalogues."""
    add_game(ROOT / "examples" / "doubt")
    yield
    remove_game("doubt")


@pytest.mark.usefixtures("example")
def test_what_rules_and_store_say_in_english_is_recognised() -> None:
    """Rules name no keys and a database keeps English: the catalogues know every such text."""
    places = [
        *(ROOT / "firmware/rules").glob("*.py"),
        *(ROOT / "firmware/games").rglob("*.py"),
        *(ROOT / "examples").glob("*/box/*.py"),
        *(ROOT / "host_tools/games").rglob("*.py"),
        *(ROOT / "host_tools/store/journal").glob("*.py"),
    ]
    texts = {text for path in places for text in english_of_rules(path)}
    texts |= {SET_ASIDE, f"{SET_ASIDE}: the journal has no seal", SECOND_JOURNAL.format(1)}
    texts |= {"line 4 cannot be read, and 2 more faults", NOT_ENROLLED}
    assert [text for text in texts if not isinstance(recognised(text), Sentence)] == []
    keys = {key for key in TEXTS["en"] if key.startswith(("malformed_", "verdict_"))}
    unused = keys - {recognised(text).key for text in texts} - {"verdict_good", "verdict_bad"}
    assert unused == set()


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("is not from 0 to 3", "liegt nicht zwischen 0 und 3"),
        ("line 1, the header, cannot be read", "Zeile 1, der Kopf, lässt sich nicht lesen"),
        (
            "line 4 is number 3, not 7, and 2 more faults",
            "Zeile 4 ist Nummer 3 statt 7, und 2 weitere Fehler",
        ),
        (
            "the rules cannot read it: deck.cards: is there twice: A1",
            "die Regeln können es nicht lesen: deck.cards: ist zweimal da: A1",
        ),
        ("whatever else", "whatever else"),
    ],
)
def test_a_recognised_text_is_said_in_german_and_stays_in_english(text: str, german: str) -> None:
    assert recognised(text) == text
    assert in_words(recognised(text), "de") == german


# -- one refusal ----------------------------------------------------------------------------------


def test_a_refusal_is_an_english_user_error_that_can_be_said_in_german() -> None:
    error = UserError("not_lockable", match="A-1", status="open")
    assert isinstance(error, UserError)
    assert error.exit_code == 2
    assert str(error) == "match A-1 is open; only a checked result can be locked"
    assert in_words(error.sentence, "en") == str(error)
    assert in_words(error.sentence, "de") == (
        "Die Partie A-1 ist offen; sperren lässt sich nur ein geprüftes Ergebnis."
    )
    assert UserError("desks_busy", Exit.SYSTEM).exit_code == 3


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
    assert Sentence("file_unreadable", path="x", system=missing).said("de") == (
        "x lässt sich nicht lesen: Datei oder Ordner fehlt."
    )
    assert "Invalid cross-device link" in Sentence(
        "file_unreadable", path="x", system=strange
    ).said("de")


def test_a_sentence_without_a_key_stays_as_it_is() -> None:
    assert in_words("Bitte ausfüllen.", "de") == "Bitte ausfüllen."


# -- for programs ---------------------------------------------------------------------------------


def test_a_sentence_is_data_for_programs() -> None:
    missing = OSError(errno.ENOENT, "No such file or directory")
    gap = Sentence("fault_gap", event=7)
    line = Sentence("line_fault", path=Path("cup.ndjson"), line=3, detail=gap)
    assert as_data(line, "de") == {
        "code": "line_fault",
        "fields": {
            "path": "cup.ndjson",
            "line": 3,
            "detail": {
                "code": "fault_gap",
                "fields": {"event": 7},
                "text": "ist Eintrag 7; eine Zeile fehlt",
            },
        },
        "text": "cup.ndjson, Zeile 3: ist Eintrag 7; eine Zeile fehlt",
    }
    assert as_data(Sentence("file_unreadable", path="x", system=missing), "en")["fields"] == {
        "path": "x",
        "system": {"errno": 2, "text": "No such file or directory"},
    }
    reports = Sentence("reports_disagree", match="A-1", reports=[("box", "20:12")])
    assert as_data(reports, "en")["fields"]["reports"] == [["box", "20:12"]]


def stopped(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        main(words)
    return (end.value.code, *capsys.readouterr())


def test_with_json_an_error_is_one_object_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = stopped(capsys, "replay", "--json", "--lang", "de", "no.ndjson")
    assert (code, out) == (2, "")
    assert json.loads(err) == {
        "code": "file_unreadable",
        "fields": {
            "path": "no.ndjson",
            "system": {"errno": 2, "text": "No such file or directory"},
        },
        "text": "no.ndjson lässt sich nicht lesen: Datei oder Ordner fehlt.",
    }


def test_the_data_of_a_command_that_fails_is_on_stdout(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    deck = tmp_path / "x.toml"
    deck.write_text("", "utf-8")
    code, out, err = stopped(capsys, "decks", "check", str(deck), "--json")
    assert code == 1
    count = len(json.loads(out)[0]["faults"])
    assert json.loads(err)["fields"] == ({"count": count} if count > 1 else {})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--lang", "de", "decks", "show", "x"), "x: Dieses Deck gibt es nicht."),
        (("--lang", "de", "replay", "x"), "x lässt sich nicht lesen:"),
        (("--lang", "de", "replay", "--lang", "en", "x"), "x: cannot be read:"),
        (("decks", "show", "x"), "x: no such deck; known are "),
    ],
)
def test_the_language_of_errors(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    assert stopped(capsys, *words)[2].startswith(f"schiri: {sentence}")
