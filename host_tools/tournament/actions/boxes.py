"""What desk and boxes say to each other of a match (docs/decisions/box-and-desk.md)."""

from datetime import datetime

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.actions.checks import match_for, match_of
from host_tools.tournament.actions.matches import report
from host_tools.tournament.incoming import as_report, found_seats
from host_tools.tournament.model import PlayerId
from host_tools.tournament.state import TournamentState

LONGEST_BOX = 64


def give(
    state: TournamentState, match_id: ev.MatchId, box: str = "", no_deck: bool = False
) -> list[ev.AnyBody]:
    """Give a called match to a box, whatever the number of its table. Without this a desk gives
    the match that is called to a table to the box with that number.
    """
    match = match_for(state, match_id, "give")
    # ids of boxes are hex digits
    if len(box) > LONGEST_BOX or (not box.isalnum() and box):
        raise UserError("no_box", box=box)
    # two boxes would hold the same match, and both could end it
    if match.started_at:
        raise UserError("has_begun", match=match_id, time=match.started_at[11:16])
    given = ev.BoxGiven(match=match_id, box=box, with_deck=not no_deck)
    return [] if (match.box, match.with_deck) == (box, given.with_deck) else [given]


def at_table(
    state: TournamentState, match_id: ev.MatchId, players: list[PlayerId]
) -> list[ev.AnyBody]:
    """Who is at the table, as its box says; both of them stop the two minutes (SW-7)."""
    match = match_of(state, match_id)
    here = [player for player in match.players if player in players]
    if match.status != "called" or here == match.here:
        return []
    return [ev.AtTable(match=match_id, players=here)]


def started(state: TournamentState, match_id: ev.MatchId, since: datetime) -> list[ev.AnyBody]:
    """The box has opened the match, at `since` (UTC)."""
    match = match_of(state, match_id)
    if match.status != "called" or match.started_at:
        return []
    return [ev.Started(match=match_id, since=since.isoformat(timespec="seconds"))]


def time_up(state: TournamentState, match_id: ev.MatchId) -> list[ev.AnyBody]:
    """Its clock shows zero; said once."""
    match = match_of(state, match_id)
    if match.status != "called" or match.time_up:
        return []
    return [ev.TimeUp(match=match_id)]


# -- results of boxes and slips that fit no match: tasks for the desk, never thrown away ----------


def leave_to_desk(state: TournamentState, seen: ev.Unplaced) -> list[ev.AnyBody]:
    """Remember what fits no match; once, however often it comes."""
    # a box sends what was not confirmed again, and the desk looks again at every start
    if seen.journal in state.journals or seen.journal in state.unplaced:
        return []
    return [seen]


def unplaced_of(state: TournamentState, wanted: str) -> ev.Unplaced:
    """The result whose journal begins with `wanted`. Raises UserError unless there is one."""
    # digests are 64 digits: people type the beginning
    found = [body for journal, body in state.unplaced.items() if journal.startswith(wanted)]
    if len(found) != 1 or not wanted:
        raise UserError("no_unplaced", journal=wanted)
    return found[0]


def assign(
    state: TournamentState, journal: str, match_id: ev.MatchId, first_seat: PlayerId | None = None
) -> list[ev.AnyBody]:
    """List results that fit no match, and why. With the beginning of its JOURNAL, report one for a
    MATCH.
    """
    # also after it was dismissed; without a first seat the names must tell
    match = match_of(state, match_id)
    seen = unplaced_of(state, journal)
    if match.more:
        return report(state, as_report(match, seen, state))
    if first_seat is None:
        seats = found_seats(state, seen)
        first_seat = seats[0] if seats and set(seats) == {match.a, match.b} else None
    if first_seat is None:
        raise UserError("seats_unclear", match=match_id)
    if first_seat not in (match.a, match.b):
        raise UserError("not_playing", match=match_id, player=first_seat)
    other = match.b if first_seat == match.a else match.a
    # the desk knows better than a badge
    return report(state, as_report(match, seen, state, (first_seat, other)))


def dismiss(state: TournamentState, journal: str) -> list[ev.AnyBody]:
    """It belongs to no match; say --why. A match may still take it later."""
    known = unplaced_of(state, journal)
    if known.journal in state.dismissed:
        return []
    return [ev.Dismissed(journal=known.journal, label=known.label)]
