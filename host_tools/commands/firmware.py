"""`schiri firmware`: build what runs on the box."""

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from host_tools.box.firmware.build import BUDGET_BYTES, Build, build, temporary_build
from host_tools.box.firmware.flash import flash
from host_tools.box.firmware.image import BOARDS, board_of, write_image
from host_tools.box.firmware.sources import ROOT
from host_tools.commands.options import PORT, Report, reports
from host_tools.core.command_line import json_option
from host_tools.games import GAMES, add_game, folder_of
from host_tools.games.loading import firmware_sources, write_sources


@click.group()
def firmware() -> None:
    """Build the box's firmware."""


OUT = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build"),
    show_default=True,
    help="Folder for the result.",
)


@firmware.command("build")
@OUT
@click.option(
    "--lines", is_flag=True, help="Keep line numbers for tracebacks, and every name: 54 kB more."
)
@click.option(
    "--game",
    "folders",
    type=click.Path(file_okay=False, path_type=Path),
    multiple=True,
    help="Folder of a game that is not built in; as `schiri --game-path`.",
)
@json_option("Print the sizes as JSON.")
def build_command(out: Path, lines: bool, folders: tuple[Path, ...], as_json: bool) -> None:
    """Compile the firmware to .mpy files, with manifest.py and the mip index.

    \b
    schiri firmware build
    schiri firmware build --game examples/whist
    """
    for folder in folders:
        add_game(folder)
    # manifest.py names the sources, so a copy of them with more games must last
    added = any(folder_of(name) for name in GAMES)
    sources = write_sources(out.resolve() / "sources") if added else ROOT
    built = build(out, sources, with_lines=lines)
    if as_json:
        sizes = {"total": built.total, "mpy": built.compiled, "rooms": built.by_room()}
        click.echo(json.dumps(sizes))
        return
    Console().print(size_table(built))


@firmware.command("flash")
@PORT
def flash_command(port: str) -> None:
    """Build and copy the firmware to a Pico that runs MicroPython. Matches on it stay.

    \b
    schiri firmware flash
    schiri firmware flash --port /dev/ttyACM0
    """
    with temporary_build(firmware_sources()) as built:
        flash(built, port)
    click.echo(
        f"{len(built.files)} files, {built.total:,} bytes on the box at {port}; it restarts."
    )


@firmware.command("image")
@click.option("--board", "name", default="", help=f"The Pico: {', '.join(BOARDS)}.")
@OUT
@reports
def image_command(name: str, out: Path) -> Report:
    """Write a UF2 file that is a first flash: hold BOOTSEL, plug in, drag it onto the drive.

    The Pico needs MicroPython's own UF2 file before or after it. Matches on it are lost: only for
    a new box.

    schiri firmware image --board RPI_PICO2_W
    """
    board = board_of(name)
    with temporary_build(firmware_sources()) as built:
        path = write_image(built, board, out)
    data = {"file": str(path), "board": board.name, "address": board.address, "bytes": built.total}
    size = path.stat().st_size
    return Report(data, [f"{path}: {size:,} bytes for {board.name}, {len(built.files)} files."])


def size_table(built: Build) -> Table:
    """Bytes by room, and the total against the budget."""
    table = Table(title=f"Firmware in {built.folder.name}/box")
    table.add_column("room")
    table.add_column("bytes", justify="right")
    for room, size in sorted(built.by_room().items()):
        table.add_row(room, f"{size:,}")
    table.add_section()
    table.add_row(f"total of {len(built.files)} files", f"{built.total:,}")
    table.add_row(".mpy files", f"{built.compiled:,}")
    table.add_row("their budget", f"{BUDGET_BYTES:,}")
    return table
