"""Hattrick on the laptop."""

from pathlib import Path

from card_tags import kinds
from host_tools.cards.tag_items import Item, Set
from host_tools.core.errors import Sentence
from host_tools.games.base import Demo, Game, TagBatch
from host_tools.games.hattrick.table_view import HattrickTableView, all_cards
from host_tools.games.hattrick.tricks import TRICKS

_SIGHTS = frozenset({"passed", "already_played", "match_over"})
_COLOURS = {"R": "Rot", "G": "Grün", "B": "Blau"}


def hattrick_items() -> Set:
    """The 60 cards of Hattrick (rule HA-1)."""
    named = [(code, f"{_COLOURS[code[0]]} {code[1:]}") for code in all_cards()]
    items = (Item(code, name, kinds.NUMBERED, kinds.NumberedCard(code)) for code, name in named)
    return Set("hattrick", tuple(items))


GAME = Game(
    name="hattrick",
    folder=Path(__file__).parent,
    table=HattrickTableView,
    demos={"hattrick": Demo(None, None, 3, _SIGHTS)},
    tag_sets=lambda header: [hattrick_items()],
    tricks=TRICKS,
    # the order counts: of an answer's events the first one here is explained
    event_rules={
        "hand_over": "HA-7",
        "round_over": "HA-4",
        "shed": "HA-6",
        "passed": "HA-3",
        "followed": "HA-3",
        "opened": "HA-3",
        "began": "HA-2",
    },
    batches={
        "hattrick": TagBatch(
            "Write the 60 cards of Hattrick.", lambda board: hattrick_items(), size="bridge"
        )
    },
    describe={kinds.NumberedCard: lambda card: Sentence("holds_hattrick", code=card.code)},
)
