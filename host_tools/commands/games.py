"""`schiri games`: list the games that Schiri has, and check one."""

import sys
from pathlib import Path
from typing import TypedDict

import click

from host_tools.commands.options import JSON, CommandReport, echo_json, echo_line, prints
from host_tools.core.command_line import command, only_with
from host_tools.core.errors import Sentence, counted
from host_tools.games import GAMES, add_game, folder_of


class ListedGame(TypedDict):
    name: str
    folder: str | None  # null: built in
    presets: list[str]
    seats: tuple[int, int]


class GameFault(TypedDict):
    check: str
    sentence: str


class CheckedGame(TypedDict):
    game: str
    checks: list[str]
    faults: list[GameFault]


@command()
@click.argument("game", required=False)
@click.option("--short", is_flag=True, help="A few matches, and only the start of one on a box.")
@click.option(
    "--only",
    "chosen",
    multiple=True,
    metavar="CHECK",
    help="Only this check; again for another. A name that is none is answered with all of them.",
)
@JSON
@prints(list[ListedGame], CheckedGame)
@only_with("--short", "GAME")
@only_with("--only", "GAME")
def games(game: str | None, short: bool, chosen: tuple[str, ...], as_json: bool) -> None:
    """List the games, and where those lie that are not built in; or check GAME, the name of a game
    or the folder of one. Exit code 1 if it has a fault.

    \b
    schiri games
    schiri --game-path examples/doubt games
    schiri games examples/doubt
    schiri games my_game --short
    """
    if game is None:
        _listed().show(as_json)
    else:
        _check(game, short, chosen, as_json)


def _listed() -> CommandReport[list[ListedGame]]:
    found: list[ListedGame] = []
    lines = []
    for name, game in GAMES.items():
        folder = folder_of(name)
        presets = [preset.name for preset in game.on_box.presets if preset.name]
        seats = (game.fewest, game.most)
        place_of = str(folder) if folder else None
        found.append({"name": name, "folder": place_of, "presets": presets, "seats": seats})
        place = Sentence("game_in", path=folder) if folder else Sentence("game_built_in")
        variants = Sentence("game_presets", presets=", ".join(presets)) if presets else ""
        count = {"least": seats[0], "most": seats[1]}
        lines.append(Sentence("game_row", name=name, **count, detail=variants, path=place))
    return CommandReport(found, lines)


def _check(game: str, short: bool, asked: tuple[str, ...], as_json: bool) -> None:
    from host_tools.sim.game_checks import CHECKS, check_game  # the whole twin
    from host_tools.sim.game_trial import Trial

    known, context = click.Choice(list(CHECKS)), click.get_current_context()
    chosen = [known.convert(one, None, context) for one in asked] or list(CHECKS)
    # a game's name goes before a folder that is called so
    row = GAMES[game] if game in GAMES else add_game(Path(game))
    trial = Trial(row, whole=not short)
    # on stderr: stdout is for the faults
    with click.progressbar(length=len(chosen), label=row.name, file=sys.stderr) as bar:

        def begin(name: str) -> None:
            bar.label = f"{row.name}: {name}"
            bar.update(1)

        faults = list(check_game(trial, chosen, begin))
    if as_json:
        found = [fault._asdict() for fault in faults]
        echo_json({"game": row.name, "checks": chosen, "faults": found})
    else:
        for fault in faults:
            click.echo(f"{row.name}: {fault.check}: {fault.sentence}.")
    if faults:
        raise counted("game_fault_found", "game_faults_found", len(faults), name=row.name)
    if not as_json:
        echo_line(Sentence("game_sound", name=row.name, count=len(chosen)))
