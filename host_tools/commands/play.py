"""`schiri play`: `make play` calls it."""

import socket
import threading
import webbrowser

import click

from host_tools.cards.decks import load_deck_file
from host_tools.commands.options import ENGINE
from host_tools.core import places
from host_tools.core.command_line import DECK, LISTEN_PORT, Switch, asked_language, command
from host_tools.core.errors import Sentence
from host_tools.games.bot import MEDIUM, STRENGTHS
from host_tools.sim.table.match_log import SEEDS

DEFAULT_PORT = 8765


@command()
@click.option(
    "--port",
    type=LISTEN_PORT,
    help=f"0 takes any free one. Default: that of the evening that goes on, else {DEFAULT_PORT}.",
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
@click.option(
    "--fresh", is_flag=True, help="Begin a new evening; without it the last one goes on."
)
@click.option(
    "--robots",
    type=click.Choice(STRENGTHS),
    default=MEDIUM,
    show_default=True,
    help="How well the bots play, if nobody says otherwise on the page; medium in a game that does"
    " not offer it.",
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
    help="Delete the family's statistics and the evenings, and end; schiri doctor says where.",
)
@click.option(
    "--open/--no-open", "browse", cls=Switch, default=True, help="Open the page in a browser."
)
def play(
    port: int | None,
    lan: bool,
    engine: str,
    tables: int,
    fresh: bool,
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
    schiri play --fresh
    """
    from host_tools.sim.table.family import Family
    from host_tools.sim.table.kept import forget_evenings, free_evening
    from host_tools.web.table.server import PlayServer
    from host_tools.web.table.serving import serve

    lang = asked_language()
    family = Family(None if practice else places.family())
    if forget:
        forget_evenings(places.evening())
        family.forget()
        click.echo(Sentence("family_forgotten").said(lang))
        return
    evening = free_evening(places.evening())
    if fresh or evening.is_over():
        evening.clear()
    server = PlayServer(
        engine,
        lang,
        evening.folder,
        usual=robots,
        seed=seed,
        decks=[load_deck_file(name) for name in decks],
        family=family,
    )

    def ready(base: str) -> None:
        for table in server.tables.values():
            click.echo(f"{base}/t/{table.number}?key={server.key}")
            if lan:
                code = table.phones.code
                click.echo(Sentence("play_links", address=base, code=code).said(lang))
        if evening.folder != places.evening():
            click.echo(Sentence("evening_second", path=evening.folder).said(lang))
        if wanted and wanted != server.port:
            click.echo(Sentence("port_other", wanted=wanted, port=server.port).said(lang))
        if goes_on:
            click.echo(Sentence("evening_goes_on").said(lang))
        click.echo(Sentence("play_ends").said(lang))
        if browse:
            page = f"{base}/t/{min(server.tables)}?key={server.key}"
            # a browser of the terminal blocks until it is left (docs.python.org, webbrowser)
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

    goes_on = server.reopen()
    while len(server.tables) < tables:
        server.open_table()
    wanted = (server.port or DEFAULT_PORT) if port is None else port
    ports = [wanted, 0] if port is None else [port]
    serve(server, ports, own_address() if lan else "", ready)


def own_address() -> str:
    """This machine's address in the local network; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1, RFC 5737
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
