"""Puts a build onto a Pico over its USB line, with MicroPython's own tool mpremote.

Only `firmware/`, `card_tags/` and `main.py` are replaced; the storage folder with matches and
settings stays.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Sequence

from host_tools.errors import UserError
from host_tools.firmware_build.build import BOX_FOLDER, Build
from host_tools.firmware_build.sources import OUR_PACKAGES

# Runs on the box: a module that is no longer in the build must not stay and be imported.
_CLEAR = """
import os
def clear(path):
    try:
        entries = list(os.ilistdir(path))
    except OSError:
        return
    for name, kind, *_ in entries:
        (clear if kind == 0x4000 else os.remove)(path + "/" + name)
    os.rmdir(path)
for top in {tops}:
    clear(top)
"""
_NO_DEVICE = ("failed to access", "no device found", "could not open")

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def flash(built: Build, port: str, run: Run | None = None) -> None:
    """Copy a build to the Pico at `port` and reset it. Raises UserError; exit code 3 if the box
    fails.
    """
    run = run or _mpremote
    box = built.folder / BOX_FOLDER
    tops = [str(path) for path in sorted(box.iterdir())]
    clear = _CLEAR.format(tops=tuple("/" + package for package in OUR_PACKAGES))
    for step, words in (
        ("clearing the old firmware", ["exec", clear]),
        ("copying", ["fs", "cp", "-r", *tops, ":/"]),
        ("resetting", ["reset"]),
    ):
        done = run(["connect", port, *words])
        if done.returncode != 0:
            raise UserError(_sentence(step, port, done.stderr or done.stdout), 3)


def _sentence(step: str, port: str, output: str) -> str:
    last = output.strip().splitlines()[-1] if output.strip() else "no reason given"
    if any(words in output.lower() for words in _NO_DEVICE):
        return f"No box answers at {port}: {last}. Plug it in; `mpremote devs` lists the ports."
    return f"The box at {port} failed while {step}: {last}. Try again; its matches are untouched."


def _mpremote(words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    if importlib.util.find_spec("mpremote") is None:
        raise UserError("mpremote is missing: run `make setup`, or `pip install mpremote`.", 3)
    return subprocess.run(
        [sys.executable, "-m", "mpremote", *words], capture_output=True, text=True, check=False
    )
