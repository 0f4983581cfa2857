"""The arbiter's menu of the box, as buttons of the page: what it offers now, and what to choose.

The box says which actions there are (`Screen.actions`), the rules which of them would be refused.
"""

from firmware.app.arbiter import ASKS, MENU, REASONS, SEAT_ACTIONS
from firmware.app.by_hand import group_of
from host_tools.core.json_types import Json
from host_tools.games.steps import Say
from host_tools.games.table_view import TableView
from host_tools.sim.screen import Screen

ACTIONS = ("resume", *REASONS)  # the one action that asks for no reason
_NO_COMMANDS = ("hand", "abandon")
"""A card by hand is a tap; a match is abandoned without asking the rules."""


class Offer:
    """What the jury menu offers at a table, worked out anew only after an answer of the box."""

    def __init__(self) -> None:
        self._for: tuple[object, ...] = ()
        self._offer: Json = {}

    def at(self, number: int, count: int, world: TableView, screen: Screen) -> Json:
        """The offer in match `number` after `count` answers."""
        now = (number, count, screen.actions, screen.codes)
        # judging copies the match, and a state is told up to 25 times a second
        if now != self._for:
            self._for, self._offer = now, offered(world, screen)
        return self._offer


def offered(world: TableView, screen: Screen) -> Json:
    """The actions that the box's menu lists now, without those that the rules would refuse; and
    the cards that may be entered by hand.
    """
    listed = [action for action in screen.actions if _is_possible(world, action)]
    return {"actions": listed, "cards": list(screen.codes) if "hand" in listed else []}


def _is_possible(world: TableView, action: str) -> bool:
    if action in _NO_COMMANDS:
        return True
    seats = range(world.seats) if action in SEAT_ACTIONS else (None,)
    whom: list[Json] = [{} if seat is None else {"seat": seat} for seat in seats]
    return any(world.judge(action, **fields).refusal is None for fields in whom)


def is_choosing(screen: Screen) -> bool:
    """The jury's lists are on the screen: a player's fingers have no business in them."""
    return screen.asks in (MENU, ASKS)


def words(say: Say) -> Json:
    """For every action its name, its reasons, and what else it asks for."""
    return {
        action: {
            "label": say(f"arbiter_{action}"),
            "seat": action in SEAT_ACTIONS,
            "card": action == "hand",
            "reasons": [[why, say(f"why_{why}")] for why in REASONS.get(action, ())],
        }
        for action in ACTIONS
    }


def by_hand(say: Say, code: str, why: str) -> list[str]:
    """What is chosen in the arbiter's menu to enter a card by hand, for one of `REASONS`."""
    return [say("arbiter_hand"), group_of(code), code, say("why_" + why)]
