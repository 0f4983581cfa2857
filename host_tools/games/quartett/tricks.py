"""Arbiters' training at a table of Quartett: what people get up to with their cards."""

from collections.abc import Iterator

from host_tools.games.base import Action, Attempt, Exercise, awaited, refused, tapped
from host_tools.games.quartett.table_view import QuartettTableView
from host_tools.games.steps import lay, pick


def quartet_again(table: QuartettTableView) -> Action | None:
    """QU-5: a quartet that lies on the table is laid once more."""
    seat, what = awaited(table)
    if what != "ask":
        return None
    laid = [code for cards in table.laid for code in cards]
    groups = [
        [code for code in laid if code[0] == letter]
        for letter in sorted({code[0] for code in laid})
    ]
    attempts = (
        Attempt("lay", {"seat": seat, "cards": cards}, tuple(lay(code) for code in cards))
        for cards in groups
    )
    return refused(table, attempts, ("already_played",))


def other_card(table: QuartettTableView) -> Action | None:
    """QU-3: the seat that was asked hands over another card."""
    seat, what = awaited(table)
    if what != "answer":
        return None
    return refused(table, (tapped(card) for card in table.hands[seat]), ("not_asked",))


def false_denial(table: QuartettTableView) -> Action | None:
    """QU-7: the seat that was asked denies a card that it holds."""
    asked = table.match.asked()
    if asked is None or asked[1] not in table.hands[asked[0]]:
        return None
    steps = (pick(table.say("quartett_deny")),)
    known = refused(table, [Attempt("deny", {}, steps)], ("known_holder",))
    # what the box cannot know it takes, and reports when the card shows up (QU-7)
    return known or Action("QU-7", steps)


def impossible_question(table: QuartettTableView) -> Action | None:
    """QU-4: a card that the caller is known to hold, or of a group that lies with others."""
    seat, what = awaited(table)
    if what != "ask":
        return None
    other = (seat + 1) % table.seats
    return refused(table, _questions(table, other), ("own_card", "cannot_hold"))


def _questions(table: QuartettTableView, other: int) -> Iterator[Attempt]:
    for card in table.match.codes():
        steps = (pick(table.box_name(other)), pick(card[:1]), pick(card))
        yield Attempt("ask", {"seat": other, "card": card}, steps)


TRICKS = {
    "quartet_again": Exercise("QU-5", quartet_again),
    "other_card": Exercise("QU-3", other_card),
    "false_denial": Exercise("QU-7", false_denial),
    "impossible_question": Exercise("QU-4", impossible_question),
}
