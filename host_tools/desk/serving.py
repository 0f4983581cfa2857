"""Runs the web application: until Ctrl-C, or in a thread for tests and measurements."""

import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.applications import Starlette

from host_tools.desk.live import Live
from host_tools.refusals.refusal import Refusal

GOODBYE_S = 1
"""How long answers that are under way may take when the desk closes."""
START_LIMIT_S = 10
DEVICE_EXIT = 3
LOOPBACK = "127.0.0.1"
SPARE_FILES = 4096
"""Every viewer is an open file; many systems allow 1024 until a program asks for more."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there (port 0: any free one). Raises UserError."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(socket.SOMAXCONN)
    except OSError as error:
        raise Refusal("not_listening", DEVICE_EXIT, host=host, port=port, system=error) from error
    return listening


def serve(app: Starlette, listening: socket.socket) -> None:
    """Serve until Ctrl-C."""
    allow_many_files()
    with suppress(KeyboardInterrupt):  # uvicorn hands it on once it has ended in order
        _Server(app).run(sockets=[listening])


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """Serve from a thread on a free port of the loopback; gives the base address."""
    listening = listen(LOOPBACK, 0)
    server = _Server(app)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(START_LIMIT_S)


class _Server(uvicorn.Server):
    """Sends the viewers of the board away before it ends: they would stay for ever."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_level="warning", ws="none", timeout_graceful_shutdown=GOODBYE_S
            )
        )
        self._live: Live = app.state.live

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._live.end()
        await super().shutdown(sockets)


def allow_many_files() -> None:
    """Raise the limit of open files as far as this user may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = SPARE_FILES if hard == resource.RLIM_INFINITY else min(SPARE_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
