"""Where the images of `make image` or of a release are found."""

import os
from pathlib import Path

from host_tools.box.firmware.build import firmware_version

FOLDER = "SCHIRI_UF2"
"""Names the folder that holds the images of `make image` or of a release."""


def file_of(board: str) -> str:
    """What `make image` calls it."""
    return f"schiri-{firmware_version()}-RPI_{board.upper()}.uf2"


def find_firmware(place: Path | None, board: str) -> Path | None:
    """The file that is named, or the board's in the folder that is named; None if none is."""
    place = place or (Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None)
    if place is None:
        return None
    return place / file_of(board) if place.is_dir() else place
