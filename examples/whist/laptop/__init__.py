"""Whist on the laptop: its row."""

from pathlib import Path

from host_tools.games.base import Demo, Game
from host_tools.games.decks import deck_sets, with_deck

from .table import WhistView

GAME = Game(
    name="whist",
    folder=Path(__file__).parent,
    table=WhistView,
    demos={"whist": Demo(None, "gastro", 3, frozenset({"revoked", "match_over"}))},
    tag_sets=deck_sets,
    tricks={},
    resolved=with_deck,
)
