"""The replay of a journal: the rules answer the same commands again; answers are compared."""

import json
from typing import Any

from firmware.rules.answers import write_answer, write_result
from firmware.rules.errors import Malformed
from firmware.rules.games import open_match
from host_tools.journal.reading import Journal
from host_tools.journal.tag_values import completed, first_foreign_value
from host_tools.replay.engines import resolve


def first_difference(journal: Journal) -> str:
    """Where the journal and the rules part, as a sentence without full stop; "" if nowhere."""
    header = completed(journal.header or {}, (command for _, command, _ in journal.steps))
    try:
        match = open_match(resolve(header))
        for line, command, answer in journal.steps:
            again = json.loads(write_answer(match.apply(command)))
            if not same_answer(again, answer):
                return f"the rules answer line {line} differently: {_told(again)}"
        result = json.loads(write_result(match.result()))["result"]
    except Malformed as error:
        return f"the rules cannot read it: {error}"
    if journal.result is not None and journal.result != result:
        return f"the rules come to another result: {json.dumps(result)}"
    return first_foreign_value(header)


def same_answer(left: dict[str, Any], right: dict[str, Any]) -> bool:
    """Equal but for the rule numbers, which are for people (TRANSCRIPT.md, *Answers*)."""
    return _without_rules(left) == _without_rules(right)


def _without_rules(answer: dict[str, Any]) -> dict[str, Any]:
    plain = dict(answer)
    if isinstance(plain.get("refused"), dict):
        plain["refused"] = {k: v for k, v in plain["refused"].items() if k != "rule"}
    events = plain.get("events")
    if isinstance(events, list):
        plain["events"] = [
            {k: v for k, v in event.items() if k != "rule"} if isinstance(event, dict) else event
            for event in events
        ]
    return plain


def _told(answer: dict[str, Any]) -> str:
    if "refused" in answer:
        return f"refused, {answer['refused'].get('reason')}"
    return ", ".join(str(event.get("is")) for event in answer.get("events", [])) or "accepted"
