"""An open store, and a box at a port."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_web import Web, running_web

from firmware.app.flash import Flash
from host_tools.store import open_store
from host_tools.store.store import Store
from host_tools.tournament.service import TournamentService
from tests.processes import started
from tests.support.databases import database, postgres_server, postgres_url
from tests.support.memory_box import MemoryBox, play

__all__ = ["database", "postgres_server", "postgres_url"]


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store in an empty database of either kind."""
    opened = open_store(database)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A box on CPython with one finished match on its flash."""
    flash = tmp_path_factory.mktemp("flash")
    play(MemoryBox(Flash(str(flash))).journal)
    command = [str(Path(sys.executable).parent / "schiri"), "twin", "box", "--engine", "cpython"]
    command += ["--flash", str(flash)]
    with started(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


@pytest.fixture
def web(service: TournamentService, tmp_path: Path) -> Iterator[Web]:
    """The desk of the module's `service` while it runs."""
    with running_web(service, tmp_path) as made:
        yield made
