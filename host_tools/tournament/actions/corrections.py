"""Corrections (SW-9): new events, with a preview of what they move; and the undo of an entry."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from host_tools.core.errors import UserError
from host_tools.core.texts import WORDS
from host_tools.tournament import events as ev
from host_tools.tournament.actions.checks import (
    begun_after,
    check_nothing_on,
    check_result,
    match_for,
)
from host_tools.tournament.actions.knockout import cut_ties, draw_ko, moved_seeds, tree_begun
from host_tools.tournament.files import seed_lines
from host_tools.tournament.ko import qualified, seeded_by_tables
from host_tools.tournament.model import Kind, PlayerId, verdict
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.wording import match_name, name_of

UNDO_SECONDS = 60
"""So long whoever entered a result by hand may undo it; after that it is corrected."""


@dataclass(frozen=True)
class Impact:
    """What a correction would move: (player, rank before, rank after), who comes into the cut and
    who drops out, the knock-out matches to void, the latest last, and how the drawn tree would be
    seeded otherwise: (player, seed now, seed then), 0 for none.
    """

    ranks: list[tuple[PlayerId, int, int]]
    qualifiers_in: list[PlayerId]
    qualifiers_out: list[PlayerId]
    voided: list[ev.MatchId]
    seeds: list[tuple[PlayerId, int, int]]
    paired_on: int = 0
    """The first round of a Swiss that was paired on the old result, and stays so."""


def correct(
    state: TournamentState,
    match_id: ev.MatchId,
    cards: tuple[int, ...],
    kind: Kind = "played",
    winner: PlayerId | None = None,
    force: bool = False,
    redraw: bool = False,
    places: Sequence[int] = (),
) -> list[ev.AnyBody]:
    """Correct a counted result. A follow-up match that was called or played blocks a changed
    winner unless the jury forces it; then the follow-up is voided, and stays in the log.

    If the drawn tree would be seeded otherwise, the jury decides: `redraw` draws it anew with the
    correction, while nothing of it was called; `force` lets the seeds stay, and the log says so.
    """
    change = correction(state, match_id, cards, kind, winner, force, places)
    effect = impact(state, change)
    if effect.voided and not force:
        raise UserError("played_on", match=match_id, matches=effect.voided)
    if effect.seeds and redraw:
        return [change, *_drawn_anew(state, change)]
    if effect.seeds:
        _seeds_may_stay(state, match_id, force)
        change = replace(change, seeds_kept=True)
    # the latest first: each is voided while its own players still stand in the tree
    return [*(ev.Voided(match=voided) for voided in reversed(effect.voided)), change]


def _drawn_anew(state: TournamentState, change: ev.Corrected) -> list[ev.AnyBody]:
    later = state.after([change])
    tied = cut_ties(later)
    if tied:  # a lot is only drawn for a tie that stands in the tables
        raise UserError("redraw_tied", match=change.match, players=tied[0])
    return draw_ko(later)


def _seeds_may_stay(state: TournamentState, match_id: ev.MatchId, force: bool) -> None:
    """Raises UserError with what there is to decide, unless the jury forces it."""
    if force:
        return
    begun = tree_begun(state)
    if begun is None:
        raise UserError("seeds_move", match=match_id)
    raise UserError("seeds_stay", match=match_id, begun=begun.id, status=begun.status)


def correct_places(
    state: TournamentState, match_id: ev.MatchId, places: Sequence[int]
) -> list[ev.AnyBody]:
    """Correct the places at a table of several."""
    change = correction_of_places(state, match_id, places)
    return correct(state, match_id, change.cards, places=places)


def correction_of_places(
    state: TournamentState, match_id: ev.MatchId, places: Sequence[int]
) -> ev.Corrected:
    """The event of it, for `impact`."""
    match = match_for(state, match_id, "correct")
    assert match.result is not None
    return correction(state, match_id, match.result.cards, places=places)


def correction(
    state: TournamentState,
    match_id: ev.MatchId,
    cards: tuple[int, ...],
    kind: Kind = "played",
    winner: PlayerId | None = None,
    force: bool = False,
    places: Sequence[int] = (),
) -> ev.Corrected:
    """The event of a correction, for `impact`. Raises UserError if it makes no sense."""
    match = match_for(state, match_id, "correct")
    assert match.result is not None
    check_result(match, cards, kind, winner, places=places)
    change = ev.Corrected(
        match=match_id,
        old=match.result.cards,
        cards=cards,
        kind=kind,
        winner=winner,
        forced=force,
        places=list(places),
        old_places=match.result.places,
    )
    # a correction that changes nothing is a mistake in typing
    if verdict(change) == verdict(match.result):
        raise UserError("same_result", match=match_id)
    return change


def impact(state: TournamentState, change: ev.Corrected) -> Impact:
    """What `change` would move, computed on a copy."""
    match = state.matches[change.match]
    old = match.result
    later = state.after([change])
    rows, later_rows = state.overall_rows(), later.overall_rows()
    before = {row.player: row.rank for row in rows}
    after = {row.player: row.rank for row in later_rows}
    cut_before = qualified(state.as_tournament(), rows)
    cut_after = qualified(later.as_tournament(), later_rows)
    new = later.matches[change.match].result
    # other cards with the same winner move nobody in the tree
    moved_on = old is not None and new is not None and old.ahead() != new.ahead()
    return Impact(
        [(p, before[p], after[p]) for p in before if before[p] != after[p]],
        [p for p in cut_after if p not in cut_before],
        [p for p in cut_before if p not in cut_after],
        begun_after(state, match) if moved_on else [],
        _seeds_moved(state, later),
        match.swiss_round + 1 if 0 < match.swiss_round < len(state.rounds) else 0,
    )


def impact_lines(state: TournamentState, effect: Impact, lang: str) -> list[str]:
    """What a correction moves, for people; nothing if it moves nothing."""
    words = WORDS[lang]

    def named(player: PlayerId) -> str:
        return name_of(state, player)

    return [
        *(words["moves"].format(player=named(p), before=b, after=a) for p, b, a in effect.ranks),
        *(words["comes_in"].format(player=named(player)) for player in effect.qualifiers_in),
        *(words["drops_out"].format(player=named(player)) for player in effect.qualifiers_out),
        *(words["voids"].format(match=match_name(state, match)) for match in effect.voided),
        *seed_lines(effect.seeds, named, lang),
        *([words["paired_on"].format(round=effect.paired_on)] if effect.paired_on else []),
    ]


def _seeds_moved(
    state: TournamentState, later: TournamentState
) -> list[tuple[PlayerId, int, int]]:
    """How `later` would seed the drawn tree otherwise than the tables of `state` do."""
    before = seeded_by_tables(state.as_tournament(), state.overall_rows())
    after = seeded_by_tables(later.as_tournament(), later.overall_rows())
    # against the tables before: a jury that kept other seeds earlier is not asked again
    return moved_seeds(state.ko_seeds, after) if before != after else []


def void(state: TournamentState, match_id: ev.MatchId, force: bool = False) -> list[ev.AnyBody]:
    """Open a match again, for a replay with the jury's consent (SW-7). What was played on it is
    voided too, if the jury forces it.
    """
    match = match_for(state, match_id, "void")
    if not force:
        check_nothing_on(state, match)
    later = reversed(begun_after(state, match))
    return [ev.Voided(match=voided) for voided in (*later, match_id)]


def undo(
    state: TournamentState, actor: str, now: datetime, match_id: ev.MatchId = ""
) -> list[ev.AnyBody]:
    """Undo the result that you entered last, or that of a match, within a minute. Later a report
    is taken back (`take-back`), and what counts is corrected (`correct`).
    """
    # without an id the last one of this person, on whatever page it was entered
    match = match_for(state, match_id, "undo") if match_id else _last_entered(state, actor)
    entry = match.entered
    # what somebody else typed is corrected, with a reason, not undone
    if entry is None or entry.actor != actor:
        raise UserError("undo_not_yours", match=match.id)
    if (now - datetime.fromisoformat(entry.at)).total_seconds() > UNDO_SECONDS:
        raise UserError("undo_too_late", match=match.id, seconds=UNDO_SECONDS)
    said = match.reports[entry.report]
    if said.kind == "excluded":  # the player has left all matches by it
        raise UserError("undo_excluded", match=match.id)
    if match.counts:
        check_nothing_on(state, match)
    gone = ev.Undone(
        match=match.id,
        report=entry.report,
        cards=said.cards,
        source=said.source,
        places=said.places,
    )
    return [gone]


def _last_entered(state: TournamentState, actor: str) -> MatchState:
    entries = ((m.entered, m) for m in state.matches.values())
    mine = {entry.seq: m for entry, m in entries if entry and entry.actor == actor}
    if not mine:
        raise UserError("nothing_entered")
    return mine[max(mine)]
