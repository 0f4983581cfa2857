"""Programs that run on the box instead of `firmware.main:turns`, to measure it from inside.

`place` copies them into a firmware tree as `firmware/<name>.py`; entry `firmware.<name>:turns`.
"""

import shutil
from pathlib import Path

from host_tools.box.firmware.sources import OUR_PACKAGES, ROOT

_HERE = Path(__file__).parent
_NOT_COPIED = shutil.ignore_patterns("__pycache__")


def place(name: str, folder: Path, sources: Path = ROOT) -> str:
    """Make `folder` a tree of `sources` (the repository, or a build's box folder) with the program
    in it; returns the entry for TwinSession.
    """
    for package in OUR_PACKAGES:
        shutil.copytree(sources / package, folder / package, ignore=_NOT_COPIED)
    return put(_HERE / f"{name}.py", folder)


def put(program: Path, folder: Path) -> str:
    """Put one more program into such a tree; returns its entry."""
    shutil.copy(program, folder / "firmware" / program.name)
    return f"firmware.{program.stem}:turns"
