"""A deck that somebody is making: guessed from a table, checked at every change, kept as a folder.

What a page or a spreadsheet has is text; the checker of deck files says what is wrong with it.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from card_tags.deck_card import LETTER_FIRST, codes
from host_tools.cards.decks.check import (
    CODE,
    OPTIONS,
    TRANSLATIONS,
    DeckFile,
    check_source,
    pictures_of,
)
from host_tools.cards.decks.source import (
    FACTS,
    YES,
    SourceFile,
    heading_of,
    plain_id,
    read_source,
)
from host_tools.cards.decks.values import shown_value
from host_tools.core.errors import Sentence
from host_tools.core.faults import Fault

MOST_CARDS = 234
"""26 groups of nine: what codes can tell apart."""
# a quartet
_IN_GROUP = 4
# narrower than CODE, which a column of years or of short names fits too
_CODE = re.compile(r"[A-Za-z][0-9]{1,2}|[0-9]{1,2}[A-Za-z]")
_JOKER = re.compile(r"J[1-9]")
_NUMBER = re.compile(r"(-?\d+(?:[.,]\d+)?)\s*([^\d\s].*)?")
# the same mark throughout: 1'234 567 is no number
_GROUPED = re.compile(r"-?\d{1,3}(?:(['’\u00a0\u202f ])\d{3}(?:\1\d{3})*)(?:[.,]\d+)?")
# a thousand and more, or three decimals: a column says which, or somebody is asked
_SINGLE = re.compile(r"-?[1-9]\d{0,2}([.,])\d{3}")
# a mark for decimals and nothing else
_DECIMAL = re.compile(r"-?(?:\d+([.,])(?:\d{1,2}|\d{4,})|0+([.,])\d{3})")
_UNGROUPED = re.compile(r"-?\d{4,}(?:[.,]\d+)?")
# clear by themselves: both marks, or one of them twice
_MARKED = re.compile(
    r"-?\d{1,3}(?:(?:\.\d{3})+(,)\d+|(?:,\d{3})+(\.)\d+|(?:\.\d{3}){2,}|(?:,\d{3}){2,})(?![\d.,])"
)
_CURRENCY = re.compile(r"^(?:€|\$|£|EUR|CHF|USD)\s*(?=-?\d)|(?<=\d)\s*(?:€|\$|£|EUR|CHF|USD)$")
_FRONT = re.compile(r"-?\d[\d.,]*")
_NOTHING = ("", "-", "–", "—", "n/a", "k. a.", "k.A.", "?", "unbekannt", "unknown")
_IN_UNIT = re.compile(r"(.{2,}?)\s+in\s+(\S{1,8})")
# words of a title for which less is usually better
_LOW = re.compile(
    r"jahr|gegründet|gründung|eröffnet|erst|baujahr|preis|kosten|verbrauch|gewicht|beschleunigung"
    r"|ruhetag|rang|platz\b|bremsweg|rundenzeit|sekunden|0\s*[-–]\s*100|öpnv|entfernung"
    r"|year|founded|opened|first|price|cost|consumption|weight|acceleration|rank|lap time",
    re.IGNORECASE,
)
_CODE_HEADS = ("code", "nr", "nr.", "no", "no.", "nummer", "number", "karte nr", "id", "#")
_NAME_HEADS = ("name", "titel", "title", "karte", "card", "bezeichnung", "modell", "model")

_SIGNS = {"EUR": "€", "USD": "$"}

Text = str


GROUPED, DECIMAL, OPEN = "grouped", "decimal", "open"
"""What 1.980 means in a column: 1980, 1.98, or nobody can tell but who made it."""


class DraftCategory(msgspec.Struct):
    """`best` is "high" or "low"; without a `key` one is made of the title. `marks`: GROUPED or
    DECIMAL if people have said it, "" where the column says it.
    """

    title: Text = ""
    unit: Text = ""
    best: Text = "high"
    joker: bool = False
    key: Text = ""
    marks: Text = ""


class ColumnQuestion(NamedTuple):
    """A column with two readings: up to two numbers as they were typed, and either way."""

    category: int
    typed: list[str]
    grouped: list[str]
    decimal: list[str]


class DraftCard(msgspec.Struct):
    """`values` as they were typed; `picture` names one that was handed in before."""

    code: Text = ""
    name: Text = ""
    values: list[Text] = msgspec.field(default_factory=list)
    picture: Text = ""
    link: Text = ""


class Draft(msgspec.Struct):
    """A deck as the page has it."""

    id: Text = ""
    title: Text = ""
    link: Text = ""
    preset: Text = ""
    categories: list[DraftCategory] = msgspec.field(default_factory=list)
    cards: list[DraftCard] = msgspec.field(default_factory=list)
    options: dict[str, Text] = msgspec.field(default_factory=dict)
    translations: dict[str, dict[str, Text]] = msgspec.field(default_factory=dict)


# -- from a table ---------------------------------------------------------------------------------


def from_table(rows: Sequence[Sequence[str]], name: str = "") -> Draft:
    """What a pasted table most likely means: headings in its first row, codes and names in the
    first columns, values in the others. What is not there is made up: codes A1, A2 …
    """
    width = max((len(row) for row in rows), default=0)
    table = [[*row, *[""] * (width - len(row))] for row in rows]
    heads = table.pop(0) if table and _is_heading(table) else [""] * width
    facts = {row[0].lower(): row for row in table if row and row[0].lower() in FACTS}
    table = [row for row in table if row[0].lower() not in FACTS][:MOST_CARDS]
    code_at, name_at = _special_columns(heads, table)
    places = [at for at in range(width) if at not in (code_at, name_at)]
    # spreadsheets add empty columns
    places = [at for at in places if heads[at] or any(row[at] for row in table)]
    known = _decimal_marks(row[at].lstrip("€$£ ") for row in table for at in places)
    columns = [_ValueColumn(heads[at], [row[at] for row in table], known) for at in places]
    made = _made_codes(len(table))
    cards = [
        DraftCard(
            code=row[code_at] if code_at is not None else made[number],
            name=row[name_at] if name_at is not None else "",
            values=[column.values[number] for column in columns],
        )
        for number, row in enumerate(table)
    ]
    categories = [column.category for column in columns]
    for at, category in zip(places, categories, strict=True):
        _obey(category, {fact: row[at] for fact, row in facts.items() if row[at]})
    return Draft(plain_id(name) or "deck", name, categories=categories, cards=cards)


def _is_heading(table: list[list[str]]) -> bool:
    """The first row has words where the second has numbers, or is known by its words."""
    first = table[0]
    known = any(cell.lower() in (*_CODE_HEADS, *_NAME_HEADS) for cell in first)
    words = [cell for cell in first if cell]
    return known or (len(table) > 1 and not any(map(_is_value, words)) and len(words) > 1)


def _special_columns(heads: list[str], table: list[list[str]]) -> tuple[int | None, int | None]:
    """Where codes and names stand; None if nowhere."""
    lowered = [head.lower() for head in heads]
    code = next((at for at, head in enumerate(lowered) if head in _CODE_HEADS), None)
    # a column "Nr." may count 1, 2, 3: those are no codes
    if code is not None and not _all_match(table, code, _CODE):
        code = None
    if code is None:
        code = next((at for at in range(len(heads)) if _all_match(table, at, _CODE)), None)
    name = next((at for at, head in enumerate(lowered) if head in _NAME_HEADS), None)
    if name is None:
        name = next((at for at in range(len(heads)) if at != code and _is_words(table, at)), None)
    return code, name


def _all_match(table: list[list[str]], at: int, form: re.Pattern[str]) -> bool:
    return bool(table) and all(form.fullmatch(row[at]) for row in table)


def _is_words(table: list[list[str]], at: int) -> bool:
    cells = [row[at] for row in table if row[at]]
    # most of them: a name may be a number
    return bool(cells) and sum(not _is_value(cell) for cell in cells) * 2 > len(cells)


def _is_value(cell: str) -> bool:
    return cell in _NOTHING or _NUMBER.fullmatch(_plain_number(cell)) is not None


def _plain_number(cell: str) -> str:
    """Without what groups thousands: 1'200, 1 200, 1.200,50."""
    if both := _MARKED.match(cell):
        mark = both[1] or both[2] or ""
        number = "".join(letter for letter in both[0] if letter not in ".," or letter == mark)
        return number + cell[both.end() :]
    found = _GROUPED.match(cell)
    return cell if found is None else cell.replace(found[1], "", found[0].count(found[1]))


