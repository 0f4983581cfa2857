"""What the desk may do, and when: each function checks a wish against the state and returns the
events it makes.

Nothing here writes. A wish that cannot be granted raises UserError with one sentence; `force` is
the jury's.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from host_tools.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.draw import draw_groups
from host_tools.tournament.ko import qualified
from host_tools.tournament.model import FORFEIT_CARDS, Kind, Player, PlayerId
from host_tools.tournament.schedule import plan
from host_tools.tournament.standings import open_ties
from host_tools.tournament.state import COUNTS, MatchState, State, fold

LATE_SECONDS = 120
"""SW-7, CL-4: later than this after the call is a forfeit."""


# -- players and groups ---------------------------------------------------------------------------


def add_players(state: State, players: Iterable[Player]) -> list[ev.AnyBody]:
    """Enter players; the same id twice, or the same name and club twice, is refused."""
    known = {(p.name.casefold(), p.club.casefold()): p.id for p in state.players.values()}
    ids = set(state.players)
    bodies: list[ev.AnyBody] = []
    for player in players:
        key = (player.name.casefold(), player.club.casefold())
        if player.id in ids:
            raise UserError(f"player id {player.id!r} is taken; choose another")
        if key in known:
            raise UserError(f"{player.name} is entered already, as {known[key]!r}")
        ids.add(player.id)
        known[key] = player.id
        bodies.append(ev.PlayerAdded(player=player, late=bool(state.groups)))
    return bodies


def check_in(state: State, player: PlayerId, present: bool = True) -> list[ev.AnyBody]:
    """A player has arrived (or left again)."""
    _player(state, player)
    if (player in state.present) == present:
        return []
    return [ev.CheckedIn(player=player, present=present)]


def draw(
    state: State, size: int, random_seed: int | None = None, everybody: bool = False
) -> list[ev.AnyBody]:
    """Draw groups of at most `size` and plan their matches; `everybody`: absent players too.

    A draw may be repeated until the first match is called; the random seed is kept in the log.
    """
    _no_match_begun(state, "the groups cannot be drawn again")
    entrants = [
        player
        for player in state.players.values()
        if player.id not in state.withdrawn and (everybody or player.id in state.present)
    ]
    chosen = random.SystemRandom().randrange(1 << 31) if random_seed is None else random_seed
    groups = draw_groups(entrants, size, chosen)
    planned = plan(groups, state.setup.tables, state.setup.decks)
    return [
        ev.GroupsDrawn(groups=groups, random_seed=chosen),
        *(
            ev.MatchPlanned(
                match=m.id, group=m.group, a=m.a, b=m.b, slot=m.slot, table=m.table, deck=m.deck
            )
            for m in planned
        ),
    ]


def late_entry(state: State, player: Player, group: str) -> list[ev.AnyBody]:
    """A player comes after the draw: into `group`, with new matches in slots after the planned
    ones.
    """
    chosen = next((g for g in state.groups if g.id == group), None)
    if chosen is None:
        raise UserError(f"there is no group {group!r}")
    if state.ko_seeds:
        raise UserError("the knock-out is drawn; nobody can enter any more")
    bodies = add_players(state, [player])
    bodies.append(ev.CheckedIn(player=player.id))
    last = max((m.slot for m in state.matches.values()), default=0)
    number = sum(1 for m in state.matches.values() if m.group == group)
    for place, opponent in enumerate(chosen.players, 1):
        bodies.append(
            ev.MatchPlanned(
                match=f"{group}-{number + place}",
                group=group,
                a=opponent,
                b=player.id,
                slot=last + place,
                table=1,
            )
        )
    return bodies


def withdraw(state: State, player: PlayerId) -> list[ev.AnyBody]:
    """A player leaves: what they played stands, every open match is a forfeit for the opponent
    (SW-7).
    """
    _player(state, player)
    if player in state.withdrawn:
        raise UserError(f"{player!r} has withdrawn already")
    bodies: list[ev.AnyBody] = [ev.Withdrawn(player=player)]
    for match in state.matches.values():
        if player in (match.a, match.b) and match.status not in COUNTS:
            cards = (0, FORFEIT_CARDS) if match.a == player else (FORFEIT_CARDS, 0)
            bodies.append(ev.Checked(match=match.id, cards=cards, kind="forfeit"))
    return bodies


# -- matches --------------------------------------------------------------------------------------


def call(state: State, match_id: ev.MatchId, table: int | None = None) -> list[ev.AnyBody]:
    """Call a match to its table; the late timer of two minutes starts (CL-4)."""
    match = _match(state, match_id)
    if match.status not in ("open", "called"):
        raise UserError(f"match {match_id} is {match.status}; it cannot be called")
    return [ev.Called(match=match_id, table=table or match.table or 1)]


def report(state: State, said: ev.Reported) -> list[ev.AnyBody]:
    """A witness reports a result. The same report twice is one; a locked match takes none."""
    match = _match(state, said.match)
    if said in match.reports:
        return []
    if match.status == "locked":
        raise UserError(f"match {match.id} is locked; a jury correction is needed")
    if said.journal and any(said.journal == r.journal for r in match.reports):
        return []
    _sane(match, said.cards, said.kind, said.winner)
    return [said]


def check(
    state: State,
    match_id: ev.MatchId,
    cards: tuple[int, int] | None = None,
    kind: Kind = "played",
    winner: PlayerId | None = None,
) -> list[ev.AnyBody]:
    """The desk says what counts: the given result, or without one what all witnesses agree on."""
    match = _match(state, match_id)
    if match.status in COUNTS:
        raise UserError(f"match {match_id} is {match.status} already; correct it instead")
    if cards is None:
        if not match.reports:
            raise UserError(f"match {match_id} has no report yet; enter the cards")
        if match.disagree:
            raise UserError(f"match {match_id}: the reports disagree; compare them and enter one")
        last = match.reports[-1]
        cards, kind, winner = last.cards, last.kind, last.winner
    _sane(match, cards, kind, winner)
    return [ev.Checked(match=match_id, cards=cards, kind=kind, winner=winner)]


def lock(state: State, match_id: ev.MatchId) -> list[ev.AnyBody]:
    """Close a checked result."""
    match = _match(state, match_id)
    if match.status != "checked":
        raise UserError(f"match {match_id} is {match.status}; only a checked result can be locked")
    return [ev.Locked(match=match_id)]


@dataclass(frozen=True)
class Impact:
    """What a correction would move: (player, rank before, rank after), and matches to void."""

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
    """Correct a counted result (SW-9). A played follow-up match blocks a changed winner unless
    forced; then the follow-up is voided, and stays in the log.
    """
    match = _match(state, match_id)
    if match.result is None:
        raise UserError(f"match {match_id} has no result to correct; enter it instead")
    _sane(match, cards, kind, winner)
    change = ev.Corrected(
        match=match_id,
        old=match.result.cards,
        cards=cards,
        kind=kind,
        winner=winner,
        forced=force,
    )
    effect = impact(state, change)
    if effect.voided and not force:
        raise UserError(
            f"match {match_id}: {', '.join(effect.voided)} was played on this result; "
            "only the jury can force the correction"
        )
    if (effect.qualifiers_in or effect.qualifiers_out) and state.ko_seeds and not force:
        raise UserError(
            f"match {match_id}: the correction changes who qualified, and the knock-out is drawn; "
            "only the jury can force it"
        )
    return [*(ev.Voided(match=voided) for voided in reversed(effect.voided)), change]


def impact(state: State, change: ev.Corrected) -> Impact:
    """What `change` would move, computed on a copy."""
    match = state.matches[change.match]
    before = {row.player: row.rank for row in state.overall_rows()}
    cut_before = qualified(state.as_tournament(), state.setup.compare)
    copy = _copy_with(state, change)
    after = {row.player: row.rank for row in copy.overall_rows()}
    cut_after = qualified(copy.as_tournament(), state.setup.compare)
    new = copy.matches[change.match].result
    old = match.result
    moved_on = old is not None and new is not None and old.ahead() != new.ahead()
    return Impact(
        [(p, before[p], after[p]) for p in before if before[p] != after[p]],
        [p for p in cut_after if p not in cut_before],
        [p for p in cut_before if p not in cut_after],
        _played_after(state, match) if moved_on else [],
    )


def void(state: State, match_id: ev.MatchId) -> list[ev.AnyBody]:
    """Open a match again, for a replay with the jury's consent (SW-7)."""
    match = _match(state, match_id)
    if match.result is None and not match.reports:
        raise UserError(f"match {match_id} has no result to void")
    later = _played_after(state, match)
    if later:
        raise UserError(f"match {match_id}: {', '.join(later)} was played on it; void that first")
    return [ev.Voided(match=match_id)]


