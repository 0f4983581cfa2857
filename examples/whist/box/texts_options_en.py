"""What the house rules of whist mean, in English."""

TABLE = """
last_trick|The last trick counts {}.
"""
