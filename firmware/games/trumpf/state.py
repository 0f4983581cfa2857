"""The numbers of a Trumpf match: its phases, the places of its cells, the reasons of its end; its
events.
"""

from firmware.rules.answers import add_events

add_events(
    """
played seat cards
called seat category
value_missing seat category
round_won seat category cards values pot
round_tied seats category pot
order_suspect seat card rule
moved from to count
time_up left_ms
extended left_ms
sudden left_ms
forfeited seat
excluded seat
pot_won seat pot
pot_returned counts
"""
)

# Phases; 0: `begin` is awaited
LEAD = 1  # the caller's card is awaited, no card of the round is presented
TAP = 2  # a unit is half presented, or another seat's card is awaited
CALL = 3
DECIDE = 4
OVER = 5

# Places of the cells; place 0 is the phase
CALLER = 1
TURN = 2  # place in the order whose tap is awaited
PLAYERS = 3  # seats in the order of this round
CATEGORY = 4  # the category in force, NONE before the call and where the call is skipped
STARTED = 5  # 1 from the first accepted tap on (CL-1)
TIMEOUTS = 6  # time-outs so far
PENDING = 7  # 1: time is up, the called round is played first (SW-4)
EXTENDED = 8  # 1: the extension runs or has run (SW-5)
SUDDEN = 9  # 1: the next decided round wins (SW-5)
REASON = 10
WINNER = 11  # of a finished match between two; NONE: ranked by cards or shared
LEARNED = 12  # how many cards brought their values along with a tap (decision 0088)
ORDER = 13  # seats in the order of presenting

NONE = -1

# Why a match ended, as `match_over` and the result name it
REASONS = ("all_cards", "seat_out", "time", "jury", "forfeit", "excluded", "all_tied")
