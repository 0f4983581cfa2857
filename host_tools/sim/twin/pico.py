"""`schiri twin pico`: the box's firmware on an emulated Pico with real MicroPython."""

import importlib.util
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from hardware.twin.errors import TwinError
from host_tools.box.firmware.build import build
from host_tools.core.errors import UserError
from host_tools.games.loading import firmware_sources

_CARDS = 6


@click.command()
@click.option(
    "--uf2",
    type=click.Path(dir_okay=False, path_type=Path),
    help="MicroPython for the Raspberry Pi Pico (RPI_PICO-….uf2); default: fetch it.",
)
@click.option("--cards", default=_CARDS, show_default=True, help="Cards before and after the cut.")
def pico(uf2: Path | None, cards: int) -> None:
    """Play half a match on an emulated Pico, cut its power, play on, sync, and measure.

    Takes some minutes. Without a firmware file to be had it says so and is skipped.

    schiri twin pico
    """
    if importlib.util.find_spec("rp2040py") is None:
        click.echo("skipped: the emulator rp2040py is not installed; run `make setup`.")
        return
    image = uf2 or find_firmware()
    if image is None:
        click.echo(
            "skipped: no MicroPython for the Pico can be fetched here; give a file with "
            "make test-pico UF2=path"
        )
        return
    if not image.is_file():
        raise UserError("pico_no_image", path=image)
    _run(image, cards)


def find_firmware() -> Path | None:
    """The emulator's own download or its copy of an earlier one; None if it cannot be had."""
    from rp2040py.utils.firmware_retrieve import MICROPYTHON, retrieve

    try:
        return retrieve(MICROPYTHON)
    except OSError:  # urllib's errors are such
        return None


def _run(image: Path, cards: int) -> None:
    from host_tools.sim.pico.trial import Trial

    with tempfile.TemporaryDirectory() as folder:
        try:
            figures = Trial(
                image, build(Path(folder), firmware_sources()), cards, click.echo
            ).run()
        except TwinError as error:
            raise UserError("pico_fails", 1, detail=str(error)) from error
    table = Table(title=f"Emulated Pico, {image.name}")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for row in figures.rows():
        table.add_row(*row)
    Console().print(table)
