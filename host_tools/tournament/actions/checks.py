"""What actions check: who, which match, what a result can be, and what is odd about one."""

from collections.abc import Sequence
from functools import cache

from host_tools.cards.decks import deck_ids, load_deck
from host_tools.core.errors import Sentence, UserError
from host_tools.tournament import events as ev
from host_tools.tournament.ko import FINAL
from host_tools.tournament.model import (
    FORFEIT_CARDS,
    Entrant,
    Kind,
    PlayerId,
    are_places,
    is_level,
)
from host_tools.tournament.rights import check_status
from host_tools.tournament.state import MatchState, TournamentState

SMALLEST_DECK = 28
LARGEST_DECK = 36
"""SW-1."""


def player_of(state: TournamentState, player: PlayerId) -> Entrant:
    """The player of this id. Raises UserError."""
    if player not in state.players:
        raise UserError("no_player", player=player)
    return state.players[player]


def match_of(state: TournamentState, match_id: ev.MatchId) -> MatchState:
    """The match of this id. Raises UserError."""
    if match_id not in state.matches:
        raise UserError("no_match", match=match_id)
    return state.matches[match_id]


def match_for(state: TournamentState, match_id: ev.MatchId, action: str) -> MatchState:
    """The match of this id, whose status allows `action` (`RIGHTS`). Raises UserError."""
    match = match_of(state, match_id)
    check_status(action, match)
    return match


def nobody(match: MatchState) -> ev.Checked:
    """Neither wins (SW-7b)."""
    return ev.Checked(match=match.id, cards=(0, 0), kind="absent")


def lost(match: MatchState, loser: PlayerId, kind: Kind) -> ev.Checked:
    """The match counts 12:0 against `loser` (SW-7, SW-9)."""
    cards = (0, FORFEIT_CARDS) if match.a == loser else (FORFEIT_CARDS, 0)
    return ev.Checked(match=match.id, cards=cards, kind=kind)


@cache
def cards_dealt(deck: str) -> int | None:
    """How many cards of a deck are dealt: an odd one is put aside (SW-1). None for a deck that is
    not the project's own.
    """
    if deck not in deck_ids():
        return None
    count = len(load_deck(deck)["cards"])
    # both get the same number (SW-1)
    return min(count - count % 2, LARGEST_DECK)


def cards_in_play(deck: str) -> int:
    """At most so many are dealt; of an unknown deck as many as the rules allow."""
    dealt = cards_dealt(deck)
    return LARGEST_DECK if dealt is None else dealt


def with_rest(deck: str, first: int) -> tuple[int, int] | None:
    """The cards of both players, if the second one has the rest; None if nobody knows the deck."""
    dealt = cards_dealt(deck)
    return None if dealt is None else (first, max(0, dealt - first))


def check_pair(match: MatchState) -> None:
    """Raises UserError for a table of several: it is entered by places."""
    if match.more:
        raise UserError("places_needed", match=match.id)


def check_result(
    match: MatchState,
    cards: tuple[int, ...],
    kind: Kind,
    winner: PlayerId | None,
    deck: str | None = None,
    places: Sequence[int] = (),
) -> None:
    """Raises UserError for a result that no match can have. `deck`: the one that was played with,
    if it is not the match's; "" if it is not known. `places`: of a table of several.
    """
    if places:
        _check_places(match, cards, places)
        return
    check_pair(match)
    if min(cards) < 0:
        raise UserError("negative_cards", match=match.id)
    # "" is a deck of which only the box knows: the rules alone set the limit
    most = cards_in_play(match.deck if deck is None else deck)
    if sum(cards) > most:
        text = f"{cards[0]}:{cards[1]}"
        raise UserError("too_many_cards", match=match.id, cards=text, total=sum(cards), most=most)
    if winner is not None and winner not in (match.a, match.b):
        raise UserError("not_playing", match=match.id, player=winner)
    if kind in ("forfeit", "excluded") and sorted(cards) != [0, FORFEIT_CARDS]:
        raise UserError("counts_twelve", match=match.id, kind=kind)
    if kind == "absent" and (cards != (0, 0) or winner is not None):
        raise UserError("counts_nothing", match=match.id)
    # without a winner there is no champion
    if kind == "absent" and match.round == FINAL:
        raise UserError("final_needs_winner", match=match.id)
    level = is_level(cards, kind) and kind != "absent"
    # a winner beside the cards must be the one whom they show
    ahead = match.a if cards[0] > cards[1] else match.b
    if winner is not None and not level and winner != ahead:
        raise UserError("wrong_winner", match=match.id, ahead=ahead, winner=winner)
    if match.round is not None and level and winner is None:
        raise UserError("winner_needed", match=match.id)


def _check_places(match: MatchState, cards: Sequence[int], places: Sequence[int]) -> None:
    if not match.more:
        raise UserError("no_places_here", match=match.id)
    if len(places) != len(match.players) or not are_places(places) or len(cards) != len(places):
        raise UserError("bad_places", match=match.id, count=len(match.players))


def doubt(cards: tuple[int, ...], kind: Kind = "played") -> Sentence | None:
    """What is odd about a result, as a sentence for the desk to look again; None if nothing.

    Fewer cards than a deck has may lie in a pot at time-out; more cannot be (SW-1, SW-3). Both lay
    one card a round, so what is left is even.
    """
    total, text = sum(cards), f"{cards[0]}:{cards[1]}"
    if kind == "played" and total > LARGEST_DECK:
        return Sentence("many_cards", cards=text, total=total, most=LARGEST_DECK)
    if kind == "played" and total < SMALLEST_DECK // 2:
        return Sentence("few_cards", cards=text, total=total)
    if kind == "played" and total % 2:
        return Sentence("odd_cards", cards=text, total=total)
    return None


def ask(
    match: MatchState, cards: tuple[int, ...], kind: Kind = "played", sure: bool = False
) -> None:
    """Raises UserError for an odd result typed by hand, unless whoever typed it is `sure`."""
    odd = None if sure else doubt(cards, kind)
    if odd is not None:
        raise UserError("odd_result", match=match.id, detail=odd)


def check_nothing_on(state: TournamentState, match: MatchState) -> None:
    """Raises UserError if something was drawn or played on the result of `match`."""
    later = begun_after(state, match)
    if later:
        raise UserError("void_later_first", match=match.id, matches=later)
    if state.drawn_on(match):
        raise UserError("void_drawn_on", match=match.id)


def begun_after(state: TournamentState, match: MatchState) -> list[ev.MatchId]:
    """Follow-ups that were called or have a result, nearest first, and theirs."""
    found = []
    for later in state.follow_ups(match):
        if later.status != "open":
            found.append(later.id)
        found.extend(begun_after(state, later))
    return sorted(dict.fromkeys(found), key=lambda match_id: -_players_left(match_id))


def _players_left(match_id: ev.MatchId) -> int:
    """How early a knock-out match is: the first round has most players left."""
    # third place before the final, as they are played; their ids hold no number
    last = {"KF": 0, "K3": 1}
    return last[match_id] if match_id in last else int(match_id[1:].partition("-")[0])
