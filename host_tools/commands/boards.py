"""`schiri boards`: list, show and check café boards, and enter a printed one."""

import json
import re
from pathlib import Path

import click

from host_tools.box.board_files import put_into_storage, put_on_box
from host_tools.cards.boards.entry import Entry, WrongAnswer, write_toml
from host_tools.cards.boards.library import PRESETS, board_ids, board_path, check_board, load_board
from host_tools.core.errors import UserError

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")


@click.group()
def boards() -> None:
    """List, show, check and enter café boards."""


@boards.command("list")
def list_boards() -> None:
    """Name the boards that come with the project.

    schiri boards list
    """
    for board_id in board_ids():
        board = load_board(board_id)
        count = len(board["tables"])
        click.echo(f"{board_id:10} {board['title']}: {count} tables, preset {board['preset']}")


@boards.command("show")
@click.argument("board")
@click.option("--json", "as_json", is_flag=True, help="Print the board object of TRANSCRIPT.md.")
def show_board(board: str, as_json: bool) -> None:
    """Print the tables of BOARD, an id or a file.

    schiri boards show cafe
    """
    content = load_board(board)
    if as_json:
        click.echo(json.dumps(content, ensure_ascii=False))
        return
    for name, table in content["tables"].items():
        click.echo(f"{name}  {table['nation']}  {' '.join(table['chairs'])}")


@boards.command("check")
@click.argument("files", nargs=-1, required=True)
def check_files(files: tuple[str, ...]) -> None:
    """Name line and field of every fault in the FILES. Exit code 1 if there is one.

    schiri boards check my-board.toml
    """
    faults = 0
    for name in files:
        file = check_board(board_path(name))
        for fault in file.faults:
            click.echo(str(fault))
        if not file.faults:
            click.echo(f"{file.path}: {len(file.board['tables'])} tables, no faults.")
        faults += len(file.faults)
    if faults:
        raise UserError(f"{faults} fault{'s' if faults > 1 else ''} found.", exit_code=1)


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