class _ValueColumn:
    """A column of values as a category: unit, direction and plain numbers are guessed."""

    def __init__(self, head: str, cells: list[str], known: Collection[str]) -> None:
        heading = heading_of(head)
        title, unit = heading.get("title", head), heading.get("unit", "")
        if not unit and (words := _IN_UNIT.fullmatch(title)):
            title, unit = words[1], words[2]
        signs = {found[0].strip() for cell in cells if (found := _CURRENCY.search(cell))}
        if len(signs) == 1:
            unit = unit or _SIGNS.get(sign := signs.pop(), sign)
        plain = plain_values(cells, "", known=known)
        units = {match[2] or "" for cell in plain if (match := _NUMBER.fullmatch(cell))}
        if len(units) == 1 and (shared := units.pop()):
            unit = unit or shared
        self.values = [self._value(cell, unit) for cell in plain]
        best = "low" if _LOW.search(title) or unit in ("s", "l/100 km") else "high"
        self.category = DraftCategory(title, unit, best)

    def _value(self, cell: str, unit: str) -> str:
        if cell in _NOTHING:
            return "-"
        match = _NUMBER.fullmatch(cell)
        # a value in another unit stays as it is: the checker marks it
        return match[1] if match and match[2] in (None, unit) else cell


def _marks_of(cells: Sequence[str], known: Collection[str] = ()) -> str:
    """What the marks of a column mean: GROUPED, DECIMAL, or OPEN where both fit; "" where no
    number has two readings. `known`: marks of decimals in the whole table.
    """
    parts = [part[0] for cell in cells if (part := _FRONT.match(cell))]
    single = {found[1] for part in parts if (found := _SINGLE.fullmatch(part))}
    if not single:
        return ""
    decimal = {*known, *_decimal_marks(cells)}
    grouping = {
        found[0].lstrip("-0123456789")[0] for part in parts if (found := _MARKED.match(part))
    }
    grouping |= {"." if mark == "," else "," for mark in decimal}
    if single <= decimal - grouping:
        return DECIMAL
    is_mixed = single & decimal or any(map(_UNGROUPED.fullmatch, parts))
    return GROUPED if single <= grouping and not is_mixed else OPEN


