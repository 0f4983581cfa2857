"""Every word the box shows, in English; see `texts_de.py`."""

TABLE = """
seat|Seat {}
jury|Jury
reader|Card reader
refused|Not possible
language|English
decimal_mark|.
why|Why?
which_group|Which group?
which_card|Which card?
counts|Cards
pot|Pot {}
round|Trick
menu_game|Game
menu_preset|Variant
menu_deck|Deck
menu_no_deck|lay it down
menu_seats|Seats
menu_stage|Stage
menu_deals|Number of hands
menu_target|Target points
menu_language|Language
menu_start|Start →
lay_deck|Lay down a deck card or a card of the deck.
game_trumpf|Trumpf
game_quartett|Quartett
game_cafe|Café
game_hattrick|Hattrick
preset_swiss|Swiss
preset_gastro|Gastro
preset_kneipe|Kneipe
preset_board|Board game
preset_app|App game
target_off|none
stage_group|Group
stage_ko|Knock-out
stage_final|Final
journal_full|The memory is full. Fetch the matches first.
cannot_open|No start
no_file|The file of the deck or board is not on the box.
back|← back
who_deals|Who deals?
hattrick_hand|Hand {} of {}
hattrick_last|{}: last card
suit_R|Red
suit_G|Green
suit_B|Blue
hattrick_passes|Passes
hattrick_totals|Points
hattrick_trick|{} ({}): {}
hattrick_leads|{} leads
hattrick_deals|{} deals
hattrick_scores|Scores
quartett_asks|{} asks
quartett_which|{}: which card?
quartett_asked|{}: have you {}?
quartett_has|{} c. {} q.
quartett_hand_over|Yes: lay the card
quartett_deny|No, I do not
quartett_tap|Lay the card on the reader.
quartett_lay|Lay a quartet
quartett_done|No more quartets
quartett_who_lays|Who lays?
quartett_lays|{} lays
quartett_four_taps|Tap four cards
quartett_back|OK: back
news_given|{} gives {} the {}.
news_denied|{} has no {} and asks on.
news_quartet|{} lays quartet {}.
news_false_denial|{} had {} after all! False in move {}.
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
cafe_again|From the start
cafe_chair_first|First choose the chair of this guest.
cafe_joker_first|First choose the joker's chair.
cafe_cannot_pay|Not enough points
cafe_forced|Do it: I am out
cafe_placed|{} on {}
cafe_points|+{} points = {}
cafe_points_one|+{} point = {}
news_completed|Table {} is full.
news_completed_one|Table {} is full, one nation: hand limit −1.
news_cleared|Table {} is cleared, score ×{}.
news_barred|{} at the bar, field {}: {} points = {}
news_barred_one|{} at the bar, field {}: {} point = {}
news_swapped|{} into the hand, {} onto the chair.
news_left_over|{}: {} points for guests left over.
who_begins|Who begins?
lay_card|{}: lay your card
jury_decides|The jury decides
trumpf_call|{} calls
hint_joker|Joker! Now the card
hint_choose|Choose any card
hint_paused|Clock stopped: JURY
unsealed_mark|unsealed
late_left|Late in: {}
late_over|Time is up: SW-7
late|Two minutes
late_sentence|Who is absent now may lose 12:0. Press JURY.
news_round_won|{} wins
news_round_tied|A tie!
news_cards|{} cards
news_cards_pot|{} cards, pot {}
news_value_missing|{}'s card has no {}. Call again.
news_moved|{} hands {} cards: {}
news_order_suspect|{}: {} cannot be the top card ({}).
news_time_up|Time is up!
news_extended|Level: 3 minutes more.
news_sudden|Still level: the next trick wins.
news_forfeited|{} loses 12:0 by forfeit.
news_excluded|{} is excluded and loses 12:0.
news_undone|Move {} is taken back.
news_pot_won|{} gets the pot: {} cards.
news_pot_returned|Everybody takes the pot cards back.
news_seat_out|{} is out.
no_not_now|Not now.
no_wrong_seat|It is not this seat's turn.
no_unknown_card|This card is not part of the game.
no_not_yours|This card cannot be here: it lies elsewhere.
no_already_played|This card has been played already.
no_aside|This card was put aside.
no_joker_not_allowed|Jokers are not in play.
no_no_such_category|There is no such category.
no_value_missing|The card does not have this value.
no_own_card|You hold this card yourself.
no_known_holder|The card is known to be here.
no_cannot_hold|You can hold no card of this group.
no_not_a_quartet|These are no quartet.
no_not_asked|This card was not asked for.
no_chair_taken|The chair is taken.
no_wrong_nation|Wrong nation for this chair.
no_sexes|Women and men do not balance here.
no_no_score|The guest scores nothing here.
no_alone|The guest may not stay alone.
no_joker_fits|The joker still fits at a table.
no_cannot_pay|Not enough points for that.
no_no_joker_there|No joker sits on this chair.
no_not_in_hand|This guest cannot be in the hand.
no_clock_stopped|The clock is stopped. Press JURY, then “Resume clock”.
no_over|The match is over.
no_nothing_to_undo|There is nothing to take back.
no_bad_value|This cannot be right.
tag_two|Two cards! Lay down one only.
tag_unreadable|Not readable. Lay it down again, calmly.
tag_empty|The tag is empty.
tag_foreign|A foreign tag, no playing card.
tag_torn|The tag is only half written.
tag_short|The tag is only half written.
tag_wrong_version|The tag has another version.
tag_malformed|The tag's content is broken.
tag_unsealed|The card has no seal.
tag_unknown_key|The seal is of another league.
tag_bad_seal|The seal is wrong: copied or changed.
tag_wrong_kind|This card means nothing here.
tag_wrong_deck|The card is of another deck.
tag_unknown_deck|The box does not know this deck. Lay down its deck card.
tag_other_values|The tag's values differ from the deck's.
reader_restarted|The reader was restarted. Lay it down again.
reader_broken|The reader does not answer. Check its cable.
arbiter_pause|Stop the clock
arbiter_resume|Resume clock
arbiter_undo|Take back last move
arbiter_hand|Card by hand
arbiter_penalty|Penalty: 10 cards
arbiter_forfeit|Forfeit
arbiter_exclude|Exclude
arbiter_decide|Name the winner
arbiter_abandon|Abandon the match
hand_no_values|The box does not know this card's values yet.
why_wrong_card|wrong card
why_wrong_call|wrong call
why_reader|reading error
why_jury|jury's decision
why_dead_card|tag is dead
why_no_tag|card without tag
why_delay|delaying the game
why_late|too late
why_left|left the table
why_cheating|cheating
why_conduct|conduct
why_level|level match
why_dispute|dispute
why_break|interruption
why_fault|technical fault
over_all_cards|All cards!
over_time|Time is up
over_jury|Jury's decision
over_forfeit|Forfeit
over_excluded|Excluded
over_all_tied|Drawn
over_seat_out|A seat is out
over_hand_empty|Hand is empty
over_last_seat|Last one left
over_chairs_full|All chairs taken
over_bar_full|The bar is full
over_bag|The bag is empty
over_no_table_card|No table card
over_hands|All hands
over_target|Target reached
result_points|{} c. {} pts
result_ok|OK: result is final
result_slip|OK: final; tag: slip
slip_written|The slip is written. Carry it to the desk.
slip_no_key|The box has no key. Without it no slip.
slip_too_small|The tag is too small or locked. Take an NTAG215.
slip_failed|Not written. Lay it down again, calmly.
resumed_title|Match goes on
resumed|Power was lost, the clock is stopped. JURY: go on.
journal_lost|The last match cannot be read any more. Call the jury.
journal_damaged|Power was lost and the record is damaged. Call the jury.
stuck_title|Match {} is stuck
stuck|Opened three times without success. Call the jury.
stuck_again|Open it once more
stuck_aside|Keep it for the desk
stuck_done|It stays whole on the box until the desk fetches it.
"""
