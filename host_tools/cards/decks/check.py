"""Checks a deck file and says every fault with line and field.

A deck without faults becomes a deck object as in TRANSCRIPT.md.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.cards.decks.source import FACTS, FieldPath, SourceFile, read_source
from host_tools.cards.decks.values import FaultyValue, scaled_value
from host_tools.core.errors import Sentence
from host_tools.core.faults import Fault

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
_KEY = re.compile(r"[a-z0-9_]{1,30}")
CODE = re.compile(r"[A-Za-z0-9]{1,4}")
_JOKER_CODE = re.compile(r"J[1-9]")
PRESETS = ("gastro", "kneipe", "swiss")
_FORMS = {
    _ID: "deck_form_id",
    _KEY: "deck_form_key",
    CODE: "deck_form_code",
    _JOKER_CODE: "deck_form_joker",
}
_MOST_CATEGORIES = 15  # what a playing card can hold, card_tags/FORMAT.md
_LONGEST_TEXT = 60  # bytes of UTF-8, card_tags/FORMAT.md
# ASCII without blanks (RFC 3986); 198 bytes, as a tag takes no more than 200 (cards/links.py)
_LINK = re.compile(r"https?://[!-~]{1,190}")
PICTURES = "pictures"
OPTIONS = "house_rules"
TRANSLATIONS = "translations"
PICTURE_KINDS = (".jpg", ".jpeg", ".png", ".webp", ".gif")


@dataclass
class DeckFile:
    """A checked file: `deck` is the deck object of TRANSCRIPT.md, None if there are faults.

    `link`, `own_links`: what a phone opens, of all cards and of one; on tags and paper, not in
    matches. `options`: house rules for the deck card, which the preset's game must have
    (host_tools/games/options.py). `translations`: language -> text of the deck -> the same there.
    """

    path: Path
    preset: str | None = None
    deck: dict[str, Any] | None = None
    faults: list[Fault] = field(default_factory=list)
    link: str = ""
    own_links: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    translations: dict[str, dict[str, str]] = field(default_factory=dict)

    def in_language(self, lang: str) -> dict[str, Any] | None:
        """The deck with its texts in a language; those that it lacks stay as they are."""
        words = self.translations.get(lang, {})
        if self.deck is None or not words:
            return self.deck
        categories = [
            {**one, **{name: words.get(one[name], one[name]) for name in ("title", "unit")}}
            for one in self.deck["categories"]
        ]
        cards = [
            {**one, "name": words.get(one["name"], one["name"])} for one in self.deck["cards"]
        ]
        title = words.get(self.deck["title"], self.deck["title"])
        return {**self.deck, "title": title, "categories": categories, "cards": cards}

    def for_box(self, lang: str) -> dict[str, Any] | None:
        """The deck as a box keeps it: in a language, with what decides how it is played (TR-5)."""
        deck = self.in_language(lang)
        if deck is None or self.preset is None:
            return deck
        return {**deck, "preset": self.preset, OPTIONS: self.options}

    @property
    def links(self) -> dict[str, str]:
        """Code -> address: the card's own, else the deck's with `{code}` filled in."""
        codes = [card["code"] for card in self.deck["cards"]] if self.deck else []
        made = {code: self.link.replace("{code}", code) for code in codes if self.link}
        return made | self.own_links

    @property
    def pictures(self) -> dict[str, Path]:
        """Code -> picture."""
        codes = {card["code"] for card in self.deck["cards"]} if self.deck else set()
        return pictures_of(self.path, codes)


def pictures_of(path: Path, codes: Container[str]) -> dict[str, Path]:
    """Code -> picture: what lies beside a deck file in the folder `pictures`."""
    # of A1.jpg and A1.png the same one counts on every machine
    found = sorted((path.parent / PICTURES).glob("*.*"))
    kept = [one for one in found if one.suffix.lower() in PICTURE_KINDS]
    return {one.stem: one for one in kept if one.stem in codes}


def check_deck(path: Path) -> DeckFile:
    """Read and check a deck file. Raises UserError only if it cannot be read at all."""
    return check_source(read_source(path))


def check_source(source: SourceFile) -> DeckFile:
    """Check what was read."""
    return _Checker(source).run()


class _Checker:
    """Walks one deck and collects its faults; the deck object grows along the way."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._file = DeckFile(source.path)
        self._decimals: list[int] = []

    def run(self) -> DeckFile:
        content = self._source.content
        deck: dict[str, Any] = {
            "id": self._text(content, ("id",), _ID),
            "title": content.get("title", content.get("id", "")),
            # before the cards: their values need the decimals
            "categories": [self._category(*entry) for entry in self._entries("categories")],
        }
        self._check_preset(content)
        self._check_title(("title",), deck["title"])
        self._no_doubles("categories", "key")
        deck["cards"] = [self._card(*entry) for entry in self._entries("cards")]
        self._no_doubles("cards", "code")
        self._check_counts(deck)
        self._check_jokers(deck)
        self._check_links()
        self._check_options(content.get(OPTIONS, {}))
        self._check_translations(deck, content.get(TRANSLATIONS, {}))
        if not self._file.faults:
            self._file.deck = deck
        # each check goes through the whole deck; people go from line to line
        self._file.faults.sort(key=lambda fault: fault.line)
        return self._file

    def _fault(self, place: FieldPath, text: Sentence) -> None:
        name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
        line = self._source.line_of(place)
        self._file.faults.append(Fault(self._source.path, line, name.removeprefix("."), text))

    def _entries(self, name: str) -> Iterator[tuple[FieldPath, dict[str, Any]]]:
        """The tables below `name`, each with its place. What is no table is a fault."""
        entries = self._source.content.get(name)
        if not isinstance(entries, list) or not entries:
            self._fault((name,), Sentence("deck_entries"))
            return
        for number, entry in enumerate(entries):
            if isinstance(entry, dict):
                yield (name, number), entry
            else:
                self._fault((name, number), Sentence("deck_table"))

    def _text(self, entry: dict[str, Any], place: FieldPath, pattern: re.Pattern[str]) -> str:
        """A text that must be there and match."""
        value = entry.get(str(place[-1]))
        if value is None:
            self._fault(place, Sentence("deck_missing"))
        elif not isinstance(value, str) or not pattern.fullmatch(value):
            self._fault(place, Sentence(_FORMS[pattern], value=repr(value)))
        # taken all the same, so that one run tells every fault
        return str(value)

    def _check_title(self, place: FieldPath, value: object) -> None:
        if not isinstance(value, str):
            self._fault(place, Sentence("deck_text"))
        elif len(value.encode()) > _LONGEST_TEXT or not value.isprintable():
            self._fault(place, Sentence("deck_title", count=_LONGEST_TEXT))

    def _check_preset(self, content: dict[str, Any]) -> None:
        self._file.preset = preset = content.get("preset")
        if preset is not None and preset not in PRESETS:
            choices = ", ".join(PRESETS)
            fault = Sentence("deck_preset", value=repr(preset), choices=choices)
            self._fault(("preset",), fault)

    def _category(self, place: FieldPath, entry: dict[str, Any]) -> dict[str, Any]:
        for name in entry:
            if name not in ("key", *FACTS):
                self._fault((*place, name), Sentence("deck_field"))
        category: dict[str, Any] = {"key": self._text(entry, (*place, "key"), _KEY)}
        for name, default in (("title", category["key"]), ("unit", "")):
            category[name] = entry.get(name, default)
            self._check_title((*place, name), category[name])
        category["best"] = self._best(entry, (*place, "best"))
        category["decimals"] = self._decimals_of(place, entry)
        joker = entry.get("joker", False)
        if not isinstance(joker, bool):
            self._fault((*place, "joker"), Sentence("deck_flag"))
        if joker is True:
            category["joker"] = True
        return category

    def _best(self, entry: dict[str, Any], place: FieldPath) -> str:
        value = entry.get("best")
        if value is None:
            self._fault(place, Sentence("deck_no_best"))
        elif value not in ("high", "low"):
            self._fault(place, Sentence("deck_best", value=repr(value)))
        return str(value)

    def _decimals_of(self, place: FieldPath, entry: dict[str, Any]) -> int:
        value = entry.get("decimals", 0)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 3:
            self._fault((*place, "decimals"), Sentence("deck_decimals"))
            value = 3  # the widest, so that its values bring no faults of their own
        self._decimals.append(value)
        return value

    def _card(self, place: FieldPath, entry: dict[str, Any]) -> dict[str, Any]:
        joker = entry.get("joker", False)
        if not isinstance(joker, bool):
            self._fault((*place, "joker"), Sentence("deck_flag"))
        pattern = _JOKER_CODE if joker is True else CODE
        card: dict[str, Any] = {"code": self._text(entry, (*place, "code"), pattern)}
        card["name"] = entry.get("name", "")
        self._check_title((*place, "name"), card["name"])
        if joker is True:
            card["joker"] = True
            if entry.get("values"):
                self._fault((*place, "values"), Sentence("deck_joker_values"))
        else:
            card["values"] = self._values((*place, "values"), entry.get("values"))
        return card

    def _values(self, place: FieldPath, raw: object) -> list[int | None]:
        if not isinstance(raw, list):
            self._fault(place, Sentence("deck_no_values"))
            return []
        expected = len(self._decimals)
        if len(raw) != expected:
            self._fault(place, Sentence("deck_values", count=len(raw), expected=expected))
        values: list[int | None] = []
        # not strict: a wrong count is a fault already, and the values have their own
        for number, (value, decimals) in enumerate(zip(raw, self._decimals, strict=False)):
            try:
                values.append(scaled_value(value, decimals))
            except FaultyValue as error:
                self._fault((*place, number), error.sentence)
        return values

    def _no_doubles(self, name: str, key: str) -> None:
        entries = self._source.content.get(name)
        seen: dict[object, int] = {}
        for number, entry in enumerate(entries if isinstance(entries, list) else []):
            value = entry.get(key) if isinstance(entry, dict) else None
            if isinstance(value, str) and value in seen:
                before = f"{name}[{seen[value]}]"
                twice = Sentence("deck_twice", value=repr(value), place=before)
                self._fault((name, number, key), twice)
            elif isinstance(value, str):
                seen[value] = number

    def _check_counts(self, deck: dict[str, Any]) -> None:
        if len(deck["categories"]) > _MOST_CATEGORIES:
            self._fault(("categories",), Sentence("deck_most", count=_MOST_CATEGORIES))
        # a deck without any is told by _entries
        if deck["cards"] and sum("joker" not in card for card in deck["cards"]) < 2:
            self._fault(("cards",), Sentence("deck_least"))

    def _check_jokers(self, deck: dict[str, Any]) -> None:
        """With jokers exactly one category is doubled, without none (TRANSCRIPT.md, *Files*)."""
        doubled = [n for n, entry in enumerate(deck["categories"]) if entry.get("joker")]
        if not any("joker" in card for card in deck["cards"]):
            for number in doubled:
                self._fault(("categories", number, "joker"), Sentence("deck_no_jokers"))
        elif len(doubled) != 1:
            self._fault(("categories",), Sentence("deck_jokers", count=len(doubled)))

    def _check_options(self, options: object) -> None:
        # what is no table becomes an entry that is a fault
        entries = options.items() if isinstance(options, dict) else [("", None)]
        for name, choice in entries:
            # not isinstance: true is no choice
            if type(choice) not in (str, int):
                self._fault((OPTIONS,), Sentence("deck_options"))
                return
            self._file.options[name] = str(choice)

    def _check_translations(self, deck: dict[str, Any], found: object) -> None:
        # as with the options: one entry, which is a fault
        entries = found.items() if isinstance(found, dict) else [("", None)]
        named = [*deck["categories"], *deck["cards"]]
        texts = {
            deck["title"],
            *(one.get(name) for one in named for name in ("title", "unit", "name")),
        }
        for lang, words in entries:
            if not isinstance(words, dict):
                self._fault((TRANSLATIONS,), Sentence("deck_translations"))
                continue
            for word, translated in words.items():
                self._check_title((TRANSLATIONS, lang, word), translated)
                # the text was mistyped or has changed: its translation would never be shown
                if word not in texts:
                    self._fault((TRANSLATIONS, lang, word), Sentence("deck_translates_nothing"))
            self._file.translations[lang] = words

    def _check_links(self) -> None:
        content = self._source.content
        self._file.link = self._link(content, ("link",))
        cards = content.get("cards")
        for number, entry in enumerate(cards if isinstance(cards, list) else []):
            if isinstance(entry, dict) and "link" in entry:
                link = self._link(entry, ("cards", number, "link"))
                self._file.own_links[str(entry.get("code"))] = link

    def _link(self, entry: dict[str, Any], place: FieldPath) -> str:
        link = entry.get("link", "")
        if link and not (isinstance(link, str) and _LINK.fullmatch(link)):
            self._fault(place, Sentence("deck_link", value=repr(link)))
            return ""
        return str(link)
