"""`make release`: what people download, into dist/, the same bytes whenever it is built.

    schiri-0.1.0-py3-none-any.whl   the laptop's tools: `pipx install FILE`
    schiri-0.1.0.tar.gz             their sources, and those of everything else
    schiri-0.1.0.romfs              the firmware: `schiri box update --from FILE`
    schiri-0.1.0-RPI_PICO….uf2      a first flash for each board, if `make image` was there before
    schiri-rev1-base.stl, …         what is printed, and guides as PDF (hardware/release.py)
    NOTES.md                        this version's part of CHANGELOG.md
    SHA256SUMS                      written last: without it a release is not whole

Dates in wheel and sources are SOURCE_DATE_EPOCH or a fixed day (reproducible-builds.org).
"""

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from hardware import release as hardware
from hardware.tools import ToolFailed, ToolMissing
from host_tools.box.firmware.build import Build, last_line, temporary_build
from host_tools.box.firmware.image import (
    BOARDS,
    INTERPRETERS,
    Board,
    image_name,
    write_image,
)
from host_tools.core.errors import UserError
from host_tools.core.own_files import written_below

ROOT = Path(__file__).resolve().parents[1]
NOTES = "NOTES.md"
NO_HARDWARE = "--no-hardware"
SUMS = "SHA256SUMS"


def main() -> None:
    """Build it. One sentence on stderr and an exit code if something does not go."""
    words = [word for word in sys.argv[1:] if word != NO_HARDWARE]
    folder = Path(words[0]) if words else ROOT / "dist"
    try:
        for name in release(folder, NO_HARDWARE not in sys.argv):
            print(folder / name)
    except UserError as error:
        print(f"release: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


def release(folder: Path, with_hardware: bool = True) -> list[str]:
    """Write a release into `folder`, in the place of an older one; the names of its files. Raises
    UserError.
    """
    version = _version()
    notes = _notes(version)
    with written_below(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for older in (*folder.glob("schiri-*"), *folder.glob(NOTES), *folder.glob(SUMS)):
            older.unlink()
    with temporary_build() as built:
        if built.version != version:
            raise UserError("release_versions", 1, version=version, firmware=built.version)
        with written_below(folder):
            _packages(folder)
            (folder / f"schiri-{version}.romfs").write_bytes(built.rom)
        for board in BOARDS.values():
            _image(built, board, folder)
    if with_hardware:
        _hardware(folder)
    with written_below(folder):
        (folder / NOTES).write_text(notes, encoding="utf8", newline="\n")
        names = [NOTES, *sorted(path.name for path in folder.glob("schiri-*"))]
        (folder / SUMS).write_text(_sums(folder, names), encoding="utf8", newline="\n")
    return [*names, SUMS]


def _version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    return str(project["version"])


def _notes(version: str) -> str:
    """The section of a version: from its heading to the next one."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf8")
    found = re.search(rf"^## {re.escape(version)}\b.*?(?=^## |\Z)", text, re.M | re.S)
    if found is None:
        raise UserError("release_no_notes", 1, version=version)
    return found[0].rstrip() + "\n"


def _packages(folder: Path) -> None:
    """Wheel and sources, by the build backend itself: it takes the same date for all files."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise UserError("release_not_packed", 3, detail=last_line(done.stderr))


def _image(built: Build, board: Board, folder: Path) -> None:
    """The UF2 file of a board, if its MicroPython was built; else a word that it was not."""
    interpreter = ROOT / "build" / INTERPRETERS / f"{board.name}.bin"
    if interpreter.is_file():
        path = folder / image_name(built, board)
        write_image(built, board, interpreter.read_bytes(), path)
    else:
        print(f"release: no image for {board.name}: `make image` was not run", file=sys.stderr)


def _hardware(folder: Path) -> None:
    """What is printed, on plastic and on paper; a word if a program for it is not there."""
    try:
        with written_below(folder):
            hardware.release(folder)
    except (ToolMissing, ToolFailed) as error:
        print(f"release: not all of hardware: {error}", file=sys.stderr)


def _sums(folder: Path, names: list[str]) -> str:
    """As `sha256sum --check` reads it."""
    digests = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names]
    return "".join(f"{digest}  {name}\n" for digest, name in zip(digests, names, strict=True))


if __name__ == "__main__":
    main()
