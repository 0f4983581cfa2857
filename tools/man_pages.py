"""Manual pages of schiri and all its commands, by click-man.

python -m tools.man_pages build/man && man -l build/man/schiri-tournament-enter.1
"""

import sys
from datetime import datetime
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import click
from click_man.core import write_man_pages

from host_tools.cli import NAME, schiri


def load(group: click.Group, above: click.Context | None = None) -> None:
    """Import every command: click-man sees only those that are there."""
    context = click.Context(group, above, NAME)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        # click's mark at lines that stay as they are; roff would print it
        found.help = (found.help or "").replace("\b\n", "")
        group.commands[name] = found
        if isinstance(found, click.Group):
            load(found, context)


def write(folder: Path, version: str, day: str) -> None:
    """A page a command into `folder`, in English."""
    folder.mkdir(parents=True, exist_ok=True)
    load(schiri)
    write_man_pages(NAME, schiri, version=version, target_dir=str(folder), date=day)


def archive(path: Path, version: str, day: datetime) -> None:
    """All pages in one zip, which holds no other time than `day`."""
    with TemporaryDirectory() as folder, ZipFile(path, "w", ZIP_DEFLATED) as packed:
        write(Path(folder), version, f"{day:%Y-%m-%d}")
        for page in sorted(Path(folder).iterdir()):
            entry = ZipInfo(f"man1/{page.name}", day.timetuple()[:6])
            packed.writestr(entry, page.read_bytes(), ZIP_DEFLATED)


if __name__ == "__main__":
    write(Path(sys.argv[1]), metadata.version(NAME), f"{datetime.now():%Y-%m-%d}")
