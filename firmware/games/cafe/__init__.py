"""The café: the board game (CB) and the game of the app (CA)."""

from card_tags.kinds import GUEST, TABLE
from firmware.rules.game import NO_DECK, OPTION, REVISED, Game, MenuRow, Preset, times

GAME = Game(
    "cafe",
    __name__,
    (
        Preset("board", 2, 4, "cafe", None),  # CB-1
        Preset("app", 2, 4, "cafe_app", ("cards_page", "TableCardsPage")),  # CA-2
    ),
    (GUEST, TABLE),
    NO_DECK,
    (
        MenuRow("between", (), ("either", "both"), OPTION),  # CB-5
        MenuRow("drawing", ("board",), ("leaflet", "shrink"), REVISED),  # CB-8
        MenuRow("mono", ("app",), ("same", "table"), REVISED),  # CB-7
        MenuRow("mono_bonus", (), ("any_size", "full_only"), OPTION),  # CB-7
        MenuRow("bag_end", ("board",), (3, 4), OPTION),  # CB-13
        MenuRow("cards_end", ("app",), ("missing", "last"), OPTION),  # CA-4
        MenuRow("bar_joker", (), ("seat", "score"), REVISED),  # CB-10
    )
    + times(),
    ("rules", "Cafe"),
    ("page", "CafeTable"),
)
