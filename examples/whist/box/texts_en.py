"""What the box says about Whist, in English: as `texts_de.py`."""

TABLE = """
game_whist|Whist
menu_last_trick|Last trick counts
whist_trick|Trick {} of {}
whist_points|Points:
whist_taken|{} takes the trick: {}.
whist_revoked|{} should have followed suit: {}. One point lost.
over_all_laid|All cards laid!
"""
