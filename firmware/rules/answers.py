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
    from collections.abc import Iterator, Sequence
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
    return write_json(text)


def _escape(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return "\\u%04x" % ord(letter) if letter < " " else letter


def write_json(value: object) -> str:
    """Write a value of the transcript (None, bool, int, str, list, tuple, Pairs) without
    spaces.
    """
    parts: "list[str]" = []
    _put(parts, ("",), (value,))
    return "".join(parts)


# Everything is collected in one list and joined once: on the box, with its memory nearly full,
# finding room for a new text costs more than all the rest. A value that holds no others is written
# where it is met: a call for each would be most of the time.


def _put(parts: "list[str]", before: "Sequence[str]", values: "Sequence[Any]") -> None:
    """Each of the texts `before`, and behind it its value."""
    for place in range(len(before)):
        parts.append(before[place])
        value = values[place]
        kind = type(value)
        if kind is int:
            parts.append(str(value))
        elif kind is str:
            if '"' in value or "\\" in value or (value and min(value.encode()) < _SPACE):
                value = "".join([_escape(letter) for letter in value])
            parts.append('"')
            parts.append(value)
            parts.append('"')
        elif value is None:
            parts.append("null")
        elif kind is bool:
            parts.append("true" if value else "false")
        elif kind is Pairs:
            _put_object(parts, value.items)
        else:
            _put(parts, ["["] + [","] * (len(value) - 1) if value else (), value)
            parts.append("]" if value else "[]")


def _put_object(parts: "list[str]", items: "Fields") -> None:
    values: "list[object]" = []
    before: "list[str]" = []
    for item in items:
        values.extend(item)
        before.append("," if before else "{")
        before.append(":")
    _put(parts, before, values)
    parts.append("}" if items else "{}")


# Event -> the text before each of its values, made when the event is first written
_BEFORE: "dict[str, list[str]]" = {}


def _texts_before(name: str) -> "list[str]":
    texts = ['{"is":']
    for field in fields_of(name):
        texts.append("," + quote(field) + ":")
    _BEFORE[name] = texts
    return texts


def write_answer(answer: "Answer") -> str:
    """One answer line of TRANSCRIPT.md."""
    parts = ['{"n":', str(answer.n)]
    if answer.refusal is None or answer.events:
        before = ',"events":['
        for event in answer.events:
            parts.append(before)
            _put(parts, _BEFORE.get(event[0]) or _texts_before(event[0]), event)
            before = "},"
        parts.append("}]" if answer.events else ',"events":[]')
    if answer.refusal is not None:
        _put(parts, (',"refused":{"reason":', ',"rule":'), answer.refusal)
        parts.append("}")
    _put_awaits(parts, answer.awaits)
    return "".join(parts)


def _put_awaits(parts: "list[str]", awaits: "Awaits") -> None:
    _put(parts, (',"awaits":{"seat":', ',"for":'), awaits)
    for item in awaits.more:
        _put(parts, (",", ":"), item)
    parts.append("}}")


def write_both(command: "Fields", answer: "Answer") -> "tuple[str, str]":
    """A command and its answer: the two halves of a record."""
    parts: "list[str]" = []
    _put_object(parts, command)
    return "".join(parts), write_answer(answer)


def write_awaits(awaits: "Awaits") -> str:
    """The end of an answer line."""
    parts: "list[str]" = []
    _put_awaits(parts, awaits)
    return "".join(parts)


def write_result(items: "Fields") -> str:
    """The last line of a replay."""
    parts = ['{"result":']
    _put_object(parts, items)
    parts.append("}")
    return "".join(parts)
