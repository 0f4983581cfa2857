"""What desk and boxes say to each other of a match (docs/decisions/box-and-desk.md)."""

from datetime import datetime

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.commands.checks import match_for, match_of
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
    if len(box) > LONGEST_BOX or (not box.isalnum() and box):
        raise UserError("no_box", box=box)
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
