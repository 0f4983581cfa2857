"""`schiri games`: list the games that Schiri has, and check one."""

import json

import click

from host_tools.games import GAMES, folder_of


@click.group()
def games() -> None:
    """List the games, and check one that you have made."""


@games.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a game.")
def list_games(as_json: bool) -> None:
    """Name the games, and where those lie that are not built in.

    \b
    schiri games list
    schiri --game-path examples/whist games list
    """
    for name, game in GAMES.items():
        folder = folder_of(name)
        presets = [preset.name for preset in game.on_box.presets if preset.name]
        seats = [game.fewest, game.most]
        if as_json:
            row = {"name": name, "folder": folder and str(folder), "presets": presets}
            click.echo(json.dumps({**row, "seats": seats}))
            continue
        place = f"in {folder}" if folder else "built in"
        of_presets = f", presets {', '.join(presets)}" if presets else ""
        click.echo(f"{name:10} {seats[0]} to {seats[1]} seats{of_presets}; {place}")
