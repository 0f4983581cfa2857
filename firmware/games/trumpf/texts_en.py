"""What the box says about Trumpf, in English: as `firmware/app/texts_en.py`."""

TABLE = """
decimal_mark|.
pot|Pot {}
menu_stage|Stage
menu_tie_scope|Ties
tie_scope_all|all play on
tie_scope_tied|the tied
game_trumpf|Trumpf
preset_swiss|Swiss
preset_gastro|Gastro
preset_kneipe|Kneipe
stage_group|Group
stage_ko|Knock-out
stage_final|Final
swiss_begins|Whoever wins rock-paper-scissors calls first.
jury_decides|The jury decides
trumpf_call|{} calls
lay_choose|Any card
lay_joker|Now the card
hint_joker|Joker! Now the card
hint_choose|Choose any card
hint_paused|Clock stopped: JURY
unsealed_mark|unsealed
late_left|Late in: {}
late_over|Two minutes up
late|Two minutes
late_sentence|Who is absent now may lose 12:0. Press JURY.
news_round_tied|A tie!
news_cards_pot|{} cards, pot {}
news_value_missing|{}'s card has no {}. Call again.
news_moved|{} hands {} cards: {}
news_order_suspect|{}: {} cannot be the top card ({}).
news_extended|Level: 3 minutes more.
news_sudden|Still level: the next trick wins.
news_forfeited|{} loses 12:0 by forfeit.
news_excluded|{} is excluded and loses 12:0.
news_pot_won|{} gets the pot: {} cards.
news_pot_returned|Everybody takes the pot cards back.
no_aside|This card was put aside.
no_no_such_category|There is no such category.
no_value_missing|The card does not have this value.
tag_other_values|The tag's values differ from the deck's.
hand_no_values|The box does not know this card's values yet.
over_all_cards|All cards!
over_jury|Jury's decision
over_forfeit|Forfeit
over_excluded|Excluded
over_all_tied|Drawn
over_seat_out|A seat is out
"""
