"""`schiri keys`: make, show and hand on league keys."""

from pathlib import Path
from typing import Any

import click

from host_tools.cards.keys import KeyRing, default_path, load_keys, new_key, save_keys
from host_tools.commands.options import Report, reports
from host_tools.core.errors import UserError


@click.group()
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The key file; default: $SCHIRI_KEYS, else the user's configuration folder.",
)
@click.pass_context
def keys(context: click.Context, path: Path | None) -> None:
    """Make, show and hand on league keys."""
    context.obj = path or default_path()


@keys.command("new")
@click.argument("name")
@click.pass_obj
def make_key(path: Path, name: str) -> None:
    """Make a key called NAME; new cards are sealed with it, old ones stay valid.

    schiri keys new league-2026
    """
    ring = load_keys(path)
    key = new_key(ring, name)
    save_keys(ring, path)
    click.echo(f"Key {key.name}, number {key.number}, is in {path}. Keep a copy in a safe place.")


@keys.command("show")
@click.pass_obj
@reports
def show_keys(path: Path) -> Report:
    """List names and numbers; the keys themselves are not shown.

    schiri keys show
    """
    ring = load_keys(path)
    found = [
        {"number": key.number, "name": key.name, "current": key is ring.keys[-1]}
        for key in ring.keys
    ]
    marks: dict[Any, str] = {True: " (seals new cards)", False: ""}
    lines = [f"{key['number']:3}  {key['name']}{marks[key['current']]}" for key in found]
    return Report(found, lines or [f"No keys in {path}; make one with `schiri keys new NAME`."])


@keys.command("export")
@click.argument("output", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--name", help="Only this key; default: the newest.")
@click.pass_obj
def export_key(path: Path, output: Path, name: str | None) -> None:
    """Write one key to the file OUTPUT (mode 600) for another desk; who has it can seal cards.

    schiri keys export league.key
    """
    if output.exists():
        raise UserError("key_output_exists", path=output)
    key = load_keys(path).find(name)
    save_keys(KeyRing([key]), output)
    click.echo(f"Key {key.name} is in {output}. Hand it on by hand, not by mail, then delete it.")


@keys.command("import")
@click.argument("source", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.pass_obj
def import_key(path: Path, source: Path) -> None:
    """Add the keys of an exported file; the last one seals new cards.

    schiri keys import league.key
    """
    ring = load_keys(path)
    for key in load_keys(source).keys:
        ring.add(key)
        click.echo(f"Key {key.name}, number {key.number}, added.")
    save_keys(ring, path)
