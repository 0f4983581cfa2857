"""I Doubt It, in German Mogeln, for decks whose codes begin with a letter (docs/adding-a-game.md).

DB-1 Jokers are put aside. All seats get equally many cards; others are put aside unseen.
DB-2 Whoever was named begins a pile: lays a card face down and names a letter, true or not.
DB-3 In turn each seat lays one card face down on the pile, as one of that letter, or doubts the
     card before it.
DB-4 A doubted card is turned up. Is it of the letter, the seat that doubted takes the pile, else
     the seat that laid it. The other one of the two begins the next pile.
DB-5 A seat's last card is turned up at once, as if the next seat had doubted it; if it is of the
     letter the match is over.
DB-6 The match is over, too, when as many piles were taken as the option `piles` says. Every
     card held is minus a point; most points win.
"""

from firmware.rules.game import ANY_DECK, OPTION, Game, MenuRow, Preset, times

GAME = Game(
    "doubt",
    __name__,
    (Preset(None, 2, 6, None, None),),
    (),
    ANY_DECK,
    (MenuRow("piles", (), (8, 5, 12), OPTION),) + times(),  # DB-6
    ("rules", "Doubt"),
    ("page", "DoubtTable"),
)
