"""`schiri boards`: show and check the boards of a game, and enter a printed one."""

import re
from pathlib import Path
from typing import TypedDict

import click

from host_tools.box.board_files import put_into_storage, put_on_box
from host_tools.box.finding import port_of_box
from host_tools.commands.options import (
    CheckedFile,
    CommandReport,
    FileReport,
    echo_line,
    report_files,
    reports,
)
from host_tools.core.command_line import BOARD, FOLDER, PATH, PORT, group
from host_tools.core.errors import Sentence, UserError
from host_tools.core.json_types import Json
from host_tools.core.own_files import refuse_existing, write_output
from host_tools.games import GAMES

# there is one such game; its row says what its boards are
_GAME, _BOARDS = next((game, game.boards) for game in GAMES.values() if game.boards is not None)
_PRESETS = [preset.name for preset in _GAME.on_box.presets if preset.name]
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")


class ListedBoard(TypedDict):
    id: str
    title: str
    tables: int
    preset: str


class CheckedBoard(FileReport):
    tables: int | None  # null: it has faults


@group()
def boards() -> None:
    """Show, check and enter the boards of a game that is played on one."""


def _all_boards() -> CommandReport[list[ListedBoard]]:
    boards = {board_id: _BOARDS.load(board_id) for board_id in _BOARDS.ids()}
    found: list[ListedBoard] = [
        {"id": key, "title": b["title"], "tables": len(b["tables"]), "preset": b["preset"]}
        for key, b in boards.items()
    ]
    lines = [
        Sentence("board_row", id=b["id"], title=b["title"], count=b["tables"], preset=b["preset"])
        for b in found
    ]
    return CommandReport(found, lines)


@boards.command("show")
@click.argument("board", type=BOARD, required=False)
@reports
def show_board(board: str | None) -> CommandReport[list[ListedBoard]] | CommandReport[Json]:
    """Print the tables of BOARD, an id or a file (for programs the board object of
    TRANSCRIPT.md); without one, name the boards that come with the project.

    \b
    schiri boards show
    schiri boards show my-board.toml
    """
    if board is None:
        return _all_boards()
    content = _BOARDS.load(board)
    tables = content["tables"].items()
    return CommandReport(
        content, [f"{n}  {t['nation']}  {' '.join(t['chairs'])}" for n, t in tables]
    )


@boards.command("check")
@click.argument("files", nargs=-1, required=True)
@reports
def check_files(files: tuple[str, ...]) -> CommandReport[list[CheckedBoard]]:
    """Name line and field of every fault in the FILES. Exit code 1 if there is one.

    schiri boards check my-board.toml
    """
    checked = [_BOARDS.check(name) for name in files]
    counts = [None if file.faults else len(file.board["tables"]) for file in checked]
    return report_files(
        [CheckedFile(f.path, f.faults, n) for f, n in zip(checked, counts, strict=True)], "tables"
    )


@boards.command("new")
@click.argument("file", type=PATH)
@click.option(
    "--preset",
    type=click.Choice(_PRESETS),
    default=_PRESETS[0],
    show_default=True,
    help="The rules that it is for.",
)
@click.option("--title", default="", help="Shown on the box; the file's name if missing.")
def new_board(file: Path, preset: str, title: str) -> None:
    """Enter a printed board table by table and write it to FILE (.toml).

    Number the chairs on a photo first. A chair between two tables has one number.

    schiri boards new my-board.toml
    """
    board_id = file.stem
    if file.suffix != ".toml" or not _ID.fullmatch(board_id):
        raise UserError("board_file_name", path=file)
    # before the first question: all that was typed would be lost
    refuse_existing(file)
    write_output(file, _BOARDS.enter(board_id, title or board_id, preset).encode())
    echo_line(Sentence("checked_tables", path=file, count=len(_BOARDS.load(file)["tables"])))


@boards.command("put")
@click.argument("board", type=BOARD)
@click.option("--port", type=PORT, help="Serial port of the box. Default: the only one.")
@click.option("--storage", type=FOLDER, help="The storage folder of a software twin instead.")
def put_board(board: str, port: str | None, storage: Path | None) -> None:
    """Put BOARD, an id or a file, onto a box; it is the one for its preset from now on.

    schiri boards put my-board.toml --port /dev/ttyACM0
    """
    content = _BOARDS.load(board)
    if port and storage:
        raise UserError("board_where")
    name = str(_GAME.board_of(content["preset"]))
    if storage:
        where: object = put_into_storage(name, content, storage)
    else:
        where = put_on_box(name, content, port_of_box(port))
    echo_line(Sentence("board_put", title=content["title"], path=where))
