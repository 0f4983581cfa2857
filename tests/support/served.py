"""A web application served from a thread, for measurements and tests."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.applications import Starlette

from host_tools.web.serving import LOOPBACK, Server, listen
from host_tools.web.table.server import PlayServer

END_LIMIT_S = 10


@contextmanager
def served(app: Starlette, port: int = 0) -> Iterator[str]:
    """Serve on the loopback (port 0: a free one); gives the base address."""
    listening = listen(LOOPBACK, port)
    server = Server(app)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(END_LIMIT_S)


@contextmanager
def tables_served(server: PlayServer) -> Iterator[str]:
    """The same for virtual tables, whose boxes end with it."""
    with served(server.app) as base:
        try:
            yield base
        finally:
            server.close()
