"""The rounds of a Swiss: paired one after the other, from what counts."""

from collections.abc import Sequence

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import swiss, tables
from host_tools.tournament.actions.checks import player_of
from host_tools.tournament.actions.knockout import check_cut, check_played, unfinished
from host_tools.tournament.model import Group, PlayerId, is_swiss
from host_tools.tournament.schedule import fill
from host_tools.tournament.state import TournamentState

FEWEST = 2
"""So many players who are here make a round."""


def pair_round(state: TournamentState, random_seed: int | None = None) -> list[ev.AnyBody]:
    """Pair the next round once all results of the last one count. In a Swiss nobody meets twice or
    has two byes; a bye counts as won. Behind groups it begins with the best of each. At tables of
    several as few as possible meet again.
    """
    begun = begin(state)
    state = state.after(begun)
    check_ready(state)
    paired = next_round(state, random_seed)
    return [*begun, paired, *planned(state, paired.round, paired.tables or paired.pairs)]


def next_round(state: TournamentState, random_seed: int | None = None) -> ev.RoundPaired:
    """How the next round would be. Raises UserError if it cannot be paired."""
    if state.setup.mode == "tables":
        return tables.seat(state, len(state.rounds) if random_seed is None else random_seed)
    return swiss.pair(state)


def begin(state: TournamentState) -> list[ev.AnyBody]:
    """The Swiss behind the groups, if its first round is the next. Raises UserError while the
    groups do not say who is in it.
    """
    if not state.groups or not state.swiss_waits:
        return []
    check_played(state)
    check_cut(state)
    group = Group(swiss.GROUP_BEHIND, swiss.advancing(state))
    return start_list(state, ev.GroupsDrawn(groups=[group], random_seed=0, behind=True))


def start_list(state: TournamentState, drawn: ev.GroupsDrawn) -> list[ev.AnyBody]:
    """The order in which a Swiss begins; it has as many rounds as it needs, if nobody said so."""
    needed = ev.Changed(rounds=swiss.rounds_needed(len(drawn.groups[0].players)))
    return [drawn] if state.setup.rounds else [needed, drawn]


def planned(
    state: TournamentState, number: int, pairs: Sequence[Sequence[PlayerId]]
) -> list[ev.MatchPlanned]:
    """The matches of a round; the best pair has the first table."""
    # slots count on over all rounds, and behind the groups before a Swiss
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
    over = len(state.rounds) >= state.setup.rounds and not state.swiss_waits
    if state.ko_seeds or over:
        raise UserError("rounds_over", rounds=state.setup.rounds)


def may_unpair(state: TournamentState) -> bool:
    """There is a last pairing, and nobody of it was called or has played."""
    last = swiss.rounds_of(state)[-1:]
    # a walkover of somebody who left counts, but was neither called nor reported
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
