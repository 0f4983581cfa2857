"""Tag dumps on disk, with errors that people can act on."""

from pathlib import Path

from hardware.twin.tag_files import TagFileError, dump_tag, parse_tag
from hardware.twin.tags import NtagTwin
from host_tools.core.errors import UserError
from host_tools.core.own_files import read_text, write_output


def load(path: Path) -> NtagTwin:
    """The tag of a dump. Raises `UserError`."""
    try:
        return parse_tag(read_text(path))
    except TagFileError as error:
        raise UserError("dump_fault", path=path, detail=str(error)) from error


def save(tag: NtagTwin, path: Path) -> None:
    """Store a tag. Raises `UserError`."""
    write_output(path, dump_tag(tag).encode())
