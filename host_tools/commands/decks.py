"""`schiri decks`: the project's decks, one deck as a table, and what is wrong in a deck file."""

from typing import Any

import click
from rich.console import Console
from rich.table import Table

from host_tools.cards.decks import deck_ids, deck_path, load_deck, load_deck_file
from host_tools.cards.decks.check import DeckFile, check_deck
from host_tools.cards.decks.contents import tag_hints
from host_tools.cards.decks.values import shown_value
from host_tools.commands.options import Checked, Report, echo_json, report_files, reports
from host_tools.core.command_line import json_option


@click.group()
def decks() -> None:
    """List, show and check decks of cards."""


@decks.command("list")
@reports
def list_decks() -> Report:
    """Name the decks that come with the project.

    schiri decks list
    """
    found = []
    for deck_id in deck_ids():
        deck, preset = load_deck(deck_id), load_deck_file(deck_id).preset
        entry = {"id": deck_id, "title": deck["title"], "cards": len(deck["cards"])}
        found.append({**entry, "preset": preset})
    line = "{id:10} {title}: {cards} cards, preset {shown}"
    return Report(found, [line.format(**deck, shown=deck["preset"] or "–") for deck in found])


@decks.command("show")
@click.argument("deck")
@json_option("Print the deck object of TRANSCRIPT.md.")
def show_deck(deck: str, as_json: bool) -> None:
    """Print the cards of DECK, an id or a file.

    schiri decks show berge
    """
    content = load_deck(deck)
    if as_json:
        echo_json(content)
    else:
        Console(width=160).print(_table(content), soft_wrap=True)


@decks.command("check")
@click.argument("files", nargs=-1, required=True)
@reports
def check_files(files: tuple[str, ...]) -> Report:
    """Name line and field of every fault in the FILES. Exit code 1 if there is one.

    schiri decks check my-deck.csv
    """
    return report_files([_checked(check_deck(deck_path(name))) for name in files], "cards")


def _checked(file: DeckFile) -> Checked:
    if file.deck is None:
        return Checked(file.path, file.faults, None)
    return Checked(file.path, file.faults, len(file.deck["cards"]), tag_hints(file.deck))


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
