"""Quartett: asking for cards, laying down fours (QU)."""

from firmware.rules.game import Game, Preset, times

# QU-1
GAME = Game(
    "quartett",
    __name__,
    (Preset(None, 3, 8, None),),
    (),
    True,
    times(),
    ("rules", "Quartett"),
    ("page", "QuartettTable"),
)
