"""Players: entering, checking in, drawing groups, coming late, leaving."""

import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from host_tools.cards.decks import DECKS
from host_tools.core.errors import Sentence, UserError
from host_tools.core.text_check import check_texts
from host_tools.tournament import events as ev
from host_tools.tournament import swiss, tables
from host_tools.tournament.actions import rounds
from host_tools.tournament.actions.checks import lost, nobody, player_of
from host_tools.tournament.draw import draw_groups, in_order
from host_tools.tournament.incoming import player_of_badge
from host_tools.tournament.ko import FINAL
from host_tools.tournament.model import (
    PLAYER_FIELDS,
    TEXTS_OF_A_PLAYER,
    Entrant,
    Group,
    Kind,
    PlayerId,
)
from host_tools.tournament.player_names import (
    EVENT_OF_BADGE,
    PLAYER_PAGE,
    double_of,
    full_name,
    name_key,
    tidied,
)
from host_tools.tournament.rights import check_all, first_against
from host_tools.tournament.schedule import deck_of, fill, plan
from host_tools.tournament.state import MatchState, TournamentState

_MARK = re.compile(rf"player=|{PLAYER_PAGE}")
_EVENT = re.compile(rf"{PLAYER_PAGE}.*[?&]{EVENT_OF_BADGE}([a-z0-9-]+)")
SEEDS = 10**9  # a number that can be typed again (fields.MOST)
SMALLEST_GROUP = 2
MOST_TABLES = 999
"""Signs, plans and screens have room for three digits."""
MOST_MINUTES = 24 * 60
MOST_LEGS = 8
MOST_ROUNDS = 99
UNPLAYED = ("open", "called")
"""A reported match was played; it stands although a player leaves."""


def check_setup(setup: ev.Created) -> None:
    """Raises UserError for a tournament that cannot be played."""
    if not setup.name.strip():
        raise UserError("no_name")
    check_texts(setup.name, setup.venue, *setup.decks)
    # a power of two has a single bit: the tree has no gaps but byes
    if setup.ko_size < 2 or setup.ko_size & (setup.ko_size - 1):
        raise UserError("no_power_of_two", ko_size=setup.ko_size)
    if not 1 <= setup.tables <= MOST_TABLES:
        raise UserError("no_tables", tables=setup.tables, most=MOST_TABLES)
    if not 1 <= setup.legs <= MOST_LEGS:
        raise UserError("no_legs", legs=setup.legs, most=MOST_LEGS)
    if not 0 <= setup.rounds <= MOST_ROUNDS:
        raise UserError("no_rounds", rounds=setup.rounds, most=MOST_ROUNDS)
    tables.check_setup(setup)
    if not 1 <= setup.advance <= MOST_TABLES:
        raise UserError("no_advance", count=setup.advance, most=MOST_TABLES)
    if not 1 <= setup.slot_minutes <= MOST_MINUTES:
        raise UserError("no_minutes", minutes=setup.slot_minutes, most=MOST_MINUTES)


def check_decks(names: Iterable[str]) -> None:
    """Raises UserError for a deck that is neither the project's nor the organiser's own: a box
    could not be given a match with it, and a typing error would stand on every slip.
    """
    known = [*DECKS.ids(), *DECKS.own()]
    for name in names:
        if name not in known:
            raise UserError("no_deck_here", name=name, ids=known)


