"""A box on a heap as small as the chip's, with the .mpy build in its flash."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import BOX_FOLDER, build
from host_tools.sim.table.box_setup import set_up

Boxes = Callable[..., TwinSession]


@pytest.fixture(scope="session", autouse=True)
def interpreter(needs: Callable[[str], str]) -> str:
    """Without MicroPython's UNIX port this folder proves nothing."""
    return needs("micropython")


@pytest.fixture(scope="session")
def mpy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The box's files as `make firmware` makes them."""
    out = tmp_path_factory.mktemp("build")
    build(out)
    return out / BOX_FOLDER


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    """A box's storage folder as an organiser hands it out."""
    folder = tmp_path / "flash"
    set_up(folder, "de", "Chip")
    return folder


@pytest.fixture
def chip(mpy: Path, storage: Path) -> Boxes:
    """Makes a box on `storage`; `engine` is "chip" or "chip-w"."""

    def make(engine: str = "chip", **options: object) -> TwinSession:
        return TwinSession(engine, storage, sources=mpy, **options)  # type: ignore[arg-type]

    return make
