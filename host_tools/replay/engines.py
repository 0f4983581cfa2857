"""Recompute a transcript, on this interpreter or in the MicroPython VM: the same lines."""

import json
import math
from typing import Any

from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from firmware.rules.errors import Malformed
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.core.json_types import Json
from host_tools.games import GAMES
from host_tools.replay.reading import Transcript

ENGINES = ("cpython", "micropython")


def resolve(header: Json, lang: str = "") -> Json:
    """Put the deck or board that the project knows in the place of its id, in this language if it
    has it. Raises Malformed.
    """
    game = GAMES.get(str(header.get("game")))
    resolved = game.resolved(dict(header)) if game else dict(header)
    return in_language(resolved, header.get("deck"), lang)


def in_language(header: Json, deck: object, lang: str) -> Json:
    """A resolved header with the project's deck of that id in a language."""
    known = isinstance(deck, str) and deck in deck_ids() and "deck" in header
    return {**header, "deck": load_deck(str(deck), lang)} if known and lang else header


def recompute(transcript: Transcript, engine: str = "cpython") -> list[str]:
    """The answer lines and the result line. Raises UserError naming file, line and field."""
    number = transcript.header.number
    try:
        header = resolve(transcript.header.content)
        if engine == "micropython":
            return _in_vm(transcript, header)
        match = open_match(header)
        answers: list[str] = []
        for step in transcript.steps:
            number = step.command.number
            answers.append(write_answer(match.apply(step.command.content)))
    except Malformed as fault:
        raise transcript.fault(number, fault.field, fault.text) from fault
    return [*answers, write_result(match.result())]


def _in_vm(transcript: Transcript, header: Json) -> list[str]:
    commands = [step.command.content for step in transcript.steps]
    (lines,) = replay_in_vm([[header, *commands]])
    if lines[-1].startswith("!"):
        where, text = json.loads(lines[-1][1:])
        # one line came back for each good one, so the next is at fault
        numbers = [transcript.header.number] + [step.command.number for step in transcript.steps]
        raise transcript.fault(numbers[len(lines) - 1], where, text)
    return lines[1:]  # without "opened"


def replay_in_vm(matches: list[list[Json]]) -> list[list[str]]:
    """Replay matches (header with objects, then commands) one after the other in one VM.

    For each: "opened", the answer lines, the result line; "!" and a fault instead of the rest.
    """
    # Node is looked for only when it is needed
    from host_tools.replay.engine.session import REPLAY_MAIN, VmSession, rules_files

    sent: list[str] = []
    for match in matches:
        sent += [json.dumps(_finite(content)) for content in match] + [""]
    answers: list[list[str]] = [[]]
    with VmSession(REPLAY_MAIN, rules_files()) as vm:
        for line in vm.talk(sent):
            if line:
                answers[-1].append(line)
            else:
                answers.append([])
    # each match ends with an empty line, so the last one is of no match
    return answers[:-1]


def _finite(value: Any) -> Any:
    """A number beyond all floats is still no integer; JSON cannot write it."""
    if isinstance(value, float) and not math.isfinite(value):
        return 0.5
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value
