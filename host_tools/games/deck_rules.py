"""What the games make of a deck under a preset: which value wins, and what is odd about it."""

from firmware.rules.deck import direction
from host_tools.cards.decks.check import DeckFile
from host_tools.cards.decks.contents import tag_hints
from host_tools.core.errors import Sentence
from host_tools.core.json_types import Json
from host_tools.games import GAMES


def directions(deck: Json, preset: str | None) -> list[str]:
    """Which end wins in each category, "high" or "low", as the box has it with this preset (TR-5);
    with one that compares no values, or none, what the deck says.
    """
    categories = deck["categories"]
    for game in GAMES.values():
        if preset is not None and preset in game.low_first:
            low_first = game.low_first[preset]
            return [direction(each, place, low_first) for place, each in enumerate(categories)]
    return [category["best"] for category in categories]


def overruled(deck: Json, preset: str | None) -> list[str]:
    """The titles of the categories in which another end wins than the deck says (SW-2)."""
    pairs = zip(deck["categories"], directions(deck, preset), strict=True)
    return [
        category.get("title", category["key"])
        for category, best in pairs
        if category.get("best", best) != best
    ]


def deck_hints(file: DeckFile) -> list[Sentence]:
    """What works but not well, or otherwise than one might think, a sentence each."""
    if file.deck is None:
        return []
    hints = tag_hints(file.deck)
    turned = overruled(file.deck, file.preset)
    if turned:
        hints.append(Sentence("note_overruled", choices=turned))
    for game in GAMES.values():
        hints += game.deck_hints(file.deck, file.preset)
    return hints
