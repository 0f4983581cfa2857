"""A tiny game that is not built in: seats clap in turn, and who claps last wins."""

from firmware.rules.game import OPTION, Game, MenuRow, Preset

GAME = Game(
    "claps",
    __name__,
    (Preset("quick", 2, 3, None), Preset("slow", 2, 2, None)),
    (),
    False,
    (MenuRow("claps", (), (3, 5), OPTION), MenuRow("last", ("slow",), ("wins", "loses"), OPTION)),
    ("rules", "Claps"),
    ("page", "ClapsTable"),
)
