"""What the referee says: events, refusals, awaits and results, and their one way of being written
as JSON.

An event is a tuple that begins with its name; `FIELDS` names the rest, as TRANSCRIPT.md lists
them. The writer keeps that order, so CPython and MicroPython (whose dicts have no order) write the
same bytes.
"""

from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import NamedTuple

    Value = "None | bool | int | str | list[Value] | tuple[Value, ...] | Pairs"

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
        events: "list[tuple[object, ...]]"
        refusal: "Refusal | None"
        awaits: Awaits

else:
    Refusal = namedtuple("Refusal", ("reason", "rule"))
    Awaits = namedtuple("Awaits", ("seat", "what", "more"))
    Answer = namedtuple("Answer", ("n", "events", "refusal", "awaits"))


class Pairs:
    """A JSON object with an order: `items` are (key, value) tuples."""

    def __init__(self, items: "list[tuple[str, object]]") -> None:
        self.items = items


FIELDS = {
    "began": ("seat",),
    "played": ("seat", "cards"),
    "called": ("seat", "category"),
    "value_missing": ("seat", "category"),
    "round_won": ("seat", "category", "cards", "values", "pot"),
    "round_tied": ("seats", "category", "pot"),
    "order_suspect": ("seat", "card", "rule"),
    "moved": ("from", "to", "count"),
    "asked": ("seat", "to", "card"),
    "given": ("from", "to", "card"),
    "denied": ("seat", "card"),
    "quartet": ("seat", "group"),
    "false_denial": ("seat", "card", "at"),
    "placed": ("seat", "tile", "chair", "scores", "points"),
    "completed": ("table", "one_nation"),
    "cleared": ("tables", "factor"),
    "barred": ("seat", "tile", "field", "points"),
    "swapped": ("seat", "joker", "tile", "chair"),
    "drew": ("seat", "count"),
    "table_set": ("table", "nation"),
    "left_over": ("seat", "tiles", "points"),
    "turn": ("seat",),
    "opened": ("seat", "card"),
    "followed": ("seat", "card"),
    "passed": ("seat", "card"),
    "shed": ("seat", "card"),
    "round_over": ("tricks", "leader"),
    "hand_over": ("scores", "totals", "dealer"),
    "seat_out": ("seat", "reason"),
    "time_up": ("left_ms",),
    "extended": ("left_ms",),
    "sudden": ("left_ms",),
    "forfeited": ("seat",),
    "excluded": ("seat",),
    "undone": ("n",),
    "pot_won": ("seat", "pot"),
    "pot_returned": ("counts",),
    "match_over": ("reason", "ranking"),
}

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote(text: str) -> str:
    """JSON string; everything printable stays UTF-8, control characters become escapes."""
    for letter in text:
        if letter < " " or letter == '"' or letter == "\\":
            return '"' + "".join([_escape(letter) for letter in text]) + '"'
    return '"' + text + '"'


def _escape(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return "\\u%04x" % ord(letter) if letter < " " else letter


def write_json(value: object) -> str:
    """Write a value of the transcript (None, bool, int, str, list, tuple, Pairs) without
    spaces.
    """
    kind = type(value)
    if kind is str:
        return quote(value)  # type: ignore[arg-type]
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if kind is Pairs:
        return _write_object(value.items)  # type: ignore[attr-defined]
    return "[" + ",".join([write_json(item) for item in value]) + "]"  # type: ignore[attr-defined]


def _write_object(items: "list[tuple[str, object]]") -> str:
    return "{" + ",".join([quote(key) + ":" + write_json(value) for key, value in items]) + "}"


# Event -> the text before each of its values, made when the event is first written
_BEFORE: "dict[str, list[str]]" = {}


def _texts_before(name: str) -> "list[str]":
    texts = ['{"is":' + quote(name)]
    for field in FIELDS[name]:
        texts.append("," + quote(field) + ":")
    _BEFORE[name] = texts
    return texts


def write_event(event: "tuple[object, ...]") -> str:
    """One event as a JSON object, `is` first."""
    name: str = event[0]  # type: ignore[assignment]
    texts = _BEFORE.get(name) or _texts_before(name)
    parts = [texts[0]]
    for place in range(1, len(texts)):
        parts.append(texts[place])
        parts.append(write_json(event[place]))
    parts.append("}")
    return "".join(parts)


def write_answer(answer: "Answer") -> str:
    """One answer line of TRANSCRIPT.md."""
    parts = ['{"n":', str(answer.n)]
    if answer.refusal is None or answer.events:
        parts.append(
            ',"events":[' + ",".join([write_event(event) for event in answer.events]) + "]"
        )
    if answer.refusal is not None:
        reason, rule = answer.refusal
        parts.append(',"refused":' + _write_object([("reason", reason), ("rule", rule)]))
    parts.append(',"awaits":' + write_awaits(answer.awaits) + "}")
    return "".join(parts)


def write_awaits(awaits: "Awaits") -> str:
    """The `awaits` object of an answer."""
    items: "list[tuple[str, object]]" = [("seat", awaits.seat), ("for", awaits.what)]
    items.extend(awaits.more)
    return _write_object(items)


def write_result(items: "list[tuple[str, object]]") -> str:
    """The last line of a replay."""
    return '{"result":' + _write_object(items) + "}"
