"""Puts a board onto a box: one file in its storage folder, where the box looks when it is chosen.

The box knows one board a preset, by the name in the game's row; an owner's printed board takes the
place of the project's own.
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware.boards.pico import STORAGE
from host_tools.box.firmware.build import last_line
from host_tools.core.errors import Exit, UserError
from host_tools.core.installing import bring
from host_tools.core.own_files import write_whole

_FOLDER = "boards"
_MAKE_FOLDER = """
import os
for path in {paths}:
    try:
        os.mkdir(path)
    except OSError:
        pass
"""


def run_mpremote(words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Call mpremote. UserError if it is not installed."""
    if importlib.util.find_spec("mpremote") is None:
        raise UserError("no_mpremote", Exit.SYSTEM, mend=bring("mpremote"))
    return subprocess.run(
        # the mpremote of this installation, whatever the PATH has
        [sys.executable, "-m", "mpremote", *words],
        capture_output=True,
        text=True,
        check=False,
    )


def put_into_storage(name: str, board: dict[str, Any], storage: Path) -> Path:
    """Write the board into a storage folder that lies on this computer: the software twin's."""
    name, content = f"{name}.json", json.dumps(board, ensure_ascii=False).encode()
    folder = storage / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / name, content)
    return folder / name


def put_on_box(name: str, board: dict[str, Any], port: str) -> str:
    """Copy the board to the Pico at `port` and restart it; returns the file's path on the box.

    Raises UserError (exit 3) if the box does not take it.
    """
    name, content = f"{name}.json", json.dumps(board, ensure_ascii=False).encode()
    target = f"{STORAGE}/{_FOLDER}/{name}"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / name
        source.write_bytes(content)
        make = _MAKE_FOLDER.format(paths=(STORAGE, f"{STORAGE}/{_FOLDER}"))
        # restarted, as mpremote has stopped the program of the box
        for words in (["exec", make], ["fs", "cp", str(source), f":{target}"], ["reset"]):
            done = run_mpremote(["connect", port, *words])
            if done.returncode != 0:
                reason = last_line(done.stderr or done.stdout)
                raise UserError("board_not_taken", Exit.SYSTEM, port=port, detail=reason)
    return target
