"""`schiri twin tag`: a fresh virtual tag as a file; and such files, read and stored."""

import secrets
from pathlib import Path

import click

from hardware.twin.tag_files import TagFileError, dump_tag, parse_tag
from hardware.twin.tag_models import FUDAN, GENUINE, MODELS
from hardware.twin.tags import NtagTwin
from host_tools.core.command_line import command
from host_tools.core.errors import UserError
from host_tools.core.own_files import read_text, write_output

_NXP = b"\x04"  # first UID byte of every NXP tag (ISO/IEC 7816-6)
_UID_BYTES = 7


@command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--type",
    "kind",
    type=click.Choice([name.lower() for name in MODELS]),
    default="ntag213",
    show_default=True,
    help="The chip.",
)
@click.option("--uid", help="7 bytes in hex; at random if not given.")
@click.option("--fudan", is_flag=True, help="A clone without FAST_READ and GET_VERSION.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
def tag(file: Path, kind: str, uid: str | None, fudan: bool, force: bool) -> None:
    """Write a factory-fresh virtual tag to FILE.

    schiri twin tag a.tag
    """
    if file.exists() and not force:
        raise UserError("dump_exists", path=file)
    lacks = FUDAN if fudan else GENUINE
    fresh = NtagTwin(MODELS[kind.upper()], _read_uid(uid), lacks)
    save(fresh, file)
    click.echo(f"{file}: {fresh.model.name} {fresh.uid.hex(':').upper()}")


def _read_uid(text: str | None) -> bytes:
    if text is None:
        return _NXP + secrets.token_bytes(_UID_BYTES - 1)
    try:
        # with colons, as this command prints it; `fromhex` passes over spaces
        uid = bytes.fromhex(text.replace(":", " "))
    except ValueError:
        uid = b""
    if len(uid) != _UID_BYTES:
        raise UserError("dump_uid", text=text)
    return uid


def load(path: Path) -> NtagTwin:
    """The tag of a dump. Raises `UserError`."""
    try:
        return parse_tag(read_text(path))
    except TagFileError as error:
        raise UserError("dump_fault", path=path, detail=str(error)) from error


def save(tag: NtagTwin, path: Path) -> None:
    """Store a tag. Raises `UserError`."""
    write_output(path, dump_tag(tag).encode())
