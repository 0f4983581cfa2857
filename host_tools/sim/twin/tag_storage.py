"""Tag dumps on disk, with errors that people can act on."""

from pathlib import Path

from hardware.twin.tag_files import TagFileError, dump_tag, load_tag
from hardware.twin.tags import NtagTwin
from host_tools.core.errors import UserError
from host_tools.core.own_files import write_whole


def load(path: Path) -> NtagTwin:
    """The tag of a dump. Raises `UserError`."""
    try:
        return load_tag(path)
    except TagFileError as error:
        raise UserError("dump_fault", path=path, detail=str(error)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("dump_unreadable", path=path, detail=str(error)) from error


def save(tag: NtagTwin, path: Path) -> None:
    """Store a tag. Raises `UserError`."""
    try:
        write_whole(path, dump_tag(tag).encode())
    except OSError as error:
        raise UserError("dump_unwritable", path=path, system=error) from error