def change(state: TournamentState, changes: ev.Changed) -> list[ev.AnyBody]:
    """Adapt the mode; tables and decks count for matches planned from now on (`plan_again`)."""
    if changes.ko_size is not None and state.ko_seeds:
        raise UserError("size_fixed")
    if changes.compare not in (None, state.setup.compare) and state.ko_seeds:
        raise UserError("compare_fixed")
    setup = state.setup
    # a form sends all its fields: what did not change must not count as a change of the draw
    quiet = ("mode", "legs", "team_best", "advance", "points")
    same = [name for name in quiet if getattr(changes, name) == getattr(setup, name)]
    changes = replace(changes, **dict.fromkeys(same))
    if changes.mode or changes.legs:
        check_all("draw", state.matches.values())
    # rounds that are paired cannot be taken away, and a tree rests on all of them
    if changes.rounds is not None and (state.ko_seeds or changes.rounds < len(state.rounds)):
        raise UserError("rounds_paired", rounds=len(state.rounds))
    # what lies on a box already would be played by the old ones
    running = [
        match for match in state.matches.values() if match.status == "called" and match.more
    ]
    if changes.options is not None and setup.game and running:
        raise UserError("rules_running", match=running[0].id)
    if changes.advance is not None and state.qualifying:
        raise UserError("advance_fixed")
    check_setup(changes.applied_to(setup))
    return [] if changes == ev.Changed() else [changes]


def add_players(state: TournamentState, players: Iterable[Entrant]) -> list[ev.AnyBody]:
    """Enter players; the same id twice, or the same person twice, is refused."""
    # by key, so that a long list is not compared entry by entry
    known: dict[tuple[str, str], list[Entrant]] = defaultdict(list)
    for player in state.players.values():
        known[name_key(player)].append(player)
    # the log and old badges still name who was removed
    ids = {*state.players, *state.removed}
    bodies: list[ev.AnyBody] = []
    for player in map(tidied, players):
        check_texts(*_texts(player), player.id)
        if player.id in ids:
            raise UserError("id_taken", id=player.id)
        namesakes = known[name_key(player)]
        _check_no_double(player, namesakes)
        ids.add(player.id)
        namesakes.append(player)
        bodies.append(ev.PlayerAdded(player=player, late=bool(state.groups)))
    return bodies


def add_list(state: TournamentState, players: Sequence[Entrant]) -> list[ev.AnyBody]:
    """Enter a list; a second one goes on counting where the first one ended."""
    if not {player.id for player in players}.isdisjoint({*state.players, *state.removed}):
        # two lists both begin at p001: the second gets ids behind the first
        players = [replace(p, id=free) for p, free in zip(players, _free_ids(state), strict=False)]
    return add_players(state, players)


def _check_no_double(player: Entrant, others: Iterable[Entrant]) -> None:
    double = double_of(player, others)
    if double is not None:
        raise UserError("entered_already", name=player.name, id=double.id)


def _texts(player: Entrant) -> tuple[str, ...]:
    return tuple(getattr(player, key) for key in TEXTS_OF_A_PLAYER)


def new_player(state: TournamentState, entry: Mapping[str, Any]) -> Entrant:
    """The next player of the list, with the values of `PLAYER_FIELDS`. Raises UserError for one
    without a name.
    """
    name = entry["name"] or full_name(entry["first"], entry["surname"])
    if not name:
        raise UserError("form_missing", label="player")
    return Entrant(id=free_id(state), **{**_none_for_zero(entry), "name": name})


def _none_for_zero(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value or None if PLAYER_FIELDS[key].number else value for key, value in entry.items()
    }


def edit_player(
    state: TournamentState, player: PlayerId, **changes: str | int | UnsetType | None
) -> list[ev.AnyBody]:
    """Correct what is known of a player; results and id stay. UNSET: as it was."""
    old = player_of(state, player)
    given = {key: value for key, value in changes.items() if value is not UNSET}
    new = tidied(replace(old, **_none_for_zero(given)))
    # a name that was composed follows its parts; one that was chosen stays
    composed = full_name(old.first, old.surname)
    if new.name in ("", composed) and (new.first or new.surname):
        new = replace(new, name=full_name(new.first, new.surname))
    return _changed(state, old, new)


def _changed(
    state: TournamentState, old: Entrant, new: Entrant, beside: Collection[PlayerId] = ()
) -> list[ev.AnyBody]:
    """The entry is `new` from now on; nobody but those `beside` may be called so already."""
    if new == old:
        return []
    if not new.name:
        raise UserError("player_nameless", player=new.id)
    check_texts(*_texts(new))
    player = new.id
    for other in state.players.values():
        if other.id in beside:
            continue
        if other.id != player:
            _check_no_double(new, [other])
        # a seed is a place in an order: two cannot have it
        if other.id != player and new.seed is not None and other.seed == new.seed:
            raise UserError("seed_taken", seed=new.seed, name=other.name or other.id)
    return [ev.PlayerChanged(player=new)]


