"""A deck from its deck card alone: codes by scheme, and the deck object of TRANSCRIPT.md."""

from binascii import crc32

from micropython import const

from card_tags.errors import MALFORMED, TagError

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags import kinds

LETTER_FIRST = const(0)  # A1 A2 A3 A4 B1 …
DIGIT_FIRST = const(1)  # 1A 1B 1C 1D 2A …
_MOST_GROUPS = const(26)  # letters of the alphabet
_MOST_IN_GROUP = const(9)  # digits without 0: a code has one of each


def deck_number(deck_id: str) -> int:
    """The 16 bits that stand for a deck on its cards: the low half of the id's CRC-32."""
    checksum: int = crc32(deck_id.encode())
    return checksum & 0xFFFF


def fits(scheme: int, group_size: int, cards: int) -> bool:
    """Whether the scheme has codes for so many cards."""
    letters_first = scheme == LETTER_FIRST
    groups = _MOST_GROUPS if letters_first else _MOST_IN_GROUP
    largest = _MOST_IN_GROUP if letters_first else _MOST_GROUPS
    return 1 <= group_size <= largest and cards <= groups * group_size


def codes(scheme: int, group_size: int, cards: int) -> "list[str]":
    """The codes of a deck in order. Raises ValueError if the scheme has fewer."""
    if not fits(scheme, group_size, cards):
        raise ValueError("no such codes")
    return [_code(scheme, number // group_size, number % group_size) for number in range(cards)]


def _code(scheme: int, group: int, place: int) -> str:
    if scheme == LETTER_FIRST:
        return chr(65 + group) + str(place + 1)
    return str(group + 1) + chr(65 + place)


def deck_object(card: "kinds.DeckCard") -> "dict[str, Any]":
    """The deck object of TRANSCRIPT.md; every value is null until its card has been tapped.

    Raises TagError(MALFORMED) if the scheme has fewer codes than the deck has cards.
    """
    if not fits(card.scheme, card.group_size, card.cards):
        raise TagError(MALFORMED)
    names = codes(card.scheme, card.group_size, card.cards)
    cards: "list[dict[str, Any]]" = [
        {"code": code, "values": [None] * len(card.categories)} for code in names
    ]
    for number in range(card.jokers):
        cards.append({"code": "J" + str(number + 1), "joker": True})
    return {
        "id": card.deck_id,
        "title": card.title,
        "categories": [_category(category) for category in card.categories],
        "cards": cards,
    }


def _category(category: "kinds.DeckCategory") -> "dict[str, Any]":
    entry: "dict[str, Any]" = {
        "key": category.key,
        "title": category.title,
        "unit": category.unit,
        "best": category.best,
        "decimals": category.decimals,
    }
    if category.joker:
        entry["joker"] = True
    return entry
