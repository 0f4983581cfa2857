"""`schiri demo`: `make run` calls it."""

import click

from host_tools.commands.options import ENGINE
from host_tools.core.command_line import DECK, asked_language, command
from host_tools.core.places import PRACTICE
from host_tools.games import GAMES
from host_tools.games.bot import STRENGTHS

DEMOS = [name for game in GAMES.values() for name in game.demos]
PRESETS = [
    name for game in GAMES.values() for name, demo in game.demos.items() if name == demo.preset
]


@command()
@click.option("--game", type=click.Choice(DEMOS), help="What is played. Default: the first one.")
@click.option(
    "--deck", type=DECK, help="Of `schiri decks show`. Default: the one that fits the game."
)
@click.option("--preset", type=click.Choice(PRESETS), help="Rules to play by.")
@click.option("--seats", type=click.IntRange(2, 8), help="Players at the table.")
@click.option(
    "--seed",
    type=click.IntRange(0, 0xFFFFFF),
    default=1,
    show_default=True,
    help="Another match, on another box.",
)
@ENGINE
@click.option(
    "--pictures",
    type=click.Choice(["all", "verdicts", "none"]),
    default="all",
    show_default=True,
    help="Which pictures of the screen to show.",
)
@click.option(
    "--robots",
    type=click.Choice(STRENGTHS),
    help="Bots of this strength, if the game offers it, instead of players who make mistakes.",
)
@click.option("--slip", is_flag=True, help="Also hand in a result slip on a tag.")
@click.option("--db", help="Database file or URL for the result. Default: that of practice.")
def demo(
    game: str | None,
    deck: str | None,
    preset: str | None,
    seats: int | None,
    seed: int,
    engine: str,
    pictures: str,
    robots: str | None,
    slip: bool,
    db: str | None,
) -> None:
    """A whole match on the software twin: tags written, box played, journal fetched, slip printed.

    \b
    schiri demo
    schiri demo --game gastro --lang en
    schiri demo --deck gastro --preset gastro --seats 3 --lang en --seed 7

    The result goes into the database of practice, which every command has as `--db practice`.
    Tags and flash are gone afterwards.
    """
    from rich.console import Console

    from host_tools.sim.demo.plan import DemoPlan, choose_game
    from host_tools.sim.demo.show import Show

    row = choose_game(game, deck, preset, seats, robots or "")
    # never the user's own database by default: SCHIRI_DATABASE_URL does not count here
    plan = DemoPlan(
        row, asked_language(), seed, engine, db or PRACTICE, pictures, slip, robots or ""
    )
    Show(plan, Console(highlight=False)).run()