@dataclass(frozen=True)
class Hanging:
    """What hangs on an entry: its group, its matches, how many of them have begun (were called at
    least), those that count; `drawn_on`: the tree stands,
    or a round of a Swiss is paired.
    """

    group: str | None
    matches: list[ev.MatchId]
    begun: int
    played: int
    drawn_on: bool

    @property
    def may_go(self) -> bool:
        """The entry can be taken out, with its matches if it has any."""
        return self.group is None or not (self.begun or self.drawn_on)


def hanging(state: TournamentState, player: PlayerId) -> Hanging:
    """What would go, or stands in the way, if the player were removed or merged."""
    theirs = [m for m in state.matches.values() if player in m.players]
    return Hanging(
        state.group_of(player),
        [match.id for match in theirs],
        sum(match.status != "open" for match in theirs),
        sum(match.status not in UNPLAYED for match in theirs),
        bool(state.ko_seeds or state.rounds),
    )


def remove_player(
    state: TournamentState, player: PlayerId, with_matches: bool = False
) -> list[ev.AnyBody]:
    """Take out an entry that was a mistake. Who is in a group goes only `with_matches`, and only
    while none of them has begun; the refusal says what hangs on them.
    """
    old = player_of(state, player)
    found = hanging(state, player)
    if found.group is None:
        return [ev.PlayerRemoved(player=player)]
    if with_matches and found.may_go:
        return _struck(state, player, found.group)
    begun = first_against("draw", state.matches.values())
    key = "remove_undrawn" if begun is None else "remove_begun" if found.may_go else "remove_drawn"
    name, count = old.name or player, len(found.matches)
    raise UserError(key, name=name, group=found.group, count=count, played=found.played)


def _struck(state: TournamentState, player: PlayerId, group: str) -> list[ev.AnyBody]:
    left = next(len(g.players) for g in state.groups if g.id == group) - 1
    # a group of one has no match, and its table says nothing
    if left < SMALLEST_GROUP:
        raise UserError("strike_alone", player=player, group=group)
    return [ev.PlayerStruck(player=player)]


def merge(state: TournamentState, player: PlayerId, double: PlayerId) -> list[ev.AnyBody]:
    """PLAYER and DOUBLE are one person: the entry is as PLAYER has it. Whoever is drawn keeps the
    id; badges and slips of the other id mean the same player from now on.
    """
    # if both are drawn, the one without a match that has begun goes, with its matches
    one, two = player_of(state, player), player_of(state, double)
    if player == double:
        raise UserError("merge_same", player=player)
    # forfeits of the one who left and results of the other would be one person's
    if {player, double} & state.out:
        raise UserError("merge_left", player=player if player in state.out else double)
    stays, goes = (player, double) if _stays(state, player, double) else (double, player)
    both = {key: getattr(one, key) or getattr(two, key) for key in PLAYER_FIELDS}
    new = replace(one, id=stays, **both)
    bodies = _changed(state, state.players[stays], new, (player, double))
    if goes in state.present and stays not in state.present:
        bodies.append(ev.CheckedIn(player=stays))
    gone = remove_player(state, goes, with_matches=True)
    return [*gone, *bodies, ev.PlayerMerged(player=goes, into=stays)]


def _stays(state: TournamentState, keep: PlayerId, double: PlayerId) -> bool:
    """Whether `keep` is the id that stays. Raises UserError if something hangs on both."""
    kept, other = hanging(state, keep), hanging(state, double)
    # the one that is drawn stays: its id stands in the plan and on slips
    if other.may_go and (kept.group or not other.group):
        return True
    if kept.may_go:
        return False
    if other.may_go:
        return True
    raise UserError("merge_both", a=keep, b=double)


