"""The build as one ROM image: MicroPython runs its code in place, so the heap holds only data, as
when frozen.
"""

import subprocess
import sys
from pathlib import Path

from host_tools.box.firmware.build import BOX_FOLDER, Build
from host_tools.core.errors import UserError


def build_rom(built: Build) -> Path:
    """Write `box.romfs` beside the build and return its path."""
    return rom_of(built.folder / BOX_FOLDER, built.folder / "box.romfs")


def rom_of(tree: Path, image: Path) -> Path:
    """Write the files below `tree` into `image` with mpremote (docs.micropython.org, romfs), which
    compiles what is not compiled yet. Returns `image`.
    """
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mpremote", "romfs", "--output", str(image)),
            *("build", str(tree)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise UserError("rom_not_built", 3, path=image, detail=done.stderr.strip()[-200:])
    return image
