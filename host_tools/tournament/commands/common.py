"""What several commands check."""

from host_tools.core.refusal import Refusal
from host_tools.tournament import events as ev
from host_tools.tournament.model import FORFEIT_CARDS, Kind, Player, PlayerId
from host_tools.tournament.rights import check_status
from host_tools.tournament.state import MatchState, State


def player_of(state: State, player: PlayerId) -> Player:
    """The player of this id. Raises UserError."""
    if player not in state.players:
        raise Refusal("no_player", player=player)
    return state.players[player]


def match_of(state: State, match_id: ev.MatchId) -> MatchState:
    """The match of this id. Raises UserError."""
    if match_id not in state.matches:
        raise Refusal("no_match", match=match_id)
    return state.matches[match_id]


def match_for(state: State, match_id: ev.MatchId, action: str) -> MatchState:
    """The match of this id, whose status allows `action` (`RIGHTS`). Raises UserError."""
    match = match_of(state, match_id)
    check_status(action, match)
    return match


def lost(match: MatchState, loser: PlayerId, kind: Kind) -> ev.Checked:
    """The match counts 12:0 against `loser` (SW-7, SW-9)."""
    cards = (0, FORFEIT_CARDS) if match.a == loser else (FORFEIT_CARDS, 0)
    return ev.Checked(match=match.id, cards=cards, kind=kind)