def _decimal_marks(cells: Iterable[str]) -> set[str]:
    """What can only be a mark for decimals, in these cells without units."""
    found = set()
    for cell in cells:
        part = _FRONT.match(cell)
        sure = part and (_MARKED.fullmatch(part[0]) or _DECIMAL.fullmatch(part[0]))
        found |= {mark for mark in (sure.groups() if sure else ()) if mark}
    return found


def _ungrouped(cell: str) -> str:
    """1.200 as a thousand and two hundred."""
    part = _FRONT.match(cell)
    if part is None or not _SINGLE.fullmatch(part[0]):
        return cell
    return re.sub("[.,]", "", part[0]) + cell[part.end() :]


def questions(draft: Draft) -> list[ColumnQuestion]:
    """The columns of which two readings are possible, until somebody has said which."""
    found = []
    known = _known(draft)
    for at, category in enumerate(draft.categories):
        cells = _bare(_column(draft, at), category.unit)
        if category.marks in (GROUPED, DECIMAL) or _marks_of(cells, known) != OPEN:
            continue
        typed = list(dict.fromkeys(cell for cell in cells if _SINGLE.match(cell)))[:2]
        decimals = [re.sub("0+$", "", cell).rstrip(".,") for cell in typed]
        found.append(ColumnQuestion(at, typed, list(map(_ungrouped, typed)), decimals))
    return found


def two_readings(one: ColumnQuestion) -> Sentence:
    """What a number of the column may mean."""
    return Sentence(
        "deck_readings", typed=one.typed[0], grouped=one.grouped[0], decimal=one.decimal[0]
    )


def _known(draft: Draft) -> set[str]:
    columns = ((one.unit, _column(draft, at)) for at, one in enumerate(draft.categories))
    return _decimal_marks(cell for unit, column in columns for cell in _bare(column, unit))


def _column(draft: Draft, at: int) -> list[str]:
    """A card may have fewer values than there are categories."""
    return [(card.values[at : at + 1] or [""])[0] for card in draft.cards]


