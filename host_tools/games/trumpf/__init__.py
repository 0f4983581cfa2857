"""Trumpf on the laptop."""

from pathlib import Path

from firmware.games.trumpf.header import LOW_FIRST
from host_tools.core.errors import Sentence
from host_tools.core.json_types import Json
from host_tools.games.base import Demo, Game
from host_tools.games.decks import deck_sets, with_deck
from host_tools.games.trumpf.table_view import TrumpfTableView
from host_tools.games.trumpf.tricks import TRICKS

_SIGHTS = frozenset({"round_tied", "three_cards", "not_yours", "match_over"})
_SWISS = Demo("swiss", "berge", 2, _SIGHTS | {"value_missing"})
SWISS_CARDS = (28, 36)
"""SW-1: fewest and most."""


def _deck_hints(deck: Json, preset: str | None) -> list[Sentence]:
    count, (fewest, most) = len(deck["cards"]), SWISS_CARDS
    if preset != "swiss" or fewest <= count <= most:
        return []
    return [Sentence("note_swiss_cards", count=count, least=fewest, most=most)]


GAME = Game(
    name="trumpf",
    folder=Path(__file__).parent,
    table=TrumpfTableView,
    demos={
        # `demo --game trumpf`: each game can be asked for by its own name, too
        "trumpf": _SWISS,
        "swiss": _SWISS,
        "gastro": Demo("gastro", "gastro", 3, _SIGHTS),
        "kneipe": Demo("kneipe", "kneipe", 4, _SIGHTS),
    },
    tag_sets=deck_sets,
    tricks=TRICKS,
    # the order counts: of an answer's events the first one here is explained
    event_rules={
        "excluded": "SW-9",
        "forfeited": "SW-7",
        "moved": "SW-8",
        "extended": "SW-5",
        "sudden": "SW-5",
        "round_won": "TR-4",
        "round_tied": "TR-6",
        "pot_won": "TR-8",
        "pot_returned": "TR-8",
        "called": "TR-5",
        "played": "TR-3",
        "began": "TR-2",
    },
    resolved=with_deck,
    values_on_tags=True,
    low_first=LOW_FIRST,
    deck_hints=_deck_hints,
)
