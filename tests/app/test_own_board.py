"""An owner's printed board on the box: played on, kept in the journal, checked at the desk."""

import json
from pathlib import Path

from firmware.games import open_match
from firmware.rules.answers import write_answer
from host_tools.box.board_files import put_into_storage
from host_tools.games import GAMES
from host_tools.games.cafe.boards import load_board
from host_tools.replay.engines import resolve
from host_tools.store.journal.reading import read_journal

from .fakes import Box
from .pictures import stock


def own_board() -> dict[str, object]:
    """The project's board with the nations of its tables turned round by one."""
    board = load_board("cafe")
    tables = board["tables"]
    nations = [table["nation"] for table in tables.values()]
    for table, nation in zip(tables.values(), nations[1:] + nations[:1], strict=True):
        table["nation"] = nation
    return {**board, "id": "our-cafe", "title": "Our Café"}


def play_first_guest(box: Box) -> None:
    box.set_choice(game="cafe", preset="board", seats=2)
    box.press("OK+", "OK")


def header_in_journal(box: Box) -> dict[str, object]:
    line = next(iter(box.journal.lines(1)))
    assert line.record is not None
    header: dict[str, object] = json.loads(line.record.payload)
    return header


def put(board: dict[str, object], storage: Path) -> Path:
    """As `schiri boards put`: under the name that the box's row has for the preset."""
    name = GAMES["cafe"].board_of(str(board["preset"]))
    return put_into_storage(str(name), board, storage)


def test_a_board_has_its_file_by_preset(tmp_path: Path) -> None:
    assert put(load_board("cafe"), tmp_path).name == "cafe.json"
    assert put(load_board("cafe_app"), tmp_path).name == "cafe_app.json"
    assert put(own_board(), tmp_path).name == "cafe.json"


def test_the_desk_recomputes_on_the_owners_board(tmp_path: Path) -> None:
    stock(tmp_path)
    put(own_board(), tmp_path)
    box = Box(tmp_path, "en")
    play_first_guest(box)
    nations = [row[1] for row in box.app.session.match.tables()]
    assert nations == [table["nation"] for table in own_board()["tables"].values()]
    journal = read_journal((tmp_path / "m000001.run").read_bytes())
    match = open_match(resolve(journal.header or {}))
    for _, command, answer in journal.steps:
        assert json.loads(write_answer(match.apply(command))) == answer
    assert [row[1] for row in match.tables()] == nations


def test_the_projects_board_is_only_named(tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en")
    play_first_guest(box)
    assert header_in_journal(box)["board"] == "cafe"


def test_after_a_power_cut_the_match_goes_on_on_that_board(tmp_path: Path) -> None:
    stock(tmp_path)
    put(own_board(), tmp_path)
    box = Box(tmp_path, "en")
    play_first_guest(box)
    before = box.app.session.match.tables()
    put(load_board("cafe"), tmp_path)  # somebody puts another board meanwhile
    box.power_on()
    assert box.app.session.match.tables() == before
    assert box.app.session.header["board"] == "our-cafe"
