"""Runs the server until Ctrl-C: on the loopback, or for the local network as well."""

import errno
import socket
from collections.abc import Callable

from host_tools.core.errors import Exit, UserError
from host_tools.web import serving
from host_tools.web.serving import LOOPBACK
from host_tools.web.table.server import PlayServer


def serve(server: PlayServer, port: int, lan_address: str, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `ready(base address)` once people may come. Raises UserError."""
    listening = _socket(port, "0.0.0.0" if lan_address else LOOPBACK)
    base = f"http://{lan_address or LOOPBACK}:{listening.getsockname()[1]}"
    server.network = base if lan_address not in ("", LOOPBACK) else ""
    try:
        ready(base)
        serving.serve(server.app, listening)
    finally:
        server.close()


def _socket(port: int, address: str) -> socket.socket:
    try:
        return serving.open_socket(address, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UserError("port_taken", Exit.SYSTEM, port=port) from error
        raise UserError("port_unopened", Exit.SYSTEM, port=port, system=error) from error
