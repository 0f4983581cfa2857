"""Arbiters' training at a table of Trumpf: what people get up to with their cards."""

from host_tools.games.base import Action, Exercise, Moved, awaited, refused, tapped
from host_tools.games.trumpf.table_view import TrumpfTableView


def dropped_pile(table: TrumpfTableView) -> Action | None:
    """TR-13: a card from the depth of the pile comes to lie on top."""
    seat, what = awaited(table)
    if what != "tap":
        return None
    for card in table.hands[seat]:
        events = table.judge("tap", card=card).events
        rule = next((str(event[3]) for event in events if event[0] == "order_suspect"), "")
        if rule:
            return Action(rule, change=Moved("bring_up", seat, card))
    return None


def kept_card(table: TrumpfTableView) -> Action | None:
    """TR-12: a card that was seen going to somebody else lies on top again."""
    seat, what = awaited(table)
    if what != "tap":
        return None
    action = refused(table, (tapped(card) for card in table.lost_cards(seat)), ("not_yours",))
    if action is None:
        return None
    card = action.steps[0].what
    return Action(action.rule, change=Moved("keep_lost", seat, card))


TRICKS = {
    "swap": Exercise("TR-13", dropped_pile),
    "keep": Exercise("TR-12", kept_card),
}
