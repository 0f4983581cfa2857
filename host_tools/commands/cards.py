"""`schiri cards`: the cards themselves as a PDF, to be printed on both sides and cut."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

import click

from host_tools.cards.decks import load_deck_file
from host_tools.cards.tag_items import Set
from host_tools.commands.options import CommandReport, reports
from host_tools.core.command_line import (
    BOARD,
    DECK,
    FILE,
    Function,
    Switch,
    lang_option,
    never_with,
    output_option,
    together,
)
from host_tools.core.errors import Sentence
from host_tools.core.own_files import write_output
from host_tools.games import GAMES
from host_tools.games.base import Boards, TagBatch
from host_tools.print import cards as sheets
from host_tools.print.faces import DeckFaces, back, item_front
from host_tools.provision import items

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--paper",
        type=click.Choice(list(sheets.PAPERS)),
        default="a4",
        show_default=True,
        help="The sheets.",
    ),
    click.option(
        "--flip",
        type=click.Choice(sheets.FLIPS),
        default="long",
        show_default=True,
        help="The edge of the paper over which your printer turns it.",
    ),
    click.option(
        "--backs/--no-backs",
        cls=Switch,
        default=True,
        show_default=True,
        help="Pages of backs between.",
    ),
    click.option(
        "--sticker/--no-sticker",
        cls=Switch,
        default=True,
        show_default=True,
        help="Mark its place.",
    ),
    lang_option("Language of the cards."),
)


class Sheets(TypedDict):
    file: str
    cards: int
    sheets: int
    a_sheet: int


def _sheet_options(default: str) -> Callable[[Function], Function]:
    sizes = {name: f"{size.width:g} x {size.height:g}" for name, size in sheets.SIZES.items()}
    listed = ", ".join(f"{name} {size} mm" for name, size in sizes.items())
    choice = click.Choice(list(sheets.SIZES))
    size = click.option(
        "--size", type=choice, default=default, show_default=True, help=f"Of a card: {listed}."
    )
    return together(reports, never_with("--flip", "--no-backs"), size, *_OPTIONS)


_OUTPUT = output_option("The PDF file.", required=True)


@click.group("cards")
def cards() -> None:
    """Write cards as a PDF, to be printed on both sides and cut."""


@cards.command("deck")
@click.argument("deck", type=DECK)
@_OUTPUT
@_sheet_options("large")
def deck_cards(deck: str, output: Path, **options: Any) -> CommandReport[Sheets]:
    """Fronts and backs of the cards of DECK, an id, a file, or a folder with pictures.

    schiri cards deck berge -o berge.pdf --size bridge
    """
    file = load_deck_file(deck)
    translated = file.in_language(options["lang"])
    # a deck with faults was refused above: only such a file has none
    assert translated is not None
    size = sheets.SIZES[options["size"]]
    faces = DeckFaces(translated, size, options["lang"], file.pictures, file.links)
    return _write(output, translated["title"], faces.fronts(), options)


def _game_command(name: str, batch: TagBatch, boards: Boards | None) -> click.Command:
    @_OUTPUT
    @_sheet_options(batch.size)
    def write(output: Path, board: str | None = None, **options: Any) -> CommandReport[Sheets]:
        loaded = boards.load(board) if boards and board else None
        return _write_set(output, batch.items(loaded), options)

    if batch.has_board:
        text = "The tables of this board instead, an id or a file."
        write = click.option("--board", type=BOARD, help=text)(write)
    # the help of `schiri provision`, which writes the same items onto tags
    what = batch.help.removeprefix("Write ")
    write.__doc__ = f"Print {what}\n\nschiri cards {name} -o {name}.pdf\n"
    return click.command(name)(write)


# added games are there already: cli.py reads --game-path before a command is loaded
for _game in GAMES.values():
    for _name, _batch in _game.batches.items():
        cards.add_command(_game_command(_name, _batch, _game.boards))


@cards.command("badges")
@click.argument("players", type=FILE)
@_OUTPUT
@click.option("--event", default="", help="Name of the tournament, on every badge.")
@_sheet_options("badge")
def badges(players: Path, output: Path, event: str, **options: Any) -> CommandReport[Sheets]:
    """A badge for every line of PLAYERS, a CSV with the columns id and name.

    schiri cards badges players.csv -o badges.pdf --event "Aarau 2026"
    """
    return _write_set(output, items.badge_items(players, event), options)


@cards.command("jury")
@click.argument("names", nargs=-1, required=True)
@_OUTPUT
@_sheet_options("badge")
def jury(names: tuple[str, ...], output: Path, **options: Any) -> CommandReport[Sheets]:
    """A jury card for each of the NAMES.

    schiri cards jury "Frau Graf" "Herr Moser" -o jury.pdf
    """
    return _write_set(output, items.jury_items(names), options)


def _write_set(output: Path, batch: Set, options: dict[str, Any]) -> CommandReport[Sheets]:
    size = sheets.SIZES[options["size"]]
    fronts = [item_front(item, size) for item in batch.items]
    return _write(output, "Schiri", fronts, options)


def _write(
    output: Path, title: str, fronts: list[sheets.Face], options: dict[str, Any]
) -> CommandReport[Sheets]:
    size = sheets.SIZES[options["size"]]
    reverse = back(title, size) if options["backs"] else None
    what = sheets.Print(title, fronts, reverse, size, options["sticker"])
    data = sheets.make(what, options["lang"], options["paper"], options["flip"])
    write_output(output, data)
    a_sheet = sheets.grid(size, sheets.PAPERS[options["paper"]]).count
    # sheets of paper, printed on both sides: one that is begun counts
    found: Sheets = {
        "file": str(output),
        "cards": len(fronts),
        "sheets": -(-len(fronts) // a_sheet),
        "a_sheet": a_sheet,
    }
    return CommandReport(found, [Sentence("cards_written", path=output, **found)])
