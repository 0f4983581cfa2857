"""The tags of Hattrick: sixty cards."""

from card_tags import kinds
from host_tools.cards.tag_items import Item, Set

_COLOURS = (("R", "Rot"), ("G", "Grün"), ("B", "Blau"))
_HIGHEST = 20


def hattrick_items() -> Set:
    """The 60 cards of Hattrick (rule HA-1)."""
    items = tuple(
        Item(
            f"{colour}{value}",
            f"{word} {value}",
            kinds.NUMBERED,
            kinds.NumberedCard(f"{colour}{value}"),
        )
        for colour, word in _COLOURS
        for value in range(1, _HIGHEST + 1)
    )
    return Set("hattrick", items)
