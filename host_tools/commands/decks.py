"""`schiri decks`: show, check, make and weigh decks of cards."""

import threading
import webbrowser
from pathlib import Path
from typing import Any, TypedDict

import click
from rich.console import Console
from rich.table import Table

from host_tools.cards.decks import deck_ids, deck_path, load_deck, load_deck_file, own_decks
from host_tools.cards.decks.balance import MATCHES, SEATS, Balance, DeckBalance, Values
from host_tools.cards.decks.check import DeckFile, check_deck
from host_tools.cards.decks.draft import as_toml, from_table, questions, two_readings
from host_tools.cards.decks.values import shown_value
from host_tools.commands.options import (
    ENGINE,
    JSON,
    CheckedFile,
    CommandReport,
    FileReport,
    echo_json,
    prints,
    report_files,
    reports,
)
from host_tools.core.command_line import (
    DECK,
    FILE,
    FOLDER,
    LISTEN_PORT,
    Switch,
    asked_language,
    group,
    output_option,
)
from host_tools.core.errors import Sentence, UserError
from host_tools.core.json_types import Json
from host_tools.core.own_files import write_whole, written_below
from host_tools.core.spreadsheet import read_table
from host_tools.games.deck_rules import deck_hints, directions
from host_tools.games.options import check_options


class CheckedDeck(FileReport):
    cards: int | None  # null: it has faults


class ListedDeck(TypedDict):
    id: str
    title: str
    cards: int
    preset: str | None


class GuessedCategory(TypedDict):
    title: str
    unit: str
    best: str


class ImportedDeck(TypedDict):
    file: str
    cards: int
    categories: list[GuessedCategory]
    faults: list[str]


@group()
def decks() -> None:
    """Show, check and make decks of cards."""


def _all_decks() -> CommandReport[list[ListedDeck]]:
    found: list[ListedDeck] = []
    files = {name: load_deck_file(name) for name in deck_ids()}
    # in this order: a name of both means the project's (`DataFiles.path`)
    for deck_id, file in {**own_decks(), **files}.items():
        assert file.deck is not None
        title, count = file.deck["title"], len(file.deck["cards"])
        found.append({"id": deck_id, "title": title, "cards": count, "preset": file.preset})
    lines = [
        Sentence(
            "deck_row", id=d["id"], title=d["title"], count=d["cards"], preset=d["preset"] or "–"
        )
        for d in found
    ]
    return CommandReport(found, lines)


@decks.command("show")
@click.argument("deck", type=DECK, required=False)
@JSON
@prints(_all_decks, Json)
def show_deck(deck: str | None, as_json: bool) -> None:
    """Print the cards of DECK, an id or a file; without one, name the decks that come with the
    project, and your own.

    \b
    schiri decks show
    schiri decks show berge
    """
    if deck is None:
        _all_decks().show(as_json)
        return
    file = load_deck_file(deck)
    content = load_deck(deck)
    if as_json:
        echo_json(content)
    else:
        # a card a line also in a pipe, where rich assumes 80 columns and would wrap
        Console(width=160).print(_table(content, file.preset), soft_wrap=True)


@decks.command("check")
@click.argument("files", nargs=-1, required=True)
@reports
def check_files(files: tuple[str, ...]) -> CommandReport[list[CheckedDeck]]:
    """Name line and field of every fault in the FILES. Exit code 1 if there is one.

    schiri decks check my-deck.csv
    """
    return report_files(
        [_checked(check_options(check_deck(deck_path(name)))) for name in files], "cards"
    )


@decks.command("import")
@click.argument("table", type=FILE)
@output_option("The new folder.", required=True, folder=True)
@reports
def import_table(table: Path, output: Path) -> CommandReport[ImportedDeck]:
    """Make a deck of a TABLE of a spreadsheet (CSV), in a new folder: units, the best value and
    codes are guessed.

    schiri decks import autos.csv -o autos
    """
    rows = read_table(table)
    path = output / "deck.toml"
    if not rows:
        raise UserError("deck_no_table")
    # a folder may be there, with pictures; a deck in it is not replaced
    if path.exists():
        raise UserError("file_exists", path=path)
    draft = from_table([row.cells for row in rows], table.stem)
    for one in questions(draft):
        title = draft.categories[one.category].title
        raise UserError("deck_import_open", path=table, title=title, detail=two_readings(one))
    with written_below(output):
        output.mkdir(parents=True, exist_ok=True)
        write_whole(path, as_toml(draft).encode())
    # no failure: guesses are to be checked by somebody, and the file is there for it
    faults: list[str] = [fault.sentence for fault in check_deck(path).faults]
    guessed: list[GuessedCategory] = [
        {"title": c.title, "unit": c.unit, "best": c.best} for c in draft.categories
    ]
    data: ImportedDeck = {
        "file": str(path),
        "cards": len(draft.cards),
        "categories": guessed,
        "faults": faults,
    }
    lines = [Sentence("deck_guessed", **one) for one in guessed]
    made = Sentence("deck_made", path=path, cards=len(draft.cards), count=len(guessed))
    return CommandReport(data, [made, *lines, *faults])


