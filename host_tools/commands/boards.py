"""`schiri boards`: list, show and check café boards, and enter a printed one."""

import re
from pathlib import Path

import click

from host_tools.box.board_files import put_into_storage, put_on_box
from host_tools.cards.boards import PRESETS, board_ids, board_path, check_board, load_board
from host_tools.cards.boards.entry import Entry, WrongAnswer, write_toml
from host_tools.commands.options import Checked, Report, report_files, reports
from host_tools.core.errors import UserError

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")


@click.group()
def boards() -> None:
    """List, show, check and enter café boards."""


@boards.command("list")
@reports
def list_boards() -> Report:
    """Name the boards that come with the project.

    schiri boards list
    """
    boards = {board_id: load_board(board_id) for board_id in board_ids()}
    found = [
        {"id": key, "title": b["title"], "tables": len(b["tables"]), "preset": b["preset"]}
        for key, b in boards.items()
    ]
    line = "{id:10} {title}: {tables} tables, preset {preset}"
    return Report(found, [line.format(**board) for board in found])


@boards.command("show")
@click.argument("board")
@reports
def show_board(board: str) -> Report:
    """Print the tables of BOARD, an id or a file; for programs the board object of TRANSCRIPT.md.

    schiri boards show cafe
    """
    content = load_board(board)
    tables = content["tables"].items()
    return Report(content, [f"{n}  {t['nation']}  {' '.join(t['chairs'])}" for n, t in tables])


@boards.command("check")
@click.argument("files", nargs=-1, required=True)
@reports
def check_files(files: tuple[str, ...]) -> Report:
    """Name line and field of every fault in the FILES. Exit code 1 if there is one.

    schiri boards check my-board.toml
    """
    checked = [check_board(board_path(name)) for name in files]
    counts = [None if file.faults else len(file.board["tables"]) for file in checked]
    return report_files(
        [Checked(f.path, f.faults, n) for f, n in zip(checked, counts, strict=True)], "tables"
    )


@boards.command("new")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--preset", type=click.Choice(PRESETS), default="board", show_default=True)
@click.option("--title", default="", help="Shown on the box; the file's name if missing.")
def new_board(file: Path, preset: str, title: str) -> None:
    """Enter a printed board table by table and write it to FILE (.toml).

    Number the chairs on a photo first. A chair between two tables has one number.

    schiri boards new my-board.toml
    """
    board_id = file.stem
    if file.suffix != ".toml" or not _ID.fullmatch(board_id):
        raise UserError(f"{file}: call it like my-cafe.toml, small letters and digits.")
    if file.exists():
        raise UserError(f"{file}: is there already; choose another name.")
    entry = Entry(preset)
    for name in entry.names():
        _ask_table(entry, name)
    _correct(entry)
    file.write_text(write_toml(board_id, title or board_id, preset, entry.tables), "utf-8")
    click.echo(f"{file}: {len(entry.tables)} tables, no faults.")


@boards.command("put")
@click.argument("board")
@click.option("--port", help="Serial port of the box.")
@click.option(
    "--storage",
    type=click.Path(file_okay=False, path_type=Path),
    help="The storage folder of a software twin instead.",
)
def put_board(board: str, port: str | None, storage: Path | None) -> None:
    """Put BOARD, an id or a file, onto a box; it is the one for its preset from now on.

    schiri boards put my-board.toml --port /dev/ttyACM0
    """
    content = load_board(board)
    if (port is None) == (storage is None):
        raise UserError("say where: --port for a box, or --storage for a software twin")
    where = put_on_box(content, port) if port else put_into_storage(content, Path(str(storage)))
    click.echo(f"{content['title']} is in {where}.")


def _ask_table(entry: Entry, name: str) -> None:
    """Ask for nation and chairs of one table, each until the answer can be right."""
    nation = _ask_nation(entry, name)
    while True:
        answer = click.prompt(f"{name} {nation}: its four chairs")
        try:
            entry.set_table(name, nation, entry.chairs(name, answer))
            return
        except WrongAnswer as error:
            click.echo(str(error))


def _ask_nation(entry: Entry, name: str) -> str:
    while True:
        try:
            return entry.nation(name, click.prompt(f"{name}: its nation"))
        except WrongAnswer as error:
            click.echo(str(error))


def _correct(entry: Entry) -> None:
    """Until the board is right: show what is wrong and ask for one table again."""
    while faults := entry.faults():
        for fault in faults:
            click.echo(fault)
        name = click.prompt("Which table is wrong", type=click.Choice(entry.names()))
        _ask_table(entry, name)
