"""Trumpf: Swiss tournament rules (SW), Gastro Trumpf (TR) and Kneipen-Quartett (KN)."""

from firmware.rules.game import ANY_DECK, FIELD, OPTION, Game, MenuRow, Preset, times

GAME = Game(
    "trumpf",
    __name__,
    (
        Preset("swiss", 2, 2, None, None),  # one against one (SW-1)
        Preset("gastro", 2, 8, None, None),
        Preset("kneipe", 2, 8, None, None),
    ),
    (),
    ANY_DECK,
    (
        MenuRow("stage", ("swiss",), ("group", "ko", "final"), FIELD),  # SW-5
        MenuRow("tie_scope", ("gastro", "kneipe"), ("all", "tied"), OPTION),  # TR-7
    )
    + times("gastro", "kneipe"),
    ("rules", "Trumpf"),
    ("page", "TrumpfTable"),
)