def _obey(category: DraftCategory, facts: dict[str, str]) -> None:
    """Rows `title`, `unit`, `best`, `joker` of a deck file in CSV say it themselves."""
    category.title = facts.get("title", category.title)
    category.unit = facts.get("unit", category.unit)
    if facts.get("best", "").lower() in ("high", "low"):
        category.best = facts["best"].lower()
    category.joker = facts.get("joker", "").lower() in YES


def _made_codes(count: int) -> list[str]:
    """A1 to A4, B1 …; more than 26 groups of four get larger groups."""
    size = next((size for size in range(_IN_GROUP, 10) if count <= 26 * size), 9)
    return codes(LETTER_FIRST, size, count)


# -- to a deck ------------------------------------------------------------------------------------


def content_of(draft: Draft) -> dict[str, object]:
    """What a deck file with this draft says (TRANSCRIPT.md), unchecked. Decimals come from the
    values; a card J1 … without values is a joker.
    """
    known = _known(draft)
    columns = [
        plain_values(_column(draft, at), category.unit, category.marks, known)
        for at, category in enumerate(draft.categories)
    ]
    cards = [
        # values without a category are kept, for the checker to count
        _card(card, [column[number] for column in columns] + card.values[len(columns) :])
        for number, card in enumerate(draft.cards)
    ]
    content: dict[str, object] = {"id": draft.id, "title": draft.title}
    content |= {name: text for name in ("link", "preset") if (text := getattr(draft, name))}
    if draft.options:
        content[OPTIONS] = dict(draft.options)
    if translations := _translations(draft):
        content[TRANSLATIONS] = translations
    content["categories"] = [
        _category(category, _key(draft, number), [card.get("values") for card in cards], number)
        for number, category in enumerate(draft.categories)
    ]
    return {**content, "cards": cards}


def _translations(draft: Draft) -> dict[str, object]:
    """Without those of texts that were changed since."""
    texts = {
        draft.title,
        *(c.title for c in draft.categories),
        *(c.unit for c in draft.categories),
    }
    texts |= {card.name for card in draft.cards}
    kept = {
        lang: {word: said for word, said in words.items() if word in texts}
        for lang, words in draft.translations.items()
    }
    return {lang: words for lang, words in kept.items() if words}


def plain_values(
    cells: Sequence[str], unit: str, marks: str = "", known: Collection[str] = ()
) -> list[str]:
    """A column as it was typed, without the unit and what groups thousands; `marks` as in
    DraftCategory, `known` as in `_marks_of`. A number with two readings stays as it is.
    """
    bare = _bare(cells, unit)
    if marks not in (GROUPED, DECIMAL):
        marks = _marks_of(bare, known)
    plain = [_plain_number(cell) for cell in bare]
    return [_ungrouped(cell) for cell in plain] if marks == GROUPED else plain


def _bare(cells: Sequence[str], unit: str) -> list[str]:
    """Without currency and unit."""
    bare = [_CURRENCY.sub("", cell.strip()).strip() for cell in cells]
    return [cell.removesuffix(unit).rstrip() if cell != unit else cell for cell in bare]


def _card(card: DraftCard, values: list[str]) -> dict[str, object]:
    entry: dict[str, object] = {"code": card.code, "name": card.name}
    if _JOKER.fullmatch(card.code) and all(value in _NOTHING for value in values):
        entry["joker"] = True
    else:
        entry["values"] = [value.strip() or "-" for value in values]
    if card.link:
        entry["link"] = card.link
    return entry


def _key(draft: Draft, number: int) -> str:
    """The category's own key, or one of its title that no category before it has."""
    taken: list[str] = []
    for category in draft.categories[: number + 1]:
        # plain_id leaves nothing of a title in another script
        key = category.key or plain_id(category.title).replace("-", "_") or "k"
        base, again = key, 1
        while key in taken:
            again += 1
            # a key has at most 30 letters (check.py)
            key = f"{base[:28]}{again}"
        taken.append(key)
    return taken[-1]


