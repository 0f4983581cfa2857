"""Quartett on the laptop."""

from pathlib import Path

from host_tools.games.base import Demo, Game
from host_tools.games.decks import deck_sets, with_deck
from host_tools.games.quartett.table_view import QuartettTableView
from host_tools.games.quartett.tricks import TRICKS

_SIGHTS = frozenset({"denied", "not_asked", "known_holder", "false_denial", "match_over"})

GAME = Game(
    name="quartett",
    folder=Path(__file__).parent,
    table=QuartettTableView,
    demos={"quartett": Demo(None, "gastro", 3, _SIGHTS)},
    tag_sets=deck_sets,
    tricks=TRICKS,
    resolved=with_deck,
    # the order counts: of an answer's events the first one here is explained
    event_rules={
        "false_denial": "QU-7",
        "quartet": "QU-5",
        "given": "QU-3",
        "denied": "QU-3",
        "asked": "QU-3",
        "began": "QU-3",
    },
    box_words=("back", "quartett_deny", "quartett_lay", "quartett_done"),
)
