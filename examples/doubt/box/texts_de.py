"""What the box says about I Doubt It, in German: `key|text`, as `firmware/app/texts_de.py`."""

TABLE = """
game_doubt|Mogeln
menu_piles|Stapel
doubt_doubt|{}? Anzweifeln!
doubt_which|Welcher Buchstabe?
doubt_new_pile|Ein neuer Stapel.
doubt_number|Stapel {} von {}
doubt_pile|Stapel: {}
doubt_claimed|{} sagt {} an.
doubt_turned_up|{} hat {} gelegt.
doubt_picked_up|{} nimmt den Stapel: {}.
over_no_cards|Alle Karten abgelegt!
over_last_pile|Der letzte Stapel!
no_no_such_letter|Diesen Buchstaben gibt es im Deck nicht.
"""
