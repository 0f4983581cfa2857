"""Arbiters' training at a table of Hattrick: what people get up to with their cards."""

from host_tools.games.base import Action, Exercise, awaited, refused, tapped
from host_tools.games.hattrick.table_view import HattrickTableView
from host_tools.games.steps import lay


def card_again(table: HattrickTableView) -> Action | None:
    """HA-9: a card of an earlier trick of this hand is tapped again."""
    cards = reversed(table.played)
    return refused(table, (tapped(card) for card in cards), ("already_played",))


def out_of_turn(table: HattrickTableView) -> Action | None:
    """HA-2: the next player is too quick. The box cannot know whose card it was."""
    seat, what = awaited(table)
    hand = table.hands[(seat + 1) % table.seats]
    return Action("HA-2", (lay(hand[0]),)) if what == "tap" and hand else None


TRICKS = {
    "card_again": Exercise("HA-9", card_again),
    "out_of_turn": Exercise("HA-2", out_of_turn),
}
