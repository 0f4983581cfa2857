"""What the house rules of I Doubt It mean, in English."""

TABLE = """
piles|It ends when {} piles were taken.
clock_off|There is no clock.
clock|It ends after {} minutes; a pile that was begun is finished.
turn_off|There is no clock for a turn.
turn|After {} seconds there is a tone; the turn goes on.
"""
