"""What the box says about the café, in English: as `firmware/app/texts_en.py`."""

TABLE = """
menu_between|Shared chair
between_either|one table
between_both|both
menu_drawing|Drawing
drawing_shrink|limit drops
drawing_leaflet|leaflet
menu_mono_bonus|Nation ×2
mono_bonus_any_size|always
mono_bonus_full_only|full table
menu_mono|One nation only
mono_same|counts 2 each
mono_table|its own only
menu_bag_end|End: bag
menu_cards_end|End: card
cards_end_missing|missing
cards_end_last|the last
menu_bar_joker|Joker to bar
bar_joker_seat|no seat
bar_joker_score|no points
game_cafe|Café
preset_board|Board game
preset_app|App game
cafe_draw|Everybody draws five guests unseen.
cafe_card_of|Table cards {}/12
cafe_next_card|Card for {}
cafe_last_back|Last one back
cafe_third|Both cards of this nation lie already.
cafe_lay_out|Lay out, then OK
cafe_lay_guest|Lay a guest, OK: more
cafe_lay_bar|Lay a guest for the bar
cafe_lay_swap|Lay the guest to swap in
cafe_new_card|New table card {}
cafe_no_card|none is left
cafe_which_joker|Which joker?
cafe_chair_for|{}: which chair?
cafe_table_for|{}: which table?
cafe_leftover|Lay the rest {}/{}
cafe_hands|Hands {}
cafe_bar_bag|Bar {}  Bag {}
cafe_done|End the turn
cafe_bar|Guest to the bar
cafe_swap|Swap a joker
cafe_take_back|Take the guest back
cafe_again|From the start
cafe_nowhere|{} fits nowhere now. OK: to the bar, or swap.
cafe_chair_first|First choose the chair of this guest.
cafe_joker_first|First choose the joker's chair.
cafe_cannot_pay|Not enough points
cafe_forced|Do it: I am out
cafe_placed|{} on {}
cafe_points|+{} points = {}
cafe_points_one|+{} point = {}
news_completed|Table {} is full.
news_completed_dry|Table {} is full, one nation: draw nothing.
news_completed_one|Table {} is full, one nation: hand limit −1.
news_cleared|Cleared: {}. The guest counts {} times.
news_cleared_one|Table {} is cleared.
news_barred|{} at the bar, field {}: {} points = {}
news_barred_one|{} at the bar, field {}: {} point = {}
news_swapped|{} into the hand, {} onto the chair.
news_left_over|{}: {} points for guests left over.
no_chair_taken|The chair is taken.
no_wrong_nation|Wrong nation for this chair.
no_sexes|Women and men do not balance here.
no_no_score|The guest scores nothing here.
no_alone|The guest may not stay alone.
no_joker_fits|The joker still fits at a table.
no_cannot_pay|Not enough points for that.
no_no_joker_there|No joker sits on this chair.
no_not_in_hand|This guest cannot be in the hand.
over_last_seat|Last one left
over_chairs_full|All chairs taken
over_bar_full|The bar is full
over_bag|End by the bag
over_no_table_card|No table card
"""
