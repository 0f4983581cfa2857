"""What the house rules of whist mean, in English."""

TABLE = """
last_trick|The last trick counts {}.
clock_off|There is no clock.
clock|It ends after {} minutes; a trick that was begun is finished.
turn_off|There is no clock for a turn.
turn|After {} seconds there is a tone; the turn goes on.
"""
