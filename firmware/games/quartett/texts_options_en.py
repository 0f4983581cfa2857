"""What the house rules of Quartett mean, in English (firmware/app/options.py)."""

TABLE = """
clock_off|There is no clock.
clock|It ends after {} minutes; complete quartets are still laid.
turn_off|There is no clock for a turn.
turn|After {} seconds there is a tone; the turn goes on.
"""
