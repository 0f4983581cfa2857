"""Every word the box shows, in English; see `texts_de.py`."""

TABLE = """
seat|Seat {}
jury|Jury
reader|Card reader
refused|Not possible
language|English
why|Why?
which_group|Which group?
which_card|Which card?
round|Trick
menu_game|Game
menu_preset|Variant
menu_deck|Deck
menu_no_deck|lay it down
menu_seats|Seats
menu_options|House rules
options_usual|usual
options_changed|{} changed
options_unknown|Unknown house rule: {}. The usual one holds.
menu_clock|Match time
clock_off|none
menu_turn|Time a turn
turn_off|none
minutes|{} min
seconds|{} s
menu_language|Language
menu_volume|Sound
volume_0|off
volume_1|quiet
volume_2|medium
volume_3|loud
menu_start|Start →
lay_deck|Lay down a deck card or a card of the deck.
journal_full|The memory is full. Fetch the matches first.
cannot_open|No start
deck_unfit|This deck does not fit {}.
board_unfit|This board is not right. Check it on the laptop.
bad_file|The file of the deck or board is broken. Copy it to the box again.
cannot_play|This firmware does not know such a match.
no_file|The file of the deck or board is not on the box.
back|← back
hall_join|Join this hall?
hall_no_radio|This board has no Wi-Fi.
who_begins|Who begins?
begin_lot|Draw lots
begin_deal|Before the match
deal_each|Deal {} cards each.
deal_each_one|Deal one card each.
deal_aside|Put aside: {}.
whose_card|Who holds {}?
lay_card|Lay your card
news_undone|Move {} is taken back.
news_time_up|Time is up!
news_seat_out|{} is out.
no_not_now|Not now.
no_clock_stopped|The clock is stopped. Press JURY, then “Resume clock”.
no_wrong_seat|It is not this seat's turn.
no_unknown_card|This card is not part of the game.
no_not_yours|This card cannot be here: it lies elsewhere.
no_already_played|This card has been played already.
no_joker_not_allowed|Jokers are not in play.
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
tag_replaced|{}: this tag was replaced. Take the new one.
tag_wrong_kind|This card means nothing here.
tag_wrong_deck|The card is of another deck.
tag_unknown_deck|The box does not know this deck. Lay down its deck card.
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
over_time|Time is up
over_hand_empty|Hand is empty
cards|{} cards
cards_one|{} card
result_points|{} points
result_points_one|{} point
result_ok|OK: result is final
result_slip|OK: final; tag: slip
slip_written|The slip is written. Carry it to the desk.
slip_no_key|The box has no key. Without it no slip.
slip_too_small|The tag is too small or locked. Take an NTAG215.
slip_failed|Not written. Lay it down again, calmly.
own_key|Key of the box
own_key_lost|It was damaged: there is a new one. Enrol the box again.
own_key_weak|The random source fails: no key of its own. Results are not signed.
slip_title|Result slip
slip_signing|Signature: {} %
slip_stay|Leave it there.
enrol_box|Box:
enrol_desk|Laptop:
update_refused|New firmware
update_no_signature|Refused: it has no signature. The box wants that of its laptop.
update_bad_signature|Refused: the signature does not fit. Nothing was changed.
update_old_version|Refused: it is older than the one that runs. Nothing was changed.
update_other_board|Refused: it is for another board. Nothing was changed.
enrol_compare|Same on the laptop? OK
resumed_title|Match goes on
resuming|One moment: the match is being loaded.
resumed|Power was lost. Play on, nothing is missing.
resumed_clock|Power was lost, the clock is stopped. JURY: go on.
journal_lost|The last match cannot be read any more. Call the jury.
journal_damaged|Power was lost and the record is damaged. Call the jury.
stuck_title|Match {} is stuck
stuck|Opened three times without success. Call the jury.
stuck_again|Open it once more
stuck_aside|Keep it for the desk
stuck_done|It stays whole on the box until the desk fetches it.
"""
