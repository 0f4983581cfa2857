"""Results of boxes and slips that fit no match: tasks for the desk, never thrown away."""

from msgspec.structs import replace

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.commands.checks import match_of
from host_tools.tournament.commands.matches import report
from host_tools.tournament.incoming import as_report, found_seats
from host_tools.tournament.model import PlayerId
from host_tools.tournament.state import TournamentState


def leave_to_desk(state: TournamentState, seen: ev.Unplaced) -> list[ev.AnyBody]:
    """Remember what fits no match; once, however often it comes."""
    if seen.journal in state.journals or seen.journal in state.unplaced:
        return []
    return [seen]


def unplaced_of(state: TournamentState, wanted: str) -> ev.Unplaced:
    """The result whose journal begins with `wanted`. Raises UserError unless there is one."""
    found = [body for journal, body in state.unplaced.items() if journal.startswith(wanted)]
    if len(found) != 1 or not wanted:
        raise UserError("no_unplaced", journal=wanted)
    return found[0]


def assign(
    state: TournamentState, journal: str, match_id: ev.MatchId, first_seat: PlayerId | None = None
) -> list[ev.AnyBody]:
    """Report such a result for a match; the beginning of JOURNAL is enough."""
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
    placed = replace(seen, players=[first_seat, other], names=[])
    return report(state, as_report(match, placed, state))


def dismiss(state: TournamentState, journal: str) -> list[ev.AnyBody]:
    """Such a result belongs to no match; say --why. `assign` still takes it later."""
    known = unplaced_of(state, journal)
    if known.journal in state.dismissed:
        return []
    return [ev.Dismissed(journal=known.journal, label=known.label)]
