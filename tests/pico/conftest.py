"""Tests on an emulated Pico take long and need MicroPython's UF2 file: SCHIRI_UF2 names it, or a
folder with RPI_PICO.uf2. Without it they are no part of a run: `make test-pico` brings them.
"""

import os
from pathlib import Path

import pytest

FILE = os.environ.get("SCHIRI_UF2", "")
collect_ignore_glob = [] if FILE else ["test_*.py"]


@pytest.fixture(scope="session")
def stock() -> Path:
    """MicroPython for the Raspberry Pi Pico."""
    return Path(FILE) / "RPI_PICO.uf2" if Path(FILE).is_dir() else Path(FILE)
