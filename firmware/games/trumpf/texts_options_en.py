"""What the house rules of Trumpf mean, in English (firmware/app/options.py)."""

TABLE = """
tie_scope_all|After a tie everybody plays on for the pot.
tie_scope_tied|Only those who tied play on for the pot.
"""
