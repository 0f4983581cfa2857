"""Programs that run on the box instead of `firmware.main:turns`, to measure it from inside.

`place` copies them into a firmware tree as `firmware/<name>.py`; entry `firmware.<name>:turns`.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from hardware.twin.session import TwinSession
from hardware.twin.vm_engine import VmHeap
from host_tools.box.firmware.sources import OUR_PACKAGES, ROOT

PROGRAMS = Path(__file__).parent
MATCH_MS = 600_000
_NOT_COPIED = shutil.ignore_patterns("__pycache__")


def place(name: str, folder: Path, sources: Path = ROOT) -> str:
    """Make `folder` a tree of `sources` (the repository, or a build's box folder) with the program
    in it; returns the entry for TwinSession.
    """
    for package in OUR_PACKAGES:
        shutil.copytree(sources / package, folder / package, ignore=_NOT_COPIED)
    return put(PROGRAMS / f"{name}.py", folder)


def put(program: Path, folder: Path) -> str:
    """Put one more program into such a tree; returns its entry."""
    shutil.copy(program, folder / "firmware" / program.name)
    return f"firmware.{program.stem}:turns"


def heaps_after(box: TwinSession, flash: Path, matches: int) -> Iterator[VmHeap]:
    """Run session.py; the heap after each match."""
    for number in range(1, matches + 1):
        stored = flash / f"m{number:06}.ok"
        if not box.run_until(stored.exists, MATCH_MS):
            raise RuntimeError(f"match {number} does not end")
        yield box.heap()
