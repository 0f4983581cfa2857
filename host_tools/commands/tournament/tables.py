"""Plan and mode; standings, lots and the knock-out, of a file or of a stored tournament."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import click
from rich.table import Table

from host_tools.commands.options import CommandReport, as_data
from host_tools.commands.tournament.common import CommandContext, reads, writes
from host_tools.commands.tournament.writing import command_of, shows
from host_tools.core.command_line import command, never_with, only_with
from host_tools.core.errors import Sentence, UserError
from host_tools.tournament import files, rule_options
from host_tools.tournament.actions import knockout
from host_tools.tournament.ko import Bracket, bracket_of
from host_tools.tournament.model import PlayerId, Tournament, has_tree, read, read_file
from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.schedule import begin_text, estimate
from host_tools.tournament.standings import Compare
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.wording import choices_text

FILE = click.argument("file", required=False, type=click.Path(allow_dash=True, path_type=Path))
COMPARE = click.option(
    "--compare",
    type=click.Choice(["raw", "per-match"]),
    help="How players of unequal groups are compared across groups (TO-3). Default: raw, or what "
    "the stored tournament says.",
)


def load(file: Path) -> Tournament:
    """A schiri-tournament/1 file, or standard input for `-`."""
    if str(file) == "-":
        return read(sys.stdin.buffer.read(), Sentence("standard_input"))
    return read_file(file)


@command()
@FILE
@COMPARE
@never_with("FILE", "--db", "--tournament")
@reads
def standings(
    desk: CommandContext, file: Path | None, compare: Compare | None
) -> CommandReport[files.Standings]:
    """Group tables, the order of all players (TO-2) and the final ranking, of a
    schiri-tournament/1 FILE or, without one, of the stored tournament.

    \b
    schiri tournament standings
    schiri tournament standings --json event.json
    """
    if file is not None:
        # a file does not say how it compares
        event, chosen = load(file), compare or "raw"
        final = files.final_of(event, chosen)
    else:
        state = desk.state
        event, chosen = state.as_tournament(), compare or state.setup.compare
        final = state.final_places()
    shown = (event, chosen, final)
    return CommandReport(files.standings_data(*shown), files.standings_lines(*shown, desk.lang))


@command()
@FILE
@COMPARE
@click.option("--draw", is_flag=True, help="Draw the tree of the stored tournament.")
@click.option("--anyway", is_flag=True, help="Although a protest is open; say --why.")
@never_with("FILE", "--db", "--tournament", "--by", "--why")
@only_with("--anyway", "--draw")
@writes
def ko(
    desk: CommandContext, file: Path | None, compare: Compare | None, draw: bool, anyway: bool
) -> CommandReport[files.KoTree]:
    """The knock-out tree (TO-3, TO-4), of a schiri-tournament/1 FILE or, without one, of the
    stored tournament: seeds, byes, who meets whom.

    \b
    schiri tournament ko --draw
    schiri tournament ko --json - < event.json
    """
    if file is not None:
        if draw:
            raise UserError("file_not_drawn")
        event, moves = load(file), list[files.SeedMove]()
        bracket = _tree_of(event, file, compare or "raw")
    else:
        if draw:
            row = OPERATIONS["draw_ko"]
            form = row.form.read([("anyway", "1" if anyway else "")])
            # not `perform`, which tells the events: the tree is all that is printed
            desk.service.do(desk.actor, desk.why, row.wanted(form, desk.who()))
        state = desk.state
        event, moves = state.as_tournament(), knockout.seed_moves(state)
        # not drawn yet: as the tables would seed it now
        bracket = state.bracket or bracket_of(event, compare or state.setup.compare)[0]
    return CommandReport(files.ko_data(bracket), files.ko_lines(bracket, event, moves, desk.lang))


def _tree_of(event: Tournament, file: Path, compare: Compare) -> Bracket:
    bracket, strays = bracket_of(event, compare)
    if strays:
        # a result that fits nowhere in the tree: the file contradicts itself
        stray = strays[0]
        raise UserError("stray_result", path=file, a=stray.a, b=stray.b, round=stray.round)
    return bracket


def _ties(desk: CommandContext) -> CommandReport[list[list[PlayerId]]]:
    state = desk.state
    ties = knockout.ties(state)
    named = ([f"{player} {state.players[player].name}" for player in tie] for tie in ties)
    return CommandReport(ties, map(", ".join, named))


lot = command_of("lot", shows(_ties))


class ModeShown(TypedDict):
    name: str
    mode: str
    rounds: int
    legs: int
    seats: int
    points: list[int]
    game: str
    options: dict[str, str | int]
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
    more: list[PlayerId]


class Estimated(TypedDict):
    group_slots: int
    group_minutes: int
    ko_minutes: int
    minutes: int


class DayPlan(TypedDict):
    matches: list[PlannedMatch]
    estimate: Estimated
    begins: str | None


def _mode(desk: CommandContext) -> CommandReport[ModeShown]:
    shown = as_data(ModeShown, desk.state.setup)
    said = {**shown, "options": choices_text(shown["options"]) or "–"}
    rules = rule_options.line(desk.state.setup, desk.lang)
    lines = [f"{key}: {value}" for key, value in said.items()]
    return CommandReport(shown, [*lines, *filter(None, [rules])])


def _plan(desk: CommandContext) -> CommandReport[DayPlan]:
    planned = [as_data(PlannedMatch, match, match=match.id) for match in _planned(desk.state)]
    begins = desk.state.setup.begins or None
    data: DayPlan = {"matches": planned, "estimate": _estimate(desk.state), "begins": begins}
    return CommandReport(data, _plan_lines(desk))


mode = command_of("mode", shows(_mode))
plan = command_of("plan", shows(_plan))


def _planned(state: TournamentState) -> list[MatchState]:
    # those of the tree have no slot: they are called as tables become free (docs/desk.md)
    groups = (match for match in state.matches.values() if match.group is not None)
    return sorted(groups, key=lambda match: (match.slot, match.table))


def _estimate(state: TournamentState) -> Estimated:
    setup = state.setup
    ko_size = setup.ko_size if has_tree(setup.mode) else 0
    # a round that would be byes only takes no time
    while ko_size > 2 and ko_size // 2 >= len(state.players) - len(state.out):
        ko_size //= 2
    found = estimate(_planned(state), ko_size, setup.tables, setup.slot_minutes)
    return as_data(Estimated, found)


def _plan_lines(desk: CommandContext) -> Iterator[object]:
    state, words = desk.state, desk.words
    table = Table(words["slot"], words["table"], words["deck"], words["match"], words["player"])
    for match in _planned(state):
        names = " – ".join(state.players[player].name for player in match.players)
        table.add_row(str(match.slot), str(match.table), match.deck, match.id, names)
    yield table
    if state.setup.begins:
        yield begin_text(state.setup.begins)
    rules = rule_options.line(state.setup, desk.lang)
    if rules:
        yield rules
    found = _estimate(state)
    slots, minutes = found["group_slots"], found["group_minutes"]
    yield words["estimate"].format(slots=slots, minutes=minutes, all=found["minutes"])
