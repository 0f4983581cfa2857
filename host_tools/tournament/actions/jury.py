"""The jury's book: protests, penalties, what undercover referees report, matches played later."""

from collections.abc import Callable
from typing import Literal

from msgspec import UNSET, UnsetType

from host_tools.core.errors import UserError
from host_tools.core.text_check import check_texts
from host_tools.tournament import events as ev
from host_tools.tournament.actions.checks import LARGEST_DECK, match_for, match_of, player_of
from host_tools.tournament.actions.corrections import void
from host_tools.tournament.model import PlayerId
from host_tools.tournament.state import TournamentState

NO_DEPOSIT = "-"
LONGEST_TEXT = 2000
"""A protest comes in writing (seed 001)."""


def protest(
    state: TournamentState, who: PlayerId, text: str, match: ev.MatchId = "", deposit: str = ""
) -> list[ev.AnyBody]:
    """A player has protested in writing, with a deposit; - where the jury asks for none."""
    _about(state, who, match)
    if not deposit.strip():
        raise UserError("deposit_missing")
    deposit = "" if deposit.strip() == NO_DEPOSIT else deposit
    check_texts(deposit)
    return [ev.ProtestFiled(player=who, text=_text(text), deposit=deposit, match=match)]


def decide(
    state: TournamentState,
    protest: int,
    text: str,
    decision: str,
    deposit_back: bool = False,
    effect: Literal["", "void"] = "",
) -> list[ev.AnyBody]:
    """The jury decides on a protest, by its number in the list."""
    note = state.notes.get(protest)
    if note is None or not isinstance(note.body, ev.ProtestFiled) or note.decision:
        raise UserError("no_protest", protest=protest)
    # a protest need not be about a match; then there is nothing to play again
    if effect and not note.body.match:
        raise UserError("effect_no_match")
    upheld, line = decision == "upheld", _text(text)
    said = ev.ProtestDecided(
        protest=protest, upheld=upheld, text=line, deposit_back=deposit_back, effect=effect
    )
    follows = void(state, note.body.match) if effect else []
    return [said, *follows]


def observe(
    state: TournamentState, text: str, who: PlayerId = "", match: ev.MatchId = ""
) -> list[ev.AnyBody]:
    """An undercover referee, whatever the account, reports; at the desk only the jury reads it."""
    _about(state, who, match)
    return [ev.Observed(text=_text(text), player=who, match=match)]


def penalize(
    state: TournamentState,
    who: PlayerId,
    text: str,
    match: ev.MatchId = "",
    cards: int = 0,
    penalty: ev.Penalty | UnsetType | None = UNSET,
) -> list[ev.AnyBody]:
    """A warning, or with --cards a penalty that was played; it counts nothing by itself."""
    # cards go to the opponent (SW-8); an exclusion is `entrants.exclude`
    player_of(state, who)
    _about(state, who, match)
    kind: ev.Penalty = penalty or ("cards" if cards else "warning")
    # a warning has no cards, a penalty of cards at least one (SW-8)
    if (kind == "cards") != (0 < cards <= LARGEST_DECK):
        raise UserError("penalty_number", most=LARGEST_DECK)
    return [ev.Penalized(player=who, kind=kind, text=_text(text), match=match, cards=cards)]


def in_the_way(
    state: TournamentState, about: Callable[[ev.MatchId], bool], anyway: bool, why: str
) -> None:
    """Raises UserError for a protest without a decision about such a match ("" for none): it is to
    be decided first, unless somebody goes on `anyway` and says `why`.
    """
    for note in state.notes.values():
        if (
            not isinstance(note.body, ev.ProtestFiled)
            or note.decision
            or not about(note.body.match)
        ):
            continue
        if not anyway:
            raise UserError("protest_open", number=note.seq, player=note.body.player)
        # who goes on in spite of a protest says why, and the log keeps it
        if not why:
            raise UserError("anyway_why")


def lift(state: TournamentState, note: int) -> list[ev.AnyBody]:
    """A penalty, by its number in the list, was a mistake; it stays in the log."""
    known = state.notes.get(note)
    if known is None or not isinstance(known.body, ev.Penalized) or known.lifted:
        raise UserError("no_penalty", note=note)
    return [ev.PenaltyLifted(note=note)]


def postpone(state: TournamentState, match_id: ev.MatchId) -> list[ev.AnyBody]:
    """A match is played later instead of being lost by forfeit, with the jury's consent (SW-7): it
    stands by itself until it is called.
    """
    match = match_for(state, match_id, "postpone")
    return [] if match.postponed else [ev.Postponed(match=match_id)]


def _about(state: TournamentState, player: PlayerId, match: ev.MatchId) -> None:
    if player:
        player_of(state, player)
    found = match_of(state, match) if match else None
    if found and player and player not in found.players:
        raise UserError("not_playing", match=match, player=player)


def _text(text: str) -> str:
    """On one line, as every text of the log. Raises UserError if it is empty."""
    line = " ".join(text.split())
    if not line:
        raise UserError("no_text")
    check_texts(line, longest=LONGEST_TEXT)
    return line
