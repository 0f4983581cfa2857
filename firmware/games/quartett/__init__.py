"""Quartett: asking for cards, laying down fours (QU)."""

from firmware.rules.game import FOURS, Game, Preset, times

# QU-1
GAME = Game(
    "quartett",
    __name__,
    (Preset(None, 3, 8, None, None),),
    (),
    FOURS,  # QU-5
    times(),
    ("rules", "Quartett"),
    ("page", "QuartettTable"),
)
