"""`make release`: what people download, into dist/, the same bytes whenever it is built.

    schiri-0.1.0-py3-none-any.whl   the laptop's tools: `pipx install FILE`
    schiri-0.1.0.tar.gz             their sources, and those of everything else
    schiri-0.1.0.romfs              the firmware: `schiri box update --from FILE`
    schiri-0.1.0-RPI_PICO….uf2      a first flash for each board, if `make image` was there before
    schiri-rev1-base.stl, …         what is printed, and guides as PDF (hardware/release.py)
    schiri-0.1.0.cdx.json           every part of others that it needs (CycloneDX)
    NOTES.md                        this version's part of CHANGELOG.md, and what the files are
    SHA256SUMS                      written last: without it a release is not whole

With `--version` first everything is checked that a release claims; without, it is a trial. Dates
in wheel and sources are SOURCE_DATE_EPOCH or a fixed day (reproducible-builds.org).
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

from hatchling.builders.utils import get_reproducible_timestamp

from hardware import release as hardware
from hardware.tools import ToolFailed, ToolMissing
from host_tools.box.firmware.build import Build, last_line, temporary_build
from host_tools.box.firmware.image import (
    BOARDS,
    INTERPRETERS,
    PicoBoard,
    image_name,
    write_image,
)
from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import written_below
from tools.image import TAG
from tools.man_pages import archive
from tools.parts_list import parts_list

ROOT = Path(__file__).resolve().parents[1]
NOTES = "NOTES.md"
SUMS = "SHA256SUMS"
NO_IMAGE = "There is no image for a new box among them: `make image` builds it."
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
"""What may stand below a version, as keepachangelog.com has them."""


def main() -> None:
    """Build it. One sentence on stderr and an exit code if something does not go."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--version", default="", help="what it shall be; default: a trial")
    parser.add_argument("--no-hardware", action="store_true", help="nothing that is printed")
    asked = parser.parse_args()
    try:
        if asked.version:
            check(asked.version)
        for name in release(asked.folder, not asked.no_hardware):
            print(asked.folder / name)
    except UserError as error:
        print(f"release: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    if not asked.version:
        print(f"release: a trial; make release VERSION={_version()} checks first", file=sys.stderr)


# -- what a release claims ------------------------------------------------------------------------


def check(version: str) -> None:
    """Whether the checkout may be called by this version. UserError for the first thing that is
    not so.
    """
    if _version() != version:
        raise UserError("release_other_version", Exit.CHECK, version=version, found=_version())
    _check_notes(version)
    if changed := _git("status", "--porcelain").splitlines():
        raise UserError("release_not_clean", Exit.CHECK, path=changed[0][3:])
    tag = f"v{version}"
    if _git("tag", "--list", tag) and _git("rev-parse", f"{tag}^{{commit}}") != _git(
        "rev-parse", "HEAD"
    ):
        raise UserError("release_tag_elsewhere", Exit.CHECK, tag=tag)


def _check_notes(version: str) -> None:
    """A day in the heading, and below it what was added, changed or mended, for users."""
    heading, *lines = _notes(version).splitlines()
    if not re.fullmatch(rf"## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)", heading):
        raise UserError("release_no_day", Exit.CHECK, version=version, text=heading)
    kinds = [line.removeprefix("### ") for line in lines if line.startswith("### ")]
    if not kinds or not set(kinds) <= set(KINDS):
        raise UserError("release_kinds", Exit.CHECK, version=version, kinds=", ".join(KINDS))


def _git(*words: str) -> str:
    """What git says. UserError if this is no clone, or without git."""
    try:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise UserError("release_no_git", Exit.SYSTEM, detail="git?") from error
    if done.returncode != 0:
        raise UserError("release_no_git", Exit.SYSTEM, detail=last_line(done.stderr))
    return done.stdout.strip("\n")


# -- its files ------------------------------------------------------------------------------------


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
            raise UserError(
                "release_versions", Exit.CHECK, version=version, firmware=built.version
            )
        with written_below(folder):
            _packages(folder)
            (folder / f"schiri-{version}.romfs").write_bytes(built.rom)
        boards = [board.name for board in BOARDS.values() if _image(built, board, folder)]
    if not boards:
        print("release: without images: `make image` was not run", file=sys.stderr)
    if with_hardware:
        _hardware(folder)
    with written_below(folder):
        parts = parts_list(ROOT, version, _day(), TAG if boards else "")
        archive(folder / f"schiri-{version}-man.zip", version, _day())
        (folder / f"schiri-{version}.cdx.json").write_text(parts, encoding="utf8", newline="\n")
        text = notes + _files_table(version, boards, with_hardware)
        (folder / NOTES).write_text(text, encoding="utf8", newline="\n")
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
        raise UserError("release_no_notes", Exit.CHECK, version=version)
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
        raise UserError("release_not_packed", Exit.SYSTEM, detail=last_line(done.stderr))


def _image(built: Build, board: PicoBoard, folder: Path) -> bool:
    """The UF2 file of a board, if its MicroPython was built."""
    interpreter = ROOT / "build" / INTERPRETERS / f"{board.name}.bin"
    if not interpreter.is_file():
        return False
    write_image(built, board, interpreter.read_bytes(), folder / image_name(built, board))
    return True


def _day() -> datetime:
    """The one that hatchling gives to the files of wheel and sources."""
    return datetime.fromtimestamp(get_reproducible_timestamp(), UTC)


def _files_table(version: str, boards: list[str], printed: bool) -> str:
    """What each file is for, for who downloads one."""
    rows = [
        (f"schiri-{version}-py3-none-any.whl", "the laptop's tools: `pipx install` it"),
        (f"schiri-{version}.tar.gz", "the sources of everything"),
        (f"schiri-{version}.romfs", "for a box that runs: `schiri box update --from` it"),
        *((f"schiri-{version}-{name}.uf2", "for a new box: drag it onto it") for name in boards),
        (f"schiri-{version}-man.zip", "manual pages: unpack it into ~/.local/share/man"),
        (f"schiri-{version}.cdx.json", "the parts of others that it needs (CycloneDX)"),
        (SUMS, "`sha256sum --check SHA256SUMS`"),
    ]
    table = "".join(f"| `{name}` | {use} |\n" for name, use in rows)
    if printed:
        table += "| STL, 3MF and PDF | what is printed, and the guides (hardware/README.md) |\n"
    none = "" if boards else f"\n{NO_IMAGE}\n"
    return f"\n### Files\n\n| | |\n|---|---|\n{table}{none}"


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