def _category(
    category: DraftCategory, key: str, values: list[object], number: int
) -> dict[str, object]:
    column = [row[number] for row in values if isinstance(row, list) and number < len(row)]
    fractions = [re.fullmatch(r"-?\d+[.,](\d+)", str(value)) for value in column]
    decimals = max((len(found[1]) for found in fractions if found), default=0)
    entry: dict[str, object] = {"key": key, "title": category.title, "unit": category.unit}
    # a deck has at most 3; a value with more is a fault of its own
    entry |= {"best": category.best, "decimals": min(decimals, 3)}
    return {**entry, "joker": True} if category.joker else entry


def is_code(text: str) -> bool:
    """Whether a card may be called so; its picture is."""
    return CODE.fullmatch(text) is not None


def check_draft(draft: Draft, path: Path) -> DeckFile:
    """The faults of a draft; `field` of each names the place, as in a file."""
    # nothing is written yet, so there are no lines
    file = check_source(SourceFile(path, content_of(draft), lambda _place: 1))
    for one in questions(draft):
        field = f"categories[{one.category}].title"
        file.faults.append(Fault(path, 1, field, two_readings(one)))
        file.deck = None
    return file


# -- the folder -----------------------------------------------------------------------------------


def as_toml(draft: Draft) -> str:
    """The deck file: a line a category and a card, so that people can go on in an editor."""
    content = content_of(draft)
    head = [
        f"{name} = {_inline(value) if isinstance(value, dict) else _quoted(value)}"
        for name, value in content.items()
        if name not in _LISTS
    ]
    parts = "\n".join(head)
    for name in _LISTS:
        entries = content[name]
        assert isinstance(entries, list)
        lines = "".join(f"  {_inline(entry)},\n" for entry in entries)
        parts += f"\n\n{name} = [\n{lines}]"
    return parts + "\n"


_LISTS = ("categories", "cards")


def _inline(entry: dict[str, object]) -> str:
    inner = (
        f"{_key_of(name)} = {_inline(value) if isinstance(value, dict) else _quoted(value)}"
        for name, value in entry.items()
    )
    return "{ " + ", ".join(inner) + " }"


def _key_of(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(value: object) -> str:
    """TOML's basic strings, arrays, numbers and truths are those of JSON, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def load_draft(path: Path) -> tuple[Draft, dict[str, Path]]:
    """A deck file to go on with, and its pictures by code; what is wrong in it stays so. Raises
    UserError if it cannot be read at all.
    """
    content = read_source(path).content
    entries = [_tables(content, name) for name in _LISTS]
    categories = [
        DraftCategory(
            str(entry.get("title", entry.get("key", ""))),
            str(entry.get("unit", "")),
            "low" if entry.get("best") == "low" else "high",
            entry.get("joker") is True,
            str(entry.get("key", "")),
            # as a file writes them, so that nobody is asked what it says
            DECIMAL if entry.get("decimals") == 3 else "",
        )
        for entry in entries[0]
    ]
    decimals = [entry.get("decimals", 0) for entry in entries[0]]
    cards = [_drafted(entry, decimals) for entry in entries[1][:MOST_CARDS]]
    draft = Draft(categories=categories, cards=cards)
    for name in ("id", "title", "link", "preset"):
        setattr(draft, name, str(content.get(name, "")))
    options = content.get(OPTIONS)
    if isinstance(options, dict):
        draft.options = {str(name): str(choice) for name, choice in options.items()}
    translations = content.get(TRANSLATIONS)
    if isinstance(translations, dict):
        draft.translations = {
            lang: {word: str(said) for word, said in words.items()}
            for lang, words in translations.items()
            if isinstance(words, dict)
        }
    return draft, pictures_of(path, {card.code for card in cards})


def _tables(content: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = content.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _drafted(entry: dict[str, Any], decimals: list[Any]) -> DraftCard:
    raw = entry.get("values")
    # a joker has none
    values = raw if isinstance(raw, list) else ["-"] * len(decimals)
    # as many as there are values: those without a category count as whole numbers
    places = zip_longest(values, decimals[: len(values)], fillvalue=0)
    typed = [_typed(value, places) for value, places in places]
    return DraftCard(
        str(entry.get("code", "")),
        str(entry.get("name", "")),
        typed,
        "",
        str(entry.get("link", "")),
    )


def _typed(value: object, decimals: object) -> str:
    """A scaled number as people write it."""
    if value is None:
        return "-"
    if isinstance(value, int) and isinstance(decimals, int) and 0 <= decimals <= 3:
        return shown_value(value, decimals)
    return str(value)
