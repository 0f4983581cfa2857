"""Compares recomputed answers with those in the file (`schiri replay --check`).

Compared are the fields of TRANSCRIPT.md without `rule`, which is for people; the order of fields
carries no meaning and unknown fields are ignored.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from firmware.games import names, row, rules_of
from firmware.rules.answers import known_events
from host_tools.core.errors import Sentence
from host_tools.core.json_types import Json
from host_tools.replay.reading import Transcript

_RESULT_FIELDS = ("over", "reason", "ranking", "counts", "scores", "points", "pot")
_AWAITS_FIELDS = ("seat", "for", "tables", "table")


@dataclass
class Difference:
    """The first line that differs: what the file says and what the rules say, as JSON."""

    line: int
    n: int | None
    expected: str
    computed: str


def first_difference(transcript: Transcript, lines: list[str]) -> Difference | None:
    """The first difference between the file and the recomputed `lines`, or None.

    Raises UserError for an answer or result line that stands where none may.
    """
    if transcript.misplaced is not None:
        number = transcript.misplaced.number
        # malformed, not different: exit code 2 (TRANSCRIPT.md)
        raise transcript.fault(number, "line", Sentence("line_misplaced"))
    for n, step in enumerate(transcript.steps, 1):
        given = step.answer
        found = _differ(given.content if given else None, lines[n - 1], _answer)
        if found:
            return Difference(given.number if given else step.command.number, n, *found)
    given = transcript.result
    found = _differ(given.content if given else None, lines[-1], _result)
    last = transcript.steps[-1].command.number if transcript.steps else transcript.header.number
    return Difference(given.number if given else last, None, *found) if found else None


def _differ(given: Json | None, line: str, known: Callable[[Json], Any]) -> tuple[str, str] | None:
    computed = _canonical(known(json.loads(line)))
    expected = "nothing" if given is None else _canonical(known(given))
    return None if expected == computed else (expected, computed)


def _canonical(value: Any) -> str:
    """Text, so that 1, 1.0 and true stay different."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _answer(content: Json) -> Json:
    events = content.get("events", [])
    known: Json = {"n": content.get("n"), "events": events}
    if isinstance(events, list):
        known["events"] = [_event(event) for event in events]
    if "refused" in content:
        known["refused"] = _only(content["refused"], ("reason",))
    if "awaits" in content:
        known["awaits"] = _only(content["awaits"], _AWAITS_FIELDS)
    return known


def _event(event: Any) -> Any:
    name = event.get("is") if isinstance(event, dict) else None
    fields = event_fields()
    if not isinstance(name, str) or name not in fields:
        # compared whole: the rules write no such event, so it never agrees
        return event
    return _only(event, ("is", *[field for field in fields[name] if field != "rule"]))


@lru_cache(maxsize=1)
def event_fields() -> dict[str, tuple[str, ...]]:
    """The fields of every event, in the order of TRANSCRIPT.md: of all games, not only of those
    whose rules are loaded.
    """
    for name in names():
        # importing the rules of a game registers its events
        rules_of(row(name))
    return {event[0]: tuple(event[1:]) for event in known_events()}


def _result(content: Json) -> Any:
    return _only(content["result"], _RESULT_FIELDS)


def _only(value: Any, fields: tuple[str, ...]) -> Any:
    if not isinstance(value, dict):
        return value
    return {field: value[field] for field in fields if field in value}
