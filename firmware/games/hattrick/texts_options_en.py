"""What the house rules of Hattrick mean, in English (firmware/app/options.py)."""

TABLE = """
hands|Everybody deals {} times.
target_off|All games are played.
target|It ends after the game in which somebody reaches {} points.
"""
