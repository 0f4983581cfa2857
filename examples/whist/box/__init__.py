"""Whist without trumps, for decks with a letter and a number as codes (docs/adding-a-game.md).

WH-1 Jokers are put aside. All seats get equally many cards; others are put aside unseen.
WH-2 Whoever was named leads the first trick, the taker of a trick the next one.
WH-3 In turn each seat lays one card, of the letter that was led if it has one.
WH-4 The highest number of the letter that was led takes the trick, which is worth a point; the
     last one is worth two if the option `last_trick` says so.
WH-5 Who lays a card of a letter that the same seat has not followed has revoked: minus a point.
WH-6 When all cards are laid the most points win.
"""

from firmware.rules.game import OPTION, Game, MenuRow, Preset, times

GAME = Game(
    "whist",
    __name__,
    (Preset(None, 2, 8, None),),
    (),
    True,
    (MenuRow("last_trick", (), (1, 2), OPTION),) + times(),  # WH-4
    ("rules", "Whist"),
    ("page", "WhistTable"),
)
