"""The rules in MicroPython say the same as on CPython, byte for byte, in every transcript and in
long matches of every game.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from firmware.app.opening import resolved
from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from host_tools.box.firmware.build import BOX_FOLDER, Build
from host_tools.games import game_of
from host_tools.sim.table.box_setup import set_up
from tests.support.box_programs import put

from . import matches
from .conftest import PROGRAMS

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").rglob("*.ndjson"))
LIMIT_S = 300


def test_a_build_says_the_same_in_every_match(built: Build, tmp_path: Path) -> None:
    flash = tmp_path / "flash"
    set_up(flash, "de", "Chip")
    told = [_transcript(path, flash) for path in TRANSCRIPTS]
    for game in matches.HEADERS:
        pairs = matches.commands_of(game, flash)
        commands = [json.loads(command) for command, _ in pairs if command]
        told.append([resolved(str(flash), matches.header_of(game)), *commands])
    tree = tmp_path / "tree"
    shutil.copytree(built.folder / BOX_FOLDER, tree)
    put(PROGRAMS / "said.py", tree)
    ran = subprocess.run(
        [sys.executable, "-m", "micropython_unix", str(tree / "firmware" / "said.py")],
        input="".join(json.dumps(lines) + "\n" for lines in told),
        env={"MICROPYPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout[-600:]
    said = iter(ran.stdout.splitlines())
    for header, *commands in told:
        match = open_match(header)
        for command in commands:
            assert next(said) == write_answer(match.apply(command)), (header.get("title"), command)
        assert next(said) == (write_result(match.result()) if match.over() else "")
    assert next(said, None) is None


def _transcript(path: Path, flash: Path) -> list[dict[str, Any]]:
    """Header and commands."""
    header, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    header = game_of(header).resolved(resolved(str(flash), header))
    return [header, *(line for line in lines if "do" in line)]
