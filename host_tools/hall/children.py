"""The processes that `schiri hall` runs: broker, receiver, and board with desk.

Each is started again when it dies. One that says it is well and stops saying so hangs: it is
killed and started again (docs/decisions/supervision-and-health.md).
"""

import _thread
import faulthandler
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial

from host_tools.core.errors import Exit, UserError
from host_tools.core.supervisor import Supervisor

LOOK_S = 0.5
"""Seconds between two looks at a child."""
STARTING_S = 60.0
"""Seconds a child may take to its first beat: a laptop that has just booted is slow."""
WELL_S = 10.0
"""A child that ran this many seconds is restarted after the shortest pause again."""
GRACE_S = 5.0
"""Seconds a child may take to store what it has; then it is killed, as a database may hang."""
_ENDS = "SCHIRI_ENDS_WITH_STDIN"
_BEATS = "SCHIRI_BEATS"
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Child:
    """A command of Schiri. `check` raises UserError if it could not run however often it were
    started: its port is taken. `hung_s`: seconds without a beat after which it is killed; 0 if it
    sends none.
    """

    name: str
    words: Sequence[str]
    check: Callable[[], None]
    hung_s: float = 0.0


@contextmanager
def running(children: Sequence[Child]) -> Iterator[None]:
    """Run each in its own process, and start it again when it dies or hangs. If its port was taken
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
        self._ended = threading.Event()
        self._supervisor = Supervisor(well_s=WELL_S)
        self._threads = [
            self._supervisor.keep_thread(child.name, partial(self._run, child))
            for child in children
        ]

    def _run(self, child: Child) -> None:
        """Until the family ends. Raises ChildProcessError when the child has died or hung."""
        try:
            child.check()
        except UserError as error:
            self.error = error
            # raises KeyboardInterrupt in the main thread, which runs the block
            _thread.interrupt_main()
            return
        with closing(_Pulse()) as pulse:
            beats = {_BEATS: f"{pulse.where}:{child.hung_s}"} if child.hung_s else {}
            process = _start(child.words, beats)
            try:
                self._watch(child, process, pulse)
            finally:
                _end(process)

    def _watch(self, child: Child, process: "subprocess.Popen[bytes]", pulse: "_Pulse") -> None:
        allowed_s, silent = STARTING_S, 0
        while not self._ended.wait(LOOK_S):
            if (code := process.poll()) is not None:
                raise ChildProcessError(f"ended with {code}")
            if not child.hung_s:
                continue
            if pulse.beaten():
                allowed_s, silent = child.hung_s, 0
                continue
            # looks are counted, not seconds: a laptop that slept has not hung
            silent += 1
            if silent * LOOK_S >= allowed_s:
                process.kill()
                raise ChildProcessError(f"killed after {allowed_s:g} s without a sign of life")

    def end(self) -> None:
        self._ended.set()
        self._supervisor.end_threads()
        for thread in self._threads:
            thread.join()


class _Pulse:
    """Where a child says that it is well: datagrams on loopback, as Windows passes no pipe but the
    three of every process. A secret word tells them from those of any other program.
    """

    def __init__(self) -> None:
        self._word = secrets.token_hex(16)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((_LOOPBACK, 0))
        self._socket.setblocking(False)
        self.where = f"{self._socket.getsockname()[1]}:{self._word}"

    def beaten(self) -> bool:
        """True if the child has spoken since the last look."""
        found = False
        with suppress(BlockingIOError):
            while True:
                found |= self._socket.recv(len(self._word)) == self._word.encode()
        return found

    def close(self) -> None:
        self._socket.close()


def _start(words: Sequence[str], more: dict[str, str]) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, _ENDS: "1", **more}
    command = [sys.executable, "-m", "schiri", *words]
    # Ctrl-C at a terminal is for the hall alone, which then ends them
    return subprocess.Popen(
        # the pipe closes when this process is gone, even if it was killed
        command,
        stdin=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin is not None:
        process.stdin.close()


# -- in a child -----------------------------------------------------------------------------------


def end_with_parent() -> None:
    """End when the parent is gone, also if it was killed; nothing if this is no child."""
    if os.environ.get(_ENDS):
        Supervisor().keep_thread("parent", _wait_for_parent)


def _wait_for_parent() -> None:
    while os.read(0, 1024):  # not sys.stdin, whose lock the interpreter wants at its end
        pass
    os._exit(Exit.DONE)  # sys.exit would only end this thread


class Heart:
    """Tells the parent that this process is well, `beat` by `beat`; nothing if it has none."""

    def __init__(self) -> None:
        port, self._word, hung_s = (*os.environ.get(_BEATS, "").split(":"), "", "")[:3]
        self._hung_s = float(hung_s or 0)
        self._socket: socket.socket | None = None
        if port:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            self._to = (_LOOPBACK, int(port))

    def beat(self) -> None:
        if self._socket is not None:
            # says where it hangs, shortly before the parent kills it
            faulthandler.dump_traceback_later(self._hung_s * 0.9)
            with suppress(OSError):  # the parent is gone, or the machine is short of memory
                self._socket.sendto(self._word.encode(), self._to)

    def close(self) -> None:
        if self._socket is not None:
            faulthandler.cancel_dump_traceback_later()
            self._socket.close()
