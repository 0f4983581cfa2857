"""The processes that `schiri hall` keeps beside itself: broker, and board with desk."""

import _thread
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from host_tools.core.errors import Exit, UserError
from host_tools.core.supervisor import Supervisor

AGAIN_S = 1.0
"""So often it is looked whether a child has died; a board may be ten seconds behind."""
GRACE_S = 5.0
"""So long a child may take to store what it has; then it is killed, as a database may hang."""
_VARIABLE = "SCHIRI_ENDS_WITH_STDIN"


@dataclass(frozen=True)
class Child:
    """A command of Schiri. `check` raises UserError if it could not run, however often it were
    started: its port is taken.
    """

    words: Sequence[str]
    check: Callable[[], None]


@contextmanager
def running(children: Sequence[Child]) -> Iterator[None]:
    """Each in a process of its own, which is started again if it dies. If its port was taken
    meanwhile, the block ends as with Ctrl-C. Raises UserError then.
    """
    for child in children:
        child.check()
    family = _Family(children)
    try:
        yield
    finally:
        family.end()
    if family.error is not None:
        raise family.error


class _Family:
    def __init__(self, children: Sequence[Child]) -> None:
        self.error: UserError | None = None
        self._children = children
        self._running = [_start(child.words) for child in children]
        self._ended = threading.Event()
        self._thread = Supervisor().keep_thread("children", self._watch)

    def _watch(self) -> None:
        while not self._ended.wait(AGAIN_S):
            for at, process in enumerate(self._running):
                if process.poll() is None:
                    continue
                try:
                    self._children[at].check()
                except UserError as error:
                    self.error = error
                    # raises KeyboardInterrupt in the main thread, which runs the block
                    _thread.interrupt_main()
                    return
                self._running[at] = _start(self._children[at].words)

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        # all are told before one is waited for: they end side by side
        for process in self._running:
            process.terminate()
        for process in self._running:
            try:
                process.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _start(words: Sequence[str]) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, _VARIABLE: "1"}
    command = [sys.executable, "-m", "schiri", *words]
    # Ctrl-C at a terminal is for the hall alone, which then ends them
    return subprocess.Popen(
        # the pipe closes when this process is gone, even if it was killed
        command,
        stdin=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )


def end_with_parent() -> None:
    """In a child of `running`: end when the parent is gone, also if it was killed."""
    if os.environ.get(_VARIABLE):
        Supervisor().keep_thread("parent", _wait_for_parent)


def _wait_for_parent() -> None:
    while os.read(0, 1024):  # not sys.stdin, whose lock the interpreter wants at its end
        pass
    os._exit(Exit.DONE)  # sys.exit would only end this thread
