"""Puts a build onto a Pico over its USB line, with MicroPython's own tool mpremote.

The first slot and the loader are written anew, the second slot and the memory of trials are
cleared. Matches, settings and the key stay. Not proof against a pulled cable, which only means to
run it again; `schiri box update` is.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Sequence

from firmware.app.slots import SLOTS
from firmware.boards.pico import STORAGE
from host_tools.box.firmware.build import BOX_FOLDER, Build, last_line
from host_tools.box.firmware.sources import OUR_PACKAGES
from host_tools.core.errors import UserError

SLOT = f"{STORAGE}/{SLOTS[0]}"
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
for top in {folders}:
    clear(top)
for file in {files}:
    try:
        os.remove(file)
    except OSError:
        pass
for folder in ("{storage}", "{slot}"):
    try:
        os.mkdir(folder)
    except OSError:
        pass
"""
_NO_DEVICE = ("failed to access", "no device found", "could not open")

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def flash(built: Build, port: str, run: Run | None = None) -> None:
    """Copy a build to the Pico at `port` and reset it. Raises UserError; exit code 3 if the box
    fails.
    """
    run = run or run_mpremote
    box = built.folder / BOX_FOLDER
    inside = sorted({str(box / file.path.split("/")[0]) for file in built.slot})
    loader = [str(box / file.path) for file in built.loader]
    for step, words in (
        ("clearing the old firmware", ["exec", clear_script()]),
        ("copying the firmware", ["fs", "cp", "-r", *inside, f":{SLOT}/"]),
        ("copying the loader", ["fs", "cp", *loader, ":/"]),
        ("resetting", ["reset"]),
    ):
        done = run(["connect", port, *words])
        if done.returncode != 0:
            raise _failed(step, port, done.stderr or done.stdout)


def clear_script() -> str:
    """What the box runs to get rid of every firmware and make room for a new one."""
    folders = [f"/{package}" for package in OUR_PACKAGES]  # as an older `schiri` laid them
    folders += [f"{STORAGE}/{slot}" for slot in SLOTS]
    states = [f"{STORAGE}/slot.{n}" for n in (0, 1)]
    return _CLEAR.format(folders=folders, files=states, storage=STORAGE, slot=SLOT)


def _failed(step: str, port: str, output: str) -> UserError:
    if any(words in output.lower() for words in _NO_DEVICE):
        return UserError("flash_no_box", 3, port=port, detail=last_line(output))
    return UserError("flash_failed", 3, port=port, step=step, detail=last_line(output))


def run_mpremote(words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Call mpremote. UserError if it is not installed."""
    if importlib.util.find_spec("mpremote") is None:
        raise UserError("no_mpremote", 3)
    return subprocess.run(
        [sys.executable, "-m", "mpremote", *words], capture_output=True, text=True, check=False
    )
