"""Values as people write them ⇄ integers scaled by decimals, never floating point (rule TR-14)."""

import re

from host_tools.core.errors import Sentence
from host_tools.core.json_types import Json
from host_tools.core.texts import NUMBERS

_DECIMAL = re.compile(r"(-?)(\d+)(?:[.,](\d+))?")
_UNGROUPED = 4
_MISSING = ("-", "–", "")
_LARGEST = 2**30 - 1  # what a card tag holds, card_tags/FORMAT.md


class FaultyValue(ValueError):
    """Not a value; `sentence` says why."""

    def __init__(self, key: str, **values: object) -> None:
        self.sentence = Sentence(key, **values)
        super().__init__(self.sentence)


def scaled_value(value: object, decimals: int) -> int | None:
    """An integer is scaled already, a text such as "19,25" gets scaled; "-" and null: None.

    Raises FaultyValue.
    """
    if value is None or (isinstance(value, str) and value.strip() in _MISSING):
        return None
    if isinstance(value, float):
        raise FaultyValue("value_float", value=str(value))
    # in Python True is an int
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise FaultyValue("value_no_number", value=repr(value))
    number = value if isinstance(value, int) else _from_text(value.strip(), decimals)
    if abs(number) > _LARGEST:
        raise FaultyValue("value_range", value=str(value))
    return number


def _from_text(text: str, decimals: int) -> int:
    found = _DECIMAL.fullmatch(text)
    if found is None:
        raise FaultyValue("value_form", value=repr(text))
    sign, whole, fraction = found.group(1), found.group(2), found.group(3) or ""
    if len(fraction) > decimals:
        raise FaultyValue("value_digits", value=repr(text), count=decimals)
    number = int(whole + fraction.ljust(decimals, "0"))
    return -number if sign else number


def shown_value(value: int | None, decimals: int, comma: str = ",") -> str:
    """For people: 3250 with two decimals is "32,50"; missing is "–"."""
    if value is None:
        return "–"
    digits = str(abs(value)).rjust(decimals + 1, "0")
    sign = "-" if value < 0 else ""
    if decimals == 0:
        return sign + digits
    return f"{sign}{digits[:-decimals]}{comma}{digits[-decimals:]}"


def decimal(value: int, decimals: int, lang: str) -> str:
    """As it is printed: 1925 with 2 decimals is 19,25 in German. From five digits on thousands are
    grouped, as both languages' style guides have it: no year looks like an amount.
    """
    marks = NUMBERS[lang]
    whole, comma, fraction = shown_value(value, decimals, ",").partition(",")
    if len(whole.lstrip("-")) > _UNGROUPED:
        whole = f"{int(whole):,}".replace(",", marks["group_mark"])
    return whole + comma.replace(",", marks["decimal_mark"]) + fraction


def written(value: int | None, category: Json, lang: str) -> str:
    """A value of a category with its unit, as people write it: 281.000 €, 281,000 €."""
    if value is None:
        return "–"
    return (
        f"{decimal(value, category.get('decimals', 0), lang)} {category.get('unit', '')}".rstrip()
    )
