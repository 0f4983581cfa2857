"""What the house rules of the café mean, in English (firmware/app/options.py)."""

TABLE = """
between_either|On a shared chair one table that scores is enough.
between_both|On a shared chair both tables must score.
drawing_shrink|Who fills a table with locals only holds one guest less from now on.
drawing_leaflet|Who fills a table with locals only draws nothing in this turn.
mono_bonus_any_size|A table of locals only always counts double.
mono_bonus_full_only|Only a full table of locals counts double.
mono_same|At a table with one nation only, a foreign one too, each guest counts two.
mono_table|Only guests of the table's own nation count double.
bag_end|It ends after the turn that leaves only {} guests in the bag.
cards_end_missing|It ends when a cleared table gets no new card.
cards_end_last|It ends after the turn in which the last table card is laid.
clock_off|There is no clock.
clock|It ends after {} minutes; a turn that was begun is finished.
turn_off|There is no clock for a turn.
turn|After {} seconds there is a tone; the turn goes on.
bar_joker_seat|A joker may go to the bar only if it may sit nowhere by itself.
bar_joker_score|A joker may go to the bar if it scores nowhere by itself.
"""
