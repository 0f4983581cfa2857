"""What no German text for people may hold (docs/GLOSSARY.md); for the texts of box and laptop."""

import re

FAULTS = {
    "an ending in brackets": r"\w\((?:e|n|en|er|es|s|in|innen)\)",
    "the tag is das Tag": r"\b(?i:der|den|einen|keinen|jede[rn]|diese[rn]) Tag\b|\bTagen?\b",
    "quotation marks are „ and “": "[«»]",
    "a dash is –, three dots are …": r"\w --? \w|\.\.\.",
    "ß, not ss": r"\b(?i:heiss|schliess|ausser|gross|weiss\b|gemäss|stoss)",
    "nobody is told Sie": r"en Sie\b",
    "a match is a Partie": r"Matche?s?\b|das Spiel (?:läuft|ist aus)",
    "a deck is a Deck": r"Kartenset|Kartenblatt",
    "K.-o. has two dots and a dash": r"\bK\. ?[oO]\.|\bKO\b",
    "it is called Jury, Turniertisch, Platz": r"\b(?:Desk|Judge|Sitz)\b",
}
_CODE = re.compile(r"`[^`]*`|\{\w*\}|--[\w-]+")
SAME_IN_PLURAL = {"Spieler", "Zeichen", "Byte", "Bytes", "Fehler", "Zettel", "Tags", "Uhr", "Baud"}
"""Nouns that are the same for one and for many, or a unit."""


def german_faults(text: str) -> list[str]:
    """What is wrong with a text, in words; code in it is not German."""
    said = _CODE.sub("", text)
    return [what for what, pattern in FAULTS.items() if re.search(pattern, said)]


def counted_nouns(text: str) -> set[str]:
    """Nouns right behind a number that is filled in: wrong if it can be 1."""
    return set(re.findall(r"\{\w*\} ([A-ZÄÖÜ]\w+)", text)) - SAME_IN_PLURAL
