"""Which match of the tournament did this box or slip see, and what does it say about it?

A journal's header may name the match: `"tournament"` and `"tournament_match"`. The box itself
knows only badges: `"players"` (the ids on them, null for a badge without one), `"events"` (whose
ids these are) and `"names"`, by seat. Then the ids find the players and, where there is none, the
names; the stage and the table tell which of their matches it was.

Ids begin anew in every tournament. One counts only with its event, or with the name that goes
with it; else the desk is asked.
"""

from collections.abc import Sequence
from itertools import zip_longest

from host_tools.box.assigning import NAME_LENGTHS
from host_tools.core.errors import Sentence, UserError
from host_tools.core.names import folded, graphemes
from host_tools.store.journal.reading import place_of_seat
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options
from host_tools.tournament.model import FORFEIT_CARDS, Kind, PlayerId, verdict
from host_tools.tournament.state import MatchState, TournamentState

SLIP_NAME = 20
"""A slip keeps so many characters of a name (card_tags/FORMAT.md)."""
_TAKEN_OVER = ("source", "box", "journal", "duration_s", "trust")
_KINDS: dict[str, Kind] = {"forfeit": "forfeit", "excluded": "excluded"}


def seat_labels(seen: ev.Unplaced) -> list[str]:
    """Who sat there, for a list of tasks: of a badge of another event its id, and whose it is."""
    events = [seen.tournament] * len(seen.names) if seen.tournament else seen.events
    seats = zip_longest(seen.names, seen.players, events[: len(seen.names)], fillvalue="")
    return [
        name or (f"{player} ({event})" if player and event else player or "?")
        for name, player, event in seats
    ]


def find_match(state: TournamentState, seen: ev.Unplaced) -> MatchState | Sentence:
    """The match that `seen` belongs to, or why it is none, as a sentence without full stop."""
    # practice and last week's cup may be played on the same boxes
    if seen.tournament and state.tournament and seen.tournament != state.tournament:
        return Sentence("other_tournament", tournament=seen.tournament)
    if not seen.counts:
        return Sentence("no_counts")
    if seen.match:
        return _named_match(state, seen)
    seats = _seated(state, seen)
    if isinstance(seats, Sentence):
        return seats
    found = [m for m in state.matches.values() if _sat_at(m, seats)]
    if not found:
        return Sentence("no_pairing", a=seats[0], b=seats[1])
    # from the surest to the least: each only parts what the ones before left, and none may leave
    # nothing
    for likelier in (
        lambda m: seen.stage in ("", m.stage),
        # a slip names no stage: it goes to the match its box has told already
        lambda m: _reported_before(m, seen, state),
        lambda m: not m.counts,
        lambda m: m.status == "called",
        lambda m: m.table == seen.table,
    ):
        found = [match for match in found if likelier(match)] or found
    if len(found) > 1:
        return Sentence("several_fit", matches=[match.id for match in found])
    return found[0]


def _named_match(state: TournamentState, seen: ev.Unplaced) -> MatchState | Sentence:
    """The match that the header names, if these are its players: a tournament that was deleted and
    made once more has the same ids.
    """
    match = state.matches.get(seen.match)
    if match is None:
        return Sentence("names_no_match", match=seen.match)
    others = Sentence("others_sat", match=match.id)
    if not match.more and len(seen.counts) != len(match.players):
        return others
    if not any(seen.players) and not any(seen.names):
        return match
    seats = _seated(state, seen)
    if isinstance(seats, Sentence):
        return seats
    # one may have another name since; after forgetting nobody has any
    known = zip(seats, seen.names, strict=False)
    # the id says who plays, so however short the desk has cut the name for the box
    same = any(_is_called(state, seat, name, NAME_LENGTHS) for seat, name in known)
    same = same or state.forgotten
    return match if _sat_at(match, seats) and (same or not any(seen.names)) else others


def _sat_at(match: MatchState, seats: Sequence[PlayerId]) -> bool:
    """These played it; at a table of several one of them may be missing."""
    missing = {*match.players} - {*seats}
    return {*seats} <= {*match.players} and len(missing) <= bool(match.more)


def _reported_before(match: MatchState, seen: ev.Unplaced, state: TournamentState) -> bool:
    """The same box has brought the same result: slip and journal of one match, in any order."""
    says = as_report(match, seen, state)
    return any(
        (report.box, report.cards, verdict(report), report.duration_s)
        == (says.box, says.cards, verdict(says), says.duration_s)
        for report in match.reports
    )


def _seated(state: TournamentState, seen: ev.Unplaced) -> tuple[PlayerId, ...] | Sentence:
    """The players' ids by seat."""
    # ids in the header of a match that a desk gave are that tournament's
    events = [seen.tournament] * len(seen.players) if seen.tournament else seen.events
    found = [
        player_of_badge(state, *badge)
        for badge in zip_longest(seen.players, seen.names, events, fillvalue="")
    ]
    # names or ids of some seats only: nobody can tell who had which cards
    if len(found) != len(seen.counts) or len(found) < 2:
        return Sentence("names_no_two")
    seated: list[PlayerId] = []
    for seat in found:
        if isinstance(seat, Sentence):
            return seat
        if seat not in state.players:
            if len(_called(state, seat)) > 1:
                return Sentence("names_several", player=seat)
            return Sentence("names_stranger", player=seat)
        seated.append(seat)
    return tuple(seated)


