"""`schiri decks`: the project's decks, one deck as a table, and what is wrong in a deck file."""

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from host_tools.cards.decks.check import DeckFile, check_deck
from host_tools.cards.decks.contents import card_contents, tag_hints
from host_tools.cards.decks.library import deck_ids, deck_path, load_deck, load_deck_file
from host_tools.cards.decks.values import shown_value
from host_tools.core.errors import UserError


@click.group()
def decks() -> None:
    """List, show and check decks of cards."""


@decks.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print data for programs.")
def list_decks(as_json: bool) -> None:
    """Name the decks that come with the project.

    schiri decks list
    """
    found = []
    for deck_id in deck_ids():
        deck, preset = load_deck(deck_id), load_deck_file(deck_id).preset
        entry = {"id": deck_id, "title": deck["title"], "cards": len(deck["cards"])}
        found.append({**entry, "preset": preset})
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    for deck in found:
        preset = deck["preset"] or "–"
        click.echo(f"{deck['id']:10} {deck['title']}: {deck['cards']} cards, preset {preset}")


@decks.command("show")
@click.argument("deck")
@click.option("--json", "as_json", is_flag=True, help="Print the deck object of TRANSCRIPT.md.")
def show_deck(deck: str, as_json: bool) -> None:
    """Print the cards of DECK, an id or a file.

    schiri decks show berge
    """
    content = load_deck(deck)
    if as_json:
        click.echo(json.dumps(content, ensure_ascii=False))
    else:
        Console(width=160).print(_table(content), soft_wrap=True)


@decks.command("check")
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print data for programs.")
def check_files(files: tuple[str, ...], as_json: bool) -> None:
    """Name line and field of every fault in the FILES. Exit code 1 if there is one.

    schiri decks check my-deck.csv
    """
    checked = [check_deck(deck_path(name)) for name in files]
    if as_json:
        click.echo(json.dumps([_judged(file) for file in checked], ensure_ascii=False))
    else:
        for file in checked:
            _print_judged(file)
    faults = sum(len(file.faults) for file in checked)
    if faults:
        raise UserError(f"{faults} fault{'s' if faults > 1 else ''} found.", exit_code=1)


def _judged(file: DeckFile) -> dict[str, Any]:
    """What is to say about one file, as data."""
    faults = [{"line": f.line, "field": f.field, "text": f.text} for f in file.faults]
    notes = [] if file.deck is None else tag_hints(file.deck)
    cards = None if file.deck is None else len(file.deck["cards"])
    return {"file": str(file.path), "cards": cards, "faults": faults, "notes": notes}


def _print_judged(file: DeckFile) -> None:
    for fault in file.faults:
        click.echo(str(fault))
    if file.deck is not None:
        for hint in tag_hints(file.deck):
            click.echo(f"{file.path}: note: {hint}")
        click.echo(f"{file.path}: {len(card_contents(file.deck))} cards, no faults.")


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
