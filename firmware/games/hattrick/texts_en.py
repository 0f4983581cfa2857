"""What the box says about Hattrick, in English: as `firmware/app/texts_en.py`."""

TABLE = """
menu_hands|Number of hands
menu_target|Target points
game_hattrick|Hattrick
target_off|none
who_deals|Who deals?
hattrick_hand|Hand {} of {}
hattrick_last|Last card
suit_R|Red
suit_G|Green
suit_B|Blue
hattrick_passes|Passes
hattrick_totals|Points
hattrick_leads|{} leads
hattrick_deals|{} deals
hattrick_scores|Scores
over_hands|All hands
over_target|Target reached
"""
