"""A box on a heap as small as the chip's, whose code runs in place, as in the flash of a Pico."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import (
    BOX_FOLDER,
    ROM,
    Build,
    build,
    rom_of,
)
from host_tools.sim.table.box_setup import set_up

Boxes = Callable[..., TwinSession]
WithProgram = Callable[..., Path]
PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session", autouse=True)
def interpreter(needs: Callable[[str], str]) -> str:
    """Without MicroPython's UNIX port this folder proves nothing."""
    return needs("micropython")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """What `make firmware` makes."""
    return build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="session")
def rom(built: Build) -> Path:
    """Its file system, which a slot holds."""
    return built.folder / ROM


@pytest.fixture
def with_program(built: Build, tmp_path: Path) -> Callable[..., Path]:
    """Makes a ROM of the firmware with programs of this folder, or of bench, in it, compiled: one
    that was compiled on the box would leave holes in its heap.
    """

    def make(*programs: Path) -> Path:
        tree = tmp_path / "tree"
        shutil.copytree(built.folder / BOX_FOLDER, tree)
        for program in programs:
            shutil.copy(program, tree / "firmware")
        rom = tmp_path / "programs.romfs"
        rom.write_bytes(rom_of(tree))
        return rom

    return make


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    """A box's storage folder as an organiser hands it out."""
    folder = tmp_path / "flash"
    set_up(folder, "de", "Chip")
    return folder


@pytest.fixture
def chip(rom: Path, storage: Path) -> Boxes:
    """Makes a box on `storage`; `engine` is "chip" or "chip-w"."""

    def make(engine: str = "chip", **options: object) -> TwinSession:
        return TwinSession(engine, storage, sources=rom, **options)  # type: ignore[arg-type]

    return make
