"""What games with a deck share: the deck of a header, and its tags."""

from firmware.rules.errors import Malformed
from host_tools.cards.decks import deck_ids, load_deck, own_decks
from host_tools.cards.tag_items import Set, deck_items
from host_tools.core.json_types import Json


def with_deck(header: Json) -> Json:
    """The header with the project's deck, or the user's own, in the place of its id. Raises
    Malformed.
    """
    name = header.get("deck")
    if not isinstance(name, str):
        return header
    if name in deck_ids():
        return {**header, "deck": load_deck(name)}
    own = own_decks().get(name)
    if own is None:
        raise Malformed("deck", f"is no deck that the project knows: {name}")
    return {**header, "deck": own.deck}


def deck_sets(header: Json) -> list[Set]:
    """The cards of the deck, and its deck card."""
    return [deck_items(header["deck"], with_deck_card=True)]
