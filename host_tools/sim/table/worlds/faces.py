"""What is printed on a card, as the page draws it (static/cards.js)."""

from typing import Any

from firmware.rules.deck import Category, Deck
from host_tools.replay.telling import decimal

Json = dict[str, Any]


def trumpf_face(deck: Deck, code: str, name: str, lang: str) -> Json:
    """A card of the rules' deck with its values as people write them; a joker has none."""
    card = deck.index(code)
    joker = bool(deck.jokers[card])
    rows = [
        _row(category, deck.value(card, place), lang)
        for place, category in enumerate(deck.categories)
        if not joker
    ]
    return {"kind": "trumpf", "code": code, "name": name, "joker": joker, "rows": rows}


def _row(category: Category, value: int | None, lang: str) -> Json:
    number = "–" if value is None else decimal(value, category.decimals, lang)
    text = number if value is None else f"{number} {category.unit}".strip()
    return {"key": category.key, "title": category.title, "value": text}


def quartett_face(code: str, names: dict[str, str]) -> Json:
    """A card with the `names` (by code) of all cards of its group, itself among them."""
    group = [other for other in names if other[:1] == code[:1]]
    return {
        "kind": "quartett",
        "code": code,
        "name": names[code],
        "joker": False,
        "rows": [{"key": other, "title": other, "value": names[other]} for other in group],
    }


def hattrick_face(code: str) -> Json:
    """Colour and value."""
    return {"kind": "hattrick", "code": code, "suit": code[0], "value": int(code[1:])}
