"""The phases of a tournament's day, and what is next in each: one sentence and its button."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from host_tools.tournament import view
from host_tools.tournament.actions import knockout, matches
from host_tools.tournament.model import has_tree
from host_tools.tournament.state import MatchState, TournamentState

Phase = Literal["before", "checkin", "groups", "knockout", "honours"]
PHASES: tuple[Phase, ...] = get_args(Phase)


@dataclass(frozen=True)
class NextStep:
    """`key` of the sentence (`next_<key>`, with `values`); its button leads to `page`, or does the
    operation `do`. `done`: nothing of this phase is left, the sentence leads to the one behind it.
    """

    key: str
    page: str = ""
    do: str = ""
    done: bool = False
    values: Mapping[str, object] = field(default_factory=dict)


def _step(
    key: str, page: str = "", *, do: str = "", done: bool = False, **values: object
) -> NextStep:
    return NextStep(key, page, do, done, values)


def next_steps(state: TournamentState) -> dict[Phase, NextStep]:
    """What is next in every phase."""
    return {
        "before": _before(state),
        "checkin": _checkin(state),
        "groups": _groups(state),
        "knockout": _knockout(state),
        "honours": _honours(state),
    }


def phase_now(steps: Mapping[Phase, NextStep]) -> Phase:
    """The first one in which something is left, else the last one."""
    return next((phase for phase in PHASES if not steps[phase].done), PHASES[-1])


def _before(state: TournamentState) -> NextStep:
    count = len(state.players)
    if state.signups:
        return _step("signups", "signups", count=len(state.signups))
    if not count:
        return _step("players", "players")
    if state.present or state.groups:
        return replace(_checkin(state), done=True)
    return _step("entered", "players", count=count)


def _checkin(state: TournamentState) -> NextStep:
    if state.groups:
        late = len(view.latecomers(state))
        if late:
            return _step("late", "players", count=late)
        return replace(_groups(state), done=True)
    present, total = len(state.present - state.out), len(state.players)
    if not present:
        return _step("doors", "players", total=total)
    return _step("arriving", "draw", present=present, total=total)


def _groups(state: TournamentState) -> NextStep:
    in_groups = [match for match in state.matches.values() if match.group is not None]
    if not state.groups:
        return _step("undrawn", "draw")
    if state.groups_done:
        return _behind_groups(state)
    if state.swiss_waits and state.stage_done and knockout.cut_ties(state):
        return _ties(state)
    # a round is paired from results that count, so only behind the last one
    if (state.in_swiss or state.stage_done) and not knockout.unfinished(state):
        return _step("pair", "rounds", round=len(state.rounds) + 1)
    return _playing(state, in_groups)


def _behind_groups(state: TournamentState) -> NextStep:
    if has_tree(state.setup.mode):
        return _step("groups_done", "ko", done=True)
    if knockout.cut_ties(state):
        return _ties(state)
    return _step("table_done", "honours", done=True)


def _ties(state: TournamentState) -> NextStep:
    return _step("ties_first", "standings", count=len(knockout.cut_ties(state)))


def _knockout(state: TournamentState) -> NextStep:
    if not has_tree(state.setup.mode):
        return _step("no_tree", "standings", done=state.groups_done)
    if state.bracket is None:
        left = sum(m.group is not None and not m.counts for m in state.matches.values())
        if left or not state.groups_done:
            return _step("groups_open", "calls", count=left)
        ties = len(knockout.cut_ties(state))
        return _step("ties", "standings", count=ties) if ties else _step("tree", "ko")
    champion = view.champion(state)
    left_over = [match for match in state.ko_matches() if not match.counts]
    if champion and not left_over:
        return _step("decided", "honours", done=True, name=champion)
    return _playing(state, left_over)


def _playing(state: TournamentState, chosen: list[MatchState]) -> NextStep:
    """What is next while these are played."""
    free = len(matches.call_free(state, view.waiting(state)))
    if free:
        return _step("callable", do="call_free", count=free)
    if any(match.status == "reported" for match in chosen):
        count = sum(match.status == "reported" for match in chosen)
        return _step("reported", "home", count=count)
    playing = sum(match.status == "called" for match in chosen)
    if playing:
        return _step("playing", "grid", count=playing)
    # tables or players are busy for another tournament of the venue: that ends by itself
    return _step("elsewhere", "calls") if state.elsewhere else _step("stuck", "matches")


def _honours(state: TournamentState) -> NextStep:
    champion = view.champion(state)
    if not champion:
        return _step("no_champion", "ko")
    return _step("champion", "honours", name=champion)
