"""Signing up by oneself: an open page, a waiting list, and the organiser's word."""

from collections.abc import Iterable

from host_tools.core.errors import UserError
from host_tools.core.text_check import check_texts
from host_tools.tournament import events as ev
from host_tools.tournament.actions.entrants import add_players, free_id
from host_tools.tournament.model import Entrant
from host_tools.tournament.player_names import double_of
from host_tools.tournament.state import TournamentState

MOST_WAITING = 2000
"""So many may wait to be confirmed: whoever floods the page does not fill the log."""


def set_signups(
    state: TournamentState, open: bool = False, limit: int | None = None, asks: bool = False
) -> list[ev.AnyBody]:
    """Open or close the public page for signing up. Beyond `limit` players there is a waiting
    list.
    """
    new = ev.SignupsSet(open=open, limit=limit or 0, asks=asks)
    return [] if new == state.signing_up else [new]


def sign_up(
    state: TournamentState, name: str, club: str = "", contact: str = ""
) -> list[ev.AnyBody]:
    """Somebody wants to play; the desk confirms it. Who is known already is refused."""
    check_texts(name, club, contact)
    if len(state.signups) >= MOST_WAITING:
        raise UserError("signups_full")
    new = Entrant(id="", name=name, club=club)
    # whoever waits has no id yet
    waiting = [Entrant(id="", name=one.name, club=one.club) for one in state.signups.values()]
    if double_of(new, [*state.players.values(), *waiting]):
        raise UserError("signed_up_already", name=name)
    kept = contact if state.signing_up.asks else ""  # what nobody asked for is not kept
    return [ev.SignedUp(name=name, club=club, contact=kept)]


def places_left(state: TournamentState) -> int | None:
    """Beside those who are entered or wait; None without a limit."""
    if not state.signing_up.limit:
        return None
    return max(0, state.signing_up.limit - len(state.players) - len(state.signups))


def fitting(state: TournamentState) -> list[int]:
    """The sign-ups that still find a place; those behind them are the waiting list."""
    limit = state.signing_up.limit
    # who is entered takes a place before anybody who waits
    free = limit - len(state.players) if limit else len(state.signups)
    return list(state.signups)[: max(0, free)]


def accept_signup(state: TournamentState, signup: int) -> list[ev.AnyBody]:
    """Confirm a sign-up: the player is entered."""
    return _accepted(state, [_known(state, signup)])


def accept_signups(state: TournamentState) -> list[ev.AnyBody]:
    """Confirm all who have a place, the earliest first."""
    found = fitting(state)
    if not found:
        raise UserError("no_signups")
    return _accepted(state, found)


def decline_signup(state: TournamentState, signup: int) -> list[ev.AnyBody]:
    """Take a sign-up off the list."""
    return [ev.SignupSettled(signup=_known(state, signup))]


def _accepted(state: TournamentState, signups: Iterable[int]) -> list[ev.AnyBody]:
    bodies: list[ev.AnyBody] = []
    later = state
    for number in signups:
        said = state.signups[number]
        # on the state behind the one before, or all would get the same id
        player = Entrant(id=free_id(later), name=said.name, club=said.club)
        made = [
            *add_players(later, [player]),
            ev.SignupSettled(signup=number, player=player.id),
        ]
        later = later.after(made)
        bodies += made
    return bodies


def _known(state: TournamentState, signup: int) -> int:
    if signup not in state.signups:
        raise UserError("no_signup")
    return signup
