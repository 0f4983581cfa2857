"""What stands on the tags of a deck: one content per card, and the deck card."""

from typing import Any

from card_tags import codec, kinds
from card_tags.deck_card import DIGIT_FIRST, LETTER_FIRST, codes, deck_number, fits
from host_tools.core.errors import Sentence

_SEAL_GROWTH = 4  # a seal is four bytes longer than the CRC of an unsealed card


def card_contents(deck: dict[str, Any]) -> list[kinds.Card]:
    """The playing cards of a deck object in its order, jokers included."""
    number = deck_number(deck["id"])
    return [
        kinds.Card(number, card["code"], bool(card.get("joker")), tuple(card.get("values", ())))
        for card in deck["cards"]
    ]


def deck_content(deck: dict[str, Any]) -> kinds.DeckCard | None:
    """The deck card; None if the codes follow no scheme that a deck card can describe."""
    plain = [card["code"] for card in deck["cards"] if not card.get("joker")]
    jokers = [card["code"] for card in deck["cards"] if card.get("joker")]
    scheme = _scheme_of(plain)
    # a deck card holds only how many jokers there are (card_tags/FORMAT.md)
    if scheme is None or jokers != [f"J{number + 1}" for number in range(len(jokers))]:
        return None
    # the tenth group has J1, J2 … too
    if jokers and any(code.startswith("J") for code in plain):
        return None
    categories = tuple(_category(entry) for entry in deck["categories"])
    title = deck.get("title", deck["id"])
    # no revoked tags: only the batch that writes the card knows them (provision/batch.py)
    return kinds.DeckCard(deck["id"], title, *scheme, len(plain), len(jokers), categories, b"")


def tag_hints(deck: dict[str, Any]) -> list[Sentence]:
    """What works but not well on tags, one sentence each."""
    hints = []
    for content in card_contents(deck):
        # sealing takes a key and a UID; neither is known here
        length = len(codec.encode(codec.unsealed(kinds.CARD, content))) + _SEAL_GROWTH
        if length > codec.CARD_BYTES:
            hints.append(Sentence("note_bytes", code=content.code, count=length))
    if deck_content(deck) is None:
        hints.append(Sentence("note_scheme"))
    for number, category in enumerate(deck["categories"]):
        values = {card["values"][number] for card in deck["cards"] if "values" in card}
        if len(values) == 1:
            hints.append(Sentence("note_same", code=category["key"]))
    return [*hints, *_twice(deck)]


def _twice(deck: dict[str, Any]) -> list[Sentence]:
    """Names that stand on more than one card."""
    found: dict[str, list[str]] = {}
    for card in deck["cards"]:
        if card.get("name") and not card.get("joker"):
            found.setdefault(card["name"], []).append(card["code"])
    return [
        Sentence("note_twice", name=name, codes=", ".join(codes_))
        for name, codes_ in found.items()
        if len(codes_) > 1
    ]


def _scheme_of(plain: list[str]) -> tuple[int, int] | None:
    """Scheme and group size that give exactly these codes."""
    for scheme in (LETTER_FIRST, DIGIT_FIRST):
        for group_size in range(9, 0, -1):
            if not fits(scheme, group_size, len(plain)):
                continue
            if codes(scheme, group_size, len(plain)) == plain:
                return scheme, group_size
    return None


def _category(entry: dict[str, Any]) -> kinds.DeckCategory:
    return kinds.DeckCategory(
        entry["key"],
        entry["title"],
        entry["unit"],
        entry["best"],
        entry["decimals"],
        bool(entry.get("joker")),
    )