# -- lot and knock-out ----------------------------------------------------------------------------


def lot(state: State, players: Sequence[PlayerId]) -> list[ev.AnyBody]:
    """Record a drawn lot. The players must be an open tie; a lot is drawn once."""
    ties = [set(tie) for tie in _ties(state)]
    if set(players) not in ties:
        raise UserError("these players are not an open tie; see `standings` for the open ones")
    return [ev.LotDrawn(players=list(players))]


def draw_ko(state: State) -> list[ev.AnyBody]:
    """Draw the knock-out from the group tables. Open matches and open ties forbid it."""
    if not state.groups:
        raise UserError("there are no groups yet; draw them first")
    if any(m.round is not None and m.status != "open" for m in state.matches.values()):
        raise UserError("knock-out matches were played; the tree cannot be drawn again")
    waiting = [m.id for m in state.matches.values() if m.group and m.status not in COUNTS]
    if waiting:
        shown = ", ".join(waiting[:5]) + (" …" if len(waiting) > 5 else "")
        raise UserError(f"{len(waiting)} group matches are not checked yet: {shown}")
    ties = open_ties(state.overall_rows())
    if ties:
        raise UserError(f"level in everything: {', '.join(ties[0])}; draw the lot first")
    seeds = qualified(state.as_tournament(), state.setup.compare)
    return [ev.KoDrawn(seeds=[p for p in seeds if p not in state.withdrawn])]


