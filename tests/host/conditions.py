"""One process that has loaded every command; a copy of it runs one under a bad condition.

Reads a JSON line a run, {"words", "condition", "folder", "cwd", "env"}, and answers one with the
exit code, what was printed, and the sizes of the files in the folder before and after.
"""

import atexit
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

from host_tools.cli import main

SERVES_S = 4.0
"""A command that still runs then is one that serves; it is asked to end."""
ENDS_S = 15.0
LEFT = {"no room": 0, "room for a page": 4096, "room for a little": 65536}
"""Bytes left on the file system that holds home, working folder and temporary files."""
MOUNTS = "mounts"
"""The word of the program's call that says it may mount: it runs in a namespace of its own."""


def _text(handle: int, encoding: str) -> TextIO:
    return io.TextIOWrapper(os.fdopen(handle, "wb"), encoding, line_buffering=True)


def _closed_pipe() -> int:
    near, far = os.pipe()
    os.close(near)
    return far


def _prepare(condition: str, told: int) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    shown = told
    if condition == "device full":
        shown = os.open("/dev/full", os.O_WRONLY)
    elif condition == "closed pipe":
        shown = _closed_pipe()
    for handle, place in ((nothing, 0), (shown, 1), (told, 2)):
        os.dup2(handle, place)
    encoding = {"cp1252": "cp1252", "C locale": "ascii"}.get(condition, "utf-8")
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"), encoding)
    sys.stdout, sys.stderr = _text(1, encoding), _text(2, encoding)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr  # type: ignore[misc]
    if condition == "disk full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    elif condition in LEFT and MOUNTS not in sys.argv:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LEFT[condition], LEFT[condition]))


def _child(run: dict[str, Any], told: int, begins: int) -> None:
    os.setpgid(0, 0)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    os.environ.update(run["env"])
    os.chdir(run["cwd"])
    tempfile.gettempdir()  # Python tries it with a file once, which a Ctrl-C may leave there
    _prepare(run["condition"], told)
    os.close(begins)
    try:
        main(run["words"])
    except SystemExit as ended:
        _end(ended.code if isinstance(ended.code, int) else 0)


def _end(code: int) -> NoReturn:
    """As Python does when a program ends, without taking down every module it has loaded."""
    atexit._run_exitfuncs()  # temporary folders go, also those whose `with` had not begun
    try:
        sys.stdout.flush()
    except OSError as error:
        print(f"Exception ignored: {error}", file=sys.stderr)
    sys.stderr.flush()
    os._exit(code)


class _Copy:
    """A command that runs."""

    def __init__(self, run: dict[str, Any]) -> None:
        self._heard, told = os.pipe()
        begun, begins = os.pipe()
        self._process = os.fork()
        if not self._process:
            _child(run, told, begins)
        os.close(told)
        os.close(begins)
        os.read(begun, 1)  # until the command begins, or has ended
        os.close(begun)
        os.set_blocking(self._heard, False)
        self._printed = bytearray()

    def watch(self, condition: str) -> tuple[int | str, str]:
        """The exit code, "hangs" for one that does not end when it is asked to; what it said."""
        begun = time.monotonic()
        if condition == "interrupted":
            time.sleep(0.15)
            os.kill(self._process, signal.SIGINT)
        code: int | str | None = self._wait(begun + SERVES_S)
        if code is None:
            os.kill(self._process, signal.SIGTERM)
            code = self._wait(time.monotonic() + ENDS_S)
        if code is None:
            os.killpg(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            code = "hangs"
        self._read()
        os.close(self._heard)
        return code, self._printed.decode("utf-8", "replace")

    def _wait(self, until: float) -> int | None:
        while time.monotonic() < until:
            self._read()
            ended, status = os.waitpid(self._process, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        return None

    def _read(self) -> None:
        try:
            while more := os.read(self._heard, 65536):
                self._printed += more
        except BlockingIOError:
            pass


def files_below(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file()
    }


@contextmanager
def _small_disk(folder: Path, left: int) -> Iterator[None]:
    """What is in the folder, on a file system of its own with so much room left."""
    held = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    folders = [path for path in folder.rglob("*") if path.is_dir()]
    _mount("size=64m", folder)
    try:
        for path in folders:
            path.mkdir(parents=True, exist_ok=True)
        for path, data in held.items():
            path.write_bytes(data)
        found = os.statvfs(folder)
        _mount(f"remount,size={(found.f_blocks - found.f_bfree) * found.f_bsize + left}", folder)
        assert os.statvfs(folder).f_bavail * found.f_bsize == left
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def _mount(options: str, folder: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "small", folder], check=True)


def _answer(run: dict[str, Any]) -> tuple[int | str, str, dict[str, int], dict[str, int]]:
    folder, condition = Path(run["folder"]), run["condition"]
    with ExitStack() as stack:
        if condition in LEFT and MOUNTS in sys.argv:
            stack.enter_context(_small_disk(folder, LEFT[condition]))
        before = files_below(folder)
        code, told = _Copy(run).watch(condition)
        return code, told, before, files_below(folder)


def run_copies() -> None:
    from host_tools.cli import schiri
    from tests.host.test_help import commands

    list(commands(schiri, None))  # loads them all
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        run = json.loads(line)
        print(json.dumps(_answer(run)), file=answers, flush=True)


if __name__ == "__main__":
    run_copies()
