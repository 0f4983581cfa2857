"""`schiri play`: `make play` calls it."""

import socket
import threading
import webbrowser
from pathlib import Path

import click

from host_tools.cards.decks import load_deck_file
from host_tools.commands.options import ENGINE
from host_tools.core import places
from host_tools.core.command_line import DECK, FOLDER, LISTEN_PORT, Switch, asked_language, command
from host_tools.core.errors import Sentence
from host_tools.games.bot import MEDIUM, STRENGTHS
from host_tools.sim.table.match_log import SEEDS

DEFAULT_PORT = 8765


@command()
@click.option(
    "--port",
    type=LISTEN_PORT,
    default=DEFAULT_PORT,
    show_default=True,
    help="0 takes any free one.",
)
@click.option("--lan", is_flag=True, help="Let other devices in the local network join.")
@ENGINE
@click.option(
    "--tables",
    type=click.IntRange(1, 8),
    default=1,
    show_default=True,
    help="Tables to begin with.",
)
@click.option("--folder", type=FOLDER, help="Keeps the boxes' flash; default: nothing is kept.")
@click.option(
    "--robots",
    type=click.Choice(STRENGTHS),
    default=MEDIUM,
    show_default=True,
    help="How well the bots play, if nobody says otherwise on the page.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, SEEDS - 1),
    metavar="NUMBER",
    help="Deal the first match of every table by this number, which a result tells. Default: cards"
    " as nobody has seen them.",
)
@click.option(
    "--deck",
    "decks",
    multiple=True,
    type=DECK,
    metavar="DECK",
    help="A deck of your own in the menu, before the others: a file, a folder, or the name of one"
    " that you keep. May be repeated.",
)
@click.option(
    "--practice", is_flag=True, help="Keep nothing of these matches for the family's statistics."
)
@click.option(
    "--forget",
    is_flag=True,
    help="Delete the family's statistics and end; schiri doctor says where.",
)
@click.option(
    "--open/--no-open", "browse", cls=Switch, default=True, help="Open the page in a browser."
)
def play(
    port: int,
    lan: bool,
    engine: str,
    tables: int,
    folder: Path | None,
    robots: str,
    seed: int | None,
    decks: tuple[str, ...],
    practice: bool,
    forget: bool,
    browse: bool,
) -> None:
    """The virtual table: play on the real firmware in a browser.

    \b
    schiri play
    schiri play --lan --tables 2
    schiri play --seed 481209317754
    schiri play --deck my-deck
    schiri play --forget
    """
    from host_tools.sim.table.family import Family
    from host_tools.web.table.server import PlayServer
    from host_tools.web.table.serving import serve

    lang = asked_language()
    family = Family(None if practice else places.family())
    if forget:
        family.forget()
        click.echo(Sentence("family_forgotten").said(lang))
        return
    server = PlayServer(
        engine,
        lang,
        folder,
        usual=robots,
        seed=seed,
        decks=[load_deck_file(name) for name in decks],
        family=family,
    )

    def ready(base: str) -> None:
        for number in server.tables:
            click.echo(f"{base}/t/{number}?key={server.key}")
        if lan:
            click.echo(Sentence("play_links").said(lang))
        click.echo(Sentence("play_ends").said(lang))
        if browse:
            page = f"{base}/t/1?key={server.key}"
            # a browser of the terminal blocks until it is left (docs.python.org, webbrowser)
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

    for _ in range(tables):
        server.open_table()
    serve(server, port, own_address() if lan else "", ready)


def own_address() -> str:
    """This machine's address in the local network; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1, RFC 5737
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