def enter_again(state: TournamentState, removed: PlayerId) -> list[ev.AnyBody]:
    """Enter a removed player again, by id."""
    if removed not in state.removed:
        raise UserError("not_removed", player=removed)
    old = state.removed[removed]
    _check_no_double(old, state.players.values())
    return [ev.PlayerAdded(player=old, late=bool(state.groups))]


def free_id(state: TournamentState) -> PlayerId:
    """The next id of the pattern p001, p002 …"""
    return next(_free_ids(state))


def _free_ids(state: TournamentState) -> Iterator[PlayerId]:
    given = {*state.players, *state.removed}
    # counted on behind the list; gaps of removed players are not filled
    ids = (f"p{number:03}" for number in count(len(state.players) + 1))
    return (free for free in ids if free not in given)


def check_in(state: TournamentState, player: PlayerId, absent: bool = False) -> list[ev.AnyBody]:
    """A player has arrived, or is not here any more."""
    player_of(state, player)
    # no fault: codes are scanned twice
    if (player in state.present) != absent:
        return []
    return [ev.CheckedIn(player=player, present=not absent)]


def check_in_many(
    state: TournamentState, players: Iterable[PlayerId] = (), absent: bool = False
) -> list[ev.AnyBody]:
    """Check in players, by id or name, or by the badges that they lay on a reader."""
    bodies = [b for player in dict.fromkeys(players) for b in check_in(state, player, absent)]
    together = len(bodies) if not absent and len(bodies) > 1 else 0
    return [
        replace(body, together=together) if isinstance(body, ev.CheckedIn) else body
        for body in bodies
    ]


def arrived_by_badge(
    state: TournamentState, player: PlayerId, name: str, event: str = ""
) -> list[ev.AnyBody]:
    """The owner of a badge is here: by its id, else by its name. Raises UserError."""
    found = player_of_badge(state, player, name, event)
    if isinstance(found, Sentence):
        raise UserError(found)
    return check_in(state, meant(state, found))


def meant(state: TournamentState, text: str, among: Collection[PlayerId] = ()) -> PlayerId:
    """Whom an id, the QR code of a badge or a name means; of several the one who is `among`
    these. Raises UserError.
    """
    scanned = _EVENT.search(text)
    if scanned and state.tournament not in ("", scanned[1]):
        raise UserError("badge_of_event", id="–", event=scanned[1])
    # a scanner types the whole address of a badge, with or without further parameters
    wanted = _MARK.split(text.strip())[-1].partition("&")[0].partition("?")[0].strip()
    player = state.aliases.get(wanted, wanted)
    if player in state.players:
        return player
    found = [
        p.id
        for p in state.players.values()
        if wanted.casefold() in (p.name.casefold(), p.id.casefold(), state.label(p.id).casefold())
    ]
    # only if it helps: none among them is told as what it is, several or nobody
    found = [player for player in found if player in among] or found
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError("several_called", name=wanted, ids=[state.label(p) for p in found])
    raise UserError("no_player", player=wanted or "?")


def waiting(state: TournamentState, text: str) -> Entrant | None:
    """The entrant of this id or name, if several share it the one who was not drawn; None if there
    is none. Raises UserError.
    """
    known = [
        p
        for p in state.players.values()
        if text.casefold() in (p.id.casefold(), p.name.casefold())
    ]
    left = [p for p in known if state.group_of(p.id) is None] or known
    if len(left) > 1:
        raise UserError("several_called", name=text, ids=[state.label(p.id) for p in left])
    return left[0] if left else None


def public_names(state: TournamentState, names: str) -> list[ev.AnyBody]:
    """Have short or whole names on the pages that everybody sees: `Anna E.` or `Anna Egli`."""
    short = names == "short"
    return [] if short == state.short_names else [ev.PublicNames(short=short)]


