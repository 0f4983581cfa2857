"""`schiri replay FILE --watch` or `--after`: the pages of one match, for a browser."""

import threading
import webbrowser
from pathlib import PurePath

import click

from host_tools.core.errors import Sentence
from host_tools.replay.reading import read_bytes
from host_tools.web.table.server import PlayServer
from host_tools.web.table.serving import serve


def watch_file(file: str, at: int, lang: str, after: bool = False) -> None:
    """Read a transcript or journal, and serve its page until Ctrl-C. Raises UserError."""
    server = PlayServer("micropython", lang)
    name = "stdin" if file == "-" else PurePath(click.format_filename(file)).name
    number = server.add_replay(read_bytes(file), name)

    def ready(base: str) -> None:
        page = f"{base}/r/{number}{'/after' if after else ''}?key={server.key}&at={at}"
        click.echo(page)
        click.echo(Sentence("play_ends").said(lang))
        threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

    serve(server, 0, "", ready)
