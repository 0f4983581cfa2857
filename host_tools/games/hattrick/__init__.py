"""Hattrick on the laptop."""

from pathlib import Path

from card_tags import kinds
from host_tools.core.errors import Sentence
from host_tools.games.base import Demo, Game, TagBatch
from host_tools.games.hattrick.table import HattrickTableView
from host_tools.games.hattrick.tags import hattrick_items
from host_tools.games.hattrick.tricks import TRICKS

_SIGHTS = frozenset({"passed", "already_played", "match_over"})

GAME = Game(
    name="hattrick",
    folder=Path(__file__).parent,
    table=HattrickTableView,
    demos={"hattrick": Demo(None, None, 3, _SIGHTS)},
    tag_sets=lambda header: [hattrick_items()],
    tricks=TRICKS,
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
