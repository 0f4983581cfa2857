"""Looks for a deal worth watching: the match is played on the laptop's own rules first."""

from collections.abc import Iterable, Iterator, Sequence

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.games.player import Act
from host_tools.games.table_view import TableView

LAST_SEED = 2_000
MOST_COMMANDS = 1_500
TAP_MS = 700
"""About what a tap costs on the box, reading and looking included."""
SETTLED = ("nothing", "decide")
"""What is awaited when players have nothing more to do."""


def dealt(
    header: Json,
    seed: int,
    lang: str = "en",
    faultless: bool = False,
    strengths: Sequence[str] = (),
) -> TableView:
    """A table at which the match of this seed is about to begin; deck and board are objects."""
    say = box_words(lang).get
    return table_view(header, open_match(header), say, seed, faultless, strengths)


def worth_watching(header: Json, seed: int, wanted: Iterable[str]) -> int:
    """The first seed from `seed` on whose match shows all of `wanted`; `seed` itself if none does.

    `wanted` are names of events, refusal reasons, and sights of the game.
    """
    asked = set(wanted)
    for candidate in range(seed, seed + LAST_SEED):
        if asked <= dry_run(dealt(header, candidate)):
            return candidate
    return seed


def dry_run(table: TableView) -> set[str]:
    """What happens in the match at this table."""
    seen: set[str] = set()
    for _, answer in moves_of(table):
        seen |= names_in(answer) | table.sights()
    return seen


def moves_of(table: TableView, per_move_ms: int = TAP_MS) -> Iterator[tuple[Json, Json]]:
    """The players of this table play on; every command with its answer, until nobody has anything
    more to do.
    """
    t_ms = 0
    # bounded: a player that does not know an option may repeat a refused move for ever
    for _ in range(MOST_COMMANDS):
        if is_settled(table):
            return
        act = table.act()
        t_ms += act.think_ms + per_move_ms
        command = command_of(act, t_ms)
        yield command, table.play(command)


def is_settled(table: TableView) -> bool:
    """Players have nothing more to do."""
    return table.match.awaits().what in SETTLED


def command_of(act: Act, t_ms: int) -> Json:
    """The command that the box makes of an act."""
    if act.do == "wait":
        return {"t": t_ms, "do": "tick"}
    return {"t": t_ms, "do": act.do, **act.fields}


def names_in(answer: Json) -> set[str]:
    """Names of the events and of the refusal in an answer."""
    names = {event["is"] for event in answer.get("events", ())}
    if "refused" in answer:
        names.add(answer["refused"]["reason"])
    return names
