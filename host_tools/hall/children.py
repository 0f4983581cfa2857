"""The processes that `schiri hall` keeps beside itself: broker, and board with desk."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

AGAIN_S = 1.0
GRACE_S = 5.0
_VARIABLE = "SCHIRI_ENDS_WITH_STDIN"


@contextmanager
def running(commands: Sequence[Sequence[str]]) -> Iterator[None]:
    """Each command of Schiri in a process of its own, which is started again if it dies."""
    children = _Children(commands)
    try:
        yield
    finally:
        children.end()


class _Children:
    def __init__(self, commands: Sequence[Sequence[str]]) -> None:
        self._commands = commands
        self._running = [_start(command) for command in commands]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(AGAIN_S):
            for at, process in enumerate(self._running):
                if process.poll() is not None:
                    self._running[at] = _start(self._commands[at])

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        for process in self._running:
            process.terminate()
        for process in self._running:
            try:
                process.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, _VARIABLE: "1"}
    words = [sys.executable, "-m", "schiri", *command]
    # Ctrl-C at a terminal is for the hall alone, which then ends them
    return subprocess.Popen(words, stdin=subprocess.PIPE, env=environment, start_new_session=True)


def end_with_parent() -> None:
    """In a child of `running`: end when the parent is gone, also if it was killed."""
    if os.environ.get(_VARIABLE):
        threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    while os.read(0, 1024):  # not sys.stdin, whose lock the interpreter wants at its end
        pass
    os._exit(0)
