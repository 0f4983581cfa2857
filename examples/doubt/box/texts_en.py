"""What the box says about I Doubt It, in English: as `texts_de.py`."""

TABLE = """
game_doubt|I Doubt It
menu_piles|Piles
doubt_doubt|{}? Doubt it!
doubt_which|Which letter?
doubt_new_pile|A new pile.
doubt_number|Pile {} of {}
doubt_pile|Pile: {}
doubt_claimed|{} names {}.
doubt_turned_up|{} has laid {}.
doubt_picked_up|{} takes the pile: {}.
over_no_cards|No cards left!
over_last_pile|The last pile!
no_no_such_letter|The deck has no such letter.
"""
