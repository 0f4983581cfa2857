"""`schiri firmware`: build what runs on the box."""

import json
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from host_tools.box.firmware.build import BUDGET_BYTES, Build, build
from host_tools.box.firmware.flash import flash
from host_tools.core.errors import UserError


@click.group()
def firmware() -> None:
    """Build the box's firmware."""


@firmware.command("build")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("build"),
    show_default=True,
    help="Folder for the result.",
)
@click.option("--lines", is_flag=True, help="Keep line numbers for tracebacks: 10 kB more.")
@click.option("--json", "as_json", is_flag=True, help="Print the sizes as JSON.")
def build_command(out: Path, lines: bool, as_json: bool) -> None:
    """Compile the firmware to .mpy files, with manifest.py and the mip index.

    schiri firmware build
    """
    built = build(out, with_lines=lines)
    if as_json:
        sizes = {"total": built.total, "mpy": built.compiled, "rooms": built.by_room()}
        click.echo(json.dumps(sizes))
        return
    Console().print(size_table(built))


@firmware.command("flash")
@click.option("--port", default="", help="Serial port of the Pico, for example /dev/ttyACM0.")
def flash_command(port: str) -> None:
    """Build and copy the firmware to a Pico that runs MicroPython. Matches on it stay.

    schiri firmware flash --port /dev/ttyACM0
    """
    if not port:
        raise UserError(
            "Say which port: make flash PORT=/dev/ttyACM0 (`mpremote devs` lists them)."
        )
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder))
        flash(built, port)
    click.echo(
        f"{len(built.files)} files, {built.total:,} bytes on the box at {port}; it restarts."
    )


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
