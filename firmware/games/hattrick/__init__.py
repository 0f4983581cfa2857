"""Hattrick: two tricks at a time (HA)."""

from card_tags.kinds import NUMBERED
from firmware.rules.game import NO_DECK, OPTION, PER_SEAT, Game, MenuRow, Preset, times

GAME = Game(
    "hattrick",
    __name__,
    (Preset(None, 3, 6, None, None),),  # HA-1
    (NUMBERED,),
    NO_DECK,
    (
        MenuRow("hands", (), (2, 3, 4, 1), PER_SEAT),  # how often each seat deals: HA-8 says twice
        MenuRow("target", (), ("off", 25, 50, 75, 100), OPTION),  # points that end it early (HA-8)
    )
    + times(),
    ("rules", "Hattrick"),
    ("page", "HattrickTable"),
)
