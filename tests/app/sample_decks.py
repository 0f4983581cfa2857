"""Two small decks for the app's tests and pictures: eight peaks, and eight pubs with a joker."""

from typing import Any


def category(key: str, title: str, unit: str, best: str, decimals: int = 0) -> dict[str, Any]:
    return {"key": key, "title": title, "unit": unit, "best": best, "decimals": decimals}


def card(code: str, *values: int | None) -> dict[str, Any]:
    return {"code": code, "values": list(values)}


PEAKS: dict[str, Any] = {
    "id": "gipfel",
    "title": "Gipfel",
    "categories": [
        category("hoehe", "Höhe", "m", "high"),
        category("scharte", "Schartenhöhe", "m", "high"),
        category("erst", "Erstbesteigung", "", "low"),
    ],
    "cards": [
        card("A1", 4478, 1043, 1865),
        card("A2", 4545, 1046, 1858),
        card("A3", 4505, 1235, 1861),
        card("A4", 3967, 362, 1858),
        card("B1", 4158, 694, 1811),
        card("B2", 4110, 593, 1857),
        card("B3", 4274, 2280, 1829),
        card("B4", 2502, 2021, None),
    ],
}
PUBS: dict[str, Any] = {
    "id": "kneipen",
    "title": "Kneipen",
    "categories": [
        category("preis", "Bierpreis", "€", "low", 2),
        category("laerm", "Lautstärke", "dB", "low"),
        category("stufen", "Stufen", "", "low"),
        {**category("fass", "Fassungsvermögen", "Pers.", "high"), "joker": True},
    ],
    "cards": [
        card("A1", 420, 71, 0, 60),
        card("A2", 380, 66, 3, 85),
        card("A3", 510, 80, 12, 140),
        card("A4", 450, 75, 1, 45),
        card("B1", 390, 69, 2, 110),
        card("B2", 405, 78, 0, 70),
        card("B3", 470, 62, 5, 95),
        {"code": "J1", "joker": True},
    ],
}
DECKS: dict[str, dict[str, Any]] = {"gipfel": PEAKS, "kneipen": PUBS}
ENGLISH = {
    "Höhe": "Height",
    "Schartenhöhe": "Prominence",
    "Erstbesteigung": "First ascent",
    "Bierpreis": "Price of beer",
    "Lautstärke": "Noise",
    "Stufen": "Steps",
    "Fassungsvermögen": "Room for people",
    "Fassungsverm": "Room for peo",  # as much of it as a line has room for
}


def translated(deck: dict[str, Any], language: str) -> dict[str, Any]:
    """The deck for a picture in this language: what stands on a card is not the box's to say."""
    if language != "en":
        return deck
    named = [
        {**each, "title": ENGLISH.get(each["title"], each["title"])} for each in deck["categories"]
    ]
    return {**deck, "categories": named}


def card_values(deck: str, code: str) -> list[int | None]:
    """The values of a card; [] for jokers and codes that the deck lacks."""
    for entry in DECKS.get(deck.removesuffix("-card"), {"cards": []})["cards"]:
        if entry["code"] == code:
            return list(entry.get("values", []))
    return []
