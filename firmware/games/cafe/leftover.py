"""The guests left in a hand at the end of the board game (CB-14)."""

from micropython import const

from firmware.games.cafe.guests import is_joker
from firmware.rules.answers import Refusal

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.games.cafe.hands import Hands

_GUEST_COSTS = const(5)
_JOKER_COSTS = const(10)


def leftover_cost(guests: "list[int]") -> int:
    """CB-14: five points a guest, ten a joker."""
    return sum([_JOKER_COSTS if is_joker(guest) else _GUEST_COSTS for guest in guests])


def leftover_refusal(guests: "list[int]", seat: int, hands: "Hands") -> "Refusal | None":
    """Why these cannot be the guests of that hand; each reason is looked for in all of them."""
    if -1 in guests:
        return Refusal("unknown_card", "CB-1")
    missing = [joker for joker in hands.known_jokers(seat) if joker not in guests]
    if len(guests) != hands.size(seat) or len(set(guests)) != len(guests) or missing:
        return Refusal("bad_value", "CB-14")
    if [guest for guest in guests if hands.is_out(guest)]:
        return Refusal("already_played", "CB-14")
    if [guest for guest in guests if hands.is_elsewhere(guest, seat)]:
        return Refusal("not_in_hand", "CB-14")
    return None