def player_of_badge(
    state: TournamentState, player: PlayerId, name: str, event: str = ""
) -> PlayerId | Sentence:
    """Whom a badge means: its id first, its name second. The id is that of `event`; of a badge
    that names none it counts only beside the name that goes with it.
    """
    if event and not state.is_event(event):
        return Sentence("badge_of_event", id=player or "–", event=event)
    # the badge of an entry that was merged into another, and still has the name of that time
    before = state.removed.get(player)
    by_old_name = before is not None and folded(before.name) == folded(name)
    player = state.aliases.get(player, player)
    called = _player_called(state, name)
    if player not in state.players:
        return called or player
    if called in state.players and called != player:
        # one badge, two players: it is of another event, where ids begin anew
        return Sentence("badge_of_two", player=player, name=name)
    if not event and not by_old_name and not _is_called(state, player, name):
        return Sentence("badge_of_none", id=player, name=name)
    return player


def found_seats(state: TournamentState, seen: ev.Unplaced) -> tuple[PlayerId, ...] | None:
    """Who sat where, if ids or names say so."""
    seats = _seated(state, seen)
    return None if isinstance(seats, Sentence) else seats


def _player_called(state: TournamentState, name: str) -> PlayerId:
    """The id of the one player of this name; the name itself if there is none, or several of whom
    one would have to be guessed.
    """
    found = _called(state, name)
    # never guessed: the desk asks
    return found[0] if len(found) == 1 else name


def _called(state: TournamentState, name: str) -> list[PlayerId]:
    return [player for player in state.players if _is_called(state, player, name)]


def _is_called(
    state: TournamentState,
    player: PlayerId,
    name: str,
    lengths: Sequence[int] = (SLIP_NAME, NAME_LENGTHS[0]),
) -> bool:
    """Whether a box or slip that has this name can mean the player. `lengths`: to so many letters
    a longer name may be cut.
    """
    wanted = folded(name)
    # without a name it is the id that boxes show; what a desk gives a box tells homonyms apart
    known = [state.players[player].name or player, state.label(player)]
    short = len(graphemes(wanted))
    cut = ["".join(graphemes(own)[:short]) for own in known if short in lengths]
    return wanted in [own.casefold() for own in [*known, *cut]]


def as_report(
    match: MatchState,
    seen: ev.Unplaced,
    state: TournamentState,
    seats: tuple[PlayerId, ...] | None = None,
) -> ev.Reported:
    """What `seen` says, in the match's order of players. Raises UserError if that is nothing."""
    if not seen.counts:
        raise UserError("no_counts")
    seats = seats or found_seats(state, seen) or match.players
    if match.more:
        return _of_several(match, seen, seats, state)
    if len(seen.counts) != len(match.players):
        raise UserError("others_sat", match=match.id)
    # boxes seat people as they come; the match has an order of its own
    turned = seats[0] == match.b
    cards, kind, winning = counted_by_seat(seen)
    players = (match.b, match.a) if turned else (match.a, match.b)
    return ev.Reported(
        match=match.id,
        cards=cards[::-1] if turned else cards,
        kind=kind,
        winner=None if winning is None else players[winning],
        **{name: getattr(seen, name) for name in _TAKEN_OVER},
    )


def _of_several(
    match: MatchState, seen: ev.Unplaced, seats: Sequence[PlayerId], state: TournamentState
) -> ev.Reported:
    """Points and places by the seats of the match. Raises UserError if others sat there."""
    if not {*seats} <= {*match.players} or len(seen.counts) != len(seats):
        raise UserError("others_sat", match=match.id)
    counts, places = dict(enumerate(seen.counts)), place_of_seat(seen.ranking)
    # who is missing at a table of several has no seat at the box
    at = [seats.index(player) if player in seats else -1 for player in match.players]
    return ev.Reported(
        match=match.id,
        other_rules=rule_options.otherwise(state.setup, seen.rules),
        cards=tuple(counts.get(seat, 0) for seat in at),
        places=[places.get(seat, 0) for seat in at],
        **{name: getattr(seen, name) for name in _TAKEN_OVER},
    )


def counted_by_seat(seen: ev.Unplaced) -> tuple[tuple[int, ...], Kind, int | None]:
    """Cards by seat, kind, and the winning seat where the cards do not say it (SW-5, TR-8)."""
    kind = _KINDS.get(seen.reason, "played")
    ahead = seen.ranking[0] if seen.ranking else []
    if kind != "played":
        # a box tells who won a forfeit by the ranking, whatever cards lie in the piles (SW-7)
        won = ahead[0] if ahead else 0
        return ((FORFEIT_CARDS, 0) if won == 0 else (0, FORFEIT_CARDS)), kind, None
    one, other = seen.counts
    if len(ahead) != 1:
        return seen.counts, "played" if one == other else "drawn", None
    if one == other:
        return seen.counts, "played", ahead[0]
    contradicted = (one > other) != (ahead[0] == 0)
    return seen.counts, "drawn" if contradicted else "played", ahead[0] if contradicted else None
