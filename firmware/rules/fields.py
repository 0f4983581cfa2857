"""Typed reading of headers and commands. The wrong type is `Malformed`, the same on both
interpreters.

`type(x) is int` on purpose: a boolean is not a number here (TRANSCRIPT.md, *Files*).
"""

from .errors import Malformed

_ABSENT = object()


def need(source: "dict[str, object]", field: str) -> object:
    """The value of a field that must be there."""
    value = source.get(field, _ABSENT)
    if value is _ABSENT:
        raise Malformed(field, "is missing")
    return value


def need_int(source: "dict[str, object]", field: str) -> int:
    """An integer that must be there."""
    value = source.get(field, _ABSENT)
    if type(value) is not int:
        raise Malformed(field, "is missing" if value is _ABSENT else "is not an integer")
    return value


def need_str(source: "dict[str, object]", field: str) -> str:
    """A string that must be there."""
    value = source.get(field, _ABSENT)
    if type(value) is not str:
        raise Malformed(field, "is missing" if value is _ABSENT else "is not a string")
    return value


def need_list(source: "dict[str, object]", field: str) -> "list[object]":
    """A list that must be there."""
    value = need(source, field)
    if type(value) is not list:
        raise Malformed(field, "is not a list")
    return value


def one_of(source: "dict[str, object]", field: str, choices: "tuple[str, ...]") -> str:
    """A string out of `choices`."""
    value = need_str(source, field)
    if value not in choices:
        raise Malformed(field, "is none of " + ", ".join(choices))
    return value
