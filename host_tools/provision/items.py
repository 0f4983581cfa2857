"""What a batch writes, one item per tag: decks, the café's tiles and tables, Hattrick, players."""

import csv
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_tags import kinds
from card_tags.deck_card import deck_number
from host_tools.decks.contents import card_contents, deck_content
from host_tools.errors import UserError
from host_tools.tournament.model import text_fault

NATIONS = ("AF", "CN", "CU", "DE", "ES", "FR", "GB", "IN", "IT", "RU", "TR", "US")
_HATTRICK_COLOURS = (("R", "Rot"), ("G", "Grün"), ("B", "Blau"))
_HATTRICK_HIGHEST = 20
_PER_SEX = 4
_JOKERS_PER_SEX = 2
_SEXES = (("f", "Frau"), ("m", "Mann"))
_TABLES_PER_NATION = 2
_LONGEST_TEXT = 60


@dataclass(frozen=True)
class Item:
    """One tag to be: `code`, `name` for people; `kind`, `content` as in card_tags/kinds.py."""

    code: str
    name: str
    kind: str
    content: Any


@dataclass(frozen=True)
class Set:
    """All items of one batch. `key` changes with any content: ledgers are never mixed up."""

    title: str
    items: tuple[Item, ...]

    @property
    def key(self) -> str:
        """Title and fingerprint: what the ledger files this set under."""
        text = repr([(item.kind, tuple(item.content)) for item in self.items])
        return f"{self.title} {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def deck_items(deck: dict[str, Any], with_deck_card: bool) -> Set:
    """The cards of a deck object, and its deck card behind them (that one needs an NTAG215)."""
    items = [
        Item(content.code, card.get("name", ""), kinds.CARD, content)
        for card, content in zip(deck["cards"], card_contents(deck), strict=True)
    ]
    if with_deck_card:
        content = deck_content(deck)
        if content is None:
            raise UserError(
                f"deck {deck['id']}: codes follow no scheme, so there is no deck card."
            )
        items.append(Item("deck", deck["title"], kinds.DECK, content))
    return Set(f"deck {deck['id']}", tuple(items))


def guest_items() -> Set:
    """The 100 tiles of Café International (rule CB-1)."""
    tiles = [
        (f"{nation}{sex}{number}", f"{nation} {word} {number}")
        for nation in NATIONS
        for sex, word in _SEXES
        for number in range(1, _PER_SEX + 1)
    ]
    tiles += [
        (f"JK{sex}{number}", f"Joker {word} {number}")
        for sex, word in _SEXES
        for number in range(1, _JOKERS_PER_SEX + 1)
    ]
    items = tuple(Item(code, name, kinds.GUEST, kinds.Guest(code)) for code, name in tiles)
    return Set("guests", items)


def table_items() -> Set:
    """The 24 table cards, two per nation (rule CB-1, and CA-2 which draws them)."""
    items = tuple(
        Item(f"{nation}{copy}", f"Tisch {nation} {copy}", kinds.TABLE, kinds.Table("", nation))
        for nation in NATIONS
        for copy in range(1, _TABLES_PER_NATION + 1)
    )
    return Set("tables", items)


def board_table_items(board: dict[str, Any]) -> Set:
    """A tag for every table of a café board: tapping it names the table to the box."""
    items = tuple(
        Item(
            name,
            f"Tisch {name} {table['nation']}",
            kinds.TABLE,
            kinds.Table(name, table["nation"]),
        )
        for name, table in board["tables"].items()
    )
    return Set(f"tables of {board['id']}", items)


def hattrick_items() -> Set:
    """The 60 cards of Hattrick (rule HA-1)."""
    items = tuple(
        Item(
            f"{colour}{value}",
            f"{word} {value}",
            kinds.HATTRICK,
            kinds.HattrickCard(f"{colour}{value}"),
        )
        for colour, word in _HATTRICK_COLOURS
        for value in range(1, _HATTRICK_HIGHEST + 1)
    )
    return Set("hattrick", items)


def badge_items(path: Path, event: str) -> Set:
    """One badge per line of a CSV with the columns `id` and `name`. Raises UserError."""
    with _open_csv(path) as file:
        rows = csv.DictReader(file)
        if not {"id", "name"} <= set(rows.fieldnames or ()):
            raise UserError(f"{path}:1: the first line must name the columns id and name.")
        items = [_badge(path, number, row, event) for number, row in enumerate(rows, 2)]
    if not items:
        raise UserError(f"{path}: holds no players.")
    _no_doubles(path, items)
    return Set(f"badges {event}".strip(), tuple(items))


def jury_items(names: tuple[str, ...]) -> Set:
    """One jury card per arbiter."""
    items = tuple(
        Item(f"jury{number}", name, kinds.JURY, kinds.Jury(number, name))
        for number, name in enumerate(names, 1)
    )
    return Set("jury", items)


def describe(content: object) -> str:
    """One line for people about any content: what a reader finds on a tag."""
    return _DESCRIPTIONS[type(content)](content)


def _card_line(card: kinds.Card) -> str:
    values = ", ".join("–" if value is None else str(value) for value in card.values)
    return f"card {card.code} of deck {card.deck:04x}: {'joker' if card.joker else values}"


def _deck_line(deck: kinds.DeckCard) -> str:
    number = deck_number(deck.deck_id)
    jokers = f" and {deck.jokers} jokers" if deck.jokers else ""
    return f"deck card {deck.deck_id} ({number:04x}), {deck.title}: {deck.cards} cards{jokers}"


def _slip_line(slip: kinds.Slip) -> str:
    counts = ":".join(str(seat.total) for seat in slip.seats)
    names = ", ".join(seat.name for seat in slip.seats)
    return f"result slip of match {slip.match_id}, box {slip.box_id}: {names} {counts}"


_DESCRIPTIONS: dict[type, Callable[[Any], str]] = {
    kinds.Card: _card_line,
    kinds.DeckCard: _deck_line,
    kinds.Badge: lambda badge: f"badge of {badge.name} ({badge.player}) for {badge.event or '–'}",
    kinds.Jury: lambda jury: f"jury card {jury.number} of {jury.name}",
    kinds.Guest: lambda guest: f"guest {guest.tile}",
    kinds.Table: lambda table: f"table {table.table or 'card'} {table.nation}".strip(),
    kinds.HattrickCard: lambda card: f"Hattrick card {card.code}",
    kinds.Slip: _slip_line,
}


def _open_csv(path: Path) -> Any:
    try:
        return path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.") from error


def _badge(path: Path, line: int, row: dict[str, str], event: str) -> Item:
    player, name = (row["id"] or "").strip(), (row["name"] or "").strip()
    for field, value in (("id", player), ("name", name), ("--event", event)):
        if len(value.encode()) > _LONGEST_TEXT or (not value and field != "--event"):
            raise UserError(f"{path}:{line}: {field}: 1 to {_LONGEST_TEXT} bytes are possible.")
        fault = text_fault(value)
        if fault is not None:
            raise UserError(f"{path}:{line}: {field}: {fault}.")
    return Item(player, name, kinds.BADGE, kinds.Badge(player, name, event))


def _no_doubles(path: Path, items: list[Item]) -> None:
    seen: set[str] = set()
    for line, item in enumerate(items, 2):
        if item.code in seen:
            raise UserError(f"{path}:{line}: id: {item.code} is there twice.")
        seen.add(item.code)
