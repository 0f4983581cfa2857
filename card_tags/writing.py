"""The content of each kind as bytes (FORMAT.md, *Bodies*): a writer per letter.

Apart from the readers, because a box writes none of these. `slip` has both ways of its own.
"""

from micropython import const

from card_tags import kinds
from card_tags.bodies import (
    CODE_LENGTH_AT,
    DECIMALS,
    DOUBLED,
    FOLDED,
    HIGH,
    JOKER,
    LONGEST_CODE,
    MOST_ENTRIES,
    SIGNED_FROM,
    SIGNED_TO,
    UID_BYTES,
    is_code,
)
from card_tags.writer import Writer, fold

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def write_body(out: Writer, kind: str, content: "Any") -> None:
    """Append the content. Raises ValueError for what the format cannot hold."""
    if kind == kinds.HALL:
        from card_tags.hall import write_hall

        write_hall(out, content)
    elif kind == kinds.OPTIONS:
        from card_tags.options import write_options

        write_options(out, content)
    else:
        _WRITERS[kind](out, content)


def _write_card(out: Writer, card: "kinds.Card") -> None:
    code = card.code.encode()
    if not 1 <= len(code) <= LONGEST_CODE or not is_code(code):
        raise ValueError("code of 1 to 4 letters and digits expected: " + card.code)
    if len(card.values) > MOST_ENTRIES or (card.joker and card.values):
        raise ValueError("at most 15 values, none on a joker: " + card.code)
    folded = any(value is not None and value < 0 for value in card.values)
    shape = len(card.values) | (len(code) - 1) << CODE_LENGTH_AT
    shape |= (JOKER if card.joker else 0) | (FOLDED if folded else 0)
    out.byte(card.deck >> 8)
    out.byte(card.deck & 0xFF)
    out.byte(shape)
    out.data.extend(code)
    for value in card.values:
        _write_value(out, value, folded)


def _write_value(out: Writer, value: "int | None", folded: bool) -> None:
    if value is None:
        out.number(0)
    elif SIGNED_FROM <= value <= SIGNED_TO:
        out.number(1 + (fold(value) if folded else value))
    else:
        raise ValueError("value out of range: " + str(value))


def _write_deck(out: Writer, deck: "kinds.DeckCard") -> None:
    if not 1 <= len(deck.categories) <= MOST_ENTRIES:
        raise ValueError("1 to 15 categories: " + deck.deck_id)
    out.text(deck.deck_id)
    out.text(deck.title)
    for number in (deck.scheme, deck.group_size, deck.cards, deck.jokers, len(deck.categories)):
        out.byte(number)
    for category in deck.categories:
        _write_category(out, category)
    if len(deck.revoked) % UID_BYTES:
        raise ValueError("UIDs of seven bytes expected: " + deck.deck_id)
    out.data.extend(deck.revoked)


def _write_category(out: Writer, category: "kinds.DeckCategory") -> None:
    if not 0 <= category.decimals <= DECIMALS or category.best not in ("high", "low"):
        raise ValueError("decimals 0 to 3, best high or low: " + category.key)
    high = HIGH if category.best == "high" else 0
    out.byte(category.decimals | high | (DOUBLED if category.joker else 0))
    out.text(category.key)
    out.text(category.title)
    out.text(category.unit)


def _write_texts(out: Writer, content: "tuple[str, ...]") -> None:
    for text in content:
        out.text(text)


def _write_jury(out: Writer, jury: "kinds.Jury") -> None:
    out.number(jury.number)
    out.text(jury.name)


if TYPE_CHECKING:
    _WRITERS: "dict[str, Callable[[Writer, Any], None]]"

_WRITERS = {
    kinds.CARD: _write_card,
    kinds.DECK: _write_deck,
    kinds.BADGE: _write_texts,
    kinds.JURY: _write_jury,
    kinds.GUEST: _write_texts,
    kinds.TABLE: _write_texts,
    kinds.NUMBERED: _write_texts,
}
