"""`schiri cards`: the cards themselves as a PDF, to be printed on both sides and cut."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click

from host_tools.cards.decks import load_deck_file
from host_tools.cards.tag_items import Set
from host_tools.commands.options import CommandReport, reports
from host_tools.core.command_line import (
    BOARD,
    DECK,
    FILE,
    asked_language,
    command,
    group,
    never_with,
    output_option,
    shared_option,
    takes,
)
from host_tools.core.errors import Sentence
from host_tools.core.own_files import write_output
from host_tools.games import GAMES
from host_tools.games.base import Boards, TagBatch
from host_tools.games.deck_rules import directions
from host_tools.print.sizes import FLIPS, PAPERS, SIZES, CardSize
from host_tools.provision import items


class Sheets(TypedDict):
    file: str
    cards: int
    sheets: int
    a_sheet: int


if TYPE_CHECKING:  # fpdf takes longer to load than a help may take
    from host_tools.print import cards as sheets

_OUTPUT = output_option("The PDF file.", required=True)
_SIZES = ", ".join(f"{name} {size.width:g} x {size.height:g} mm" for name, size in SIZES.items())
_SHEETS = takes("size", "paper", "flip", "backs", "sticker")


def _prints(function: Callable[..., CommandReport[Any]]) -> Callable[..., None]:
    """A command that writes a PDF: it takes the options of `schiri cards`."""
    return _OUTPUT(never_with("--flip", "--no-backs")(_SHEETS(reports(function))))


@group("cards")
@shared_option(
    "--size",
    type=click.Choice(list(SIZES)),
    help=f"Of a card: {_SIZES}. Default: what fits the kind.",
)
@shared_option(
    "--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help="The sheets."
)
@shared_option(
    "--flip",
    type=click.Choice(FLIPS),
    default="long",
    show_default=True,
    help="The edge of the paper over which your printer turns it.",
)
@shared_option(
    "--backs/--no-backs",
    switch=True,
    default=True,
    show_default=True,
    help="Pages of backs between.",
)
@shared_option(
    "--sticker/--no-sticker", switch=True, default=True, show_default=True, help="Mark its place."
)
def cards() -> None:
    """Write cards as a PDF, to be printed on both sides and cut."""


@cards.command("deck")
@click.argument("deck", type=DECK)
@_prints
def deck_cards(deck: str, output: Path, **options: Any) -> CommandReport[Sheets]:
    """Fronts and backs of the cards of DECK, an id, a file, or a folder with pictures.

    schiri cards deck berge -o berge.pdf --size bridge
    """
    from host_tools.print.faces import DeckFaces

    file, lang = load_deck_file(deck), asked_language()
    translated = file.in_language(lang)
    # a deck with faults was refused above: only such a file has none
    assert translated is not None
    size = SIZES[options["size"] or "large"]
    best = directions(translated, file.preset)
    faces = DeckFaces(translated, size, lang, file.pictures, file.links, best)
    return _write(output, translated["title"], faces.fronts(), size, options)


def _game_command(name: str, batch: TagBatch, boards: Boards | None) -> click.Command:
    @_prints
    def write(output: Path, board: str | None = None, **options: Any) -> CommandReport[Sheets]:
        loaded = boards.load(board) if boards and board else None
        return _write_set(output, batch.items(loaded), options, batch.size)

    if batch.has_board:
        text = "The tables of this board instead, an id or a file."
        write = click.option("--board", type=BOARD, help=text)(write)
    # the help of `schiri provision`, which writes the same items onto tags
    what = batch.help.removeprefix("Write ")
    write.__doc__ = f"Print {what}\n\nschiri cards {name} -o {name}.pdf\n"
    return command(name)(write)


# added games are there already: cli.py reads --game-path before a command is loaded
for _game in GAMES.values():
    for _name, _batch in _game.batches.items():
        cards.add_command(_game_command(_name, _batch, _game.boards))


@cards.command("badges")
@click.argument("players", type=FILE)
@click.option("--event", default="", help="Name or id of the tournament; others refuse the badge.")
@_prints
def badges(players: Path, output: Path, event: str, **options: Any) -> CommandReport[Sheets]:
    """A badge for every line of PLAYERS, a CSV with the columns id and name.

    schiri cards badges players.csv -o badges.pdf --event "Aarau 2026"
    """
    return _write_set(output, items.badge_items(players, event), options)


@cards.command("jury")
@click.argument("names", nargs=-1, required=True)
@_prints
def jury(names: tuple[str, ...], output: Path, **options: Any) -> CommandReport[Sheets]:
    """A jury card for each of the NAMES.

    schiri cards jury "Frau Graf" "Herr Moser" -o jury.pdf
    """
    return _write_set(output, items.jury_items(names), options)


def _write_set(
    output: Path, batch: Set, options: dict[str, Any], usual: str = "badge"
) -> CommandReport[Sheets]:
    """`usual`: the size, if nobody says another."""
    from host_tools.print.faces import item_front

    size = SIZES[options["size"] or usual]
    return _write(
        output, "Schiri", [item_front(item, size) for item in batch.items], size, options
    )


def _write(
    output: Path, title: str, fronts: "list[sheets.Face]", size: CardSize, options: dict[str, Any]
) -> CommandReport[Sheets]:
    from host_tools.print import cards as sheets
    from host_tools.print.faces import back

    reverse = back(title, size) if options["backs"] else None
    what = sheets.Print(title, fronts, reverse, size, options["sticker"])
    data = sheets.make(what, asked_language(), options["paper"], options["flip"])
    write_output(output, data)
    a_sheet = sheets.grid(size, PAPERS[options["paper"]]).count
    # sheets of paper, printed on both sides: one that is begun counts
    found: Sheets = {
        "file": str(output),
        "cards": len(fronts),
        "sheets": -(-len(fronts) // a_sheet),
        "a_sheet": a_sheet,
    }
    return CommandReport(found, [Sentence("cards_written", path=output, **found)])
