"""Values that the box learned from the tags themselves, put into the deck before the replay.

A box that only knows the deck card writes a deck without values into the header and each card's
values into the command of its tap (`values`, TRANSCRIPT.md: unknown fields are kept). The rules
need them in the deck.
"""

from collections.abc import Iterable
from typing import Any

from host_tools.decks import load_deck
from host_tools.errors import UserError

Json = dict[str, Any]


def completed(header: Json, commands: Iterable[Json]) -> Json:
    """The header with the values that the taps brought along; unchanged if there are none."""
    learned = {
        command["card"]: command["values"]
        for command in commands
        if command.get("do") == "tap" and isinstance(command.get("values"), list)
    }
    deck = header.get("deck")
    if not learned or not isinstance(deck, dict) or not isinstance(deck.get("cards"), list):
        return header
    cards = [_filled(card, learned) for card in deck["cards"]]
    return {**header, "deck": {**deck, "cards": cards}}


def _filled(card: Json, learned: dict[str, list[Any]]) -> Json:
    values = learned.get(card.get("code", ""))
    return card if values is None else {**card, "values": values}


def first_foreign_value(header: Json) -> str:
    """A card whose tag said something else than the deck this laptop has; "" if there is none.

    A deck that the laptop does not have cannot be compared, and says nothing.
    """
    deck = header.get("deck")
    if not isinstance(deck, dict) or not isinstance(deck.get("id"), str):
        return ""
    try:
        ours = load_deck(deck["id"])
    except UserError:
        return ""
    known = {card["code"]: card.get("values") for card in ours["cards"]}
    for card in deck["cards"]:
        values = card.get("values")
        if values and any(v is not None for v in values) and values != known.get(card["code"]):
            return f"the tag of card {card['code']} has other values than deck {deck['id']}"
    return ""
