"""Looks for a deal worth watching: the match is played on the laptop's own rules first."""

import json
from collections.abc import Iterable
from typing import Any

from firmware.games import open_match
from firmware.rules.answers import write_answer
from host_tools.sim.demo.company import people_of
from host_tools.sim.demo.people import CHOOSE_FROM, Act, People, TrumpfPeople

Json = dict[str, Any]
LAST_SEED = 2_000
MOST_COMMANDS = 1_500
TAP_MS = 700
"""About what a tap costs on the box, reading and looking included."""


def worth_watching(header: Json, seed: int, wanted: Iterable[str]) -> int:
    """The first seed from `seed` on whose match shows all of `wanted`; `seed` itself if none does.

    `wanted` are names of events, refusal reasons, and "three_cards" (TR-9).
    """
    asked = set(wanted)
    for candidate in range(seed, seed + LAST_SEED):
        if asked <= rehearse(header, candidate):
            return candidate
    return seed


def rehearse(header: Json, seed: int, people: People | None = None) -> set[str]:
    """What happens in the match of this seed, or of these people."""
    match = open_match(header)
    people = people or people_of(header, seed)
    seen: set[str] = set()
    t_ms = 0
    awaits: Json = {"seat": None, "for": "begin"}
    category: str | None = None
    for _ in range(MOST_COMMANDS):
        act = people.act(awaits, category)
        t_ms += act.think_ms + TAP_MS
        answer = json.loads(write_answer(match.apply(command_of(act, t_ms))))
        seen |= told(answer)
        category = follow(people, act, awaits, answer, category)
        awaits = answer["awaits"]
        if is_choosing(people, awaits):
            seen.add("three_cards")
        if awaits["for"] in ("nothing", "decide"):
            break
    return seen


def command_of(act: Act, t_ms: int) -> Json:
    """The command that the box makes of an act."""
    if act.do == "wait":
        return {"t": t_ms, "do": "tick"}
    return {"t": t_ms, "do": act.do, **act.fields}


def is_choosing(people: People, awaits: Json) -> bool:
    """TR-9: a card is awaited of a Trumpf seat that may choose it."""
    if awaits["for"] != "tap" or not isinstance(people, TrumpfPeople):
        return False
    return len(people.piles[awaits["seat"]]) <= CHOOSE_FROM


def told(answer: Json) -> set[str]:
    """Names of the events and of the refusal in an answer."""
    names = {event["is"] for event in answer.get("events", ())}
    if "refused" in answer:
        names.add(answer["refused"]["reason"])
    return names


def follow(
    people: People, act: Act, awaits: Json, answer: Json, category: str | None
) -> str | None:
    """The people move their cards as the answer says; returns the category that is called now."""
    if act.do == "tap" and "refused" not in answer:
        people.tapped(awaits["seat"], str(act.value))
    for event in answer.get("events", ()):
        people.see(event)
        if event["is"] == "called":
            category = event["category"]
        elif event["is"] in ("round_won", "round_tied", "extended", "sudden"):
            category = None
    return category
