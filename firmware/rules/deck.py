"""A deck as the rules see it: categories, card codes and exact integer values (TR-5, TR-14, KN-1,
KN-2).
"""

from collections import namedtuple

from micropython import const

from .errors import Malformed
from .fields import need, need_list, need_str, one_of

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import NamedTuple

    class Category(NamedTuple):
        """One line of a card.

        `best` is `high` or `low`; `joker`: the value that a joker doubles (KN-2).
        """

        key: str
        title: str
        unit: str
        best: str
        decimals: int
        joker: bool

else:
    Category = namedtuple("Category", ("key", "title", "unit", "best", "decimals", "joker"))

# What rules may say of directions (TR-5) instead of how many of the first categories are low:
MUST_SAY = -1  # every category says its own
ALL_HIGH = -2  # the higher value wins, whatever a category says
MOST_CARDS = 1000  # undo steps number the cells in 16 bits
MOST_DECIMALS = 30
MOST_DIGITS = 100
BEST = ("high", "low")


class Deck:
    """Codes and values by card number, categories by index.

    Values are integers scaled by `decimals`.
    """

    def __init__(
        self,
        categories: "list[Category]",
        codes: "list[str]",
        values: "list[list[int | None]]",
        jokers: "list[bool]",
    ) -> None:
        self.categories = categories
        self.codes = codes
        self.jokers = jokers
        self.doubled = -1
        self._values = values
        self._numbers: "dict[str, int]" = {}
        self._keys: "dict[str, int]" = {}
        for number in range(len(codes)):
            self._numbers[codes[number]] = number
        for place in range(len(categories)):
            self._keys[categories[place].key] = place
            if categories[place].joker:
                self.doubled = place

    def index(self, code: str) -> int:
        """The number of a card, or -1 if the deck has no such code."""
        return self._numbers.get(code, -1)

    def category(self, name: "str | int") -> int:
        """The index of a category given by key or index, or -1."""
        if isinstance(name, str):
            return self._keys.get(name, -1)
        return name if 0 <= name < len(self.categories) else -1

    def value(self, card: int, category: int) -> "int | None":
        """The scaled value of a card, None if the card has none (jokers never have one)."""
        return self._values[card][category]

    def has_any_value(self, card: int) -> bool:
        """False for jokers and for cards without a single value."""
        for value in self._values[card]:
            if value is not None:
                return True
        return False

    def learns(self, card: int) -> bool:
        """True for a card that is no joker and has no value yet: its tap may bring them."""
        return not self.jokers[card] and not self.has_any_value(card)

    def read_values(self, given: "dict[str, object]") -> "list[int | None]":
        """The `values` of a tap, one per category, scaled. Raises Malformed."""
        return _values_of(given, self.categories)

    def values_of(self, card: int) -> "list[int | None]":
        """All values of a card."""
        return self._values[card]

    def set_values(self, card: int, values: "list[int | None]") -> None:
        """Take over what `read_values` gave."""
        self._values[card] = values

    def forget_values(self, card: int) -> None:
        """The card has no value again."""
        self._values[card] = [None] * len(self.categories)


def read_deck(source: object, low_first: int) -> "Deck":
    """Check a deck object of TRANSCRIPT.md.

    `low_first`: so many of the first categories are low if they do not say it, the others high; or
    MUST_SAY or ALL_HIGH.
    """
    if type(source) is not dict:
        raise Malformed("deck", "is not an object")
    try:
        return _read_deck(source, low_first)
    except Malformed as fault:
        raise Malformed("deck." + fault.field, fault.text) from None


def _read_deck(source: "dict[str, object]", low_first: int) -> "Deck":
    _check_texts(source, "", ("id", "title", "name", "unit"))
    categories = _read_categories(need_list(source, "categories"), low_first)
    cards = need_list(source, "cards")
    if len(cards) > MOST_CARDS:
        raise Malformed("cards", "has more than %d cards" % MOST_CARDS)
    codes: "list[str]" = []
    values: "list[list[int | None]]" = []
    jokers: "list[bool]" = []
    seen: "set[str]" = set()
    for place in range(len(cards)):
        where = "cards[%d]" % place
        card = _object(cards[place], where)
        code = _code(card, where, seen)
        jokers.append(_flag(card, where, "joker"))
        codes.append(code)
        values.append(_read_values(card, where, categories, jokers[place]))
    _check_joker_category(categories, jokers)
    return Deck(categories, codes, values, jokers)


