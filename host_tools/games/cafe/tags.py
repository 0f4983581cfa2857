"""The tags of Café International: guests, table cards, the tables of a board."""

from typing import Any

from card_tags import kinds
from firmware.games.cafe.board import NATIONS
from host_tools.cards.tag_items import Item, Set

_PER_SEX = 4
_JOKERS_PER_SEX = 2
_SEXES = (("f", "Frau"), ("m", "Mann"))
_TABLES_PER_NATION = 2


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
        # of no table: where a card comes to lie is drawn (CA-2)
        Item(f"{nation}{copy}", f"Tisch {nation} {copy}", kinds.TABLE, kinds.TableTag("", nation))
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
            kinds.TableTag(name, table["nation"]),
        )
        for name, table in board["tables"].items()
    )
    # twelve tables that were drawn are no board with a name
    return Set(f"tables of {board.get('id', 'a match')}", items)


def tables_of(board: dict[str, Any] | None) -> Set:
    """The tags of a board's tables; without a board the table cards."""
    return board_table_items(board) if board else table_items()
