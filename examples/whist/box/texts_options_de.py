"""What the house rules of whist mean, in German."""

TABLE = """
last_trick|Der letzte Stich zählt {}.
"""
