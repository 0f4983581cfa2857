"""A program of ours inside the MicroPython VM (WebAssembly, under Node), spoken to in lines."""

import json
import subprocess
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from hardware.twin.errors import TwinError
from hardware.twin.node import find_node, find_vm
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.games.loading import firmware_sources

REPLAY_MAIN = Path(__file__).with_name("replay_main.py")
_RUNNER = Path(__file__).with_name("vm.mjs")
_RULES = (
    "firmware/rules/*.py",
    "firmware/games/__init__.py",
    "firmware/games/*/*.py",
    "card_tags/__init__.py",
    "card_tags/kinds.py",  # a game's row names its kinds of tags
)
_SHOWN = (
    "page.py",
    "cards_page.py",
    "texts_de.py",
    "texts_en.py",
)  # what a game draws and says needs the app


def rules_files() -> list[tuple[str, Path]]:
    """The rules as the VM needs them: (path in the VM, path here)."""
    root = firmware_sources()
    files = [("/firmware/__init__.py", root / "firmware/__init__.py")]
    found = {path for pattern in _RULES for path in root.glob(pattern) if path.name not in _SHOWN}
    return files + [("/" + path.relative_to(root).as_posix(), path) for path in sorted(found)]


def _vm_command() -> tuple[str, str]:
    """Node's path and the URI of the VM's module. Raises UserError if one of them is missing."""
    try:
        return find_node(), find_vm().as_uri()
    except TwinError as error:
        raise UserError("vm_missing", detail=str(error)) from error


class VmSession:
    """Runs the program `main` in a VM of its own process, which ends with the session.

    The program reads lines with `_host.read()` (None at the end) and writes them with
    `_host.write(line)`. `files` are (path in the VM, path here); imports start at the VM's root.
    """

    def __init__(self, main: Path, files: Iterable[tuple[str, Path]]) -> None:
        node, vm = _vm_command()
        plan = {
            "vm": vm,
            "files": [[place, str(source)] for place, source in files],
            "main": str(main),
        }
        self._process = subprocess.Popen(
            [node, str(_RUNNER), json.dumps(plan)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> "VmSession":
        return self

    def __exit__(self, *error: object) -> None:
        process = self._process
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def talk(self, lines: Iterable[str]) -> Iterator[str]:
        """Send all lines, then the end, and give the program's lines as they come.

        Raises UserError with the last line the VM printed if the program fails.
        """
        process = self._process
        errors: list[bytes] = []
        threads = [
            # at the same time: a pipe that nobody reads would halt the VM
            threading.Thread(target=self._send, args=(list(lines),), daemon=True),
            threading.Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True),
        ]
        for thread in threads:
            thread.start()
        for line in process.stdout or ():
            yield line.decode().rstrip("\n")
        process.wait()
        for thread in threads:
            thread.join()
        if process.returncode != 0:
            words = [line.decode(errors="replace").strip() for line in errors if line.strip()]
            last = words[-1] if words else Sentence("no_word")
            raise UserError("vm_stopped", Exit.SYSTEM, detail=last)

    def _send(self, lines: list[str]) -> None:
        stdin = self._process.stdin
        if stdin is None:
            return
        try:
            for line in lines:
                stdin.write(line.encode() + b"\n")
            stdin.close()
        except BrokenPipeError:
            return  # the program ended early; its exit code says why
