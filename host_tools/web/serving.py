"""Runs a web application until Ctrl-C."""

import os
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import uvicorn
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from host_tools.core.errors import Exit, UserError
from host_tools.core.signals import heed_signals
from host_tools.web.connections import (
    ACCEPTED_AT_ONCE,
    ACCEPTED_LATER,
    Connections,
    allow_many_files,
    limit_logs,
    protocol_of,
)

GOODBYE_S = 1
"""How long answers that are under way may take when the server closes."""
LOOPBACK = "127.0.0.1"
_TICKS_A_SWEEP = 10
"""uvicorn ticks ten times a second."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there (port 0: any free one). Raises UserError."""
    try:
        return open_socket(host, port)
    except OSError as error:
        raise UserError(
            "not_listening", Exit.SYSTEM, host=host, port=port, system=error
        ) from error


def open_socket(host: str, port: int) -> socket.socket:
    """The same. Raises OSError."""
    # not left to uvicorn, which exits the process if the port is taken
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if os.name == "posix":  # on Windows it would give one port to two programs
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(socket.SOMAXCONN)
    except OSError:
        listening.close()
        raise
    return listening


@dataclass(frozen=True)
class Certificate:
    """PEM files: the certificate with its chain, and its key (None: in the same file)."""

    chain: Path
    key: Path | None = None

    def check(self) -> None:
        """Raises UserError if HTTPS cannot be served with it."""
        for path in (self.chain, self.key or self.chain):
            if not path.is_file():
                raise UserError("no_tls_file", Exit.SYSTEM, path=path)
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.chain, self.key, password=_no_password)
        except (ssl.SSLError, OSError, ValueError) as error:
            key = self.key or self.chain
            raise UserError("bad_tls_file", Exit.SYSTEM, path=self.chain, key=key) from error


def _no_password() -> str:
    """A key that is locked would be asked for at the terminal."""
    raise ValueError("the key is locked")


def gone(_request: Request, _error: Exception) -> Response:
    """For Starlette: who sent half a body and hung up gets an answer that nobody reads, instead of
    a trace in the log.
    """
    return Response(status_code=400)


def from_own_page(request: Request) -> bool:
    """False if a page of another site makes this request: a browser says whose it is."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def serve(
    app: Starlette,
    listening: socket.socket,
    behind_proxy: bool = False,
    certificate: Certificate | None = None,
) -> None:
    """Serve until Ctrl-C. `app.state.farewell()` ends the app's streams before that;
    `behind_proxy`: believe X-Forwarded-For of a proxy on this machine; `certificate`: by HTTPS.
    """
    allow_many_files()
    server = Server(app, behind_proxy, certificate)
    # uvicorn asks for signals once its loop runs, and hands them on when it has ended in order
    with heed_signals(server.handle_exit):
        server.run(sockets=[listening])


class Server(uvicorn.Server):
    """uvicorn that counts its connections, and ends those that listen to a stream for ever."""

    def __init__(
        self,
        app: Starlette,
        behind_proxy: bool = False,
        certificate: Certificate | None = None,
    ) -> None:
        self._connections = Connections()
        self._farewell: Callable[[], None] = app.state.farewell
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol_of(self._connections),
                ws="none",
                log_level="warning",
                access_log=False,
                proxy_headers=behind_proxy,
                backlog=ACCEPTED_AT_ONCE,
                ssl_certfile=certificate.chain if certificate else None,
                ssl_keyfile=certificate.key if certificate else None,
                timeout_graceful_shutdown=GOODBYE_S,
            )
        )
        limit_logs()
        # it would cancel streams in the middle of an answer, often before the farewell ends them
        AppStatus.enable_automatic_graceful_drain = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """asyncio takes the backlog for both: how many it accepts in one round, which must be
        few, and how many may wait in the kernel.
        """
        await super().startup(sockets)
        for listening in sockets or []:
            listening.listen(ACCEPTED_LATER)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Once it ends, it ends in order, which takes a second at most: `timeout` sends its signal
        to the process and to its group, people press Ctrl-C twice.
        """
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Once a second whoever keeps a place without using it goes."""
        if counter % _TICKS_A_SWEEP == 0:
            self._connections.sweep()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """In order: streams, answers, connections."""
        self._farewell()  # streams never end by themselves, and uvicorn would wait for them
        await super().shutdown(sockets)
