"""The replay of a journal: the rules answer the same commands again; answers are compared."""

import json
from typing import Any

from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from firmware.rules.errors import Malformed
from host_tools.cards.decks import load_deck
from host_tools.core.errors import UserError
from host_tools.games import game_of
from host_tools.replay.engines import resolve
from host_tools.store.journal.reading import JournalFile


def first_difference(journal: JournalFile) -> str:
    """Where the journal and the rules part, as a sentence without full stop; "" if nowhere."""
    header = journal.header or {}
    try:
        match = open_match(resolve(header))
        for line, command, answer in journal.steps:
            # through JSON, as the box wrote it: a tuple and a list are the same then
            again = json.loads(write_answer(match.apply(command)))
            if not same_answer(again, answer):
                return f"the rules answer line {line} differently: {_summary(again)}"
        result = json.loads(write_result(match.result()))["result"]
    except Malformed as error:
        return f"the rules cannot read it: {error.field}: {error.text}"
    if journal.result is not None and journal.result != result:
        return f"the rules come to another result: {json.dumps(result)}"
    return _first_foreign_value(header, match)


def _first_foreign_value(header: dict[str, Any], match: Any) -> str:
    """A card whose tag said something else than the deck this laptop has; "" if there is none.

    A deck that the laptop does not have cannot be compared, and says nothing.
    """
    deck = header.get("deck")
    if not game_of(header).values_on_tags or not isinstance(deck, dict):
        return ""
    try:
        ours = load_deck(str(deck.get("id", "")))
    except UserError:
        return ""
    # a box that knows a deck from its deck card alone learns the values from the tags (TR-14)
    known = {card["code"]: card.get("values") for card in ours["cards"]}
    for number, code in enumerate(match.deck.codes):
        values = [match.deck.value(number, place) for place in range(len(match.deck.categories))]
        if match.deck.has_any_value(number) and values != known.get(code):
            return f"the tag of card {code} has other values than deck {deck['id']}"
    return ""


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


def _summary(answer: dict[str, Any]) -> str:
    if "refused" in answer:
        return f"refused, {answer['refused'].get('reason')}"
    return ", ".join(str(event.get("is")) for event in answer.get("events", [])) or "accepted"
