"""The one name of an installed Schiri; the packages of docs/ARCHITECTURE.md lie in this folder.

Their import names are the same on the box, in the MicroPython VM and on a laptop (`firmware.app`,
`host_tools.cli`), so this folder goes on the path of the program `schiri`, and of no other.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run the command line `schiri`."""
    add_rooms()
    from host_tools.cli import main as run

    run()


def add_rooms() -> None:
    """Put the packages of an installed Schiri on the path, before others of such names.

    In a checkout the packages lie beside this folder, and `make setup` has put them on the path.
    """
    if (_HERE / "host_tools").is_dir():
        sys.path[:0] = [str(_HERE), str(_HERE / "hardware" / "twin" / "cpython")]
