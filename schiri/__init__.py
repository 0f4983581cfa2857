"""The one name of an installed Schiri; the packages of docs/ARCHITECTURE.md lie in this folder.

Their import names are the same on the box, in the MicroPython VM and on a laptop (`firmware.app`,
`host_tools.cli`), so this folder goes on the path of the program `schiri`, and of no other.
"""

import sys
from pathlib import Path

INTERRUPTED = 130
"""As host_tools/core/errors.py has it, which may not be loaded yet."""
_HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run the command line `schiri`."""
    add_rooms()
    try:
        from host_tools.cli import main as run
    except KeyboardInterrupt:  # nothing has begun, and what speaks to people is not loaded
        sys.exit(INTERRUPTED)
    run()


def add_rooms() -> None:
    """Put the packages of an installed Schiri on the path, before others of such names.

    In a checkout the packages lie beside this folder, and `make setup` has put them on the path.
    """
    if (_HERE / "host_tools").is_dir():
        sys.path[:0] = [str(_HERE), str(_HERE / "hardware" / "twin" / "cpython")]
