"""Corrections (SW-9): new events, with a preview of what they move."""

from collections.abc import Sequence
from dataclasses import dataclass

from host_tools.refusals.refusal import Refusal
from host_tools.tournament import events as ev
from host_tools.tournament.ko import qualified
from host_tools.tournament.model import Kind, PlayerId
from host_tools.tournament.state import MatchState, State
from host_tools.tournament.wishes.common import check_result, match_of


@dataclass(frozen=True)
class Impact:
    """What a correction would move: (player, rank before, rank after), who comes into the cut and
    who drops out, and the knock-out matches to void, the latest last.
    """

    ranks: list[tuple[PlayerId, int, int]]
    qualifiers_in: list[PlayerId]
    qualifiers_out: list[PlayerId]
    voided: list[ev.MatchId]


def correct(
    state: State,
    match_id: ev.MatchId,
    cards: tuple[int, int],
    kind: Kind = "played",
    winner: PlayerId | None = None,
    force: bool = False,
) -> list[ev.AnyBody]:
    """Correct a counted result. A follow-up match that was called or played blocks a changed
    winner unless the jury forces it; then the follow-up is voided, and stays in the log.
    """
    change = correction(state, match_id, cards, kind, winner, force)
    effect = impact(state, change)
    if effect.voided and not force:
        raise Refusal("played_on", match=match_id, matches=effect.voided)
    if (effect.qualifiers_in or effect.qualifiers_out) and state.ko_seeds and not force:
        raise Refusal("cut_moves", match=match_id)
    return [*(ev.Voided(match=voided) for voided in reversed(effect.voided)), change]


def correction(
    state: State,
    match_id: ev.MatchId,
    cards: tuple[int, int],
    kind: Kind = "played",
    winner: PlayerId | None = None,
    force: bool = False,
) -> ev.Corrected:
    """The event of a correction, for `impact`. Raises UserError if it makes no sense."""
    match = match_of(state, match_id)
    if match.result is None:
        raise Refusal("nothing_to_correct", match=match_id)
    check_result(match, cards, kind, winner)
    if (cards, kind, winner) == (match.result.cards, match.result.kind, match.result.winner):
        raise Refusal("same_result", match=match_id)
    old = match.result.cards
    return ev.Corrected(
        match=match_id, old=old, cards=cards, kind=kind, winner=winner, forced=force
    )


def impact(state: State, change: ev.Corrected) -> Impact:
    """What `change` would move, computed on a copy."""
    match = state.matches[change.match]
    before = {row.player: row.rank for row in state.overall_rows()}
    cut_before = qualified(state.as_tournament(), state.setup.compare)
    old = match.result
    later = state.after([change])
    after = {row.player: row.rank for row in later.overall_rows()}
    cut_after = qualified(later.as_tournament(), state.setup.compare)
    new = later.matches[change.match].result
    moved_on = old is not None and new is not None and old.ahead() != new.ahead()
    return Impact(
        [(p, before[p], after[p]) for p in before if before[p] != after[p]],
        [p for p in cut_after if p not in cut_before],
        [p for p in cut_before if p not in cut_after],
        _begun_after(state, match) if moved_on else [],
    )


def void(state: State, match_id: ev.MatchId, force: bool = False) -> list[ev.AnyBody]:
    """Open a match again, for a replay with the jury's consent (SW-7). What was played on it is
    voided too, if the jury forces it.
    """
    match = match_of(state, match_id)
    if match.result is None and not match.reports:
        raise Refusal("nothing_to_void", match=match_id)
    later = _begun_after(state, match)
    if later and not force:
        raise Refusal("void_later_first", match=match_id, matches=later)
    if match.group is not None and state.ko_seeds and not force:
        raise Refusal("void_drawn_on", match=match_id)
    return _voided([*reversed(later), match_id])


def _voided(matches: Sequence[ev.MatchId]) -> list[ev.AnyBody]:
    return [ev.Voided(match=match) for match in matches]


def _begun_after(state: State, match: MatchState) -> list[ev.MatchId]:
    """Follow-ups that were called or have a result, nearest first, and theirs."""
    found = []
    for later in state.follow_ups(match):
        if later.status != "open":
            found.append(later.id)
        found.extend(_begun_after(state, later))
    return sorted(dict.fromkeys(found), key=lambda match_id: -_players_left(match_id))


def _players_left(match_id: ev.MatchId) -> int:
    """How early a knock-out match is: the first round has most players left."""
    last = {"KF": 0, "K3": 1}
    return last[match_id] if match_id in last else int(match_id[1:].partition("-")[0])
