"""Decks and boards the box has: files `decks/<id>.json`, `boards/<id>.json` in its storage."""

import json
import os
from collections import namedtuple

from micropython import const

from card_tags.deck_card import deck_number
from firmware.rules.game import FOURS

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from firmware.rules.game import Game

    class DeckFacts(NamedTuple):
        """What the menu knows of a deck: `preset` (None: it names none) and house `rules` by name
        that its file brings; how many `cards` it has, `plain` ones without jokers; `fours`: four
        plain cards of each group.
        """

        preset: "str | None"
        rules: "tuple[tuple[str, str], ...]"
        cards: int
        plain: int
        fours: bool

else:
    DeckFacts = namedtuple("DeckFacts", ("preset", "rules", "cards", "plain", "fours"))

_ENDING = ".json"
_FOUR = const(4)
_NOTHING = DeckFacts(None, (), 0, 0, False)


def stored_ids(storage: str, folder: str) -> "list[str]":
    """Ids of the files in a folder of the storage, sorted; [] without the folder."""
    try:
        names = os.listdir(storage + "/" + folder)
    except OSError:
        return []
    return sorted([name[: -len(_ENDING)] for name in names if name.endswith(_ENDING)])


def load(storage: str, folder: str, name: str) -> "dict[str, Any]":
    """The object in a file. OSError if it cannot be read, ValueError if it is no JSON."""
    with open(storage + "/" + folder + "/" + name + _ENDING, "rb") as file:
        content: "dict[str, Any]" = json.load(file)
    return content


def id_of_number(storage: str, number: int) -> "str | None":
    """The id of the stored deck whose cards carry this number, or None."""
    for name in stored_ids(storage, "decks"):
        if deck_number(name) == number:
            return name
    return None


def facts_of(storage: str, deck: "Any") -> "DeckFacts":
    """The facts of a stored deck by its id, or of a deck object; of what is no deck: no cards."""
    if type(deck) is str:
        try:
            deck = load(storage, "decks", deck)
        except (OSError, ValueError):
            deck = None
    cards = deck.get("cards") if type(deck) is dict else None
    if type(cards) is not list:
        return _NOTHING
    groups: "dict[str, int]" = {}
    jokers = 0
    for card in cards:
        if type(card) is not dict:
            return _NOTHING
        if card.get("joker"):
            jokers += 1
        else:
            group = str(card.get("code"))[:1]
            groups[group] = groups.get(group, 0) + 1
    fours = [count for count in groups.values() if count != _FOUR] == []
    preset = deck.get("preset")
    rules = deck.get("house_rules")
    pairs = [(name, str(rules[name])) for name in sorted(rules)] if type(rules) is dict else []
    known = preset if type(preset) is str else None
    return DeckFacts(known, tuple(pairs), len(cards), len(cards) - jokers, fours)


def most_seats(game: "Game", facts: "DeckFacts") -> int:
    """For how many seats such a deck has cards in this game; 0 if it is not played with it."""
    if game.deck == FOURS:
        return facts.plain if facts.fours else 0
    return facts.cards


def fits(game: "Game", facts: "DeckFacts") -> bool:
    """Whether a match of this game can be played with such a deck."""
    return most_seats(game, facts) >= min([preset.fewest for preset in game.presets])
