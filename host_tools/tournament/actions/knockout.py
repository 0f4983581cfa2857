"""From the groups to the tree: the lot and the draw."""

import random
from collections.abc import Sequence

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.ko import qualified, seeded_by_tables
from host_tools.tournament.model import PlayerId, has_tree
from host_tools.tournament.rights import check_all, first_against
from host_tools.tournament.standings import open_ties
from host_tools.tournament.state import MatchState, TournamentState

SHOWN = 5


def ties(state: TournamentState) -> list[list[PlayerId]]:
    """All sets of players that only a lot can part, in the overall order and in the groups."""
    found = open_ties(state.overall_rows())
    for group in state.groups:
        found.extend(open_ties(state.group_rows(group.id)))
    # with one group its ties are those of the overall order, too
    return list({frozenset(tie): tie for tie in found}.values())


def lot(
    state: TournamentState, players: Sequence[PlayerId], places: Sequence[int] = ()
) -> list[ev.AnyBody]:
    """Show the ties that need a lot (TO-2); record a lot drawn from a hat, first drawn first; or
    let the laptop draw. With places, a number for each player as people wrote them.
    """
    # the players must be an open tie; a lot is drawn once
    order = range(1, len(players) + 1)
    if sorted(places or order) != list(order):
        raise UserError("lot_order", count=len(players))
    # an earlier lot would decide ties that the next result may part
    if not state.stage_done:
        raise UserError("lot_too_early")
    # players named twice would leave others out of the lot
    if set(players) not in [set(tie) for tie in ties(state)] or len(set(players)) < len(players):
        raise UserError("no_such_tie")
    drawn = dict(zip(places or order, players, strict=True))
    return [ev.LotDrawn(players=[drawn[place] for place in order])]


def draw_lots(state: TournamentState) -> list[ev.AnyBody]:
    """Draw the lot for every open tie, by the system's own chance."""
    drawn: list[ev.AnyBody] = []
    later = state
    while tied := ties(later):  # a lot over all groups may decide one inside a group too
        order = list(tied[0])
        random.SystemRandom().shuffle(order)
        bodies = lot(later, order)
        later = later.after(bodies)
        drawn += bodies
    if not drawn:
        raise UserError("no_tie")
    return drawn


def cut_ties(state: TournamentState) -> list[list[PlayerId]]:
    """Open ties that touch the cut or the seeding (TO-3): they must be drawn before the tree, or
    before the Swiss behind the groups, whose cut is in each group.
    """
    out = state.as_tournament().excluded()
    if state.swiss_waits:
        size, tables = state.setup.advance, [state.group_rows(one.id) for one in state.groups]
    else:
        # without a tree the table decides: only the first place is a cut
        size = state.setup.ko_size if has_tree(state.setup.mode) else 1
        tables = [state.overall_rows()]
    found = []
    for rows in tables:
        stay = [row for row in rows if row.player not in out]
        first_of = {row.rank: place for place, row in reversed([*enumerate(stay)])}
        found += open_ties(row for row in stay if first_of[row.rank] < size)
    return found


def check_cut(state: TournamentState) -> None:
    """Raises UserError if only a lot can say who goes on, and in which order."""
    tied = cut_ties(state)
    if tied:
        raise UserError("lot_first", players=tied[0])


def seed_moves(state: TournamentState) -> list[tuple[PlayerId, int, int]]:
    """Where the drawn tree differs from the tables: (player, drawn seed, seed by the tables), 0
    for none; empty while nothing is drawn.
    """
    return moved_seeds(
        state.ko_seeds, seeded_by_tables(state.as_tournament(), state.overall_rows())
    )


def moved_seeds(
    before: Sequence[PlayerId], after: Sequence[PlayerId]
) -> list[tuple[PlayerId, int, int]]:
    """(player, seed before, seed after), 0 for none, in the order of before."""
    old = {player: seed for seed, player in enumerate(before, 1)}
    new = {player: seed for seed, player in enumerate(after, 1)}
    return [
        (player, old.get(player, 0), new.get(player, 0))
        for player in dict.fromkeys((*before, *after))
        if old.get(player) != new.get(player)
    ]


def tree_begun(state: TournamentState) -> MatchState | None:
    """The first knock-out match that was called or has a result."""
    return first_against("draw_ko", state.ko_matches())


def draw_ko(state: TournamentState) -> list[ev.AnyBody]:
    """Draw the knock-out from the group tables. Open matches and open ties forbid it; it may be
    drawn again until its first match is called.
    """
    if not state.groups:
        raise UserError("no_groups")
    if not has_tree(state.setup.mode):
        raise UserError("no_tree_here")
    check_all("draw_ko", state.ko_matches())
    check_played(state)
    if not state.groups_done:
        raise UserError("rounds_left", paired=len(state.rounds), rounds=state.setup.rounds)
    check_cut(state)
    seeds = qualified(state.as_tournament(), state.overall_rows())
    if len(seeds) < 2:
        raise UserError("too_few_left")
    return [ev.KoDrawn(seeds=seeds)]


def check_played(state: TournamentState) -> None:
    """Raises UserError while something before the tree is open."""
    waiting = unfinished(state)
    if waiting:
        shown = ", ".join(waiting[:SHOWN]) + (" …" if len(waiting) > SHOWN else "")
        raise UserError("groups_unfinished", count=len(waiting), shown=shown)


def unfinished(state: TournamentState) -> list[ev.MatchId]:
    """Matches before the tree whose result does not count yet."""
    return [m.id for m in state.matches.values() if m.group is not None and not m.counts]
