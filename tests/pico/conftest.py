"""A box on an emulated Pico with real MicroPython. Only `make test-pico` comes here: it names the
board in SCHIRI_BOARD, and the firmware file is where `make budgets` looks for it.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.twin.engine import Engine
from hardware.twin.service import Service
from hardware.twin.session import EngineMaker, TwinSession
from host_tools.box.firmware.build import ROM, Build, build
from host_tools.sim.table.box_setup import set_up
from tests.support.pico.image import FOLDER, file_of, find_firmware

BOARD = os.environ.get("SCHIRI_BOARD", "")
collect_ignore_glob = [] if BOARD else ["test_*.py"]


@pytest.fixture(scope="session")
def uf2() -> Path:
    """Our image for the board: `make image`, or a release."""
    image = find_firmware(None, BOARD)
    if image is None or not image.is_file():
        pytest.exit(f"Name the folder of {file_of(BOARD)} in {FOLDER}, or call with UF2=path.", 4)
    return image


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """What `make firmware` makes."""
    return build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="session")
def rom(built: Build) -> Path:
    """Its file system, which a slot holds."""
    return built.folder / ROM


@pytest.fixture(scope="session")
def new_board(uf2: Path) -> Callable[[], Any]:
    """Makes a board, with its flash."""
    from tests.support.pico.engine import EmulatedBoard

    return lambda: EmulatedBoard(BOARD, uf2)


@pytest.fixture
def board(new_board: Callable[[], Any]) -> Any:
    """The board of a test."""
    return new_board()


@pytest.fixture(autouse=True)
def cost(board: Any, capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Says what the test took: seconds of the Pico, and of a processor of this machine."""
    began = time.process_time()
    yield
    with capsys.disabled():
        seconds = time.process_time() - began
        print(f" {board.up_ms / 1000:.1f} s of the Pico, {seconds:.0f} s of a processor")


@pytest.fixture
def maker(board: Any, rom: Path) -> EngineMaker:
    """An engine for `TwinSession` with the build in its first slot."""

    def make(service: Service, storage: str, entry: str, sources: Path) -> Engine:
        engine: Engine = board.engine(service, storage, entry, rom)
        return engine

    return make


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    """A box's storage folder as an organiser hands it out."""
    folder = tmp_path / "flash"
    set_up(folder, "de", "Pico")
    return folder


@pytest.fixture
def chip(maker: EngineMaker, storage: Path) -> Callable[..., TwinSession]:
    """Makes a box on `storage`; what the tests of tests/chip take."""

    def make(engine: str = "", **options: Any) -> TwinSession:
        return TwinSession(maker, storage, **options)

    return make