@decks.command("balance")
@click.argument("deck", type=DECK)
@click.option(
    "--matches",
    type=click.IntRange(1),
    default=MATCHES,
    show_default=True,
    help="So many are played.",
)
@click.option(
    "--seats",
    type=click.IntRange(2, 8),
    default=SEATS,
    show_default=True,
    help="Players at the table.",
)
@reports
def show_balance(deck: str, matches: int, seats: int) -> CommandReport[DeckBalance]:
    """Which card of DECK wins how often, and which category is hardly called, in simulated
    matches.

    schiri decks balance berge --seats 2
    """
    file = load_deck_file(deck)
    assert file.deck is not None
    balance = Balance(Values(file.deck, directions(file.deck, file.preset)), seats)
    balance.run(matches)
    found = balance.report()
    lang = asked_language()
    keys = ("balance_called", "balance_tied", "balance_dead", "balance_wins")
    called, tied, dead, wins = (Sentence(key).said(lang) for key in keys)
    categories = Table("", called, tied, "")
    for one in found["categories"]:
        shares = (f"{100 * share:.1f} %" for share in (one["called"], one["tied"]))
        categories.add_row(one["title"], *shares, dead if one["dead"] else "")
    cards = Table("", "", wins)
    for card in sorted(found["cards"], key=lambda card: -card["wins"]):
        cards.add_row(card["code"], card["name"], f"{100 * card['wins']:.1f} %")
    return CommandReport(found, [categories, cards])


@decks.command("edit")
@click.argument("folder", type=FOLDER)
@click.option("--begin", type=DECK, metavar="DECK", help="Begin with this deck, an id or a file.")
@click.option(
    "--port", type=LISTEN_PORT, default=0, show_default=True, help="0 takes any free one."
)
@ENGINE
@click.option(
    "--open/--no-open", "browse", cls=Switch, default=True, help="Open the page in a browser."
)
def edit(folder: Path, begin: str | None, port: int, engine: str, browse: bool) -> None:
    """Make a deck on a page in the browser; it is kept in FOLDER, with its pictures. Saved without
    faults, it is in the menu of the virtual table, and its name is known to every command.

    \b
    schiri decks edit my-deck
    schiri decks edit my-deck --begin berge
    """
    from host_tools.web.decks.server import DeckEditor
    from host_tools.web.serving import LOOPBACK, listen, serve

    lang = asked_language()
    editor = DeckEditor(folder, deck_path(begin) if begin else None, lang, engine)
    # before the page is opened: a browser may ask before `serve` answers
    listening = listen(LOOPBACK, port)
    page = f"http://{LOOPBACK}:{listening.getsockname()[1]}/?key={editor.key}"
    click.echo(page)
    click.echo(Sentence("page_ends").said(lang))
    # in a thread: a browser of the terminal blocks until it is left (docs.python.org, webbrowser)
    if browse:
        threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()
    serve(editor.app, listening)


def _checked(file: DeckFile) -> CheckedFile:
    if file.deck is None:
        return CheckedFile(file.path, file.faults, None)
    return CheckedFile(file.path, file.faults, len(file.deck["cards"]), deck_hints(file))


def _table(deck: dict[str, Any], preset: str | None) -> Table:
    table = Table(title=f"{deck['title']} ({deck['id']})")
    table.add_column("")
    table.add_column("")
    for category, best in zip(deck["categories"], directions(deck, preset), strict=True):
        unit = f" ({category['unit']})" if category["unit"] else ""
        arrow = "▲" if best == "high" else "▼"
        table.add_column(f"{category['title']}{unit} {arrow}", justify="right")
    for card in deck["cards"]:
        # jokers have no values
        values = zip(card.get("values", ()), deck["categories"], strict=False)
        shown = [shown_value(value, category["decimals"]) for value, category in values]
        table.add_row(card["code"], card["name"], *shown)
    return table
