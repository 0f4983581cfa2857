"""Board files: the project's own, faults with line and field, and entering a printed board."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware.games.cafe.board import NATIONS
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.games.cafe.board_entry import BoardEntry, WrongAnswer, write_toml
from host_tools.games.cafe.boards import OWN_BOARDS, board_ids, check_board, load_board

CAFE = Path(__file__).parents[2] / "card_tags/boards/cafe.toml"


def changed(folder: Path, old: str, new: str) -> Path:
    """A copy of the café board with the first `old` replaced."""
    text = CAFE.read_text("utf-8")
    assert old in text
    path = folder / "board.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path


def test_the_own_boards_are_right_and_known() -> None:
    assert board_ids() == ["cafe", "cafe_app"]
    for preset, board_id in OWN_BOARDS.items():
        board = load_board(board_id)
        assert (board["id"], board["preset"]) == (board_id, preset)


def test_neighbours_that_sources_name() -> None:
    """Pairs of nations that share a chair on the printed board: research on the café, A2."""
    tables = load_board("cafe")["tables"].values()
    for one, other in (("GB", "CN"), ("GB", "ES"), ("ES", "CN"), ("IT", "GB"), ("CN", "FR")):
        chairs = {c for t in tables if t["nation"] == one for c in t["chairs"]}
        assert chairs & {c for t in tables if t["nation"] == other for c in t["chairs"]}


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "words"),
    [
        ('nation = "US"', 'nation = "XX"', 13, "tables.T02.nation", "is none of AF CN"),
        ('"C09", "C15"', '"C02", "C15"', 14, "tables.T02.chairs", "four different chairs"),
        ('nation = "US"', 'nation = "FR"', 1, "nations.FR", "every nation has 2 tables"),
        ('"C01", "C08"', '"C09", "C08"', 10, "chairs.C09", "stands at 3 tables"),
        ('preset = "board"', 'preset = "ring"', 6, "preset", "must be board or app"),
    ],
)
def test_faults_name_line_and_field(
    tmp_path: Path, old: str, new: str, line: int, field: str, words: str
) -> None:
    faults = check_board(changed(tmp_path, old, new)).faults
    found = [fault for fault in faults if fault.field == field]
    assert found, [str(fault) for fault in faults]
    assert words in found[0].text
    if line > 1:
        assert found[0].line == line


@pytest.mark.parametrize("text", ["tables = [", "\udcff", "[]"])
def test_what_cannot_be_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / ("board.json" if text == "[]" else "board.toml")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError):
        check_board(path)


def test_no_such_board() -> None:
    with pytest.raises(UserError, match="no such board"):
        load_board("casino")


def test_list_show_check(tmp_path: Path) -> None:
    runner = CliRunner()
    assert "24 tables" in runner.invoke(schiri, ["boards", "show"]).output
    assert "T24  CN  C55 C62 C68 C61" in runner.invoke(schiri, ["boards", "show", "cafe"]).output
    assert "no faults" in runner.invoke(schiri, ["boards", "check", "cafe", "cafe_app"]).output
    wrong = runner.invoke(schiri, ["boards", "check", str(changed(tmp_path, '"US"', '"XX"'))])
    assert isinstance(wrong.exception, UserError)
    assert wrong.exception.exit_code == 1


def test_boards_as_data(tmp_path: Path) -> None:
    def data(*words: str) -> Any:
        return json.loads(CliRunner().invoke(schiri, ["boards", *words, "--json"]).output)

    cafe = {"id": "cafe", "title": load_board("cafe")["title"], "tables": 24, "preset": "board"}
    assert cafe in data("show")
    assert data("show", "cafe") == load_board("cafe")
    good, bad = data("check", "cafe", str(changed(tmp_path, '"US"', '"XX"')))
    assert (good["tables"], good["faults"], bad["tables"]) == (24, [], None)
    assert "is none of AF" in bad["faults"][0]["text"]


def test_entering_the_board_by_hand(tmp_path: Path) -> None:
    """Every table of the own board is typed in, with three wrong answers on the way."""
    source = load_board("cafe")["tables"]
    answers = ["Atlantis"]
    for table in source.values():
        answers += [table["nation"].lower(), " ".join(chair[1:] for chair in table["chairs"])]
    answers.insert(2, "1 8 14")  # three chairs
    answers.insert(3, "1 8 14 x")
    path = tmp_path / "mine.toml"
    done = CliRunner().invoke(
        schiri, ["boards", "new", str(path)], input="\n".join(answers) + "\n"
    )
    assert done.exit_code == 0, done.output
    assert "Atlantis is no nation" in done.output
    assert load_board(path)["tables"] == source


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("there.toml", "is there already; give another name"),
        ("folder.toml", "is there already; give another name"),
        ("none/mine.toml", "cannot be written: No such file or directory."),
        ("there.toml/mine.toml", "cannot be written: Not a directory."),
    ],
)
def test_a_file_that_cannot_be_made_is_refused_before_the_first_question(
    tmp_path: Path, place: str, said: str
) -> None:
    (tmp_path / "there.toml").write_text("as it was", "utf-8")
    (tmp_path / "folder.toml").mkdir()
    done = CliRunner().invoke(schiri, ["boards", "new", str(tmp_path / place)], input="DE\n")
    assert isinstance(done.exception, UserError)
    assert said in str(done.exception)
    assert done.output == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.toml", "there.toml"]


def test_a_wrong_board_is_corrected_table_by_table(tmp_path: Path) -> None:
    source = load_board("cafe_app")["tables"]
    answers = []
    for name, table in source.items():
        chairs = [chair[1:] for chair in table["chairs"]]
        answers += [table["nation"], " ".join(["99", *chairs[1:]] if name == "T01" else chairs)]
    answers += ["T01", "AF", " ".join(chair[1:] for chair in source["T01"]["chairs"])]
    path = tmp_path / "app.toml"
    arguments = ["boards", "new", str(path), "--preset", "app", "--title", 'Ring "neu"']
    done = CliRunner().invoke(schiri, arguments, input="\n".join(answers) + "\n")
    assert done.exit_code == 0, done.output
    assert load_board(path)["title"] == 'Ring "neu"'


def test_answers_that_cannot_be() -> None:
    entry = BoardEntry("board")
    entry.set_table("T01", "FR", ["C01", "C02", "C03", "C04"])
    entry.set_table("T02", "FR", ["C01", "C05", "C06", "C07"])
    with pytest.raises(WrongAnswer, match="FR has 2 tables already: T01, T02"):
        entry.nation("T03", "fr")
    with pytest.raises(WrongAnswer, match="C01 stands at T01, T02 already"):
        entry.chairs("T03", "1 8 9 10")
    assert entry.nation("T02", "fr") == "FR"
    assert entry.chairs("T02", "C01, 5 6 7") == ["C01", "C05", "C06", "C07"]
    assert len(NATIONS) == 12
    assert write_toml("x", "a\\b", "app", {}).splitlines()[1] == 'title = "a\\\\b"'
