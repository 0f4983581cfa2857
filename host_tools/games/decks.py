"""What games with a deck share: the deck of a header, and its tags."""

from firmware.rules.errors import Malformed
from host_tools.cards import art
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
    # an id only: a path that stands in a record is never opened
    if name in deck_ids():
        return {**header, "deck": load_deck(name)}
    own = own_decks().get(name)
    if own is None:
        raise Malformed("deck", f"is no deck that the project knows: {name}")
    return {**header, "deck": own.deck}


class CardLooks:
    """How the cards of a deck look on a page: where their pictures are, and their colours."""

    def __init__(self, deck: Json) -> None:
        self._deck = deck
        self._kept: dict[str, Json] = {}

    def of(self, code: str) -> Json:
        if code not in self._kept:
            found = {"art": art.address(self._deck, code), "colour": art.group_colour(code)}
            self._kept[code] = found
        return self._kept[code]


def deck_sets(header: Json) -> list[Set]:
    """The cards of the deck, and its deck card."""
    return [deck_items(header["deck"], with_deck_card=True)]
