"""Entering a card by hand when its tag is dead: the group, the card, then the reason."""

from micropython import const

from .arbiter import ASKS, choose_why
from .chooser import Chooser

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable

    from .seams import BoxApp


def group_of(code: str) -> str:
    """What a code begins with up to its last letters' change: A of A1, FR of FRf1, 1 of 1A."""
    if len(code) == 4 and code[:2].isupper() and code[2] in "fm":
        return code[:2]  # a nation, then a woman or a man
    return code[:1]


def groups_of(codes: "list[str]") -> "list[str]":
    """The groups in the order of the codes."""
    groups: "list[str]" = []
    for code in codes:
        if group_of(code) not in groups:
            groups.append(group_of(code))
    return groups


def choose_card(app: "BoxApp", codes: "list[str]", done: "Callable[[str, str], None]") -> None:
    """Ask for group, card and reason; `done(code, why)` gets the answer."""
    groups = groups_of(codes)

    def chose_group(number: int) -> None:
        cards = [code for code in codes if group_of(code) == groups[number]]

        def chose_card(card: int) -> None:
            ask_why(cards[card])

        app.open(Chooser(app, app.say("which_card"), cards, chose_card, asks=ASKS))

    def ask_why(code: str) -> None:
        choose_why(app, "hand", lambda why: done(code, why))

    app.open(Chooser(app, app.say("which_group"), groups, chose_group, asks=ASKS))
