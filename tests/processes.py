"""Programs that tests start: whatever happens, none outlives its test, and none is waited for
without a limit. And how a test waits for anything else.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from host_tools.web.serving import LOOPBACK, open_socket

LIMIT_S = 300
"""For a program's answer or end: only a limit, on a busy machine a second takes a minute."""
# After SIGKILL only the kernel is waited for.
DEAD_S = 30
LOOK_S = 0.005


def wait(holds: Callable[[], bool]) -> None:
    """Until it holds."""
    end_s = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < end_s, "it never happened"
        time.sleep(LOOK_S)


def free_port() -> int:
    """A port that nobody has."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """So many different ones."""
    listening = [open_socket(LOOPBACK, 0) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in listening]
    for one in listening:
        one.close()
    return ports


def is_free(port: int) -> bool:
    """True if nobody listens there."""
    try:
        open_socket(LOOPBACK, port).close()
    except OSError:
        return False
    return True


def begin(
    words: Sequence[str],
    log: Path,
    user: str | int | None = None,
    folder: Path | None = None,
    **environment: str,
) -> "subprocess.Popen[bytes]":
    """A program that the caller must end, as `user`, in `folder`. Ctrl-C at a terminal is for the
    bench alone.
    """
    with log.open("ab") as said:
        return subprocess.Popen(
            words,
            user=user,
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A running program, as `subprocess.Popen` takes it; killed at the end of the block.

    Popen's own `with` waits for the program's end without a limit. In a session of its own: were
    it of ours, and stopped when our terminal goes, the kernel would send SIGHUP and SIGCONT to
    all of us. It would run on, and Playwright would close the browser.
    """
    options = {"start_new_session": True} | options
    process: subprocess.Popen[Any] = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait(DEAD_S)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
