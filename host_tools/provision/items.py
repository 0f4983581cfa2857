"""What a batch writes, one item per tag: decks, the café's tiles and tables, Hattrick, players."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_tags import kinds
from card_tags.deck_card import deck_number
from host_tools.cards.decks.contents import card_contents, deck_content
from host_tools.cards.decks.library import deck_ids, load_deck
from host_tools.cards.decks.values import shown_value
from host_tools.core.errors import UserError
from host_tools.core.spreadsheet import read_table
from host_tools.core.text_check import text_fault

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
    rows = read_table(path)
    columns = [heading.lower() for heading in rows[0].cells] if rows else []
    if not {"id", "name"} <= set(columns):
        raise UserError(f"{path}:1: the first line must name the columns id and name.")
    badges: dict[str, Item] = {}
    for row in rows[1:]:
        item = _badge(path, row.line, dict(zip(columns, row.cells, strict=False)), event)
        if item.code in badges:
            raise UserError(f"{path}:{row.line}: id: {item.code} is there twice.")
        badges[item.code] = item
    if not badges:
        raise UserError(f"{path}: holds no players.")
    return Set(f"badges {event}".strip(), tuple(badges.values()))


def jury_items(names: tuple[str, ...]) -> Set:
    """One jury card per arbiter."""
    items = tuple(
        Item(f"jury{number}", name, kinds.JURY, kinds.Jury(number, name))
        for number, name in enumerate(names, 1)
    )
    return Set("jury", items)


def describe(content: object, deck: dict[str, Any] | None = None) -> str:
    """One line for people about any content: what a reader finds on a tag.

    A card tells neither the names nor the decimals of its values; they come from `deck` or one of
    the project's own, if the card is of it.
    """
    if isinstance(content, kinds.Card):
        return _card_line(content, deck)
    return _DESCRIPTIONS[type(content)](content)


def _card_line(card: kinds.Card, deck: dict[str, Any] | None) -> str:
    known = _deck_of(card, deck)
    if card.joker:
        values = "joker"
    elif known is None:
        numbers = ", ".join("–" if value is None else str(value) for value in card.values)
        values = f"{numbers} (without decimal points: this deck is not known here, say --deck)"
    else:
        pairs = zip(known["categories"], card.values, strict=True)
        values = ", ".join(_named_value(category, value) for category, value in pairs)
    return f"card {card.code} of deck {known['id'] if known else f'{card.deck:04x}'}: {values}"


def _named_value(category: dict[str, Any], value: int | None) -> str:
    """`Preis 4200,50 Fr.`, as it is printed on the card."""
    unit = "" if value is None else category["unit"]
    return f"{category['title']} {shown_value(value, category['decimals'])} {unit}".rstrip()


def _deck_of(card: kinds.Card, deck: dict[str, Any] | None) -> dict[str, Any] | None:
    """The deck with the card's number and as many categories."""
    for known in [*([deck] if deck else []), *map(load_deck, deck_ids())]:
        same_width = card.joker or len(known["categories"]) == len(card.values)
        if deck_number(known["id"]) == card.deck and same_width:
            return known
    return None


def _deck_line(deck: kinds.DeckCard) -> str:
    number = deck_number(deck.deck_id)
    jokers = f" and {deck.jokers} jokers" if deck.jokers else ""
    return f"deck card {deck.deck_id} ({number:04x}), {deck.title}: {deck.cards} cards{jokers}"


def _slip_line(slip: kinds.Slip) -> str:
    counts = ":".join(str(seat.total) for seat in slip.seats)
    names = ", ".join(seat.name for seat in slip.seats)
    return f"result slip of match {slip.match_id}, box {slip.box_id}: {names} {counts}"


_DESCRIPTIONS: dict[type, Callable[[Any], str]] = {
    kinds.DeckCard: _deck_line,
    kinds.Badge: lambda badge: f"badge of {badge.name} ({badge.player}) for {badge.event or '–'}",
    kinds.Jury: lambda jury: f"jury card {jury.number} of {jury.name}",
    kinds.Guest: lambda guest: f"guest {guest.tile}",
    kinds.Table: lambda table: f"table {table.table or 'card'} {table.nation}".strip(),
    kinds.HattrickCard: lambda card: f"Hattrick card {card.code}",
    kinds.Slip: _slip_line,
}


def _badge(path: Path, line: int, row: dict[str, str], event: str) -> Item:
    player, name = row.get("id", ""), row.get("name", "")
    for field, value in (("id", player), ("name", name), ("--event", event)):
        if len(value.encode()) > _LONGEST_TEXT or (not value and field != "--event"):
            raise UserError(f"{path}:{line}: {field}: 1 to {_LONGEST_TEXT} bytes are possible.")
        fault = text_fault(value)
        if fault is not None:
            raise UserError(f"{path}:{line}: {field}: {fault}.")
    return Item(player, name, kinds.BADGE, kinds.Badge(player, name, event))
