"""Checks a deck file and says every fault with line and field.

A deck without faults becomes a deck object as in TRANSCRIPT.md.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.cards.decks.source import Place, Source, read_source
from host_tools.cards.decks.values import FaultyValue, scaled_value
from host_tools.core.faults import Fault

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
_KEY = re.compile(r"[a-z0-9_]{1,30}")
_CODE = re.compile(r"[A-Za-z0-9]{1,4}")
_JOKER_CODE = re.compile(r"J[1-9]")
_PRESETS = ("gastro", "kneipe", "swiss")
_CATEGORY_FIELDS = ("key", "title", "unit", "best", "decimals", "joker")
_MOST_CATEGORIES = 15  # what a playing card can hold, card_tags/FORMAT.md
_LONGEST_TEXT = 60  # bytes of UTF-8, card_tags/FORMAT.md


@dataclass
class DeckFile:
    """A checked file: `deck` is the deck object of TRANSCRIPT.md, None if there are faults."""

    path: Path
    preset: str | None = None
    deck: dict[str, Any] | None = None
    faults: list[Fault] = field(default_factory=list)


def check_deck(path: Path) -> DeckFile:
    """Read and check a deck file. Raises UserError only if it cannot be read at all."""
    return _Checker(read_source(path)).run()


class _Checker:
    """Walks one deck and collects its faults; the deck object grows along the way."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._file = DeckFile(source.path)
        self._decimals: list[int] = []

    def run(self) -> DeckFile:
        content = self._source.content
        deck: dict[str, Any] = {
            "id": self._text(content, ("id",), _ID),
            "title": content.get("title", content.get("id", "")),
            "categories": [self._category(*entry) for entry in self._entries("categories")],
        }
        self._check_preset(content)
        self._check_title(("title",), deck["title"])
        self._no_doubles("categories", "key")
        deck["cards"] = [self._card(*entry) for entry in self._entries("cards")]
        self._no_doubles("cards", "code")
        self._check_counts(deck)
        self._check_jokers(deck)
        if not self._file.faults:
            self._file.deck = deck
        self._file.faults.sort(key=lambda fault: fault.line)
        return self._file

    def _fault(self, place: Place, text: str) -> None:
        name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
        line = self._source.line_of(place)
        self._file.faults.append(Fault(self._source.path, line, name.removeprefix("."), text))

    def _entries(self, name: str) -> Iterator[tuple[Place, dict[str, Any]]]:
        """The tables below `name`, each with its place. What is no table is a fault."""
        entries = self._source.content.get(name)
        if not isinstance(entries, list) or not entries:
            self._fault((name,), "missing; a deck has at least one.")
            return
        for number, entry in enumerate(entries):
            if isinstance(entry, dict):
                yield (name, number), entry
            else:
                self._fault((name, number), "expected a table of fields.")

    def _text(self, entry: dict[str, Any], place: Place, pattern: re.Pattern[str]) -> str:
        """A text that must be there and match."""
        value = entry.get(str(place[-1]))
        if value is None:
            self._fault(place, "missing.")
        elif not isinstance(value, str) or not pattern.fullmatch(value):
            self._fault(place, f"{value!r} is not of the form {pattern.pattern}.")
        return str(value)

    def _check_title(self, place: Place, value: object) -> None:
        if not isinstance(value, str):
            self._fault(place, "expected a text.")
        elif len(value.encode()) > _LONGEST_TEXT or not value.isprintable():
            self._fault(place, f"at most {_LONGEST_TEXT} bytes without control characters.")

    def _check_preset(self, content: dict[str, Any]) -> None:
        self._file.preset = content.get("preset")
        if self._file.preset is not None and self._file.preset not in _PRESETS:
            self._fault(("preset",), f"{self._file.preset!r} is none of {', '.join(_PRESETS)}.")

    def _category(self, place: Place, entry: dict[str, Any]) -> dict[str, Any]:
        for name in entry:
            if name not in _CATEGORY_FIELDS:
                self._fault((*place, name), "a category has no such field.")
        category: dict[str, Any] = {"key": self._text(entry, (*place, "key"), _KEY)}
        for name, default in (("title", category["key"]), ("unit", "")):
            category[name] = entry.get(name, default)
            self._check_title((*place, name), category[name])
        category["best"] = self._choice(entry, (*place, "best"), ("high", "low"))
        category["decimals"] = self._decimals_of(place, entry)
        joker = entry.get("joker", False)
        if not isinstance(joker, bool):
            self._fault((*place, "joker"), "expected true or false.")
        if joker is True:
            category["joker"] = True
        return category

    def _choice(self, entry: dict[str, Any], place: Place, choices: tuple[str, ...]) -> str:
        value = entry.get(str(place[-1]))
        if value is None:
            self._fault(place, f"missing; {' or '.join(choices)}.")
        elif value not in choices:
            self._fault(place, f"{value!r} is not {' or '.join(choices)}.")
        return str(value)

    def _decimals_of(self, place: Place, entry: dict[str, Any]) -> int:
        value = entry.get("decimals", 0)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 3:
            self._fault((*place, "decimals"), "expected 0, 1, 2 or 3.")
            value = 3  # the widest, so that its values bring no faults of their own
        self._decimals.append(value)
        return value

    def _card(self, place: Place, entry: dict[str, Any]) -> dict[str, Any]:
        joker = entry.get("joker", False)
        if not isinstance(joker, bool):
            self._fault((*place, "joker"), "expected true or false.")
        pattern = _JOKER_CODE if joker is True else _CODE
        card: dict[str, Any] = {"code": self._text(entry, (*place, "code"), pattern)}
        card["name"] = entry.get("name", "")
        self._check_title((*place, "name"), card["name"])
        if joker is True:
            card["joker"] = True
            if entry.get("values"):
                self._fault((*place, "values"), "a joker has none.")
        else:
            card["values"] = self._values((*place, "values"), entry.get("values"))
        return card

    def _values(self, place: Place, raw: object) -> list[int | None]:
        if not isinstance(raw, list):
            self._fault(place, 'missing; one value per category, "-" where there is none.')
            return []
        expected = len(self._decimals)
        if len(raw) != expected:
            self._fault(place, f"{len(raw)} values for {expected} categories.")
        values: list[int | None] = []
        for number, (value, decimals) in enumerate(zip(raw, self._decimals, strict=False)):
            try:
                values.append(scaled_value(value, decimals))
            except FaultyValue as error:
                self._fault((*place, number), str(error))
        return values

    def _no_doubles(self, name: str, key: str) -> None:
        entries = self._source.content.get(name)
        seen: dict[object, int] = {}
        for number, entry in enumerate(entries if isinstance(entries, list) else []):
            value = entry.get(key) if isinstance(entry, dict) else None
            if isinstance(value, str) and value in seen:
                self._fault((name, number, key), f"{value!r} is already {name}[{seen[value]}].")
            elif isinstance(value, str):
                seen[value] = number

    def _check_counts(self, deck: dict[str, Any]) -> None:
        if len(deck["categories"]) > _MOST_CATEGORIES:
            self._fault(("categories",), f"at most {_MOST_CATEGORIES} fit on a card.")
        if deck["cards"] and sum("joker" not in card for card in deck["cards"]) < 2:
            self._fault(("cards",), "at least two cards that are no jokers.")

    def _check_jokers(self, deck: dict[str, Any]) -> None:
        """With jokers exactly one category is doubled, without none (TRANSCRIPT.md, *Files*)."""
        doubled = [n for n, entry in enumerate(deck["categories"]) if entry.get("joker")]
        if not any("joker" in card for card in deck["cards"]):
            for number in doubled:
                self._fault(("categories", number, "joker"), "the deck has no jokers.")
        elif len(doubled) != 1:
            text = f"{len(doubled)} categories have joker = true; with jokers it is exactly one."
            self._fault(("categories",), text)
