"""What games with a deck share: the deck of a header, and its tags."""

from typing import Any

from firmware.rules.errors import Malformed
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.cards.tag_items import Set, deck_items

Json = dict[str, Any]


def with_deck(header: Json) -> Json:
    """The header with the project's own deck in the place of its id. Raises Malformed."""
    name = header.get("deck")
    if not isinstance(name, str):
        return header
    if name not in deck_ids():
        raise Malformed("deck", f"is no deck that the project knows: {name}")
    return {**header, "deck": load_deck(name)}


def deck_sets(header: Json) -> list[Set]:
    """The cards of the deck, and its deck card."""
    return [deck_items(header["deck"], with_deck_card=True)]