def draw(
    state: TournamentState, size: int = 4, random_seed: int | None = None, everybody: bool = False
) -> list[ev.AnyBody]:
    """Draw the groups (TO-1) and plan their matches; again while no match was called. Of a Swiss
    the order in which it begins, for the first pairing.
    """
    check_all("draw", state.matches.values())
    entrants = [
        player
        for player in state.players.values()
        if player.id not in state.out and (everybody or player.id in state.present)
    ]
    # chosen by the system and written into the log: not to be guessed before, to be repeated after
    chosen = random.SystemRandom().randrange(SEEDS) if random_seed is None else random_seed
    setup = state.setup
    if state.in_swiss:
        group = Group(swiss.GROUP, in_order(entrants, chosen))
        return rounds.start_list(state, ev.GroupsDrawn(groups=[group], random_seed=chosen))
    together = setup.mode == "round_robin"
    # everybody against everybody is one group
    groups = draw_groups(entrants, max(size, len(entrants)) if together else size, chosen)
    planned = plan(groups, setup.tables, setup.decks, setup.legs)
    return [ev.GroupsDrawn(groups=groups, random_seed=chosen), *planned]


def plan_again(state: TournamentState) -> list[ev.AnyBody]:
    """Plan all group matches that are still open anew, behind those that have begun."""
    in_order = sorted(state.matches.values(), key=lambda match: (match.slot, match.table))
    open_ones = [m for m in in_order if m.group is not None and m.status == "open"]
    if not open_ones:
        raise UserError("nothing_to_plan")
    # slots that have begun are left alone
    begun = max((m.slot for m in in_order if m.status != "open"), default=0)
    waiting = [(m.id, m.group or "", m.players) for m in open_ones]
    return [*fill(waiting, state.setup.tables, state.setup.decks, slot=begun)]


# -- late entry -----------------------------------------------------------------------------------


def late_entry(
    state: TournamentState, player: Entrant, group: str | None = None
) -> list[ev.AnyBody]:
    """A player comes after the draw: into `group` (default: the smallest), with a match against
    everybody in it; into a Swiss from the next round. A player who was entered but not drawn may
    come late too.
    """
    if not state.groups:
        raise UserError("not_drawn_yet")
    # no round is left in which somebody could be paired
    over = state.in_swiss and len(state.rounds) >= state.setup.rounds
    if state.ko_seeds or state.qualifying or over:
        raise UserError("too_late")
    sizes = {g.id: len(g.players) for g in state.groups}
    chosen = group or min(sizes, key=lambda name: sizes[name])
    if chosen not in sizes:
        raise UserError("no_group", group=chosen, groups=list(sizes))
    bodies = _entered(state, player)
    bodies.append(ev.Joined(group=chosen, player=player.id))
    if state.in_swiss:
        return bodies
    opponents = next(g.players for g in state.groups if g.id == chosen) * state.setup.legs
    bodies += _late_matches(state, player.id, chosen, opponents)
    bodies += [
        # whoever left before cannot play the newcomer
        lost_to(body, gone.pop())
        for body in bodies
        if isinstance(body, ev.MatchPlanned) and (gone := {body.a, body.b} & state.out)
    ]
    return bodies


def lost_to(planned: ev.MatchPlanned, loser: PlayerId) -> ev.Checked:
    """A planned match against somebody who has left already."""
    return lost(MatchState(planned.match, planned.a, planned.b), loser, "forfeit")


def _entered(state: TournamentState, player: Entrant) -> list[ev.AnyBody]:
    """The player is in the list and in the hall afterwards."""
    known = state.players.get(player.id)
    if known is None:
        return [*add_players(state, [player]), ev.CheckedIn(player=player.id)]
    name, group = known.name or player.id, state.group_of(player.id)
    if group is not None:
        raise UserError("in_group_already", name=name, group=group)
    if player.id in state.out:
        raise UserError("has_left", name=name)
    return check_in(state, player.id)


