"""`schiri twin box`: the box's firmware on the software twin, in real time, its USB line on a
pseudo terminal.
"""

import re
import shutil
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import SystemRandom

import click

from hardware.twin.errors import TwinError
from hardware.twin.live import LiveTwin
from hardware.twin.oled import Picture
from hardware.twin.radio import AccessPoint
from hardware.twin.session import ENGINES, TwinSession
from host_tools.core.command_line import SECONDS, asked_language, command
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.own_files import temporary_folder
from host_tools.games.loading import firmware_sources
from host_tools.sim.twin.console import TwinConsole, fitting
from host_tools.sim.vm import ready_engine

# a password may hold colons and @: the last @ counts
_WIFI = re.compile(r"(?P<name>[^:]+):(?P<password>.*)@(?P<host>[^@]+):(?P<port>\d{1,5})")


def _access_point(
    context: click.Context, _option: click.Parameter, text: str | None
) -> AccessPoint | None:
    if text is None:
        return None
    found = _WIFI.fullmatch(text)
    if found is None:
        raise UserError("twin_wifi")
    return AccessPoint(found["name"], found["password"], (found["host"], int(found["port"])))


@command()
@click.option(
    "--engine",
    type=click.Choice(sorted(ENGINES)),
    callback=ready_engine,
    help="What runs the firmware: the real MicroPython VM, or CPython.",
)
@click.option(
    "--flash",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder that keeps the box's flash; default: a fresh one.",
)
@click.option(
    "--tags",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder of tag dumps, so that `place NAME` finds them.",
)
@click.option(
    "--wifi",
    metavar="NAME:PASSWORD@HOST:PORT",
    callback=_access_point,
    help="A board with Wi-Fi, this network in reach, and a broker where its connections end.",
)
@click.option("--seconds", type=SECONDS, help="Stop after this time; default: at Ctrl-C.")
def box(
    engine: str,
    flash: Path | None,
    tags: Path | None,
    wifi: AccessPoint | None,
    seconds: float | None,
) -> None:
    """Run a box in software and print the path of its USB line.

    Type `help` for what you can do to it. Try: schiri sync --port PATH; and with --wifi, for a
    live hall: schiri box set --key, then schiri box hall

    schiri twin box --flash my-box
    """
    with temporary_folder() if flash is None else nullcontext(flash) as folder:
        session = TwinSession(
            engine,
            folder,
            survive_resets=True,
            seed=_seed_of(folder),
            # birth marks of journals: drawn from the seed, a wiped flash repeated them
            chance=SystemRandom(),
            sources=firmware_sources(),
            point=wifi,
        )
        _serve(session, tags, seconds)


def _seed_of(flash: Path) -> int:
    """Of the box's id: the same flash is the same box, another flash another one."""
    # two boxes on one laptop had one id while it did not come from their flash
    return zlib.crc32(bytes(flash.resolve())) & 0xFFFFFF


def _serve(session: TwinSession, tags: Path | None, seconds: float | None) -> None:
    from host_tools.sim.twin.pty_line import PtyLine  # not on Windows

    live = LiveTwin(session)
    console = TwinConsole(session, tags, live.stop, asked_language())
    usb = session.box.usb
    with PtyLine(lambda data: live.call(lambda: usb.write(data))) as line, session:
        usb.on_output = line.write
        # daemon: nothing ends a read of stdin, so the thread goes with the process
        threading.Thread(target=_listen, args=(live, console), daemon=True).start()
        if seconds is not None:
            timer = threading.Timer(seconds, live.stop)
            timer.daemon = True  # Ctrl-C before that does not wait for it
            timer.start()
        with _drawn(session):
            _run(line.path, session, live)
        console.store()


def _run(path: str, session: TwinSession, live: LiveTwin) -> None:
    """Until Ctrl-C; whoever reads the path may end it at once."""
    try:
        click.echo(path)
        session.boot()
        live.run()
    except KeyboardInterrupt:
        click.echo(Sentence("twin_stopped").said(asked_language()))
    except TwinError as error:
        raise UserError("box_stopped", Exit.SYSTEM, detail=str(error)) from error


def _listen(live: LiveTwin, console: TwinConsole) -> None:
    """Read commands until the end of the input; the box goes on without one."""
    for line in sys.stdin:
        # bound now: the loop moves on before the box gets to it
        live.call(lambda typed=line: _answer(console.do(typed)))  # type: ignore[misc]


def _answer(text: str) -> None:
    if text:
        click.echo(text)


@contextmanager
def _drawn(session: TwinSession) -> Iterator[None]:
    """Keep the OLED's picture at the top of the terminal, commands below it. Nothing if there is
    no terminal.
    """
    if not sys.stdout.isatty():
        yield
        return
    screen = _Screen()
    session.on_screen(screen.draw)
    try:
        yield
    finally:
        click.echo("\x1b[r\x1b[999;1H")


class _Screen:
    """The top of the terminal. Its size may change while the box runs."""

    def __init__(self) -> None:
        self._below = 0  # first line under the picture, 0 = nothing is drawn yet

    def draw(self, picture: Picture) -> None:
        """Draw it, with the cursor left where it is; nothing if it does not fit."""
        size = shutil.get_terminal_size()
        text = fitting(picture, size.columns, size.lines)
        below = 1 if text is None else text.count("\n") + 2
        if below != self._below:
            self._below = below
            # clear, then scroll only the lines below the picture (DECSTBM)
            click.echo(f"\x1b[2J\x1b[{below};r\x1b[{below};1H", nl=False)
        if text is not None:
            # save the cursor, draw from the top left, restore it (DECSC, DECRC)
            click.echo(f"\x1b7\x1b[H{text}\x1b8", nl=False)
