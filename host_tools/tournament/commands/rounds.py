"""The rounds of a Swiss: paired one after the other, from what counts."""

from collections.abc import Sequence

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import swiss, tables
from host_tools.tournament.commands.checks import player_of
from host_tools.tournament.model import PlayerId, is_swiss
from host_tools.tournament.schedule import fill
from host_tools.tournament.state import TournamentState

FEWEST = 2


def unfinished(state: TournamentState) -> list[ev.MatchId]:
    """Matches whose result must count before the next round is paired."""
    return [match.id for match in state.matches.values() if match.swiss_round and not match.counts]


def pair_round(state: TournamentState, random_seed: int | None = None) -> list[ev.AnyBody]:
    """Pair the next round once all results of the last one count. In a Swiss nobody meets twice or
    has two byes; a bye counts as won. At tables of several as few as possible meet again.
    """
    check_ready(state)
    paired = next_round(state, random_seed)
    return [paired, *_planned(state, paired.round, paired.tables or paired.pairs)]


def next_round(state: TournamentState, random_seed: int | None = None) -> ev.RoundPaired:
    """How the next round would be. Raises UserError if it cannot be paired."""
    if state.setup.mode == "tables":
        return tables.seat(state, len(state.rounds) if random_seed is None else random_seed)
    return swiss.pair(state)


def _planned(
    state: TournamentState, number: int, pairs: Sequence[Sequence[PlayerId]]
) -> list[ev.MatchPlanned]:
    """The best pair has the first table."""
    last = max((match.slot for match in state.matches.values()), default=0)
    group = state.groups[0].id
    waiting = [(f"R{number}-{place}", group, tuple(pair)) for place, pair in enumerate(pairs, 1)]
    return fill(waiting, state.setup.tables, state.setup.decks, last)


def check_ready(state: TournamentState) -> None:
    """Raises UserError if the next round cannot be paired yet, or there is none."""
    _check_next(state)
    left = unfinished(state)
    if left:
        raise UserError("round_unfinished", count=len(left), matches=left)
    if len(swiss.in_round(state)) < FEWEST:
        raise UserError("too_few_present", count=len(swiss.in_round(state)))


def _check_next(state: TournamentState) -> None:
    """Raises UserError if there is no next round."""
    if not is_swiss(state.setup.mode):
        raise UserError("no_swiss")
    if not state.groups:
        raise UserError("no_groups")
    if state.ko_seeds or len(state.rounds) >= state.setup.rounds:
        raise UserError("rounds_over", rounds=state.setup.rounds)


def may_unpair(state: TournamentState) -> bool:
    """There is a last pairing, and nobody of it was called or has played."""
    last = swiss.rounds_of(state)[-1:]
    return bool(last) and not any(match.called_at or match.reports for match in last[0])


def unpair_round(state: TournamentState) -> list[ev.AnyBody]:
    """Take back the last pairing, as long as none of its matches was called."""
    if not state.rounds:
        raise UserError("nothing_paired")
    if state.ko_seeds or not may_unpair(state):
        raise UserError("round_begun", round=len(state.rounds))
    return [ev.RoundUnpaired(round=len(state.rounds))]


def pause(state: TournamentState, player: PlayerId, back: bool = False) -> list[ev.AnyBody]:
    """A player sits out the next round that is paired, without points; or after all does not."""
    name = player_of(state, player).name or player
    if player not in swiss.players_of(state) or player in state.out:
        raise UserError("not_in_swiss", name=name)
    if not back:
        _check_next(state)
    if (player in state.paused) != back:
        return []
    return [ev.Paused(player=player, back=back)]
