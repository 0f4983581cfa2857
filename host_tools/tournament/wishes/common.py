"""What several wishes check."""

from collections.abc import Iterable

from host_tools.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.model import FORFEIT_CARDS, Kind, Player, PlayerId
from host_tools.tournament.state import MatchState, State

SMALLEST_DECK = 28
LARGEST_DECK = 36
"""SW-1."""


def player_of(state: State, player: PlayerId) -> Player:
    """The player of this id. Raises UserError."""
    if player not in state.players:
        raise UserError(f"there is no player {player!r}; see `schiri tournament players`")
    return state.players[player]


def match_of(state: State, match_id: ev.MatchId) -> MatchState:
    """The match of this id. Raises UserError."""
    if match_id not in state.matches:
        raise UserError(f"there is no match {match_id!r}; see `schiri tournament matches`")
    return state.matches[match_id]


def no_match_begun(matches: Iterable[MatchState], consequence: str) -> None:
    """Raises UserError if one of `matches` was called or has a result."""
    begun = next((match for match in matches if match.status != "open"), None)
    if begun is not None:
        raise UserError(f"match {begun.id} is {begun.status} already; {consequence}")


def lost(match: MatchState, loser: PlayerId, kind: Kind) -> ev.Checked:
    """The match counts 12:0 against `loser` (SW-7, SW-9)."""
    cards = (0, FORFEIT_CARDS) if match.a == loser else (FORFEIT_CARDS, 0)
    return ev.Checked(match=match.id, cards=cards, kind=kind)


def check_result(
    match: MatchState, cards: tuple[int, int], kind: Kind, winner: PlayerId | None
) -> None:
    """Raises UserError for a result that no match can have."""
    place = f"match {match.id}"
    if min(cards) < 0:
        raise UserError(f"{place}: cards cannot be negative")
    if max(cards) > 2 * LARGEST_DECK:
        raise UserError(f"{place}: no deck has {max(cards)} cards; look at the slip again")
    if winner is not None and winner not in (match.a, match.b):
        raise UserError(f"{place}: {winner!r} does not play in it")
    if kind in ("forfeit", "excluded") and sorted(cards) != [0, FORFEIT_CARDS]:
        raise UserError(f"{place}: a {kind} match counts 12:0 or 0:12 (SW-7)")
    level = cards[0] == cards[1] or kind == "drawn"
    ahead = match.a if cards[0] > cards[1] else match.b
    if winner is not None and not level and winner != ahead:
        raise UserError(f"{place}: the cards make {ahead!r} the winner, not {winner!r}")
    if match.round is not None and level and winner is None:
        raise UserError(f"{place}: a knock-out match needs a winner; the jury decides (SW-5)")


def doubt(cards: tuple[int, int], kind: Kind = "played") -> str | None:
    """What is odd about a result, as a sentence for the desk to look again; None if nothing.

    Fewer cards than a deck has may lie in a pot at time-out; more cannot be (SW-1, SW-3).
    """
    total = sum(cards)
    if kind == "played" and total > LARGEST_DECK:
        return f"{cards[0]}:{cards[1]} makes {total} cards; a deck has {LARGEST_DECK} at most"
    if kind == "played" and total < SMALLEST_DECK // 2:
        return f"{cards[0]}:{cards[1]} makes only {total} cards"
    return None
