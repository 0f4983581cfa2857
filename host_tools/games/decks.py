"""What games with a deck share: the deck of a header, and its tags."""

from firmware.games.trumpf.header import LOW_FIRST
from firmware.rules.deck import direction
from firmware.rules.errors import Malformed
from host_tools.cards import art
from host_tools.cards.decks import deck_ids, load_deck, own_decks
from host_tools.cards.decks.check import DeckFile
from host_tools.cards.decks.contents import tag_hints
from host_tools.cards.tag_items import Set, deck_items
from host_tools.core.errors import Sentence
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


# -- which value wins -----------------------------------------------------------------------------


def directions(deck: Json, preset: str | None) -> list[str]:
    """Which end wins in each category, "high" or "low", as the box has it with this preset (TR-5);
    without a preset of Trumpf what the deck says.
    """
    categories = deck["categories"]
    if preset not in LOW_FIRST:
        return [category["best"] for category in categories]
    low_first = LOW_FIRST[preset]
    return [direction(category, place, low_first) for place, category in enumerate(categories)]


def overruled(deck: Json, preset: str | None) -> list[str]:
    """The titles of the categories in which another end wins than the deck says (SW-2)."""
    pairs = zip(deck["categories"], directions(deck, preset), strict=True)
    return [
        category.get("title", category["key"])
        for category, best in pairs
        if category.get("best", best) != best
    ]


SWISS_CARDS = (28, 36)
"""SW-1: fewest and most."""


def deck_hints(file: DeckFile) -> list[Sentence]:
    """What works but not well, or otherwise than one might think, a sentence each."""
    if file.deck is None:
        return []
    hints = tag_hints(file.deck)
    turned = overruled(file.deck, file.preset)
    if turned:
        hints.append(Sentence("note_overruled", choices=turned))
    count, (fewest, most) = len(file.deck["cards"]), SWISS_CARDS
    if file.preset == "swiss" and not fewest <= count <= most:
        hints.append(Sentence("note_swiss_cards", count=count, least=fewest, most=most))
    return hints