# -- helpers --------------------------------------------------------------------------------------


def _player(state: State, player: PlayerId) -> Player:
    if player not in state.players:
        raise UserError(f"there is no player {player!r}")
    return state.players[player]


def _match(state: State, match_id: ev.MatchId) -> MatchState:
    if match_id not in state.matches:
        raise UserError(f"there is no match {match_id!r}")
    return state.matches[match_id]


def _no_match_begun(state: State, consequence: str) -> None:
    begun = [match.id for match in state.matches.values() if match.status != "open"]
    if begun:
        raise UserError(f"match {begun[0]} was called already; {consequence}")


def _sane(match: MatchState, cards: tuple[int, int], kind: Kind, winner: PlayerId | None) -> None:
    if min(cards) < 0:
        raise UserError(f"match {match.id}: cards cannot be negative")
    if winner is not None and winner not in (match.a, match.b):
        raise UserError(f"match {match.id}: {winner!r} does not play in it")
    if kind in ("forfeit", "excluded") and sorted(cards) != [0, FORFEIT_CARDS]:
        raise UserError(f"match {match.id}: a {kind} match counts 12:0 or 0:12 (SW-7)")
    level = cards[0] == cards[1] or kind == "drawn"
    if match.round is not None and level and winner is None:
        raise UserError(f"match {match.id}: a knock-out match needs a winner; the jury decides")


def _ties(state: State) -> list[list[PlayerId]]:
    ties = open_ties(state.overall_rows())
    for group in state.groups:
        ties.extend(open_ties(state.group_rows(group.id)))
    return ties


def _played_after(state: State, match: MatchState) -> list[ev.MatchId]:
    """Follow-ups with a result, nearest first, and theirs."""
    found = []
    for later in state.follow_ups(match):
        if later.result is not None or later.reports:
            found.append(later.id)
        found.extend(_played_after(state, later))
    return list(dict.fromkeys(found))


def _copy_with(state: State, change: ev.Corrected) -> State:
    """The state as it would be; built from a minimal log of what counts, so the real one stays
    untouched.
    """
    bodies: list[ev.AnyBody] = [state.setup]
    bodies += [ev.PlayerAdded(player=player) for player in state.players.values()]
    bodies.append(ev.GroupsDrawn(groups=state.groups, random_seed=0))
    bodies += [ev.LotDrawn(players=players) for players in state.lots]
    for match in state.matches.values():
        if match.group is not None:
            bodies.append(_planned(match))
            bodies += _counted(match)
    if state.ko_seeds:
        bodies.append(ev.KoDrawn(seeds=state.ko_seeds))
        assert state.bracket is not None
        order = [m for m in state.matches.values() if m.round is not None]
        for match in sorted(order, key=lambda m: -_players_left(m)):
            bodies += _counted(match)
    bodies.append(change)
    return fold(
        ev.Event(seq=number, at="", actor="", body=body) for number, body in enumerate(bodies, 1)
    )


def _players_left(match: MatchState) -> int:
    """How early a knock-out match is: the first round has most players left."""
    last = {"KF": 0, "K3": 1}
    return last.get(match.id) or (int(match.id[1:].partition("-")[0]) if "-" in match.id else 0)


def _planned(match: MatchState) -> ev.MatchPlanned:
    return ev.MatchPlanned(
        match=match.id,
        group=match.group or "",
        a=match.a,
        b=match.b,
        slot=match.slot,
        table=match.table,
    )


def _counted(match: MatchState) -> list[ev.AnyBody]:
    if match.result is None:
        return []
    result = match.result
    return [ev.Checked(match=match.id, cards=result.cards, kind=result.kind, winner=result.winner)]


# -- setting up, and what follows by itself -------------------------------------------------------


def check_setup(setup: ev.Created) -> None:
    """Raises UserError for a tournament that cannot be played."""
    if not setup.name.strip():
        raise UserError("the tournament needs a name")
    if setup.ko_size < 2 or setup.ko_size & (setup.ko_size - 1):
        raise UserError(f"the knock-out takes 2, 4, 8, 16 … players, not {setup.ko_size}")
    if setup.tables < 1:
        raise UserError(f"a tournament needs a table, not {setup.tables}")
    if setup.slot_minutes < 1:
        raise UserError(f"a slot lasts a minute at least, not {setup.slot_minutes}")


def walkovers(state: State) -> list[ev.AnyBody]:
    """Knock-out matches of players who have left since: their opponents go on (SW-7)."""
    return [
        ev.Checked(
            match=match.id,
            cards=(0, FORFEIT_CARDS) if match.a in state.withdrawn else (FORFEIT_CARDS, 0),
            kind="forfeit",
        )
        for match in state.matches.values()
        if match.round is not None
        and match.result is None
        and (match.a in state.withdrawn or match.b in state.withdrawn)
    ]
