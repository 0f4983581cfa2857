"""Whose turn it is: what the device of one seat may do at the table now.

The table's own page (`HOST`) does everything, as somebody who sits at the box does. The device of
a seat acts for that seat alone: while it is awaited, with what lies on its hand. Between turns it
may lay a quartet (QU-5) and take back what it has laid on the box. The jury sits at the table.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from host_tools.sim.table import messages
from host_tools.sim.table.messages import NotAllowed

if TYPE_CHECKING:
    from host_tools.sim.table.table import PlayTable

HOST = -1
"""Who asks, if it is no seat."""
_QUARTET = 4
_LAYING = ("ask", "lay")
_JURY_HEADINGS = ("jury", "why", "which_group", "which_card")
_JURY_SEATS = ("penalty", "forfeit", "exclude", "decide")


def check_turn(table: "PlayTable", seat: int, message: messages.AnyMessage) -> None:
    """May this seat do that now? In the box's thread. Raises NotAllowed."""
    rule = _RULES.get(type(message))
    if rule is None:
        raise NotAllowed("play_host_only")
    world = table.log.world
    if world is None or table.log.closed or not 0 <= seat < world.seats:
        raise NotAllowed("play_no_seat_now")
    rule(table, seat, message)


def _check_awaited(table: "PlayTable", seat: int) -> None:
    if table.log.paused:
        raise NotAllowed("play_clock_stands")
    awaited = table.log.awaits.get("seat")
    if awaited is None:
        raise NotAllowed("play_at_the_table")
    if awaited != seat:
        assert table.log.world is not None
        raise NotAllowed("play_not_your_turn", name=table.log.world.name(awaited))
    if _jury_is_choosing(table):
        raise NotAllowed("play_jury_only")


def _jury_is_choosing(table: "PlayTable") -> bool:
    """The jury's lists are on the screen: a player's fingers have no business in them."""
    headings = {table.say(key) for key in _JURY_HEADINGS}
    headings.update(table.say(f"arbiter_{action}") for action in _JURY_SEATS)
    return table.screen.last.title.split("\t")[0] in headings


def _check_card(table: "PlayTable", seat: int, message: Any) -> None:
    _check_awaited(table, seat)
    if message.code not in _within_reach(table, seat):
        raise NotAllowed("play_not_in_hand")


def _within_reach(table: "PlayTable", seat: int) -> set[str]:
    """The cards that the seat can see of its own, and what lies in the middle for the one whose
    turn it is.
    """
    world = table.log.world
    assert world is not None
    codes = {card["code"] for card in world.hand(seat)} - {""}
    return codes.union(world.within_reach())


def _check_choice(table: "PlayTable", seat: int, message: messages.Choose) -> None:
    _check_awaited(table, seat)


def _check_button(table: "PlayTable", seat: int, message: messages.Button) -> None:
    if message.button == "jury":
        raise NotAllowed("play_jury_only")
    if message.down or not table.presses(seat, message.button):
        _check_awaited(table, seat)


def _check_lift(table: "PlayTable", seat: int, message: messages.Lift) -> None:
    if not table.laid_by(seat):
        _check_awaited(table, seat)


def _check_quartet(table: "PlayTable", seat: int, message: messages.Quartet) -> None:
    assert table.log.world is not None
    if message.seat != seat:
        raise NotAllowed("play_not_in_hand")
    if table.log.awaits["for"] not in _LAYING:
        raise NotAllowed("play_question_open")
    if _jury_is_choosing(table):
        raise NotAllowed("play_jury_only")
    if len(quartet(table.log.world.hands[seat], message.group)) != _QUARTET:
        raise NotAllowed("play_no_quartet", group=message.group[:1])


def quartet(hand: list[str], group: str) -> list[str]:
    """The cards of a letter in a hand."""
    return [code for code in hand if group and code[:1] == group]


_RULES: dict[type, Callable[["PlayTable", int, Any], None]] = {
    messages.Tap: _check_card,
    messages.Lay: _check_card,
    messages.Lift: _check_lift,
    messages.Button: _check_button,
    messages.Choose: _check_choice,
    messages.Quartet: _check_quartet,
}