def _read_categories(sources: "list[object]", low_first: int) -> "list[Category]":
    categories: "list[Category]" = []
    keys: "set[str]" = set()
    for place in range(len(sources)):
        where = "categories[%d]" % place
        source = _object(sources[place], where)
        try:
            key = need_str(source, "key")
            if key in keys:
                raise Malformed("key", "is there twice: " + key)
            keys.add(key)
            _check_texts(source, "", ("title", "unit"))
            best = direction(source, place, low_first)
            decimals = _decimals(source)
            joker = _flag(source, "", "joker")
        except Malformed as fault:
            raise Malformed(where + "." + fault.field, fault.text) from None
        title = need_str(source, "title") if "title" in source else key
        unit = need_str(source, "unit") if "unit" in source else ""
        categories.append(Category(key, title, unit, best, decimals, joker))
    return categories


def direction(source: "dict[str, object]", place: int, low_first: int) -> str:
    """Which end wins in the category at `place` (TR-5): "high" or "low"."""
    if "best" in source:
        given = one_of(source, "best", BEST)
        return "high" if low_first == ALL_HIGH else given
    if low_first == MUST_SAY:
        raise Malformed("best", "is missing")
    return "low" if place < low_first else "high"


def _decimals(source: "dict[str, object]") -> int:
    decimals = source.get("decimals", 0)
    if type(decimals) is not int:
        raise Malformed("decimals", "is not an integer")
    if not 0 <= decimals <= MOST_DECIMALS:
        raise Malformed("decimals", "is not from 0 to %d" % MOST_DECIMALS)
    return decimals


def _code(card: "dict[str, object]", where: str, seen: "set[str]") -> str:
    _check_texts(card, where + ".", ("name",))
    try:
        code = need_str(card, "code")
    except Malformed as fault:
        raise Malformed(where + ".code", fault.text) from None
    if not code:
        raise Malformed(where + ".code", "is empty")
    if code in seen:
        raise Malformed(where + ".code", "is there twice: " + code)
    seen.add(code)
    return code


def _read_values(
    card: "dict[str, object]", where: str, categories: "list[Category]", joker: bool
) -> "list[int | None]":
    if joker:
        return [None] * len(categories)
    try:
        return _values_of(card, categories)
    except Malformed as fault:
        raise Malformed(where + "." + fault.field, fault.text) from None


def _values_of(source: "dict[str, object]", categories: "list[Category]") -> "list[int | None]":
    given = need_list(source, "values")
    if len(given) != len(categories):
        raise Malformed("values", "needs %d values" % len(categories))
    values: "list[int | None]" = []
    for place in range(len(given)):
        values.append(_value(given[place], categories[place].decimals, "values[%d]" % place))
    return values


def _value(given: object, decimals: int, field: str) -> "int | None":
    if given is None:
        return None
    if type(given) is int:
        if not -(10**MOST_DIGITS) < given < 10**MOST_DIGITS:
            raise Malformed(field, "has more than %d digits" % MOST_DIGITS)
        return given
    if type(given) is not str:
        raise Malformed(field, "is neither an integer nor a decimal string nor null")
    return scaled(given, decimals, field)


def scaled(text: str, decimals: int, field: str) -> int:
    """TR-14: a decimal string such as "-19,25" as an integer scaled by 10**decimals.

    Raises Malformed.
    """
    negative = text.startswith("-")
    whole, mark, fraction = (text[1:] if negative else text).replace(",", ".").partition(".")
    if not _digits(whole) or (mark and not _digits(fraction)):
        raise Malformed(field, "is no decimal number")
    if len(fraction) > decimals:
        raise Malformed(field, "has more than %d decimals" % decimals)
    if len(whole) + decimals > MOST_DIGITS:
        raise Malformed(field, "has more than %d digits" % MOST_DIGITS)
    number = int(whole + fraction + "0" * (decimals - len(fraction)))
    return -number if negative else number


def _digits(text: str) -> bool:
    for letter in text:
        if letter not in "0123456789":
            return False
    return text != ""


def _check_joker_category(categories: "list[Category]", jokers: "list[bool]") -> None:
    doubled = len([category for category in categories if category.joker])
    if True in jokers and doubled != 1:
        raise Malformed("categories", "need exactly one with joker true")
    if True not in jokers and doubled:
        raise Malformed("categories", "have one with joker true, but the deck holds no joker")


def _object(value: object, where: str) -> "dict[str, object]":
    if type(value) is not dict:
        raise Malformed(where, "is not an object")
    return value


def _flag(source: "dict[str, object]", where: str, field: str) -> bool:
    value = source.get(field, False)
    if type(value) is not bool:
        raise Malformed((where + "." if where else "") + field, "is neither true nor false")
    return value


def _check_texts(source: "dict[str, object]", where: str, fields: "tuple[str, ...]") -> None:
    for field in fields:
        if field in source and type(need(source, field)) is not str:
            raise Malformed(where + field, "is not a string")
