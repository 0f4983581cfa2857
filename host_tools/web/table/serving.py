"""Runs the server until Ctrl-C: on the loopback, or for the local network as well."""

import errno
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import PurePath

import click

from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.replay.reading import read_bytes
from host_tools.web import serving
from host_tools.web.serving import LOOPBACK
from host_tools.web.table.server import PlayServer


def serve(
    server: PlayServer, ports: Sequence[int], lan_address: str, ready: Callable[[str], None]
) -> None:
    """Serve until Ctrl-C at the first of these ports that is free; `ready(base address)` once
    people may come. Raises UserError.
    """
    try:
        listening = _socket(ports, "0.0.0.0" if lan_address else LOOPBACK)
    except UserError:
        server.close()
        raise
    server.port = listening.getsockname()[1]
    server.keep()
    base = f"http://{lan_address or LOOPBACK}:{server.port}"
    server.network = base if lan_address not in ("", LOOPBACK) else ""
    try:
        ready(base)
        serving.serve(server.app, listening)
    finally:
        server.close()


def _socket(ports: Sequence[int], address: str) -> socket.socket:
    for port in ports:
        try:
            return serving.open_socket(address, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UserError("port_unopened", Exit.SYSTEM, port=port, system=error) from error
    raise UserError("port_taken", Exit.SYSTEM, port=ports[0])


def watch_file(file: str, at: int, lang: str, after: bool = False) -> None:
    """`schiri replay FILE --watch` or `--after`: serve the pages of a transcript or journal until
    Ctrl-C. Raises UserError.
    """
    server = PlayServer("micropython", lang)
    name = "stdin" if file == "-" else PurePath(click.format_filename(file)).name
    number = server.add_replay(read_bytes(file), name)

    def ready(base: str) -> None:
        page = f"{base}/r/{number}{'/after' if after else ''}?key={server.key}&at={at}"
        click.echo(page)
        click.echo(Sentence("play_ends").said(lang))
        # webbrowser.open blocks while a text-mode browser runs
        threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

    serve(server, [0], "", ready)
