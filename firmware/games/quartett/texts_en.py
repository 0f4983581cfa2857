"""What the box says about Quartett, in English: as `firmware/app/texts_en.py`."""

TABLE = """
game_quartett|Quartett
quartett_deal|Cards per seat: {}.
quartett_jokers|Take the jokers out.
quartett_asks|{} asks
quartett_which|{}: which card?
quartett_asked|{}: have you {}?
quartett_hand_over|Yes: lay the card
quartett_deny|No, I do not
quartett_tap|Lay the card on the reader.
quartett_lay|Lay a quartet
quartett_done|No more quartets
quartett_who_lays|Who lays?
quartett_lays|{} lays
quartett_four_taps|Tap four cards
quartett_back|OK: back
quartett_numbers|Quartets
news_given|{} gives {} the {}.
news_denied|{} has no {} and asks on.
news_quartet|{} lays quartet {}.
news_false_denial|{} had {} after all! False in move {}.
no_own_card|You hold this card yourself.
no_known_holder|The card is known to be here.
no_cannot_hold|You can hold no card of this group.
no_not_a_quartet|These are no quartet.
no_not_asked|This card was not asked for.
"""
