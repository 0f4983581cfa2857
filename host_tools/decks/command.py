"""`schiri decks`: the project's decks, one deck as a table, and what is wrong in a deck file."""

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from host_tools.decks.check import check_deck
from host_tools.decks.contents import card_contents, tag_hints
from host_tools.decks.library import deck_ids, deck_path, load_deck, load_deck_file
from host_tools.decks.values import shown_value
from host_tools.errors import UserError


@click.group()
def decks() -> None:
    """List, show and check decks of cards."""


@decks.command("list")
def list_decks() -> None:
    """Name the decks that come with the project."""
    for deck_id in deck_ids():
        file = load_deck_file(deck_id)
        deck = load_deck(deck_id)
        count = len(deck["cards"])
        click.echo(f"{deck_id:10} {deck['title']}: {count} cards, preset {file.preset or '–'}")


@decks.command("show")
@click.argument("deck")
@click.option("--json", "as_json", is_flag=True, help="Print the deck object of TRANSCRIPT.md.")
def show_deck(deck: str, as_json: bool) -> None:
    """Print the cards of DECK, an id or a file."""
    content = load_deck(deck)
    if as_json:
        click.echo(json.dumps(content, ensure_ascii=False))
    else:
        Console(width=160).print(_table(content), soft_wrap=True)


@decks.command("check")
@click.argument("files", nargs=-1, required=True)
def check_files(files: tuple[str, ...]) -> None:
    """Name line and field of every fault in the FILES. Exit code 1 if there is one."""
    faults = 0
    for name in files:
        faults += _check_file(deck_path(name))
    if faults:
        raise UserError(f"{faults} fault{'s' if faults > 1 else ''} found.", exit_code=1)


def _check_file(path: Path) -> int:
    """Print what is to say about one file; how many faults it has."""
    file = check_deck(path)
    for fault in file.faults:
        click.echo(str(fault))
    if file.deck is not None:
        for hint in tag_hints(file.deck):
            click.echo(f"{path}: note: {hint}")
        click.echo(f"{path}: {len(card_contents(file.deck))} cards, no faults.")
    return len(file.faults)


def _table(deck: dict[str, Any]) -> Table:
    table = Table(title=f"{deck['title']} ({deck['id']})")
    table.add_column("")
    table.add_column("")
    for category in deck["categories"]:
        unit = f" ({category['unit']})" if category["unit"] else ""
        arrow = "▲" if category["best"] == "high" else "▼"
        table.add_column(f"{category['title']}{unit} {arrow}", justify="right")
    for card in deck["cards"]:
        values = zip(card.get("values", ()), deck["categories"], strict=False)
        shown = [shown_value(value, category["decimals"]) for value, category in values]
        table.add_row(card["code"], card["name"], *shown)
    return table
