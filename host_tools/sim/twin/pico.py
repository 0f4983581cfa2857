"""`schiri twin pico`: the budgets of the box on an emulated Pico with real MicroPython."""

import importlib.util
import os
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from hardware.twin.errors import TwinError
from host_tools.box.firmware.build import BOX_FOLDER, build
from host_tools.core.errors import UserError
from host_tools.games.loading import firmware_sources

FOLDER = "SCHIRI_UF2"
"""Names the folder that holds RPI_PICO.uf2, RPI_PICO_W.uf2."""
BOARDS = ("pico", "pico_w")
PARTS = ("menu", "taps", "swiss", "gastro", "cafe", "long")


@click.command()
@click.option(
    "--uf2",
    type=click.Path(path_type=Path),
    envvar=FOLDER,
    help=f"MicroPython for the board (RPI_PICO.uf2), or a folder with it; else {FOLDER}.",
)
@click.option("--board", type=click.Choice(BOARDS), default="pico", show_default=True)
@click.option("--part", "parts", type=click.Choice(PARTS), multiple=True, help="Default: all.")
def pico(uf2: Path | None, board: str, parts: tuple[str, ...]) -> None:
    """Measure time and memory of the box on an emulated Pico.

    Takes minutes. Without a firmware file it says so and is skipped.

    schiri twin pico --part taps
    """
    if importlib.util.find_spec("rp2040py") is None:
        click.echo("skipped: the emulator rp2040py is not installed; run `make setup`.")
        return
    image = find_firmware(uf2, board)
    if image is None:
        click.echo(
            f"skipped: no MicroPython for the Pico; name a folder with {file_of(board)} in "
            f"{FOLDER}, or give a file with --uf2"
        )
        return
    if not image.is_file():
        raise UserError("pico_no_image", path=image)
    _measure(image, board, parts or PARTS)


def file_of(board: str) -> str:
    """The file's name as MicroPython calls the board."""
    return f"RPI_{board.upper()}.uf2"


def find_firmware(place: Path | None, board: str) -> Path | None:
    """The file that is named, or the board's in the folder that is named; None if none is."""
    place = place or (Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None)
    if place is None:
        return None
    return place / file_of(board) if place.is_dir() else place


def _measure(image: Path, board: str, parts: tuple[str, ...]) -> None:
    from host_tools.sim.pico.budgets import Bench

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder / "build", firmware_sources())
        sources = folder / "build" / BOX_FOLDER
        bench = Bench(board, image, sources, folder, click.echo)
        try:
            figures = bench.measure(parts)
        except TwinError as error:
            raise UserError("pico_fails", 1, detail=str(error)) from error
    table = Table(title=f"Emulated {board}, {image.name}")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for figure in figures:
        table.add_row(figure.what, figure.text)
    Console().print(table)