def _late_matches(
    state: TournamentState, player: PlayerId, group: str, opponents: Sequence[PlayerId]
) -> list[ev.AnyBody]:
    """One match a slot, on the first table that is free while both are."""
    begun = max((m.slot for m in state.matches.values() if m.status != "open"), default=0)
    busy = {(m.slot, who) for m in state.matches.values() for who in m.players}
    taken = {(m.slot, m.table) for m in state.matches.values()}
    ids = (match.id for match in state.matches.values() if match.group == group)
    # numbers of struck matches are not given again as long as a later one stands
    number = max((int(match_id.rpartition("-")[2]) for match_id in ids), default=0)
    slot = begun
    found: list[ev.AnyBody] = []
    waiting = list(opponents)
    while waiting:
        slot += 1
        tables = range(1, state.setup.tables + 1)
        table = next((table for table in tables if (slot, table) not in taken), None)
        rested = next((who for who in waiting if (slot, who) not in busy), None)
        # later slots are empty at some point, so this ends
        if table is None or rested is None:
            continue
        waiting.remove(rested)
        number += 1
        # in the next leg the other one begins
        a, b = (rested, player) if rested not in waiting else (player, rested)
        found.append(
            ev.MatchPlanned(
                match=f"{group}-{number}",
                group=group,
                a=a,
                b=b,
                slot=slot,
                table=table,
                deck=deck_of(table, state.setup.decks),
            )
        )
    return found


# -- leaving --------------------------------------------------------------------------------------


def withdraw(state: TournamentState, player: PlayerId) -> list[ev.AnyBody]:
    """A player leaves: what they played stands, every open match is a forfeit for the opponent
    (SW-7).
    """
    player_of(state, player)
    if player in state.out:
        raise UserError("left_already", player=player)
    losses = _losses(state, player, "forfeit")
    return [ev.Withdrawn(player=player), *losses, *_nobodys(state, player)]


def exclude(state: TournamentState, player: PlayerId) -> list[ev.AnyBody]:
    """The jury excludes a player (SW-9): results stand, open matches are lost 12:0, and the player
    does not qualify.
    """
    player_of(state, player)
    if player in state.excluded:
        raise UserError("excluded_already", player=player)
    losses = _losses(state, player, "excluded")
    return [ev.Excluded(player=player), *losses, *_nobodys(state, player)]


def reinstate(state: TournamentState, player: PlayerId) -> list[ev.AnyBody]:
    """A withdrawal or exclusion was a mistake; the forfeits it made are voided one by one."""
    player_of(state, player)
    if player not in state.out:
        raise UserError("not_left", player=player)
    return [ev.Reinstated(player=player)]


def walkovers(state: TournamentState) -> list[ev.AnyBody]:
    """Open matches of players who have left, found after every change: a knock-out match may come
    into being only after its player went.
    """
    gone = state.out
    bodies: list[ev.AnyBody] = []
    for match in state.matches.values() if gone else ():
        left = [player for player in (match.a, match.b) if player in gone]
        # a table of several goes on without who has left
        if not left or match.status not in UNPLAYED or match.more:
            continue
        # a final without a winner would leave the tournament without a champion
        if len(left) == 2 and match.round != FINAL:
            bodies.append(nobody(match))
        else:
            kind: Kind = "excluded" if left[0] in state.excluded else "forfeit"
            bodies.append(lost(match, left[0], kind))
    return bodies


def _nobodys(state: TournamentState, player: PlayerId) -> list[ev.AnyBody]:
    """What `player` won without playing against somebody who had left before: now both have, and
    neither wins (SW-7b). Not once the tree was drawn from it.
    """
    return [
        ev.Corrected(match=match.id, old=match.result.cards, cards=(0, 0), kind="absent")
        for match in state.matches.values()
        if player in (match.a, match.b)
        and match.group is not None
        and not state.drawn_on(match)
        and match.result is not None
        and match.result.kind in ("forfeit", "excluded")
        and match.result.ahead() == player
        # called or reported, it was lost by being late, not by having left
        and not (match.called_at or match.reports)
        and {match.a, match.b} - {player} <= state.out
    ]


def _losses(state: TournamentState, player: PlayerId, kind: Kind) -> list[ev.AnyBody]:
    return [
        lost(match, player, kind)
        for match in state.matches.values()
        if player in (match.a, match.b) and match.status in UNPLAYED and not match.more
    ]
