"""`schiri replay` at the command line: output, exit codes, one line for every malformed file."""

import json
from pathlib import Path

import pytest

from firmware.app.flash import Flash
from host_tools.cli import main
from tests.support.memory_box import MemoryBox, play

DECK = {
    "categories": [{"key": "v", "best": "high"}],
    "cards": [{"code": "A1", "values": [5]}, {"code": "A2", "values": [3]}],
}
HEADER = {
    "schiri": 1,
    "game": "trumpf",
    "preset": "swiss",
    "seats": 2,
    "names": ["Ida", "Jörg"],
    "deck": DECK,
}
MATCH = [
    (
        {"t": 0, "do": "begin", "seat": 0},
        {"n": 1, "events": [{"is": "began", "seat": 0}], "awaits": {"seat": 0, "for": "tap"}},
    ),
    (
        {"t": 65000, "do": "tap", "card": "A9"},
        {"n": 2, "refused": {"reason": "unknown_card"}, "awaits": {"seat": 0, "for": "tap"}},
    ),
]
RESULT = {"result": {"over": False, "counts": [1, 1], "pot": 0}}


def write(path: Path, *lines: object) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["replay", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def played(tmp_path: Path) -> str:
    lines = [HEADER]
    for command, answer in MATCH:
        lines += [command, answer]
    return write(tmp_path / "match.ndjson", *lines, RESULT)


def test_json_gives_one_line_per_command_and_the_result(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--json", played) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("n") for line in lines] == [1, 2, None]
    assert lines[1]["refused"] == {"reason": "unknown_card", "rule": "TR-12"}
    assert lines[2] == RESULT


def test_people_read_names_times_and_reasons(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--lang", "de", played) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "   1  0:00  Ida beginnt.",
        "   2  1:05  Karte A9 abgelehnt: gehört nicht zu diesem Spiel (Regel TR-12)",
        "Nicht zu Ende. Ergebnis: Karten 1:1, Topf 0.",
    ]


def test_check_agrees(played: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--check", "--lang", "en", played) == 0
    assert capsys.readouterr().out.endswith("2 answers and the result agree.\n")


@pytest.mark.vm
def test_check_agrees_in_the_vm(played: str) -> None:
    assert run("--check", "--engine", "micropython", played) == 0


@pytest.mark.parametrize(
    ("place", "change"),
    [
        (2, {"n": 1, "events": [], "awaits": {"seat": 0, "for": "tap"}}),
        (
            2,
            {
                "n": 1,
                "events": [{"is": "began", "seat": False}],
                "awaits": {"seat": 0, "for": "tap"},
            },
        ),
        (2, {"n": 1, "events": [{"is": "began", "seat": 0}], "awaits": {"seat": 1, "for": "tap"}}),
        (4, {"n": 2, "refused": {"reason": "not_now"}, "awaits": {"seat": 0, "for": "tap"}}),
        (5, {"result": {"over": False, "counts": [2, 0], "pot": 0}}),
    ],
)
def test_check_shows_the_first_difference(
    played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: int, change: object
) -> None:
    lines = [json.loads(line) for line in Path(played).read_text("utf-8").splitlines()]
    lines[place] = change
    path = write(tmp_path / "changed", *lines)
    assert run("--check", "--lang", "en", path) == 1
    said = capsys.readouterr()
    assert f"line {place + 1}: " in said.out
    assert said.err == f"schiri: {path} does not agree with the rules.\n"


def test_check_ignores_rule_order_and_unknown_fields(played: str, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Path(played).read_text("utf-8").splitlines()]
    lines[4] = {"table": 3, **dict(reversed(lines[4].items()))}
    lines[4]["refused"] = {"rule": "XX-1", "reason": "unknown_card", "card": "A9"}
    assert run("--check", write(tmp_path / "changed", *lines)) == 0


@pytest.mark.parametrize("missing", [2, 4, 5])
def test_a_missing_answer_is_a_difference(played: str, tmp_path: Path, missing: int) -> None:
    lines = Path(played).read_text("utf-8").splitlines(keepends=True)
    path = tmp_path / "short"
    path.write_text("".join(lines[:missing] + lines[missing + 1 :]), encoding="utf-8")
    assert run("--check", str(path)) == 1


def test_an_answer_too_many_is_malformed(played: str, tmp_path: Path) -> None:
    lines = Path(played).read_text("utf-8").splitlines(keepends=True)
    path = tmp_path / "long"
    path.write_text("".join([*lines[:3], lines[2], *lines[3:]]), encoding="utf-8")
    assert run("--check", str(path)) == 2
    assert run("--json", str(path)) == 0


def header(**changes: object) -> bytes:
    """HEADER with changes; the value `...` takes a field away."""
    changed = {name: value for name, value in (HEADER | changes).items() if value is not ...}
    return json.dumps(changed).encode() + b"\n"


def deck(**changes: object) -> bytes:
    return header(deck=DECK | changes)


MALFORMED = {
    "empty": (b"", "line 1: header"),
    "byte order mark": (b"\xef\xbb\xbf" + header(), "line 1: header"),
    "not UTF-8": (header() + b'{"t": 0, "do": "\xff"}', "line 2: line: is not UTF-8 at byte 17"),
    "no JSON": (header() + b"{'t': 0}", "line 2: line: is no JSON at column 2"),
    "cut off": (header() + b'{"t": 0, "do": "tick"', "line 2: line: is no JSON"),
    "a list": (header() + b"[]", "line 2: line: is not a JSON object"),
    "NaN": (header() + b'{"t": NaN, "do": "tick"}', "line 2: line: holds NaN"),
    "infinite": (header() + b'{"t": 1e999, "do": "tick"}', "line 2: t: is not an integer"),
    "a float": (header() + b'{"t": 1.0, "do": "tick"}', "line 2: t: is not an integer"),
    "a boolean": (header() + b'{"t": true, "do": "tick"}', "line 2: t: is not an integer"),
    "no t": (header() + b'{"do": "tick"}', "line 2: t: is missing"),
    "negative t": (header() + b'{"t": -1, "do": "tick"}', "line 2: t: is negative"),
    "falling t": (header() + b'{"t":2,"do":"tick"}\n\n{"t":1,"do":"tick"}', "line 4: t: falls"),
    "twice": (header() + b'{"t": 1, "t": 2, "do": "tick"}', "line 2: line: has the field t twice"),
    "no do": (header() + b'{"t": 1}', "line 2: do: is missing"),
    "unknown do": (header() + b'{"t": 1, "do": "hop"}', "line 2: do: is no command: hop"),
    "half a letter": (header() + b'{"t": 1, "do": "tap", "card": "\\ud800"}', "line 2: line"),
    "too long a number": (header() + b'{"t": ' + b"9" * 5000 + b"}", "line 2: line"),
    "too deep": (header() + b"[" * 100000, "line 2: line: is nested too deeply"),
    "seat is a text": (header() + b'{"t":1,"do":"begin","seat":"0"}', "line 2: seat"),
    "seat is null": (header() + b'{"t":1,"do":"tap","card":"A1","seat":null}', "line 2: seat"),
    "card missing": (header() + b'{"t":1,"do":"tap"}', "line 2: card: is missing"),
    "category": (header() + b'{"t":1,"do":"call","category":true}', "line 2: category"),
    "decide": (header() + b'{"t":1,"do":"decide"}', "line 2: seat: is missing"),
    "why": (header() + b'{"t":1,"do":"undo","why":null}', "line 2: why"),
    "version": (header(schiri=2), "line 1: schiri"),
    "no version": (header(schiri=...), "line 1: schiri: is missing"),
    "game": (header(game="skat"), "line 1: game"),
    "preset": (header(preset=...), "line 1: preset: is missing"),
    "unknown deck": (header(deck="nodeck"), "line 1: deck: is no deck"),
    "deck is a path": (header(deck="../decks/berge"), "line 1: deck: is no deck"),
    "no deck": (header(deck=...), "line 1: deck: is missing"),
    "three seats": (header(seats=3, names=...), "line 1: seats"),
    "one seat": (header(seats=1, preset="gastro", names=...), "line 1: seats"),
    "seats true": (header(seats=True, names=...), "line 1: seats"),
    "names": (header(names=["a"]), "line 1: names"),
    "stage": (header(stage=None), "line 1: stage"),
    "stage of three": (header(stage="ko", seats=3, preset="gastro", names=...), "line 1: stage"),
    "time of a turn": (header(turn_ms=0), "line 1: turn_ms"),
    "clock 0": (header(clock_ms=0), "line 1: clock_ms"),
    "extension true": (header(extension_ms=True), "line 1: extension_ms"),
    "option": (header(options={"hands": 3}), "line 1: options.hands"),
    "options null": (header(options=None), "line 1: options"),
    "tie scope": (header(options={"tie_scope": "none"}), "line 1: options.tie_scope"),
    "aside": (header(aside=["A1"]), "line 1: aside"),
    "no best": (
        header(preset="gastro", deck=DECK | {"categories": [{"key": "v"}]}),
        "line 1: deck.categories[0].best: is missing",
    ),
    "best null": (deck(categories=[{"key": "v", "best": None}]), "deck.categories[0].best"),
    "key twice": (deck(categories=[{"key": "v"}] * 2), "deck.categories[1].key"),
    "code twice": (deck(cards=[{"code": "A1", "values": [1]}] * 2), "deck.cards[1].code"),
    "value float": (deck(cards=[{"code": "A1", "values": [1.5]}]), "deck.cards[0].values[0]"),
    "grouped": (deck(cards=[{"code": "A1", "values": ["1.000,5"]}]), "deck.cards[0].values[0]"),
    "two values": (deck(cards=[{"code": "A1", "values": [1, 2]}]), "deck.cards[0].values"),
    "one card": (deck(cards=DECK["cards"][:1]), "line 1: deck.cards"),
    "joker": (deck(cards=[*DECK["cards"], {"code": "J1", "joker": True}]), "deck.categories"),
    "no joker": (deck(categories=[{"key": "v", "joker": True}]), "deck.categories"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_gets_one_line_and_exit_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, words = MALFORMED[name]
    path = tmp_path / "bad"
    path.write_bytes(content)
    assert run("--json", str(path)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert words in told.err
    assert f"{path}: line " in told.err


@pytest.mark.vm
@pytest.mark.parametrize("name", ["a float", "infinite", "falling t", "clock 0", "one card"])
def test_malformed_is_the_same_in_the_vm(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, words = MALFORMED[name]
    path = tmp_path / "bad"
    path.write_bytes(content)
    assert run("--engine", "micropython", str(path)) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("name", ["missing", ".", "a\0b"])
def test_a_file_that_cannot_be_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(tmp_path / name)) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_json_and_check_exclude_each_other(played: str) -> None:
    assert run("--json", "--check", played) == 2


def test_the_journal_of_a_box_is_replayed_and_gives_its_transcript(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(MemoryBox(Flash(str(tmp_path))).journal)
    journal = str(tmp_path / "m000001.end")
    with pytest.raises(SystemExit) as ended:
        main(["replay", "--transcript", journal])
    assert ended.value.code == 0
    transcript = tmp_path / "match.ndjson"
    transcript.write_text(capsys.readouterr().out, "utf8")
    answers = []
    for file in (journal, str(transcript)):
        with pytest.raises(SystemExit) as ended:
            main(["replay", "--json", file])
        assert ended.value.code == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]
    assert '"result"' in answers[0]
