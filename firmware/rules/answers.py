"""What the referee says: events, refusals, awaits and results, and their one way of being written
as JSON.

An event is a tuple that begins with its name; `fields_of` names the rest, as TRANSCRIPT.md lists
them. The writer keeps that order, so CPython and MicroPython (whose dicts have no order) write the
same bytes.
"""

from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple

    Event = tuple[Any, ...]  # its name, then what `fields_of` names
    Events = list[Event]
    Fields = list[tuple[str, object]]  # of a JSON object with an order

    class Refusal(NamedTuple):
        """Why nothing changed: a stable `reason` (TRANSCRIPT.md) and the rule of RULES.md for
        people.
        """

        reason: str
        rule: str

    class Awaits(NamedTuple):
        """Who must act next: `seat` (None: nobody in particular), `what`, and further named
        values.
        """

        seat: "int | None"
        what: str
        more: "tuple[tuple[str, object], ...]"

    class Answer(NamedTuple):
        """The answer to command number `n`: events, or a refusal (then events only of time), and
        awaits.
        """

        n: int
        events: "Events"
        refusal: "Refusal | None"
        awaits: Awaits

else:
    Refusal = namedtuple("Refusal", ("reason", "rule"))
    Awaits = namedtuple("Awaits", ("seat", "what", "more"))
    Answer = namedtuple("Answer", ("n", "events", "refusal", "awaits"))


class Pairs:
    """A JSON object with an order: `items` are (key, value) tuples."""

    def __init__(self, items: "Fields") -> None:
        self.items = items


# Events and their fields in the order of TRANSCRIPT.md, an event a line: those of several games; a
# game adds its own when its rules are loaded. As text they take a third of the memory of tuples.
_EVENTS = [
    """
began seat
seat_out seat reason
time_up left_ms
turn_up seat times
undone n
match_over reason ranking
"""
]


def add_events(table: str) -> None:
    """Know the events of a game: a line for each, its name and its fields."""
    if table not in _EVENTS:
        _EVENTS.append(table)


def known_events() -> "Iterator[list[str]]":
    """Name and fields of every event of the games whose rules were loaded."""
    for table in _EVENTS:
        for line in table.strip().split("\n"):
            yield line.split(" ")


def fields_of(name: str) -> "list[str]":
    """The fields of an event, in order. KeyError for one that no loaded game has."""
    for event in known_events():
        if event[0] == name:
            return event[1:]
    raise KeyError(name)


_SPACE = const(32)  # below it are the control characters; a letter of a text is a new text
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote(text: str) -> str:
    """JSON string; everything printable stays UTF-8, control characters become escapes."""
    parts: "list[str]" = []
    _put_text(parts, text)
    return "".join(parts)


def _escape(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return "\\u%04x" % ord(letter) if letter < " " else letter


def write_json(value: object) -> str:
    """Write a value of the transcript (None, bool, int, str, list, tuple, Pairs) without
    spaces.
    """
    parts: "list[str]" = []
    _put(parts, value)
    return "".join(parts)


# Everything is collected in one list and joined once: on the box, with its memory nearly full,
# finding room for a new text costs more than all the rest.


def _put(parts: "list[str]", value: "Any") -> None:
    kind = type(value)
    if kind is str:
        _put_text(parts, value)
    elif value is None:
        parts.append("null")
    elif kind is bool:
        parts.append("true" if value else "false")
    elif kind is int:
        parts.append(str(value))
    elif kind is Pairs:
        _put_object(parts, value.items)
    else:
        _put_list(parts, value)


def _put_text(parts: "list[str]", text: str) -> None:
    parts.append('"')
    if '"' in text or "\\" in text or (text and min(text.encode()) < _SPACE):
        parts.extend([_escape(letter) for letter in text])
    else:
        parts.append(text)
    parts.append('"')


def _put_list(parts: "list[str]", values: "list[object] | tuple[object, ...]") -> None:
    before = "["
    for value in values:
        parts.append(before)
        _put(parts, value)
        before = ","
    parts.append("]" if values else "[]")


def _put_object(parts: "list[str]", items: "Fields") -> None:
    before = "{"
    for key, value in items:
        parts.append(before)
        _put_text(parts, key)
        parts.append(":")
        _put(parts, value)
        before = ","
    parts.append("}" if items else "{}")


# Event -> the text before each of its values, made when the event is first written
_BEFORE: "dict[str, list[str]]" = {}


def _texts_before(name: str) -> "list[str]":
    texts = ['{"is":' + quote(name)]
    for field in fields_of(name):
        texts.append("," + quote(field) + ":")
    _BEFORE[name] = texts
    return texts


def write_event(event: "Event") -> str:
    """One event as a JSON object, `is` first."""
    parts: "list[str]" = []
    _put_event(parts, event)
    return "".join(parts)


def _put_event(parts: "list[str]", event: "Event") -> None:
    texts = _BEFORE.get(event[0]) or _texts_before(event[0])
    parts.append(texts[0])
    for place in range(1, len(texts)):
        parts.append(texts[place])
        _put(parts, event[place])
    parts.append("}")


def write_answer(answer: "Answer") -> str:
    """One answer line of TRANSCRIPT.md."""
    parts = ['{"n":', str(answer.n)]
    if answer.refusal is None or answer.events:
        before = ',"events":['
        for event in answer.events:
            parts.append(before)
            _put_event(parts, event)
            before = ","
        parts.append("]" if answer.events else ',"events":[]')
    if answer.refusal is not None:
        reason, rule = answer.refusal
        parts.append(',"refused":')
        _put_object(parts, [("reason", reason), ("rule", rule)])
    parts.append(',"awaits":')
    _put_awaits(parts, answer.awaits)
    parts.append("}")
    return "".join(parts)


def _put_awaits(parts: "list[str]", awaits: "Awaits") -> None:
    items: "Fields" = [("seat", awaits.seat), ("for", awaits.what)]
    items.extend(awaits.more)
    _put_object(parts, items)


def write_awaits(awaits: "Awaits") -> str:
    """The end of an answer line."""
    parts = [',"awaits":']
    _put_awaits(parts, awaits)
    parts.append("}")
    return "".join(parts)


def write_result(items: "Fields") -> str:
    """The last line of a replay."""
    parts = ['{"result":']
    _put_object(parts, items)
    parts.append("}")
    return "".join(parts)
