"""Whist on the laptop: its row, and its words in German and English."""

from host_tools.games.base import Demo, Game, GameWords
from host_tools.games.decks import deck_sets, with_deck

from .table import WhistView

# {name} is a field of the event; seats are names of players (host_tools/replay/words.py)
WORDS = GameWords(
    events={
        "en": {
            "laid": "{seat} lays {card}.",
            "revoked": "{seat} has revoked: {card} shows it.",
            "taken": "{seat} takes the trick ({points}).",
        },
        "de": {
            "laid": "{seat} legt {card}.",
            "revoked": "{seat} hat nicht bedient: {card} zeigt es.",
            "taken": "{seat} nimmt den Stich ({points}).",
        },
    },
    commands={"en": {}, "de": {}},
    refusals={"en": {}, "de": {}},
    page={"unit_whist": ("Punkte", "Points")},
)

GAME = Game(
    name="whist",
    words=WORDS,
    table=WhistView,
    demos={"whist": Demo(None, "gastro", 3, frozenset({"revoked", "match_over"}))},
    tag_sets=deck_sets,
    tricks={},
    resolved=with_deck,
)
