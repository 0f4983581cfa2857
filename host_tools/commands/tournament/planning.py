"""The plan of the group matches, and the mode of the tournament."""

from collections.abc import Iterator
from typing import TypedDict

from rich.table import Table

from host_tools.commands.options import CommandReport, as_data
from host_tools.commands.tournament.common import CommandContext
from host_tools.commands.tournament.writing import command_of, shows
from host_tools.tournament.model import PlayerId
from host_tools.tournament.schedule import begin_text, estimate
from host_tools.tournament.state import MatchState, TournamentState


class Mode(TypedDict):
    name: str
    ko_size: int
    compare: str
    tables: int
    slot_minutes: int
    decks: list[str]


class PlannedMatch(TypedDict):
    match: str
    slot: int
    table: int
    deck: str
    a: PlayerId
    b: PlayerId


def _mode(desk: CommandContext) -> CommandReport:
    shown = as_data(Mode, desk.state.setup)
    return CommandReport(shown, [f"{key}: {value}" for key, value in shown.items()])


def _plan(desk: CommandContext) -> CommandReport:
    planned = [as_data(PlannedMatch, match, match=match.id) for match in _planned(desk.state)]
    data = {"matches": planned, "estimate": _estimate(desk.state)}
    return CommandReport(data, _plan_lines(desk))


def _begins(desk: CommandContext) -> CommandReport:
    known = desk.state.setup.begins
    return CommandReport({"begins": known or None}, [begin_text(known) or "–"])


mode = command_of("mode", shows(_mode))
plan = command_of("plan", shows(_plan))
begins = command_of("begins", shows(_begins))


def _planned(state: TournamentState) -> list[MatchState]:
    groups = (match for match in state.matches.values() if match.group is not None)
    return sorted(groups, key=lambda match: (match.slot, match.table))


def _estimate(state: TournamentState) -> dict[str, int]:
    setup = state.setup
    ko_size = setup.ko_size
    while ko_size > 2 and ko_size // 2 >= len(state.players) - len(state.out):
        ko_size //= 2
    found = estimate(_planned(state), ko_size, setup.tables, setup.slot_minutes)
    return {**vars(found), "minutes": found.minutes}


def _plan_lines(desk: CommandContext) -> Iterator[object]:
    state, words = desk.state, desk.words
    table = Table(words["slot"], words["table"], words["deck"], words["match"], words["player"])
    for match in _planned(state):
        names = " – ".join(state.players[player].name for player in (match.a, match.b))
        table.add_row(str(match.slot), str(match.table), match.deck, match.id, names)
    yield table
    found = _estimate(state)
    slots, minutes = found["group_slots"], found["group_minutes"]
    yield words["estimate"].format(slots=slots, minutes=minutes, all=found["minutes"])
