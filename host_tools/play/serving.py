"""Runs the server until Ctrl-C: on the loopback, or for the local network as well."""

import errno
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from host_tools.errors import UserError
from host_tools.play.server import PlayServer

LOOPBACK = "127.0.0.1"
_START_LIMIT_S = 10


def serve(server: PlayServer, port: int, lan_address: str, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `ready(base address)` once people may come. Raises UserError."""
    listening = _socket(port, "0.0.0.0" if lan_address else LOOPBACK)
    base = f"http://{lan_address or LOOPBACK}:{listening.getsockname()[1]}"
    web = _web(server)
    try:
        ready(base)
        web.run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # uvicorn hands it on once it has ended in order
    finally:
        server.close()


@contextmanager
def served(server: PlayServer) -> Iterator[str]:
    """Serve from a thread on a free port of the loopback, for tests and measurements."""
    listening = _socket(0, LOOPBACK)
    web = _web(server)
    thread = threading.Thread(target=lambda: web.run(sockets=[listening]), daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{listening.getsockname()[1]}"
    finally:
        server.close()
        web.should_exit = True
        thread.join(_START_LIMIT_S)


class _Web(uvicorn.Server):
    """Before it waits for its pages to end, their streams are ended in order."""

    def __init__(self, config: uvicorn.Config, play: PlayServer) -> None:
        super().__init__(config)
        self._play = play

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C, or the end of a service."""
        for table in list(self._play.tables.values()):
            table.hang_up()
        super().handle_exit(sig, frame)


def _web(server: PlayServer) -> uvicorn.Server:
    # a page that listens never ends by itself: one second is enough for the others
    config = uvicorn.Config(
        server.app, log_level="warning", timeout_graceful_shutdown=1, lifespan="off"
    )
    return _Web(config, server)


def _socket(port: int, address: str) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise UserError(f"port {port} is taken: give another one with --port", 3) from error
        raise UserError(f"port {port} cannot be opened: {error.strerror}", 3) from error
    listening.listen()
    return listening
