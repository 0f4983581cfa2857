"""What the house rules of Trumpf mean, in English (firmware/app/options.py)."""

TABLE = """
tie_scope_all|After a tie everybody plays on for the pot.
tie_scope_tied|Only those who tied play on for the pot.
clock_off|There is no clock.
clock|It ends after {} minutes; a trick that was called still counts.
turn_off|There is no clock for a turn.
turn|After {} seconds there is a tone; the turn goes on.
"""
